import { RE2JS, RE2Set } from "re2js";
import { regexSize } from "./regex-size.ts";

/** The largest total size of the regular expressions of one environment, in instructions. */
const MAX_ENVIRONMENT_SIZE = 30_000;

/**
 * The most memory that the automaton of a regular expression takes, bytes for each instruction:
 * enough for the states that ordinary texts need. A match that needs more states takes more time
 * instead of more memory.
 */
const AUTOMATON_BYTES = 512;

/** A compiled regular expression of RE2 syntax (github.com/google/re2/wiki/Syntax). */
export interface Regex {
  /** Whether any part of the text matches. */
  readonly test: (text: string) => boolean;
}

/** Why a regular expression was not compiled: its syntax is wrong, or it is too large. */
export type RegexFault = "syntax" | "size";

function compile(pattern: string, caseInsensitive: boolean, size: number): Regex | RegexFault {
  const flags = caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0;
  // A set of one pattern, because only sets have a limit for the memory of the automaton.
  const set = new RE2Set(RE2Set.UNANCHORED, flags, size * AUTOMATON_BYTES);
  try {
    set.add(pattern);
  } catch {
    return "syntax";
  }
  let lastText: string | undefined;
  let lastResult = false;
  return {
    test(text) {
      // Many flags often use the same segment, so the same text is often tested again.
      if (text === lastText) return lastResult;
      lastResult = set.match(text).length > 0;
      lastText = text;
      return lastResult;
    },
  };
}

/**
 * Compiles regular expressions, each distinct one once, up to a total size. The size limits the
 * memory that they take and the time that one evaluation takes.
 */
export class RegexPool {
  readonly #maxSize: number;
  readonly #compiled = new Map<string, Regex | RegexFault>();
  #size = 0;
  #refused = 0;

  /** @param maxSize the limit of the total size, in instructions; by default that of an environment */
  constructor(maxSize: number = MAX_ENVIRONMENT_SIZE) {
    this.#maxSize = maxSize;
  }

  /** The estimated size of all compiled expressions, in instructions. */
  get size(): number {
    return this.#size;
  }

  /** How many distinct expressions were too large. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Compiles a regular expression. Returns "size" if the expression is larger than the rest of the
   * limit that all expressions of the pool share.
   */
  compile(pattern: string, caseInsensitive: boolean): Regex | RegexFault {
    const key = `${caseInsensitive ? "i" : "c"}${pattern}`;
    let regex = this.#compiled.get(key);
    if (regex === undefined) {
      regex = this.#compile(pattern, caseInsensitive);
      this.#compiled.set(key, regex);
    }
    return regex;
  }

  #compile(pattern: string, caseInsensitive: boolean): Regex | RegexFault {
    const size = regexSize(pattern, caseInsensitive);
    if (this.#size + size > this.#maxSize) {
      this.#refused++;
      return "size";
    }
    this.#size += size;
    return compile(pattern, caseInsensitive, size);
  }
}
