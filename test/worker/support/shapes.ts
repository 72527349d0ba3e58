import { expect } from "vitest";

/**
 * The fields of new resources in responses. A test adds the fields that it sent, and compares them
 * with `toEqual`. So a missing or additional field fails the test.
 */

export const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const anId: unknown = expect.any(Number);

export const projectShape = {
  id: anId,
  description: null,
  staleDays: 40,
  newFlagClients: "all",
  visibility: "everyone",
  ownRole: "ADMIN",
  createdAt: time,
  updatedAt: time,
};

export const environmentShape = {
  id: anId,
  production: false,
  revision: expect.any(Number) as unknown,
  ruleBytes: expect.any(Number),
  ruleBytesLimit: expect.any(Number),
  requiredApprovals: 0,
  allowBypass: true,
  createdAt: time,
  updatedAt: time,
};

export const flagShape = {
  id: anId,
  description: null,
  enabled: false,
  archived: false,
  ownerIds: [],
  clients: "all",
  tags: [],
  valueType: "boolean",
  variants: [
    { key: "on", value: true },
    { key: "off", value: false },
  ],
  offVariant: "off",
  valueSchema: null,
  prerequisites: [],
  requiredBy: [],
  stale: false,
  version: 1,
  createdAt: time,
  updatedAt: time,
  lastUsedAt: null,
};

export const segmentShape = {
  id: anId,
  description: null,
  constraints: [],
  version: 1,
  createdAt: time,
  updatedAt: time,
};

export const keyShape = {
  id: anId,
  canWrite: expect.any(Boolean) as unknown,
  preview: expect.stringMatching(/^[\w-]{4}$/) as unknown,
  createdAt: time,
  lastUsedAt: null,
};

/**
 * The strategy of a flag in an environment where it was never set (docs/build/decisions.md, 2.4).
 */
export const defaultStrategy = {
  enabled: false,
  percentage: 100,
  exactPercentage: 100,
  constraints: [],
  segmentIds: [],
  stickiness: null,
  hashKey: null,
  serve: { variant: "on" },
  splitKey: null,
  splitStickiness: null,
  rules: [],
  version: 0,
  updatedAt: null,
};

export const integrationShape = {
  id: anId,
  type: "custom_webhook",
  failingSince: null,
  lastSuccessAt: null,
  switchedOffAt: null,
  version: 1,
  createdAt: time,
  updatedAt: time,
};
