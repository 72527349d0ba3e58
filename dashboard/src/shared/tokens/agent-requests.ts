import { read, send } from "../api/request.ts";
import type { Schemas } from "../api/types.ts";

export type Agent = Schemas["Agent"];

/** The agents that act for a user. Undefined: the signed-in user. */
export const agentsQuery = (userId: number | undefined) =>
  read("/api/v1/agents", userId === undefined ? {} : { query: { userId } });

/** Throws: ApiError 404 if the access was already revoked. */
export const revokeAgent = (id: number) => send("delete", "/api/v1/agents/{id}", { path: { id } });
