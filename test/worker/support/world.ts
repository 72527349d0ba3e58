import { EVENT_TYPES } from "../../../src/db/outbox.ts";
import { call, type Json } from "./client.ts";
import { adminToken } from "./people.ts";

/** Creates test data through the public API. Throws: Error when the API returns an error. */

async function created(path: string, body: object): Promise<Json> {
  const answer = await call("POST", path, { token: await adminToken(), body });
  if (answer.status !== 201)
    throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

let count = 0;
/** A name that no other test uses, because it contains a random UUID. */
export const unique = (prefix: string): string =>
  `${prefix}-${(count += 1)}-${crypto.randomUUID()}`;

export const newProject = () => created("/api/v1/projects", { name: unique("project") });

export const newEnvironment = (projectId: number) =>
  created("/api/v1/environments", { name: unique("environment"), projectId });

export const newKey = (
  environmentId: number,
  keyType: "SERVER" | "FRONTEND" = "SERVER",
  more: object = {},
) => created("/api/v1/api-keys", { name: unique("key"), keyType, environmentId, ...more });

export const newFlag = (projectId: number, more: object = {}) =>
  created("/api/v1/flags", {
    key: unique("flag"),
    name: "A flag",
    flagType: "RELEASE",
    projectId,
    ...more,
  });

export const newSegment = (projectId: number, constraints: readonly object[]) =>
  created("/api/v1/segments", { name: unique("segment"), projectId, constraints });

export const newTag = (projectId: number) =>
  created("/api/v1/tags", { name: unique("tag"), color: "#2f9e44", projectId });

export const newSharedFilter = (projectId: number) =>
  created("/api/v1/shared-filters", { name: unique("filter"), query: "stale=true", projectId });

export const newContext = (projectId: number) =>
  created("/api/v1/contexts", {
    name: unique("context"),
    contextKey: unique("key"),
    contextType: "string",
    projectId,
  });

export const newValue = (definitionId: number) =>
  created(`/api/v1/contexts/${definitionId}/values`, { value: unique("value") });

/** Creates an integration that subscribes to three webhook events of flags. */
export const newIntegration = (projectId: number, more: object = {}) =>
  created("/api/v1/integrations", {
    name: unique("integration"),
    enabled: true,
    type: "custom_webhook",
    configJson: JSON.stringify({ url: "https://receiver.example.com/hook" }),
    eventSubscriptionsJson: JSON.stringify(["flag.created", "flag.updated", "flag.deleted"]),
    projectId,
    ...more,
  });

/** Creates an integration that subscribes to every webhook event, so that events are stored. */
export const newSubscriber = (projectId: number) =>
  newIntegration(projectId, { eventSubscriptionsJson: JSON.stringify(EVENT_TYPES) });

export const inCountries = (...values: string[]) => ({
  field: "country",
  operator: "in",
  values,
  contextType: "string",
});

export async function setStrategy(flagId: number, strategy: object): Promise<Json> {
  const path = `/api/v1/flags/${flagId}/strategies`;
  const answer = await call("PUT", path, { token: await adminToken(), body: strategy });
  if (answer.status !== 200)
    throw new Error(`PUT ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates a project with one environment and a SERVER key. */
export async function newWorld() {
  const project = await newProject();
  const environment = await newEnvironment(project.id);
  const key = await newKey(environment.id);
  return {
    projectId: project.id as number,
    environmentId: environment.id as number,
    apiKey: key.apiKey as string,
    keyId: key.id as number,
  };
}
