import { Readings } from "./readings.ts";
import { regexSize } from "./regex-size.ts";

/**
 * The largest total size of the regular expressions of one environment, in instructions. The slowest
 * expressions take 60 µs for each instruction with a text of 4,096 characters, so the evaluation of
 * all flags takes at most 0.2 s for them.
 */
export const MAX_ENVIRONMENT_SIZE = 3000;

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

/** Whether a regular expression ignores the case of letters, and the context field that it tests. */
export interface RegexUse {
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  readonly field: string;
}

/** Returns a text that is the same for two uses of a regular expression that count as one. */
export const regexKey = ({ pattern, caseInsensitive, field }: RegexUse): string =>
  JSON.stringify([caseInsensitive, field, pattern]);

/**
 * Compiles regular expressions up to a total size. An expression counts once for each context field
 * that it tests, because it runs once for each. The size limits the memory of the expressions and the
 * time of one evaluation.
 */
export class RegexPool {
  readonly #engine: RegexEngine;
  readonly #maxSize: number;
  readonly #compiled = new Map<string, Regex | RegexFault>();
  /** How the constraints with these regular expressions read the context. */
  readonly readings = new Readings();
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
   * Compiles a regular expression for a context field. Returns "size" if the expression is larger
   * than what the other expressions of the pool leave of their common limit.
   */
  compile(pattern: string, caseInsensitive: boolean, field = ""): Regex | RegexFault {
    const key = regexKey({ pattern, caseInsensitive, field });
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
