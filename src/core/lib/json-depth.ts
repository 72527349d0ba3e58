const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The bit in which `[` differs from `{`, and `]` from `}`. */
const KIND_OF_BRACKET = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Whether objects and arrays are nested deeper than that many levels. Reads the text once and needs
 * no stack. The result is meaningless when the text is not JSON.
 */
export function isDeeperThan(levels: number, json: string): boolean {
  // Each level needs at least one character.
  if (json.length <= levels) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(json, at);
      if (at === -1) return false;
      continue;
    }
    const bracket = code | KIND_OF_BRACKET;
    if (bracket === CLOSING) depth--;
    else if (bracket === OPENING && ++depth > levels) return true;
  }
  return false;
}

/** The index of the quote that closes the string; -1 when it is never closed. */
function closingQuote(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

/** A quote is escaped when an odd number of backslashes precedes it. */
function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
