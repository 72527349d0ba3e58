/** The text that replaces a secret in a log record. */
const MASK = "***";

/**
 * Regular expressions for secrets that are recognised by their form, each with its replacement.
 * Callers may choose the text, so each expression must run in linear time. So no unbounded
 * repetition may start inside the text of another unbounded repetition.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // The value of the header `Authorization` (RFC 6750, RFC 7617). In a URL, the space after
  // `Bearer` is escaped.
  [/(bearer)(?:\s|%20|\+)+[^\s"'\\,;&<>]+/gi, `$1 ${MASK}`],
  [/([Bb]asic) +(?=[\w+/]*[A-Z0-9=])[\w+/=]{8,}/g, `$1 ${MASK}`],
  // A user and a password before the host of a URL (RFC 3986 section 3.2.1).
  [/:\/\/[^\s/@:"'\\]*:[^\s/@"'\\]+@/g, `://${MASK}@`],
  [/otpauth(?::|%3a)[^\s"'\\<>]*/gi, MASK],
  [/whsec_(?:[\w+/=-]|%2[bf]|%3d)+/gi, MASK],
  [/scrypt\$[\w$-]+/g, MASK],
  // Texts that platform/vault.ts has encrypted.
  [/v\d\.[\w-]{16}\.[\w-]+/g, MASK],
  // JSON Web Tokens. They begin with `{"` and a letter, which is `eyJ` in base64url.
  [/(^|[^\w-]|%[0-9a-fA-F]{2})eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, `$1${MASK}`],
  // Recovery codes, as management/mfa/totp.ts formats them.
  [/(^|[^\w-]|%[0-9a-f]{2})[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}(?![\w-])/gi, `$1${MASK}`],
];

/**
 * The form of long random texts: API keys (64 characters), tokens in e-mails (43 characters),
 * refresh tokens (an id of 22 characters, a dot and 43 characters), and the hashes of all these.
 */
const RANDOM = /(?<![\w-])(?:[\w-]{22}\.)?[\w-]{40,}/g;

/**
 * Returns the mask if the text has both upper and lower case letters, as random texts have. Otherwise returns
 * the text unchanged, because it may be a hex id, a `traceparent`, a D1 bookmark or a name with dashes.
 */
const maskRandom = (found: string): string =>
  /[a-z]/.test(found) && /[A-Z]/.test(found) ? MASK : found;

/** The form of TOTP secrets: 160 bits in base32, which are 32 characters. */
const BASE32 = /[A-Z2-7]{32,}/g;

const maskBase32 = (found: string): string => (/[A-Z]/.test(found) ? MASK : found);

/**
 * Returns a text for the log, with a mask in place of its secrets.
 * @param spelled known secret values in every spelling, as `spellings` returns them
 */
export function mask(text: string, spelled: readonly string[] = []): string {
  let masked = text;
  for (const spelling of spelled) masked = masked.replaceAll(spelling, MASK);
  for (const [form, by] of FORMS) masked = masked.replace(form, by);
  return masked.replace(RANDOM, maskRandom).replace(BASE32, maskBase32);
}

/**
 * The least length of a masked value, characters. Shorter values also occur by chance inside of
 * ordinary words.
 */
const MIN_VALUE_LENGTH = 6;

/**
 * Returns every spelling in which a text can contain the secret values: plain, in JSON, in JSON
 * within JSON, and in a URL. The longest comes first. Leaves out values below `MIN_VALUE_LENGTH`.
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
