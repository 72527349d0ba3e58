/** What stands in a log in the place of a secret. */
export const MASK = "***";

/** The last word of a name whose value is secret, in lower case without `-`, `_` and `.`. */
const SENSITIVE =
  /(?:passw(?:or)?d|passwordhash|passphrase|pwd|token|secret|apikey|encryptionkey|privatekey|signingkey|authorization|cookie|signature|credential|otp|otpauthurl|configjson|headers)s?$/;

/** The whole of such a name: a status code is no secret. */
const WHOLE = /^(?:(?:recovery|totp|mfa|otp|backup|verification)?codes?|params)$/;

export function isSensitive(name: string): boolean {
  const word = name.toLowerCase().replace(/[-_.]/g, "");
  return SENSITIVE.test(word) || WHOLE.test(word);
}

/** What stands between a name and its value; arrows are how objects are printed. */
const SEPARATOR = /(?:=>|[:=]|%3[ad])[ \t]*/gi;

/**
 * The text with the values of sensitive fields masked: in JSON, also within JSON strings, in query
 * strings, and after `name:` to the end of the line. Rather too much than too little; in linear time.
 */
export function maskFields(text: string): string {
  let masked = "";
  let done = 0;
  SEPARATOR.lastIndex = 0;
  for (let found = SEPARATOR.exec(text); found; found = SEPARATOR.exec(text)) {
    const start = SEPARATOR.lastIndex;
    const field = fieldBefore(text, found.index, done);
    if (!isSensitive(field.name)) continue;
    const isLine = found[0].startsWith(":") || field.isSpaced;
    const value = valueAt(text, start, { ...field, isLine });
    if (value.end === start) continue;
    masked += text.slice(done, start) + value.mask;
    done = value.end;
    SEPARATOR.lastIndex = value.end;
  }
  return masked + text.slice(done);
}

/** What an expression with `y` matches at this place. */
function run(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? "";
}

/** No name of a field is longer. */
const MAX_NAME = 64;

/** The name that ends before a separator, with or without quotes, brackets and blanks. */
function fieldBefore(text: string, separator: number, from: number) {
  const least = Math.max(from, separator - MAX_NAME);
  const back = (at: number, what: RegExp) => {
    let to = at;
    while (to > least && what.test(text[to - 1] ?? "")) to--;
    return to;
  };
  const spaced = back(separator, /[ \t]/);
  const encoded = /%(?:22|5d)$/i.test(text.slice(Math.max(least, spaced - 3), spaced));
  const quoted = encoded ? spaced - 3 : back(spaced, /["'`\]]/);
  const end = back(quoted, /\\/);
  const name = text.slice(back(end, /[\w.-]/), end);
  const quote = /["'`]$/.exec(text.slice(end, spaced)) ? text.slice(end, spaced) : "";
  return { name, quote, isSpaced: spaced < separator };
}

/** Where SQL binds a value. */
const PLACEHOLDER = /\?(?=[\s,)]|$)/y;
/** What JSON writes without quotes. */
const WORD = /(?:true|false|null|-?\d[\d.e+-]{0,30})(?=[\s,}\]])/y;
/** A part of a query. */
const PART = /[^\s&#]*/y;
/** A header, or prose. */
const LINE = /[^\r\n]*/y;
const OPENING = /\\*["'`]/y;

interface Value {
  readonly end: number;
  readonly mask: string;
}

/** The value that begins here, and what to put in its place: in JSON that is JSON again. */
function valueAt(
  text: string,
  start: number,
  field: { readonly name: string; readonly quote: string; readonly isLine: boolean },
): Value {
  const bare = (end: number): Value => ({ end, mask: MASK });
  const inQuotes = (end: number, quote: string): Value => ({ end, mask: quote + MASK + quote });
  if (field.name === "params") return bare(endOfParams(text, start));
  const opening = run(OPENING, text, start);
  if (opening !== "") {
    const end = endOfQuoted(text, start, start + opening.length - 1);
    const isClosed = end - start >= 2 * opening.length && text.endsWith(opening, end);
    return isClosed ? inQuotes(end, opening) : { end, mask: opening + MASK };
  }
  if (text[start] === "[" || text[start] === "{")
    return inQuotes(endOfBrackets(text, start), field.quote);
  if (run(PLACEHOLDER, text, start) !== "") return bare(start);
  const word = field.quote === "" ? "" : run(WORD, text, start);
  if (word !== "") return inQuotes(start + word.length, field.quote);
  return bare(start + run(field.isLine ? LINE : PART, text, start).length);
}

/** drizzle's list of bound values goes on until the stack, whatever they hold. */
function endOfParams(text: string, start: number): number {
  const stack = text.indexOf("\n    at ", start);
  return stack < 0 ? text.length : stack;
}

/**
 * After the quote that closes the one at `quote`, before which stand `quote - start` backslashes. In
 * JSON that was escaped n times that is 2^n - 1, and so it is before the closing one, or as many
 * more as escaped backslashes come before it. Never closed: the end of the text.
 */
function endOfQuoted(text: string, start: number, quote: number): number {
  const backslashes = quote - start;
  const mark = text[quote] ?? "";
  for (let at = text.indexOf(mark, quote + 1); at >= 0; at = text.indexOf(mark, at + 1)) {
    let before = at;
    while (before > quote + 1 && text[before - 1] === "\\") before--;
    if ((at - before) % (2 * (backslashes + 1)) === backslashes) return at + 1;
  }
  return text.length;
}

const BRACKET_OR_STRING = /[[\]{}]|(?<!\\)\\*"/g;

/** After the bracket that closes the one at `start`; brackets in strings do not count. */
function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  BRACKET_OR_STRING.lastIndex = start;
  for (let found = BRACKET_OR_STRING.exec(text); found; found = BRACKET_OR_STRING.exec(text)) {
    const [what] = found;
    const end = BRACKET_OR_STRING.lastIndex;
    if (what.endsWith('"')) BRACKET_OR_STRING.lastIndex = endOfQuoted(text, found.index, end - 1);
    else depth += what === "[" || what === "{" ? 1 : -1;
    if (depth === 0) return end;
  }
  return text.length;
}
