/** The most lines and characters that a shortened JSON text has. */
const MAX_LINES = 12;
const MAX_CHARACTERS = 600;

/** Returns a JSON value as text on one line, with at most `max` characters. */
export function compactJson(value: unknown, max: number): string {
  const text = JSON.stringify(value);
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** Returns the beginning of a long text. Returns undefined if the text need not be shortened. */
export function beginningOf(text: string): string | undefined {
  const lines = text.split("\n");
  const beginning = lines.slice(0, MAX_LINES).join("\n").slice(0, MAX_CHARACTERS);
  return beginning.length < text.length ? beginning : undefined;
}
