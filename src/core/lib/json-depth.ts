const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The bit that differs between the codes of `[` and `{`, and between those of `]` and `}`. */
const KIND_OF_BRACKET = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Whether the objects and arrays of a JSON text are nested deeper than `levels`. Reads the text
 * once, without recursion. The result is meaningless when the text is not JSON.
 */
export function isDeeperThan(levels: number, json: string): boolean {
  // Each level takes at least one character, so a shorter text cannot be deeper.
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

/** Returns the index of the quote that closes a JSON string; -1 when there is none. */
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
