import { read, send } from "../api/request.ts";
import type { Schemas, ServiceAccount } from "../api/types.ts";

/** Who owns tokens: a service account, or undefined for the signed-in user. */
export type TokenOwner = ServiceAccount | undefined;

/** Whose tokens a list shows: those of a service account, of another user, or of the signed-in user. */
export type TokensOf =
  | { readonly serviceAccountId: number }
  | { readonly userId: number }
  | undefined;

/** The tokens of an owner that are not revoked. Expired ones stay in the list for 90 days. */
export const tokensQuery = (of: TokensOf) => read("/api/v1/tokens", of && { query: of });

/** Throws: ApiError 400 for a wrong password, 402 if the owner has too many tokens. */
export const createToken = (body: Schemas["CreateToken"]) =>
  send("post", "/api/v1/tokens", { body });

/** Throws: ApiError 404 if the token was already revoked. */
export const revokeToken = (id: number) => send("delete", "/api/v1/tokens/{id}", { path: { id } });
