/**
 * The endings of names that hold a secret. A name is compared in lower case, without `-`, `_` and
 * `.`.
 */
const SENSITIVE =
  /(?:passw(?:or)?d|passwordhash|passphrase|pwd|token|secret|apikey|encryptionkey|privatekey|signingkey|authorization|cookie|signature|credential|otp|otpauthurl|codeverifier|configjson|headers)s?$/;

/** The names that hold a secret only when the whole name matches: `code` is a secret, `statusCode` is not. */
const WHOLE = /^(?:(?:recovery|totp|mfa|otp|backup|verification|device|user)?codes?|params)$/;

/** The beginning of the names of the client secrets of identity providers, such as `SIGN_ON_SECRET_OKTA`. */
const SIGN_ON_SECRET = /^signonsecret/;

/** Whether a variable or a field of a request body with this name holds a secret. */
export function isSensitive(name: string): boolean {
  const word = name.toLowerCase().replace(/[-_.]/g, "");
  return SENSITIVE.test(word) || WHOLE.test(word) || SIGN_ON_SECRET.test(word);
}

/** How many levels of a request body are searched for secrets. Objects and arrays below them are ignored. */
const MAX_DEPTH = 8;

/**
 * Returns the texts and numbers of secret fields in a request body, down to `MAX_DEPTH` levels.
 * Also searches texts that are JSON, such as `configJson`.
 */
export function secretsIn(value: unknown, isSecret = false, depth = 0): readonly string[] {
  if (typeof value === "string" || typeof value === "number") {
    const inner = typeof value === "string" ? parsed(value) : undefined;
    return [
      ...(isSecret ? [String(value)] : []),
      ...(inner ? secretsIn(inner, isSecret, depth + 1) : []),
    ];
  }
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    secretsIn(part, isSecret || isSensitive(name), depth + 1),
  );
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
