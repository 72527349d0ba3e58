import { parseDecimal } from "./decimal.ts";

/** Whether a double holds the number of a decimal text. A double holds its shortest decimal text. */
export const isHeld = (text: string): boolean =>
  String(Number(text)) === text || typeof parseDecimal(text) === "number";

/** A double holds each number with this many digits between the first and the last that is not 0. */
const HELD_DIGITS = 15;

/** A number of at most so many characters, with such an exponent, is no closer to the limits of a double. */
const USUAL_LENGTH = 200;
const USUAL_EXPONENT = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const ZERO = 0x30;

const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39;

/** Whether a character can follow the first digit of a number: a digit, or one of `.eE+-`. */
const isInNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || isExponent(code) || code === 0x2b || code === 0x2d;

const isExponent = (code: number): boolean => (code | 0x20) === 0x65;

/**
 * Returns the first number of a JSON text that no double holds, such as 9007199254740993, which
 * `JSON.parse` would round; undefined if there is none. Takes linear time: at most 0.2 s for 8 MiB.
 */
export function inexactNumber(json: string): string | undefined {
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (isDigit(code)) {
      const start = at;
      at = endOfNumber(json, start);
      if (isUsual(json, start, at)) continue;
      const number = json.slice(start, at + 1);
      if (!isHeld(number)) return json[start - 1] === "-" ? `-${number}` : number;
    }
  }
  return undefined;
}

/** Returns the place of the last character of the number that starts at a place. */
function endOfNumber(json: string, start: number): number {
  let end = start;
  while (isInNumber(json.charCodeAt(end + 1))) end++;
  return end;
}

/** Whether a double holds the number between two places, by its digits and its exponent alone. */
function isUsual(json: string, start: number, end: number): boolean {
  if (end - start < HELD_DIGITS && !hasExponent(json, start, end)) return true;
  if (end - start >= USUAL_LENGTH) return false;
  let digits = 0;
  let zeros = 0;
  for (let at = start; at <= end; at++) {
    const code = json.charCodeAt(at);
    if (isExponent(code))
      return (
        digits <= HELD_DIGITS && Math.abs(Number(json.slice(at + 1, end + 1))) < USUAL_EXPONENT
      );
    if (code === ZERO) zeros++;
    else if (isDigit(code)) {
      digits = digits === 0 ? 1 : digits + zeros + 1;
      zeros = 0;
    }
  }
  return digits <= HELD_DIGITS;
}

function hasExponent(json: string, start: number, end: number): boolean {
  for (let at = start; at <= end; at++) if (isExponent(json.charCodeAt(at))) return true;
  return false;
}

/** Returns the place of the quote that ends the text which starts at a place; or the end of the JSON. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** Whether an odd number of backslashes is before a place. */
function isEscaped(json: string, place: number): boolean {
  let start = place;
  while (json.charCodeAt(start - 1) === BACKSLASH) start--;
  return (place - start) % 2 === 1;
}

/**
 * Parses a JSON text. A number that no double holds becomes its text, so that constraints compare all
 * of its digits. Throws: a `SyntaxError`.
 */
export function parseWithDigits(json: string): unknown {
  if (inexactNumber(json) === undefined) return JSON.parse(json);
  return JSON.parse(json, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined && !isHeld(context.source)
      ? context.source
      : value,
  );
}
