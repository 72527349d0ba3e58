const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The bit in which the character codes of `[` and `{` differ, and also those of `]` and `}`. */
const KIND_OF_BRACKET = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Whether the objects and arrays of a JSON text are nested deeper than `levels`. Reads the text
 * once, without recursion. For a text that is not JSON, the result has no meaning.
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

/**
 * Returns the index of the quote that closes the JSON string that starts at `start`; -1 when the
 * text ends before.
 */
function closingQuote(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

/** Whether the quote at this index is escaped: an odd number of backslashes precedes it. */
function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
