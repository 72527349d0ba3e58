import { isSensitive, MASK, maskFields } from "./mask-fields.ts";

/**
 * Secrets by their form. Whoever calls chooses the text, so an expression must not look at a
 * character more than a few times: runs without end begin where no such run goes on.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // RFC 6750, RFC 7617; also where a URL has escaped the space.
  [/(bearer)(?:\s|%20|\+)+[^\s"'\\,;&<>]+/gi, `$1 ${MASK}`],
  [/([Bb]asic) +(?=[\w+/]*[A-Z0-9=])[\w+/=]{8,}/g, `$1 ${MASK}`],
  // RFC 3986 section 3.2.1: a user and a password before the host.
  [/:\/\/[^\s/@:"'\\]*:[^\s/@"'\\]+@/g, `://${MASK}@`],
  [/otpauth(?::|%3a)[^\s"'\\<>]*/gi, MASK],
  [/whsec_(?:[\w+/=-]|%2[bf]|%3d)+/gi, MASK],
  [/scrypt\$[\w$-]+/g, MASK],
  // Sealed texts: platform/vault.ts.
  [/v\d\.[\w-]{16}\.[\w-]+/g, MASK],
  // JSON Web Tokens: `{"a` in base64url.
  [/(^|[^\w-]|%[0-9a-fA-F]{2})eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, `$1${MASK}`],
  // Recovery codes: management/mfa/totp.ts.
  [/(^|[^\w-]|%[0-9a-f]{2})[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}(?![\w-])/gi, `$1${MASK}`],
];

/** API keys (64), refresh tokens with their family, tokens of mails (43), and hashes of all these. */
const RANDOM = /(?<![\w-])(?:[\w-]{22}\.)?[\w-]{40,}/g;

/** Random text has both cases; hex ids, `traceparent`, bookmarks and dashed names have one. */
const maskRandom = (found: string): string =>
  /[a-z]/.test(found) && /[A-Z]/.test(found) ? MASK : found;

/** TOTP secrets: 160 bits in base32. */
const BASE32 = /[A-Z2-7]{32,}/g;

const maskBase32 = (found: string): string => (/[A-Z]/.test(found) ? MASK : found);

/** The text without secrets: these values (as `spellings` gives them), known forms, named fields. */
export function mask(text: string, values: readonly string[] = []): string {
  let masked = text;
  for (const value of values) masked = masked.replaceAll(value, MASK);
  for (const [form, by] of FORMS) masked = masked.replace(form, by);
  return maskFields(masked.replace(RANDOM, maskRandom).replace(BASE32, maskBase32));
}

/** No log record is deeper. */
const MAX_DEPTH = 8;

/** The same for all texts of a JSON value, and for whatever has a sensitive name. */
export function maskValue(value: unknown, values: readonly string[] = [], depth = 0): unknown {
  if (typeof value === "string") return mask(value, values);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, values, depth + 1));
  const entries = Object.entries(value).map(([name, part]) => [
    mask(name, values),
    isSensitive(name) ? MASK : maskValue(part, values, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** Shorter values are not looked for: they would tear words that hold them by chance. */
const MIN_VALUE_LENGTH = 6;

/** Every way in which these values may be written in a text, the longest first. */
export function spellings(values: readonly string[]): readonly string[] {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < MIN_VALUE_LENGTH) continue;
    const query = new URLSearchParams([["", value]]).toString().slice("=".length);
    forms
      .add(value)
      .add(escaped(value))
      .add(escaped(escaped(value)));
    forms
      .add(query)
      .add(encodeURIComponent(value.toWellFormed()))
      .add(encodeURI(value.toWellFormed()));
  }
  return [...forms].toSorted((a, b) => b.length - a.length);
}

/** As it stands in a JSON string. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The values of sensitive fields, at any depth and in JSON within texts. */
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
