const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One bit tells `[` from `{`, and `]` from `}`. */
const KIND_OF_BRACKET = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Whether objects and arrays stand in each other deeper than that many levels. The text is read
 * once, with a counter in the place of a stack; of a text that is no JSON the answer means nothing.
 */
export function isDeeperThan(levels: number, json: string): boolean {
  // So many brackets need so many characters.
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

/** Where the string that begins at the quote ends; -1: nowhere. */
function closingQuote(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

/** An odd number of backslashes stands before it. */
function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
