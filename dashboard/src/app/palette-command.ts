export interface Command {
  /** Whether the user wants to turn a flag on or off. Undefined for a plain search. */
  readonly state: "on" | "off" | undefined;
  readonly text: string;
  /** The beginning of the name of an environment. Empty if the user has named none. */
  readonly environment: string;
}

/** The words for turning a flag on and off in the user's language, separated by `|`. */
export interface CommandWords {
  readonly on: string;
  readonly off: string;
}

/**
 * Reads a command such as "turn off checkout in production". The words for on and off may be at the
 * beginning or at the end.
 */
export function parseCommand(query: string, words: CommandWords): Command {
  const typed = query.trim();
  for (const state of ["off", "on"] as const) {
    const rest = withoutPhrase(typed, words[state].split("|"));
    if (rest !== undefined) return { state, ...splitEnvironment(rest) };
  }
  return { state: undefined, text: typed, environment: "" };
}

function withoutPhrase(typed: string, phrases: readonly string[]): string | undefined {
  const lower = typed.toLowerCase();
  for (const phrase of phrases.toSorted((a, b) => b.length - a.length)) {
    if (lower.startsWith(`${phrase} `)) return typed.slice(phrase.length).trim();
    if (lower.endsWith(` ${phrase}`)) return typed.slice(0, -phrase.length).trim();
  }
  return undefined;
}

/** Splits at `in`, which is the same word in English and in German. */
function splitEnvironment(text: string): Pick<Command, "text" | "environment"> {
  const [, before, environment] = /^(.+?)\s+in(?:\s+(.*))?$/i.exec(text) ?? [];
  if (before === undefined) return { text, environment: "" };
  return { text: before, environment: environment ?? "" };
}
