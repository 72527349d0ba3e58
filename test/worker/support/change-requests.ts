import { expect } from "vitest";
import { call, type Json } from "./client.ts";
import { asAdmin } from "./outcomes.ts";
import { newEnvironment, newFlag, newProject, setStrategy } from "./world.ts";

interface Response {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}
type Headed = Readonly<Record<string, string>>;
export type As = (
  method: string,
  path: string,
  body?: object,
  headers?: Headed,
) => Promise<Response>;

export const REQUESTS = "/api/v1/change-requests";
export const REASON = { "X-Change-Reason": "An incident" };

export const as =
  (token: string): As =>
  (method, path, body, headers = {}) =>
    call(method, path, { token, body, headers });

/** Creates a project with a protected environment in which a flag is on for 25 %. */
export async function newScene(policy: object = { requiredApprovals: 1 }) {
  const { id: projectId } = (await newProject()) as { id: number };
  const { id: environmentId, name } = await newEnvironment(projectId);
  const flag = await newFlag(projectId);
  await setStrategy(flag.id, { environmentId, enabled: true, percentage: 25 });
  await asAdmin("PUT", `/api/v1/environments/${environmentId}/protection`, policy, REASON);
  const scene = {
    projectId,
    environmentId: environmentId as number,
    name: name as string,
    flagId: flag.id as number,
    flagKey: flag.key as string,
    flagName: flag.name as string,
  };
  return { ...scene, set: (input: object) => setting(scene, input) };
}

const setting = (
  { flagId, environmentId }: { readonly flagId: number; readonly environmentId: number },
  input: object,
) => ({ kind: "strategy.set", target: { flagId, environmentId }, input });

/** Opens a change request. */
export async function opened(by: As, projectId: number, more: object): Promise<Json> {
  const { status, body } = await by("POST", REQUESTS, { projectId, title: "More", ...more });
  expect(status).toBe(201);
  return body;
}

/** Sends what the verb of a change request needs, with the request's hash. */
export const act = (by: As, verb: string, { id, hash }: Json, body: object = {}) =>
  by("POST", `${REQUESTS}/${id}/${verb}`, body, { "If-Match": `"${hash}"` });

export const approve = (by: As, request: Json) =>
  act(by, "reviews", request, { verdict: "approve" });

export const percentageOf = async (flagId: number, environmentId: number) =>
  (await asAdmin("GET", `/api/v1/flags/${flagId}/strategies/${environmentId}`)).body.percentage;
