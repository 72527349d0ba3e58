import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";
import type { Schemas } from "../api/types.ts";

export type Agent = Schemas["Agent"];

/** The agents that act for a user. Undefined: the signed-in user. */
export const agentsQuery = (userId: number | undefined) =>
  queryOptions({
    queryKey: ["agents", userId ?? "own"],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/agents", {
          ...(userId !== undefined && { params: { query: { userId } } }),
          signal,
        }),
      ),
  });

/** Throws: ApiError 404 if the access was already revoked. */
export const revokeAgent = (id: number) =>
  api.DELETE("/api/v1/agents/{id}", { params: { path: { id } } });
