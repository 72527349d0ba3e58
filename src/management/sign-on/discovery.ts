import { z } from "@hono/zod-openapi";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { providerFault } from "../../core/errors/sign-on-problem.ts";
import type { Provider } from "../../core/sign-on/provider.ts";
import { jsonFrom, outgoing } from "./outgoing.ts";
import { keep, kept } from "./text-cache.ts";

/** How long the configuration of a provider is used again, milliseconds. */
const DISCOVERY_MS = 10 * MINUTE_MS;

/** How long the keys of a provider of OpenID Connect are used again, milliseconds. */
export const KEYS_MS = 5 * MINUTE_MS;

/** The algorithms of signatures that count. HS256 is missing: its key would be the client secret. */
export const ALGORITHMS: readonly string[] = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/** How much a time in a token may differ from the clock of the service, seconds. */
export const TOLERANCE_S = 30;

/** How far the clock of a provider may be ahead, seconds. */
export const MAX_AHEAD_S = 60;

/** A provider with what a request to it needs. */
export interface Client {
  readonly provider: Provider;
  readonly secret: string | undefined;
  readonly allowHttp: boolean;
  /** The current time, epoch milliseconds. */
  readonly now: number;
}

/** What begins a sign-in at a provider, and what its end must show again. */
export interface Attempt {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE (RFC 7636), whose hash the provider gets first. */
  readonly verifier: string;
  /** Whether the person must authenticate again. */
  readonly again: boolean;
}

/** The path of the public keys of Cloudflare Access. */
export const ACCESS_KEYS = "/cdn-cgi/access/certs";

const texts = z.array(z.string());
const metadataSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  id_token_signing_alg_values_supported: texts.default(["RS256"]),
  token_endpoint_auth_methods_supported: texts.default(["client_secret_basic"]),
});
export type Metadata = z.infer<typeof metadataSchema>;

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

/**
 * Returns the configuration that the provider publishes (OpenID Connect Discovery 1.0). Throws:
 * `SignOnError` if the provider does not respond, or publishes the configuration of another issuer.
 */
export async function metadataOf({ provider, allowHttp, now }: Client): Promise<Metadata> {
  const issuer = withoutSlash(provider.issuer);
  const key = `configuration ${issuer}`;
  const known = kept(key, now) as Metadata | undefined;
  if (known) return known;
  const url = `${issuer}/.well-known/openid-configuration`;
  const read = metadataSchema.safeParse(await jsonFrom(outgoing(allowHttp), url));
  if (!read.success)
    throw providerFault(`The configuration of ${issuer} is not complete`, "misconfigured");
  if (withoutSlash(read.data.issuer) !== issuer)
    throw providerFault(`${issuer} publishes the configuration of another issuer`, "misconfigured");
  keep(key, read.data, now + DISCOVERY_MS);
  return read.data;
}

/**
 * Asks a provider for what every sign-in needs: the configuration, and at Cloudflare Access the keys.
 * GitHub has nothing of its own to ask for. Throws: `SignOnError` that names the cause.
 */
export async function assertResponds(client: Client): Promise<void> {
  const { provider, allowHttp } = client;
  if (provider.type === "oidc") await metadataOf(client);
  if (provider.type === "access")
    await jsonFrom(outgoing(allowHttp), `${provider.issuer}${ACCESS_KEYS}`);
}
