import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";
import type { Schemas, ServiceAccount } from "../api/types.ts";

/** Who owns tokens: a service account, or undefined for the signed-in user. */
export type TokenOwner = ServiceAccount | undefined;

/** Whose tokens a list shows: those of a service account, of another user, or of the signed-in user. */
export type TokensOf =
  | { readonly serviceAccountId: number }
  | { readonly userId: number }
  | undefined;

/** The tokens of an owner that are not revoked. Expired ones stay in the list for 90 days. */
export const tokensQuery = (of: TokensOf) =>
  queryOptions({
    queryKey: ["tokens", of ?? "own"],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/tokens", { ...(of && { params: { query: of } }), signal })),
  });

/** Throws: ApiError 400 for a wrong password, 402 if the owner has too many tokens. */
export const createToken = (body: Schemas["CreateToken"]) =>
  dataOf(api.POST("/api/v1/tokens", { body }));

/** Throws: ApiError 404 if the token was already revoked. */
export const revokeToken = (id: number) =>
  api.DELETE("/api/v1/tokens/{id}", { params: { path: { id } } });
