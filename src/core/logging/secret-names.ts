/** How a name ends whose value is a secret: in lower case, without `-`, `_` and `.`. */
const SENSITIVE =
  /(?:passw(?:or)?d|passwordhash|passphrase|pwd|token|secret|apikey|encryptionkey|privatekey|signingkey|authorization|cookie|signature|credential|otp|otpauthurl|configjson|headers)s?$/;

/** Names that are sensitive as a whole only: `code` is a secret, `statusCode` is not. */
const WHOLE = /^(?:(?:recovery|totp|mfa|otp|backup|verification)?codes?|params)$/;

/** Whether a variable or a field of a request body with this name holds a secret. */
export function isSensitive(name: string): boolean {
  const word = name.toLowerCase().replace(/[-_.]/g, "");
  return SENSITIVE.test(word) || WHOLE.test(word);
}

/** The depth to which a request body is searched; deeper values are ignored. */
const MAX_DEPTH = 8;

/** The values of sensitive fields at any depth, also inside of texts that are JSON (`configJson`). */
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
