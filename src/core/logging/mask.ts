/** The text that replaces a secret in a log record. */
const MASK = "***";

/**
 * Regular expressions for secrets that are recognised by their form. Callers may choose the text,
 * so each expression must run in linear time: an unbounded repetition starts only where no other
 * one is in progress.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // The token of `Authorization` (RFC 6750, RFC 7617). In a URL the space is escaped.
  [/(bearer)(?:\s|%20|\+)+[^\s"'\\,;&<>]+/gi, `$1 ${MASK}`],
  [/([Bb]asic) +(?=[\w+/]*[A-Z0-9=])[\w+/=]{8,}/g, `$1 ${MASK}`],
  // A user and a password before the host of a URL (RFC 3986 section 3.2.1).
  [/:\/\/[^\s/@:"'\\]*:[^\s/@"'\\]+@/g, `://${MASK}@`],
  [/otpauth(?::|%3a)[^\s"'\\<>]*/gi, MASK],
  [/whsec_(?:[\w+/=-]|%2[bf]|%3d)+/gi, MASK],
  [/scrypt\$[\w$-]+/g, MASK],
  // Texts that platform/vault.ts encrypted.
  [/v\d\.[\w-]{16}\.[\w-]+/g, MASK],
  // JSON Web Tokens. They begin with `{"` in base64url, which is `eyJ`.
  [/(^|[^\w-]|%[0-9a-fA-F]{2})eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, `$1${MASK}`],
  // Recovery codes of management/mfa/totp.ts.
  [/(^|[^\w-]|%[0-9a-f]{2})[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}(?![\w-])/gi, `$1${MASK}`],
];

/**
 * Long random texts: API keys (64 characters), refresh tokens with their family id, tokens in
 * e-mails (43 characters), and their hashes.
 */
const RANDOM = /(?<![\w-])(?:[\w-]{22}\.)?[\w-]{40,}/g;

/**
 * Masks a text with upper and lower case letters, as random text has. Hex ids, `traceparent`,
 * bookmarks and names with dashes have only one case.
 */
const maskRandom = (found: string): string =>
  /[a-z]/.test(found) && /[A-Z]/.test(found) ? MASK : found;

/** TOTP secrets: 160 bits in base32, which are 32 characters. */
const BASE32 = /[A-Z2-7]{32,}/g;

const maskBase32 = (found: string): string => (/[A-Z]/.test(found) ? MASK : found);

/**
 * Returns the text of an error without its secrets.
 * @param spelled known secret values in every spelling, as `spellings` returns them
 */
export function mask(text: string, spelled: readonly string[] = []): string {
  let masked = text;
  for (const spelling of spelled) masked = masked.replaceAll(spelling, MASK);
  for (const [form, by] of FORMS) masked = masked.replace(form, by);
  return masked.replace(RANDOM, maskRandom).replace(BASE32, maskBase32);
}

/** Shorter values are not masked, because they also occur by chance inside of ordinary words. */
const MIN_VALUE_LENGTH = 6;

/**
 * Returns every spelling that the values may have in a text: plain, in JSON, in JSON within JSON,
 * and in a URL. The longest comes first.
 */
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

/** Escapes a text as JSON does between the quotes of a string. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
