import type { Known } from "./known.ts";
import { renamed, route, type Route } from "./route.ts";
import { ROUTES_OF_PEOPLE } from "./routes-of-people.ts";
import { ROUTES_OF_TOKENS } from "./routes-of-tokens.ts";

const project = { ids: (k: Known) => [k.projectId] };
const environment = { ids: (k: Known) => [k.environmentId] };
const flag = { ids: (k: Known) => [k.flagId] };
const segment = { ids: (k: Known) => [k.segmentId] };
const key = { ids: (k: Known) => [k.keyId] };
const tag = { ids: (k: Known) => [k.tagId] };
const sharedFilter = { ids: (k: Known) => [k.sharedFilterId] };
const context = { ids: (k: Known) => [k.contextId] };
const value = { ids: (k: Known) => [k.valueId] };
const integration = { ids: (k: Known) => [k.integrationId] };
const request = (which: keyof Known["requests"]) => ({
  ids: (k: Known) => [k.requests[which].id],
  headers: (k: Known) => ({ "If-Match": `"${k.requests[which].hash}"` }),
});
const ramp = (which: "running" | "paused" | "waiting" | "aborted") => ({
  ids: (k: Known) => [k.ramps[which]],
});
const doomed = (kind: keyof Known["doomed"]) => ({ ids: (k: Known) => [k.doomed[kind]] });

const emptyFile = ({ projectName }: Known) => ({ version: 1, project: projectName });
const inProject = { body: ({ unique, projectId }: Known) => ({ name: unique, projectId }) };
const oneEnvironment = { query: (k: Known) => `?environmentId=${k.environmentId}` };

/** Every route of the API. matrix.test.ts fails while a route is missing here. */
export const ROUTES: readonly Route[] = [
  route("GET /api/client/features", "rules:read"),
  route("POST /api/client/evaluate", "rules:evaluate", { body: () => ({ context: {} }) }),
  route("POST /api/client/metrics", "usage:report", { body: () => ({ evaluations: {} }) }),

  route("POST /api/ofrep/v1/evaluate/flags/{key}", "rules:evaluate", {
    ids: (k) => [k.flagKey],
    body: () => ({ context: {} }),
  }),
  route("POST /api/ofrep/v1/evaluate/flags", "rules:evaluate", { body: () => ({ context: {} }) }),

  route("GET /api/openfeature/v0/manifest", "rules:read"),

  route("GET /api/client/stream", "rules:read"),
  route("GET /api/ofrep/v1/stream", "rules:evaluate"),

  route("GET /api/unleash/client/features", "rules:read"),
  route("GET /api/unleash/client/delta", "rules:read"),
  route("POST /api/unleash/client/register", "rules:read", { body: () => ({}) }),
  route("POST /api/unleash/client/metrics", "rules:read", { body: () => ({}) }),
  route("GET /api/unleash/frontend", "rules:evaluate"),
  route("POST /api/unleash/frontend", "rules:evaluate", { body: () => ({}) }),
  route("POST /api/unleash/frontend/client/register", "usage:report", { body: () => ({}) }),
  route("POST /api/unleash/frontend/client/metrics", "usage:report", { body: () => ({}) }),

  ...ROUTES_OF_PEOPLE,

  route("GET /api/v1/projects", "project:read"),
  route("POST /api/v1/projects", "project:create", renamed),
  route("GET /api/v1/projects/{id}", "project:read", project),
  route("GET /api/v1/projects/{id}/stream", "flag:read", project),
  route("PUT /api/v1/projects/{id}", "project:write", {
    ...project,
    body: ({ unique }) => ({ description: unique }),
  }),
  route("GET /api/v1/projects/{id}/export", "project:export", project),
  route("POST /api/v1/projects/{id}/plan", "project:export", {
    ...project,
    body: (k) => ({ file: emptyFile(k) }),
  }),
  // A manager that owns the flag without changing it.
  route("POST /api/v1/projects/{id}/apply", "project:apply", {
    ...project,
    body: (k) => ({
      file: {
        ...emptyFile(k),
        manager: k.unique,
        flags: { [k.otherFlagKey]: { flagType: "RELEASE" } },
      },
    }),
    headers: () => ({ "If-Match": '"no-changes"' }),
  }),
  route("GET /api/v1/schemas/flags-1.json", null),
  route("GET /api/v1/projects/{id}/members", "member:read", project),
  route("PUT /api/v1/projects/{id}/members/{userId}", "member:write", {
    ids: (k) => [k.projectId, k.userId],
    body: () => ({ role: "DEVELOPER" }),
  }),
  route("DELETE /api/v1/projects/{id}/members/{userId}", "member:write", {
    ids: (k) => [k.projectId, k.userId],
  }),
  route("DELETE /api/v1/projects/{id}", "project:write", doomed("projectId")),

  route("GET /api/v1/environments", "environment:read"),
  route("POST /api/v1/environments", "environment:write", inProject),
  route("GET /api/v1/environments/{id}", "environment:read", environment),
  route("PUT /api/v1/environments/{id}", "environment:write", { ...environment, ...renamed }),
  route("GET /api/v1/environments/{id}/protection", "environment:read", environment),
  // No user is restricted by this protection, so the other routes stay as they are.
  route("PUT /api/v1/environments/{id}/protection", "protection:write", {
    ...environment,
    body: () => ({ approverRole: "ADMIN" }),
  }),
  route("GET /api/v1/environments/{id}/members", "environment:read", environment),
  route("PUT /api/v1/environments/{id}/members", "protection:write", {
    ...environment,
    body: (k) => ({ members: [{ userId: k.userId, canWrite: true, canApprove: false }] }),
  }),
  // The source of the copy is the environment that the next route deletes.
  route("POST /api/v1/flags/bulk/strategies/copy", "strategy:write", {
    body: (k) => ({
      environmentId: k.environmentId,
      fromEnvironmentId: k.copied.fromEnvironmentId,
      flags: [{ id: k.copied.flagId }],
    }),
  }),
  route("DELETE /api/v1/environments/{id}", "environment:write", doomed("environmentId")),

  route("GET /api/v1/flags", "flag:read"),
  route("GET /api/v1/flags/by-environment", "flag:read", oneEnvironment),
  route("GET /api/v1/flags/enriched", "flag:read"),
  route("POST /api/v1/flags", "flag:write", {
    body: (k) => ({
      key: k.unique,
      name: "n",
      flagType: "RELEASE",
      tags: ["t", "u"],
      projectId: k.projectId,
    }),
  }),
  route("GET /api/v1/flags/{id}", "flag:read", flag),
  route("PUT /api/v1/flags/{id}", "flag:write", {
    ...flag,
    body: ({ unique }) => ({ name: unique, tags: ["t", "v"] }),
  }),
  route("POST /api/v1/flags/{id}/archive", "flag:write", flag),
  route("POST /api/v1/flags/{id}/unarchive", "flag:write", flag),
  route("POST /api/v1/flags/{id}/clone", "flag:write", {
    ...flag,
    body: ({ unique }) => ({ key: unique, name: "n", keepState: true }),
  }),
  route("POST /api/v1/flags/{id}/revert", "flag:write", {
    ids: (k) => [k.reverted.flagId],
    body: (k) => ({ recordId: k.reverted.flagUpdate }),
  }),
  route("DELETE /api/v1/flags/{id}", "flag:write", doomed("flagId")),
  route("POST /api/v1/operations", "flag:write", {
    body: (k) => ({
      projectId: k.projectId,
      operations: [
        { kind: "segment.create", input: { name: k.unique } },
        {
          kind: "strategy.set",
          target: { flagId: k.otherFlagId, environmentId: k.environmentId },
          input: { percentage: 10, segmentIds: [k.unique] },
        },
      ],
    }),
  }),
  route("GET /api/v1/change-requests", "change-request:read"),
  route("POST /api/v1/change-requests", "change-request:write", {
    inOwnEnvironment: true,
    body: (k) => ({
      projectId: k.projectId,
      title: k.unique,
      operations: [
        {
          kind: "strategy.set",
          target: { flagId: k.otherFlagId, environmentId: k.environmentId },
          input: { hashKey: k.unique },
        },
      ],
    }),
  }),
  route("GET /api/v1/change-requests/{id}", "change-request:read", request("reviewed")),
  route("PUT /api/v1/change-requests/{id}", "change-request:write", {
    ...request("edited"),
    inOwnEnvironment: true,
    // The time zone is no part of the hash, so every caller can send the same `If-Match`.
    body: () => ({ timeZone: "Europe/Berlin" }),
  }),
  route("POST /api/v1/change-requests/{id}/rebase", "change-request:write", {
    ...request("outdated"),
    inOwnEnvironment: true,
    body: () => ({}),
  }),
  route("GET /api/v1/change-requests/reviewers", "user:read-names", {
    query: ({ projectId }) => `?projectId=${projectId}`,
  }),
  route("POST /api/v1/change-requests/{id}/reviewers", "change-request:write", {
    ...request("reviewed"),
    inOwnEnvironment: true,
    body: (k) => ({ add: [k.approverId] }),
  }),
  route("POST /api/v1/change-requests/{id}/reviews", "change-request:review", {
    ...request("reviewed"),
    body: () => ({ verdict: "approve" }),
  }),
  route("POST /api/v1/change-requests/{id}/comments", "change-request:write", {
    ...request("reviewed"),
    inOwnEnvironment: true,
    body: (k) => ({ text: k.unique }),
  }),
  route("POST /api/v1/change-requests/{id}/apply", "change-request:write", {
    ...request("applied"),
    inOwnEnvironment: true,
  }),
  route("POST /api/v1/change-requests/{id}/close", "change-request:write", {
    ...request("closed"),
    // Another key is not the author.
    inOwnEnvironment: true,
  }),
  route("GET /api/v1/ramps", "strategy:read"),
  // One step without a hold, so that the ramp is over at once and the next caller can start one.
  route("POST /api/v1/ramps", "strategy:write", {
    body: (k) => ({
      flagId: k.flagId,
      environmentId: k.environmentId,
      steps: [{ exactPercentage: 20, holdMinutes: null }],
    }),
  }),
  route("GET /api/v1/ramps/{id}", "strategy:read", ramp("paused")),
  route("POST /api/v1/ramps/{id}/pause", "strategy:write", ramp("running")),
  route("POST /api/v1/ramps/{id}/resume", "strategy:write", ramp("paused")),
  route("POST /api/v1/ramps/{id}/advance", "strategy:write", ramp("waiting")),
  route("POST /api/v1/ramps/{id}/abort", "strategy:write", ramp("aborted")),
  route("POST /api/v1/ramps/{id}/stop-url", "strategy:write", {
    ...ramp("paused"),
    body: () => ({ action: "pause" }),
  }),
  route("POST /api/v1/ramp-stops/{token}", null, { ids: (k) => [k.ramps.stopToken] }),
  route("GET /api/v1/schedule", "change-request:read"),
  route("POST /api/v1/flags/bulk", "flag:write", {
    body: (k) => ({
      projectId: k.projectId,
      action: "tag",
      tag: k.unique,
      flags: [{ id: k.flagId }, { id: k.otherFlagId }],
    }),
  }),

  route("POST /api/v1/flags/bulk/strategies", "strategy:write", {
    body: (k) => ({
      environmentId: k.environmentId,
      enabled: true,
      flags: [{ id: k.otherFlagId }],
    }),
  }),
  route("POST /api/v1/flags/bulk/strategies/revert", "strategy:write", {
    body: (k) => ({ environmentId: k.environmentId, flags: [{ id: k.copied.flagId }] }),
  }),
  route("GET /api/v1/flags/{flagId}/strategies", "strategy:read", flag),
  route("GET /api/v1/flags/{flagId}/strategies/{environmentId}", "strategy:read", {
    ids: (k) => [k.flagId, k.environmentId],
  }),
  route("PUT /api/v1/flags/{flagId}/strategies", "strategy:write", {
    ...flag,
    body: (k) => ({ environmentId: k.environmentId, enabled: true, segmentIds: [k.segmentId] }),
  }),
  route("POST /api/v1/flags/{flagId}/strategies/revert", "strategy:write", {
    ids: (k) => [k.reverted.flagId],
    body: (k) => ({ recordId: k.reverted.strategyUpdate }),
  }),

  route("GET /api/v1/segments", "segment:read"),
  route("POST /api/v1/segments", "segment:write", inProject),
  route("GET /api/v1/segments/{id}", "segment:read", segment),
  route("PUT /api/v1/segments/{id}", "segment:write", { ...segment, ...renamed }),
  route("POST /api/v1/segments/{id}/revert", "segment:write", {
    ids: (k) => [k.reverted.segmentId],
    body: (k) => ({ recordId: k.reverted.segmentUpdate }),
  }),
  route("DELETE /api/v1/segments/{id}", "segment:write", doomed("segmentId")),

  route("GET /api/v1/tags", "tag:read"),
  route("POST /api/v1/tags", "tag:write", {
    body: ({ unique, projectId }) => ({ name: unique, color: "#2f9e44", projectId }),
  }),
  route("GET /api/v1/tags/{id}", "tag:read", tag),
  route("PUT /api/v1/tags/{id}", "tag:write", { ...tag, ...renamed }),
  route("DELETE /api/v1/tags/{id}", "tag:write", doomed("tagId")),

  route("GET /api/v1/shared-filters", "shared-filter:read"),
  route("POST /api/v1/shared-filters", "shared-filter:write", {
    body: ({ unique, projectId }) => ({ name: unique, query: "stale=true", projectId }),
  }),
  route("GET /api/v1/shared-filters/{id}", "shared-filter:read", sharedFilter),
  route("PUT /api/v1/shared-filters/{id}", "shared-filter:write", { ...sharedFilter, ...renamed }),
  route("DELETE /api/v1/shared-filters/{id}", "shared-filter:write", doomed("sharedFilterId")),

  route("GET /api/v1/contexts", "context:read"),
  route("POST /api/v1/contexts", "context:write", {
    body: ({ unique, projectId }) => ({
      name: unique,
      contextKey: unique,
      contextType: "string",
      projectId,
    }),
  }),
  route("GET /api/v1/contexts/{definitionId}", "context:read", context),
  route("PUT /api/v1/contexts/{definitionId}", "context:write", { ...context, ...renamed }),
  route("DELETE /api/v1/contexts/{definitionId}", "context:write", doomed("contextId")),
  route("GET /api/v1/contexts/{definitionId}/values", "context:read", context),
  route("POST /api/v1/contexts/{definitionId}/values", "context:write", {
    ...context,
    body: ({ unique }) => ({ value: unique }),
  }),
  route("PUT /api/v1/contexts/{definitionId}/values", "context:write", {
    ...context,
    body: ({ unique }) => [{ value: unique, description: "d" }, { value: "stays" }],
  }),
  route("GET /api/v1/contexts/values/{valueId}", "context:read", value),
  route("PUT /api/v1/contexts/values/{valueId}", "context:write", {
    ...value,
    body: ({ unique }) => ({ value: unique }),
  }),
  route("DELETE /api/v1/contexts/values/{valueId}", "context:write", doomed("valueId")),

  route("GET /api/v1/audit", "audit:read"),

  route("GET /api/v1/flags/{flagId}/metrics", "metrics:read", flag),
  route("GET /api/v1/metrics", "metrics:read", oneEnvironment),
  route("GET /api/v1/metrics/flags", "metrics:read", {
    query: (k) => `?environmentId=${k.environmentId}&flagIds=${k.flagId}`,
  }),
  route("GET /api/v1/projects/{id}/client-instances", "metrics:read", project),
  route("GET /api/v1/environments/{id}/propagation", "metrics:read", environment),
  route("GET /api/v1/environments/{id}/unleash", "strategy:read", environment),

  ...ROUTES_OF_TOKENS,

  route("GET /api/v1/api-keys", "api-key:read"),
  route("POST /api/v1/api-keys", "api-key:write", {
    body: (k) => ({ name: k.unique, keyType: "SERVER", environmentId: k.environmentId }),
  }),
  route("PUT /api/v1/api-keys/{id}", "api-key:write", { ...key, ...renamed }),
  route("DELETE /api/v1/api-keys/{id}", "api-key:write", doomed("keyId")),

  route("GET /api/v1/integrations", "integration:read"),
  route("POST /api/v1/integrations", "integration:write", {
    body: ({ unique, projectId }) => ({
      name: unique,
      enabled: true,
      type: "custom_webhook",
      configJson: '{"url":"https://receiver.example.com/","headers":{"X-Token":"t"}}',
      eventSubscriptionsJson: '["flag.created"]',
      projectId,
    }),
  }),
  route("GET /api/v1/integrations/webhook-limit", "integration:read"),
  route("GET /api/v1/integrations/{id}", "integration:read", integration),
  route("PUT /api/v1/integrations/{id}", "integration:write", { ...integration, ...renamed }),
  route("DELETE /api/v1/integrations/{id}", "integration:write", doomed("integrationId")),
  route("GET /api/v1/integrations/{id}/deliveries", "integration:read", integration),
  route("POST /api/v1/integrations/{id}/deliveries/{deliveryId}/redeliver", "integration:write", {
    ids: (k) => [k.integrationId, k.deliveryId],
  }),
  route("POST /api/v1/integrations/{id}/test", "integration:write", integration),

  route("GET /actuator", null),
  route("GET /actuator/health", null),
  route("GET /actuator/info", null),
  route("GET /actuator/metrics", null),
  route("GET /actuator/metrics/{name}", null, { ids: () => ["cache_gets_total"] }),
  route("GET /actuator/prometheus", null),
];
