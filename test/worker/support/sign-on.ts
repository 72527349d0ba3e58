import { expect } from "vitest";
import { Browser } from "./browser.ts";
import type { Json } from "./client.ts";
import type { FakeIdp } from "./fake-idp.ts";
import { asAdmin } from "./outcomes.ts";
import { newProvider } from "./providers.ts";

/** The domain of the e-mail addresses that a provider of `providerOf` accepts. */
const DOMAIN = "example.com";
export const newEmail = () => `person-${crypto.randomUUID()}@${DOMAIN}`;

/** Adds an OpenID provider at which everybody of the domain gets in. */
export const providerOf = (idp: FakeIdp, fields: object = {}): Promise<Json> =>
  newProvider({
    issuer: idp.issuer,
    clientSecret: "the secret",
    domains: [DOMAIN],
    provisioning: "justInTime",
    ...fields,
  });

/** Lets a provider prove an e-mail address. */
export function proves(idp: FakeIdp, email: string, more: object = {}): void {
  idp.person = { sub: `subject of ${email}`, email, email_verified: true, ...more };
}

/** Signs in at a provider. Returns what a login returns. */
export async function signedInAt(
  slug: string,
  idp: FakeIdp,
  browser = new Browser(),
): Promise<Json> {
  expect(await browser.signOn(slug, idp)).toBe("/sign-in/complete");
  const { status, body } = await browser.complete();
  expect(status).toBe(200);
  return body;
}

export const emailOf = async (id: number): Promise<string> =>
  (await asAdmin("GET", `/api/v1/users/${id}`)).body.email;

/** Returns the word in the URL to which a callback leads; null if the sign-in has succeeded. */
export const problemIn = (location: string): string | null =>
  new URL(location, "https://flags.test").searchParams.get("problem");
