import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type Agent = Schemas["Agent"];

/** The agents that act for the signed-in user. */
export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/agents", { signal })),
});

/** Throws: ApiError 404 if the access was already revoked. */
export const revokeAgent = (id: number) =>
  api.DELETE("/api/v1/agents/{id}", { params: { path: { id } } });
