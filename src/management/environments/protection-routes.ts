import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, ifMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./protection-schema.ts";
import * as service from "./protection-service.ts";

export const protection = new Router<ManagementEnv>("Environments");

protection.endpoint(
  "GET /{id}/protection",
  {
    operationId: "getProtection",
    summary: "Read the protection of an environment",
    ...access("environment:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.protectionResponse, "The protection", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getProtection(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toProtection(row), 200, { ETag: etagOf(row.version) });
  },
);

protection.endpoint(
  "PUT /{id}/protection",
  {
    operationId: "setProtection",
    summary: "Change the protection of an environment",
    description:
      "A weaker protection needs `X-Change-Reason`, and is mailed to all administrators.",
    ...access("protection:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.protectionRequest) },
    responses: {
      200: json(schema.protectionResponse, "The protection", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const row = await service.setProtection(callOfRequest(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toProtection(row), 200, { ETag: etagOf(row.version) });
  },
);

protection.endpoint(
  "GET /{id}/members",
  {
    operationId: "getEnvironmentMembers",
    summary: "List the members of an environment",
    description: "They count only while `memberAccess` of the protection is `list`.",
    ...access("environment:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.membersResponse, "The members", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const { version, members } = await service.getMembers(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toMembers(members), 200, { ETag: etagOf(version) });
  },
);

protection.endpoint(
  "PUT /{id}/members",
  {
    operationId: "setEnvironmentMembers",
    summary: "Replace the members of an environment",
    description:
      "New rights of a member need `X-Change-Reason` while `memberAccess` of the protection is `list`, and are mailed to all administrators.",
    ...access("protection:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.membersRequest) },
    responses: {
      200: json(schema.membersResponse, "The members", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { version, members } = await service.setMembers(callOfRequest(c), {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    });
    return c.json(schema.toMembers(members), 200, { ETag: etagOf(version) });
  },
);
