import { parseDecimal } from "./decimal.ts";

/** Whether a double holds the number of a decimal text. A double holds its shortest decimal text. */
export const isHeld = (text: string): boolean =>
  String(Number(text)) === text || typeof parseDecimal(text) === "number";

/** The shortest text of a number that no double holds, except for exponents: 16 digits. */
const SUSPECT_LENGTH = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Whether a character can follow the first digit of a number: a digit, or one of `.eE+-`. */
const isInNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || isExponent(code) || code === 0x2b || code === 0x2d;

const isExponent = (code: number): boolean => (code | 0x20) === 0x65;

/**
 * Returns the first number of a JSON text that no double holds, such as 9007199254740993, which
 * `JSON.parse` would round; undefined if there is none. Takes linear time, and less than `JSON.parse`.
 */
export function inexactNumber(json: string): string | undefined {
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (isDigit(code)) {
      const start = at;
      let hasExponent = false;
      while (isInNumber(json.charCodeAt(at + 1)))
        if (isExponent(json.charCodeAt(++at))) hasExponent = true;
      if (!hasExponent && at - start + 1 < SUSPECT_LENGTH) continue;
      const number = json.slice(start, at + 1);
      if (!isHeld(number)) return json[start - 1] === "-" ? `-${number}` : number;
    }
  }
  return undefined;
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
