import { read, send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type OAuthClient = Schemas["OAuthClient"];

/** The OAuth clients that administrators have registered. */
export const clientsQuery = read("/api/v1/settings/oauth-clients");

/** Throws: ApiError 400 for a redirect URI that is not allowed, 402 if there are too many clients. */
export const createClient = (body: Schemas["CreateOAuthClient"]) =>
  send("post", "/api/v1/settings/oauth-clients", { body });

/** Throws: ApiError 404 if the client was already deleted. */
export const deleteClient = (id: number) =>
  send("delete", "/api/v1/settings/oauth-clients/{id}", { path: { id } });
