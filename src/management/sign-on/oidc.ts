import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  type ExportedJWKSCache,
  fetchUserInfo,
  getJwksCache,
  None,
  type ServerMetadata,
  setJwksCache,
} from "openid-client";
import { type Account, accountOf, lacksProof, needsUserInfo } from "../../core/sign-on/account.ts";
import { providerFault, SignOnError } from "../../core/errors/sign-on-problem.ts";
import { isThisMachine } from "../../core/webhooks/url.ts";
import {
  ALGORITHMS,
  type Attempt,
  type Client,
  KEYS_MS,
  MAX_AHEAD_S,
  type Metadata,
  metadataOf,
} from "./discovery.ts";
import { outgoing } from "./outgoing.ts";
import { keep, kept } from "./text-cache.ts";

// The library is large. Only a dynamic import may load this file, so that the start of an isolate
// does not run the library. Named imports let the bundler leave out what is not used.

/** Returns the keys that are known of a provider, to use with `rememberKeys`. */
const keysOf = ({ jwks_uri: uri }: Metadata, now: number) =>
  kept(`keys ${uri}`, now) as ExportedJWKSCache | undefined;

/** Returns how the client authenticates at the token endpoint. */
export function authenticationOf(secret: string | undefined, methods: readonly string[]) {
  if (secret === undefined) return None();
  return methods.includes("client_secret_post")
    ? ClientSecretPost(secret)
    : ClientSecretBasic(secret);
}

/** Returns a new configuration for one request, because a configuration holds promises. */
function configure(client: Client, metadata: Metadata) {
  const { provider, secret, allowHttp, now } = client;
  const { id_token_signing_alg_values_supported: supported, ...rest } = metadata;
  const algorithms = supported.filter((one) => ALGORITHMS.includes(one));
  if (algorithms.length === 0)
    throw providerFault(
      `${provider.issuer} signs ID tokens with none of the algorithms that count`,
      "misconfigured",
    );
  const config = new Configuration(
    { ...rest, id_token_signing_alg_values_supported: algorithms } as ServerMetadata,
    provider.clientId,
    undefined,
    authenticationOf(secret, metadata.token_endpoint_auth_methods_supported),
  );
  config[customFetch] = outgoing(allowHttp);
  // Without this call, the library does not verify the signature of an ID token that comes from the
  // token endpoint.
  enableNonRepudiationChecks(config);
  if (allowHttp && isThisMachine(provider.issuer)) allowInsecureRequests(config);
  const keys = keysOf(metadata, now);
  if (keys) setJwksCache(config, keys);
  return config;
}

function rememberKeys(config: Configuration, metadata: Metadata): void {
  const keys = getJwksCache(config);
  if (keys) keep(`keys ${metadata.jwks_uri}`, keys, keys.uat * 1000 + KEYS_MS);
}

/** Returns the URL at the provider where the person signs in. Throws: `SignOnError`. */
export async function oidcUrl(client: Client, attempt: Attempt): Promise<string> {
  const metadata = await metadataOf(client);
  const config = configure(client, metadata);
  return buildAuthorizationUrl(config, {
    scope: "openid email profile",
    redirect_uri: attempt.redirectUri,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
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
  const metadata = await metadataOf(client);
  const config = configure(client, metadata);
  try {
    const tokens = await authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw providerFault("The response has no ID token");
    if (claims.iat > client.now / 1000 + MAX_AHEAD_S)
      throw providerFault("The ID token was issued in the future");
    const read = () => fetchUserInfo(config, tokens.access_token, claims.sub);
    const { provider } = client;
    if (metadata.userinfo_endpoint === undefined) return accountOf(provider, claims);
    if (needsUserInfo(provider, claims)) return accountOf(provider, claims, await read());
    // Users whose account is linked sign in without the proof, so its absence is no error.
    const info = lacksProof(provider, claims) ? await read().catch(() => undefined) : undefined;
    return accountOf(provider, claims, info);
  } catch (error) {
    throw asSignOnError(error);
  } finally {
    rememberKeys(config, metadata);
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
  return providerFault([codeOf(error), ...words].filter(Boolean).join(": "), shownFor(error));
}

/** The errors of OAuth (RFC 6749) that the settings of this service or of the provider cause. */
const WRONG_SETTINGS: ReadonlySet<unknown> = new Set([
  "invalid_client",
  "unauthorized_client",
  "invalid_scope",
  "unsupported_response_type",
  "unsupported_grant_type",
]);

/** The errors of OAuth of a provider that cannot respond now. */
const NOT_NOW: ReadonlySet<unknown> = new Set(["server_error", "temporarily_unavailable"]);

/** Returns the word for the public for an error that the provider has named. */
function shownFor(error: unknown): "unreachable" | "misconfigured" | undefined {
  const named = error instanceof Error && "error" in error ? error.error : undefined;
  if (WRONG_SETTINGS.has(named)) return "misconfigured";
  return NOT_NOW.has(named) ? "unreachable" : undefined;
}
