import { api } from "../../shared/api/client.ts";
import { readAll } from "../../shared/api/request.ts";
import { refusalIn, sendAssertion } from "../../shared/session/sign-on.ts";
import type { Provider } from "./provider-fields.ts";

/** All identity providers, those of the configuration first. */
export const providersQuery = readAll("/api/v1/settings/identity-providers");

/** A provider that the API can change. Providers of the configuration have no id. */
export type StoredProvider = Provider & { readonly id: number };

/** The parts of a request that change the loaded version of a provider. */
export const target = ({ id, version }: StoredProvider) => ({ path: { id }, ifMatch: version });

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
