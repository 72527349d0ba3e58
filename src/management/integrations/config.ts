import { Buffer } from "node:buffer";
import { type FieldError, invalid } from "../../core/errors/api-error.ts";
import type { Vault } from "../vault.ts";

/**
 * Responses and audit records show these masks instead of secret values. A mask in an update keeps
 * the stored value.
 */
export const SECRET_MASK = "whsec_********";
export const VALUE_MASK = "********";

/**
 * The length of a signing secret: 24 to 64 random bytes (Standard Webhooks 1.0.0, Signature
 * scheme).
 */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const NEW_SECRET_BYTES = 32;
const PREFIX = "whsec_";

type Headers = Readonly<Record<string, string>>;

/** The `configJson` of a request, parsed and validated. */
export interface GivenConfig {
  readonly url: string;
  readonly secret?: string | undefined;
  readonly headers?: Headers | undefined;
}

/** The stored configuration. The secret and every header value are encrypted. */
export interface SealedConfig {
  readonly url: string;
  readonly secret: string;
  readonly headers: Headers;
}

export const isSecret = (text: string): boolean => {
  if (!text.startsWith(PREFIX)) return false;
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, "base64");
  const isCanonical = bytes.toString("base64") === encoded;
  return isCanonical && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES;
};

export const newSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(NEW_SECRET_BYTES))).toString("base64");

/**
 * Encrypts the secret and the header values of a new integration. If the request has no secret, the
 * caller must generate one.
 */
export async function seal(
  vault: Vault,
  { url, secret, headers = {} }: GivenConfig & { readonly secret: string },
): Promise<SealedConfig> {
  const values = await keptOrSealed(vault, {}, headers);
  return { url, secret: await vault.seal(secret), headers: values };
}

/**
 * Applies an update to the stored configuration. A mask, an omitted secret and omitted `headers`
 * keep the stored values. `headers`, if given, replace all stored headers.
 * Throws: 400 for a mask without a stored value.
 */
export async function resealed(
  vault: Vault,
  stored: SealedConfig,
  given: GivenConfig,
): Promise<SealedConfig> {
  const { url, secret, headers } = given;
  return {
    url,
    secret: isNewSecret(secret) ? await vault.seal(secret) : stored.secret,
    headers: headers ? await keptOrSealed(vault, stored.headers, headers) : stored.headers,
  };
}

async function keptOrSealed(vault: Vault, stored: Headers, given: Headers): Promise<Headers> {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const errors: FieldError[] = [];
  const entries = Object.entries(given).map(async ([name, value]) => {
    if (value !== VALUE_MASK) return [name, await vault.seal(value)] as const;
    const kept = known.get(name.toLowerCase());
    const message = "is a mask, but no value is stored under this name; send the value";
    if (kept === undefined) errors.push({ field: `configJson.headers.${name}`, message });
    return [name, kept ?? ""] as const;
  });
  const headers = Object.fromEntries(await Promise.all(entries));
  if (errors.length > 0) throw invalid(errors);
  return headers;
}

const isNewSecret = (secret: string | undefined): secret is string =>
  secret !== undefined && secret !== SECRET_MASK;

/**
 * Returns which secret values an update changes, for its audit record: the masks before and after
 * the change look the same.
 */
export function changedSecrets(given: GivenConfig | undefined) {
  const values = Object.entries(given?.headers ?? {});
  const names = values.flatMap(([name, value]) => (value === VALUE_MASK ? [] : name));
  return {
    ...(isNewSecret(given?.secret) && { secretChanged: true }),
    ...(names.length > 0 && { headersChanged: names }),
  };
}

/**
 * Returns the `configJson` of a response. It contains a mask unless the caller passes the secret,
 * which only the response that creates the secret does.
 */
export function configText({ url, headers }: SealedConfig, secret = SECRET_MASK): string {
  const masked = Object.keys(headers).map((name) => [name, VALUE_MASK]);
  return JSON.stringify({ url, secret, headers: Object.fromEntries(masked) });
}
