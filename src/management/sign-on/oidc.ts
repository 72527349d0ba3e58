import type { Configuration, ExportedJWKSCache, ServerMetadata } from "openid-client";
import { z } from "@hono/zod-openapi";
import { type Account, accountOf, needsUserInfo } from "../../core/sign-on/account.ts";
import { isThisMachine } from "../../core/webhooks/url.ts";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { providerFault, SignOnError } from "../../core/sign-on/problem.ts";
import type { Provider } from "../../core/sign-on/provider.ts";
import { jsonFrom, outgoing } from "./outgoing.ts";
import { keep, kept } from "./text-cache.ts";

/** How long the configuration and the keys of a provider are used again, milliseconds. */
const DISCOVERY_MS = 10 * MINUTE_MS;
const KEYS_MS = 5 * MINUTE_MS;

/** The algorithms of ID tokens that count. HS256 is missing: its key would be the client secret. */
const ALGORITHMS = new Set(["RS256", "PS256", "ES256", "EdDSA", "Ed25519"]);

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
type Metadata = z.infer<typeof metadataSchema>;

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
  if (!read.success) throw providerFault(`The configuration of ${issuer} is not complete`);
  if (withoutSlash(read.data.issuer) !== issuer)
    throw providerFault(`${issuer} publishes the configuration of another issuer`);
  keep(key, read.data, now + DISCOVERY_MS);
  return read.data;
}

/** Returns the keys that are known of a provider, to use with `rememberKeys`. */
const keysOf = ({ jwks_uri: uri }: Metadata, now: number) =>
  kept(`keys ${uri}`, now) as ExportedJWKSCache | undefined;

/**
 * Loads the library when the first user signs in, because its code would make every start of an
 * isolate slower.
 */
const library = () => import("openid-client");
export type Library = Awaited<ReturnType<typeof library>>;

/** Returns how the client authenticates at the token endpoint. */
export function authenticationOf(
  client: Library,
  secret: string | undefined,
  methods: readonly string[],
) {
  if (secret === undefined) return client.None();
  return methods.includes("client_secret_post")
    ? client.ClientSecretPost(secret)
    : client.ClientSecretBasic(secret);
}

/** Returns a new configuration for one request, because a configuration holds promises. */
async function configure(openid: Library, client: Client, metadata: Metadata) {
  const { provider, secret, allowHttp, now } = client;
  const { id_token_signing_alg_values_supported: supported, ...rest } = metadata;
  const algorithms = supported.filter((one) => ALGORITHMS.has(one));
  if (algorithms.length === 0)
    throw providerFault(
      `${provider.issuer} signs ID tokens with none of the algorithms that count`,
    );
  const config = new openid.Configuration(
    { ...rest, id_token_signing_alg_values_supported: algorithms } as ServerMetadata,
    provider.clientId,
    undefined,
    authenticationOf(openid, secret, metadata.token_endpoint_auth_methods_supported),
  );
  config[openid.customFetch] = outgoing(allowHttp);
  // Without this call, the library does not verify the signature of an ID token that comes from the
  // token endpoint.
  openid.enableNonRepudiationChecks(config);
  if (allowHttp && isThisMachine(provider.issuer)) openid.allowInsecureRequests(config);
  const keys = keysOf(metadata, now);
  if (keys) openid.setJwksCache(config, keys);
  return config;
}

function rememberKeys(openid: Library, config: Configuration, metadata: Metadata): void {
  const keys = openid.getJwksCache(config);
  if (keys) keep(`keys ${metadata.jwks_uri}`, keys, keys.uat * 1000 + KEYS_MS);
}

/** Returns the URL at the provider where the person signs in. Throws: `SignOnError`. */
export async function oidcUrl(client: Client, attempt: Attempt): Promise<string> {
  const [openid, metadata] = [await library(), await metadataOf(client)];
  const config = await configure(openid, client, metadata);
  return openid.buildAuthorizationUrl(config, {
    scope: "openid email profile",
    redirect_uri: attempt.redirectUri,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
    ...(attempt.again && { max_age: "0" }),
  }).href;
}

/**
 * Exchanges the code in a callback for the account. The tokens of the provider are discarded. Throws:
 * `SignOnError` if anything about the response is wrong.
 */
export async function oidcAccount(
  client: Client,
  attempt: Attempt,
  callback: URL,
): Promise<Account> {
  const [openid, metadata] = [await library(), await metadataOf(client)];
  const config = await configure(openid, client, metadata);
  try {
    const tokens = await openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw providerFault("The response has no ID token");
    if (claims.iat > client.now / 1000 + MAX_AHEAD_S)
      throw providerFault("The ID token was issued in the future");
    const asks = needsUserInfo(client.provider, claims) && metadata.userinfo_endpoint !== undefined;
    const info = asks
      ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
      : undefined;
    return accountOf(client.provider, claims, info);
  } catch (error) {
    throw asSignOnError(error);
  } finally {
    rememberKeys(openid, config, metadata);
  }
}

/**
 * Returns the error of a sign-in for an error of the library. Its message has no value of the
 * provider's response, which may be secret.
 */
export function asSignOnError(error: unknown): SignOnError {
  if (error instanceof SignOnError) return error;
  const { cause } = error instanceof Error ? error : {};
  if (cause instanceof SignOnError) return cause;
  const codeOf = (one: unknown) =>
    typeof one === "object" && one !== null && "code" in one ? String(one.code) : undefined;
  const words = [error, cause].map((one) => (one instanceof Error ? one.message : undefined));
  return providerFault([codeOf(error), ...words].filter(Boolean).join(": "));
}
