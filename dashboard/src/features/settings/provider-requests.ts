import { api } from "../../shared/api/client.ts";
import { readAll, send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { refusalIn, sendAssertion } from "../../shared/session/sign-on.ts";
import type { Provider } from "./provider-fields.ts";

/** All identity providers, those of the configuration first. */
export const providersQuery = readAll("/api/v1/settings/identity-providers");

/** Throws: ApiError 409 if a provider has the slug. */
export const createProvider = (body: Schemas["CreateIdentityProvider"]) =>
  send("post", "/api/v1/settings/identity-providers", { body });

/** A provider that the API can change. Providers of the configuration have no id. */
export type StoredProvider = Provider & { readonly id: number };

const target = ({ id, version }: StoredProvider) => ({ path: { id }, ifMatch: version });

/** Throws: ApiError 412 if the provider has changed since it was loaded. */
export const updateProvider = (provider: StoredProvider, body: Schemas["UpdateIdentityProvider"]) =>
  send("put", "/api/v1/settings/identity-providers/{id}", { ...target(provider), body });

/** Throws: ApiError 412 if the provider has changed since it was loaded. */
export const deleteProvider = (provider: StoredProvider) =>
  send("delete", "/api/v1/settings/identity-providers/{id}", target(provider));

/**
 * Tests Cloudflare Access with the assertion that Access adds to the request. Returns why a new user
 * with the account could not sign in, or undefined if the user could.
 */
export async function testAssertion(slug: string): Promise<string | undefined> {
  try {
    await sendAssertion(api, slug, { intent: "test" });
    return undefined;
  } catch (error) {
    const word = refusalIn(error);
    if (word === undefined) throw error;
    return word;
  }
}
