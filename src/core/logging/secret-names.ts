/**
 * A name that ends like this holds a secret. The name is compared in lower case, without `-`, `_`
 * and `.`.
 */
const SENSITIVE =
  /(?:passw(?:or)?d|passwordhash|passphrase|pwd|token|secret|apikey|encryptionkey|privatekey|signingkey|authorization|cookie|signature|credential|otp|otpauthurl|configjson|headers)s?$/;

/**
 * Names that hold a secret only when the whole name matches: `code` is a secret, `statusCode` is
 * not.
 */
const WHOLE = /^(?:(?:recovery|totp|mfa|otp|backup|verification)?codes?|params)$/;

/** Whether a variable or a field of a request body with this name holds a secret. */
export function isSensitive(name: string): boolean {
  const word = name.toLowerCase().replace(/[-_.]/g, "");
  return SENSITIVE.test(word) || WHOLE.test(word);
}

/** How deep a request body is searched for secrets. Values below this depth are ignored. */
const MAX_DEPTH = 8;

/**
 * Returns the values of secret fields at any depth, also inside of texts that are JSON, such as
 * `configJson`.
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
