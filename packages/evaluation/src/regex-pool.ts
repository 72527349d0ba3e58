import { regexSize } from "./regex-size.ts";

/** The largest total size of the regular expressions of one environment, in instructions. */
const MAX_ENVIRONMENT_SIZE = 30_000;

/** A compiled regular expression of RE2 syntax (github.com/google/re2/wiki/Syntax). */
export interface Regex {
  /** Whether any part of the text matches. */
  readonly test: (text: string) => boolean;
}

/** Why a regular expression was not compiled: its syntax is wrong, or it is too large. */
export type RegexFault = "syntax" | "size";

/** Compiles a regular expression. `size`: its estimated size, in instructions. */
export type RegexEngine = (
  pattern: string,
  caseInsensitive: boolean,
  size: number,
) => Regex | RegexFault;

/**
 * Compiles regular expressions up to a total size, and each distinct expression only once. The size
 * limits their memory and the time of one evaluation.
 */
export class RegexPool {
  readonly #engine: RegexEngine;
  readonly #maxSize: number;
  readonly #compiled = new Map<string, Regex | RegexFault>();
  #size = 0;
  #refused = 0;

  /** @param maxSize the limit of the total size, in instructions; by default that of an environment */
  constructor(engine: RegexEngine, maxSize: number = MAX_ENVIRONMENT_SIZE) {
    this.#engine = engine;
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
   * Compiles a regular expression. Returns "size" if the expression is larger than what the other
   * expressions of the pool leave of their common limit.
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
    return this.#engine(pattern, caseInsensitive, size);
  }
}
