import { RE2Set } from "re2js";
import { type RegexEngine, RegexPool } from "./regex-pool.ts";

/**
 * The most memory that the automaton of a regular expression takes, bytes for each instruction:
 * enough for the states that ordinary texts need. A match that needs more states takes more time
 * instead of more memory.
 */
const AUTOMATON_BYTES = 512;

/** Compiles a regular expression with the RE2 engine. */
export const re2: RegexEngine = (pattern, caseInsensitive, size) => {
  // Uses a set of one pattern, because only sets have a limit for the memory of the automaton.
  const set = new RE2Set(RE2Set.UNANCHORED, 0, size * AUTOMATON_BYTES);
  try {
    // An import of `RE2JS`, which has a flag for this, would add its other classes to each bundle.
    set.add(caseInsensitive ? `(?i)${pattern}` : pattern);
  } catch {
    return "syntax";
  }
  let lastText: string | undefined;
  let lastResult = false;
  return {
    test(text) {
      // Reuses the last result if the text is the same. Many flags often use the same segment, so
      // the same text is often tested again.
      if (text === lastText) return lastResult;
      lastResult = set.match(text).length > 0;
      lastText = text;
      return lastResult;
    },
  };
};

/** A pool with the RE2 engine. */
export class Re2Pool extends RegexPool {
  constructor(maxSize?: number) {
    super(re2, maxSize);
  }
}
