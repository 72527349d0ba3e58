import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type OAuthClient = Schemas["OAuthClient"];

/** The OAuth clients that administrators have registered. */
export const clientsQuery = queryOptions({
  queryKey: ["oauth-clients"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/settings/oauth-clients", { signal })),
});

/** Throws: ApiError 400 for a redirect URI that is not allowed, 402 if there are too many clients. */
export const createClient = (body: Schemas["CreateOAuthClient"]) =>
  dataOf(api.POST("/api/v1/settings/oauth-clients", { body }));

/** Throws: ApiError 404 if the client was already deleted. */
export const deleteClient = (id: number) =>
  api.DELETE("/api/v1/settings/oauth-clients/{id}", { params: { path: { id } } });
