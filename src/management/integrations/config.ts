import { Buffer } from "node:buffer";
import { type FieldError, invalid } from "../../core/errors/api-error.ts";
import type { Vault } from "../vault.ts";

/**
 * The masks that responses and audit records show instead of the signing secret and of header
 * values. Only the response that creates an integration shows its secret. A mask in an update keeps
 * the stored value.
 */
export const SECRET_MASK = "whsec_********";
export const VALUE_MASK = "********";

/**
 * The length of a signing secret before base64 encoding: 24 to 64 random bytes (Standard Webhooks
 * 1.0.0, Signature scheme).
 */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const NEW_SECRET_BYTES = 32;
const PREFIX = "whsec_";

type Headers = Readonly<Record<string, string>>;

/**
 * The `configJson` of a request, parsed and validated. Its secret and header values are not
 * encrypted.
 */
export interface GivenConfig {
  readonly url: string;
  readonly secret?: string | undefined;
  readonly headers?: Headers | undefined;
}

/** The stored configuration of an integration. The secret and every header value are encrypted. */
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
 * Returns the configuration of a new integration with encrypted secret and header values. If the
 * request has no secret, the caller must generate one.
 */
export async function seal(
  vault: Vault,
  { url, secret, headers = {} }: GivenConfig & { readonly secret: string },
): Promise<SealedConfig> {
  const values = await keptOrSealed(vault, {}, headers);
  return { url, secret: await vault.seal(secret), headers: values };
}

/**
 * Returns the stored configuration after an update. A masked or omitted secret, a masked header
 * value and omitted `headers` keep the stored values. `headers`, if given, replace all stored
 * headers.
 * Throws: 400 for a masked header value if no value is stored for that header.
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
 * Returns which secret values an update contains, for its audit record, because the masks before
 * and after the change look the same.
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
 * Returns the `configJson` of a response or audit record. Header values are masked, and so is the
 * secret unless it is passed. Only the response that creates an integration passes it.
 */
export function configText({ url, headers }: SealedConfig, secret = SECRET_MASK): string {
  const masked = Object.keys(headers).map((name) => [name, VALUE_MASK]);
  return JSON.stringify({ url, secret, headers: Object.fromEntries(masked) });
}
