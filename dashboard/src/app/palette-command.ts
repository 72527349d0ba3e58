import { wordsOf } from "./palette-search.ts";

export interface Command {
  /** Whether the user wants to turn a flag on or off. Undefined for a plain search. */
  readonly state: "on" | "off" | undefined;
  /** The words without those for on and off: of a flag, and of its project and an environment. */
  readonly text: string;
}

/** The words for turning a flag on and off in the user's language, separated by `|`. */
export interface CommandWords {
  readonly on: string;
  readonly off: string;
}

/**
 * Reads a command such as "turn off checkout in production" or "production off checkout". The words
 * may be in any order. A word for on or off alone is a plain search.
 */
export function parseCommand(query: string, words: CommandWords): Command {
  const typed = wordsOf(query);
  for (const state of ["off", "on"] as const) {
    const phrases = words[state].split("|").map(wordsOf);
    const known = new Set(phrases.flat());
    // The last word of a phrase decides, as in "turn checkout off".
    const verbs = new Set(phrases.map((phrase) => phrase.at(-1)));
    const rest = typed.filter((word) => !known.has(word.toLowerCase()) && !isPreposition(word));
    if (rest.length > 0 && typed.some((word) => verbs.has(word.toLowerCase())))
      return { state, text: rest.join(" ") };
  }
  return { state: undefined, text: typed.join(" ") };
}

/** "in" stands before the environment, in English and in German. */
const isPreposition = (word: string): boolean => word.toLowerCase() === "in";
