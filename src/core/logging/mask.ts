/** Replaces a secret in a log record. */
const MASK = "***";

/**
 * Secrets that are recognised by their form. A caller may choose the text, so each expression runs in
 * linear time: an unbounded run starts only where no such run is already going on.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // RFC 6750 and RFC 7617; in a URL the space is escaped.
  [/(bearer)(?:\s|%20|\+)+[^\s"'\\,;&<>]+/gi, `$1 ${MASK}`],
  [/([Bb]asic) +(?=[\w+/]*[A-Z0-9=])[\w+/=]{8,}/g, `$1 ${MASK}`],
  // RFC 3986 section 3.2.1: a user and a password before the host.
  [/:\/\/[^\s/@:"'\\]*:[^\s/@"'\\]+@/g, `://${MASK}@`],
  [/otpauth(?::|%3a)[^\s"'\\<>]*/gi, MASK],
  [/whsec_(?:[\w+/=-]|%2[bf]|%3d)+/gi, MASK],
  [/scrypt\$[\w$-]+/g, MASK],
  // Encrypted texts: platform/vault.ts.
  [/v\d\.[\w-]{16}\.[\w-]+/g, MASK],
  // JSON Web Tokens: `{"a` in base64url.
  [/(^|[^\w-]|%[0-9a-fA-F]{2})eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, `$1${MASK}`],
  // Recovery codes: management/mfa/totp.ts.
  [/(^|[^\w-]|%[0-9a-f]{2})[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}(?![\w-])/gi, `$1${MASK}`],
];

/** API keys (64 characters), refresh tokens with their family id, mail tokens (43), and their hashes. */
const RANDOM = /(?<![\w-])(?:[\w-]{22}\.)?[\w-]{40,}/g;

/** Random text has both cases. Hex ids, `traceparent`, bookmarks and names with dashes have one. */
const maskRandom = (found: string): string =>
  /[a-z]/.test(found) && /[A-Z]/.test(found) ? MASK : found;

/** TOTP secrets: 160 bits in base32. */
const BASE32 = /[A-Z2-7]{32,}/g;

const maskBase32 = (found: string): string => (/[A-Z]/.test(found) ? MASK : found);

/**
 * The text of an error without secrets.
 * @param spelled known secret values in every spelling, as `spellings` returns them
 */
export function mask(text: string, spelled: readonly string[] = []): string {
  let masked = text;
  for (const spelling of spelled) masked = masked.replaceAll(spelling, MASK);
  for (const [form, by] of FORMS) masked = masked.replace(form, by);
  return masked.replace(RANDOM, maskRandom).replace(BASE32, maskBase32);
}

/** Shorter values are not masked: they also occur by chance inside of ordinary words. */
const MIN_VALUE_LENGTH = 6;

/** Every spelling of these values in a text: plain, in JSON, in JSON within JSON, in a URL. Longest first. */
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

/** The text as a JSON string has it between its quotes. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
