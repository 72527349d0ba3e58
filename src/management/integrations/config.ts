import { Buffer } from "node:buffer";
import { type FieldError, invalid } from "../../core/errors/api-error.ts";
import type { Vault } from "../../access/ports/vault.ts";
import type { IntegrationRow } from "../../model/integrations/queries.ts";

/**
 * The masks that responses and audit records show instead of the signing secret and of header
 * values. A mask in an update keeps the stored value.
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

/** The `configJson` of a request, parsed and validated. Its secret and header values are not encrypted. */
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
 * Returns the stored configuration after an update. An unchanged secret or header value keeps its stored
 * encrypted text, so that an update without a change is detected. A masked or omitted secret, a masked header
 * value and omitted `headers` keep the stored values. `headers`, if given, replace all stored headers. When
 * the origin of the URL changes, no stored value is kept: the request must give the values again, or omit the
 * secret, for which the function then returns a new one as `generated`. Throws: 400 for a masked value that
 * has no stored value, or whose stored value belongs to another origin.
 */
export async function resealed(
  vault: Vault,
  stored: SealedConfig,
  given: GivenConfig,
): Promise<{ readonly config: SealedConfig; readonly generated?: string }> {
  const { url, secret, headers } = given;
  if (isOtherOrigin(stored.url, url)) {
    const errors = kept(stored, given);
    if (errors.length > 0) throw invalid(errors);
    const next = secret ?? newSecret();
    const config = await seal(vault, { url, secret: next, headers });
    return { config, ...(secret === undefined && { generated: next }) };
  }
  return {
    config: {
      url,
      secret: isNewSecret(secret) ? await keptOrNew(vault, stored.secret, secret) : stored.secret,
      headers: headers ? await keptOrSealed(vault, stored.headers, headers) : stored.headers,
    },
  };
}

/** Whether two webhook URLs have different origins, so that different receivers may get requests. */
export const isOtherOrigin = (one: string, other: string): boolean =>
  new URL(one).origin !== new URL(other).origin;

/** Returns an error for each stored value that an update would keep by a mask or by omission. */
function kept(stored: SealedConfig, { secret, headers }: GivenConfig): readonly FieldError[] {
  const names = headers
    ? Object.keys(headers).filter((name) => headers[name] === VALUE_MASK)
    : Object.keys(stored.headers);
  const fields = names.map((name) => `configJson.headers.${name}`);
  if (secret === SECRET_MASK) fields.unshift("configJson.secret");
  const message = "must be given again, because the host of the URL changes";
  return fields.map((field) => ({ field, message }));
}

async function keptOrSealed(vault: Vault, stored: Headers, given: Headers): Promise<Headers> {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const errors: FieldError[] = [];
  const entries = Object.entries(given).map(async ([name, value]) => {
    const before = known.get(name.toLowerCase());
    if (value !== VALUE_MASK) return [name, await keptOrNew(vault, before, value)] as const;
    const message = "is a mask, but no value is stored under this name; send the value";
    if (before === undefined) errors.push({ field: `configJson.headers.${name}`, message });
    return [name, before ?? ""] as const;
  });
  const headers = Object.fromEntries(await Promise.all(entries));
  if (errors.length > 0) throw invalid(errors);
  return headers;
}

/**
 * Returns the stored encrypted text if it is the encryption of `text`, and a new encryption of
 * `text` otherwise, also if the stored text cannot be decrypted.
 */
async function keptOrNew(vault: Vault, stored: string | undefined, text: string): Promise<string> {
  const opened = stored === undefined ? undefined : await vault.open(stored).catch(() => undefined);
  return stored !== undefined && opened === text ? stored : vault.seal(text);
}

const isNewSecret = (secret: string | undefined): secret is string =>
  secret !== undefined && secret !== SECRET_MASK;

/**
 * Returns which secret values an update changes. The audit record needs this list, because its
 * masked values look the same before and after the change.
 */
export function changedSecrets(before: SealedConfig, after: SealedConfig) {
  const known = new Set(Object.values(before.headers));
  const names = Object.entries(after.headers).flatMap(([name, value]) =>
    known.has(value) ? [] : name,
  );
  return {
    ...(after.secret !== before.secret && { secretChanged: true }),
    ...(names.length > 0 && { headersChanged: names }),
  };
}

/**
 * Returns the `configJson` of a response or audit record. Header values are masked. The signing
 * secret is masked too if `secret` is omitted. The caller passes the secret only for the response
 * to the request that created the integration, or for which the service generated a new secret. The
 * messages to a chat service have no headers and no signature, so only the URL is shown.
 */
export function configText(
  { url, headers, chat }: SealedConfig & Pick<IntegrationRow, "chat">,
  secret = SECRET_MASK,
): string {
  if (chat !== null) return JSON.stringify({ url });
  const masked = Object.keys(headers).map((name) => [name, VALUE_MASK]);
  return JSON.stringify({ url, secret, headers: Object.fromEntries(masked) });
}

/**
 * Returns a `configJson` whose URL is reduced to its origin, such as `https://hooks.example.com/…`. The path
 * and the query of a webhook URL may be a secret, which only callers who may write integrations see.
 */
export function withoutPath(configJson: string): string {
  const config = JSON.parse(configJson) as Readonly<Record<string, unknown>>;
  return JSON.stringify({ ...config, url: `${new URL(String(config["url"])).origin}/…` });
}
