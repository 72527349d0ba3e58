/**
 * Estimates how much work a regular expression is, before it is parsed. A short pattern can be much
 * work: `\pL{1000}` compiles to 1,000 instructions with 687 character ranges each.
 */

/**
 * The most ranges of a Unicode class such as `\pL`, and of a short class such as `\w` or
 * `[:alpha:]`. Counted in re2js 2.10.
 */
const UNICODE_RANGES = 741;
const SHORT_RANGES = 6;

/** The most ranges that a folded range of letters needs, above one range for each character. */
const FOLDED_RANGES = 100;

/** The first and the last character with upper and lower case: `A` and U+1E943. */
const FIRST_CASED = 0x41;
const LAST_CASED = 0x1_e9_43;

/**
 * How many of these cost about as much as one instruction: ranges of an instruction, ranges of a
 * class in the text of a pattern, and characters to fold.
 */
const RANGES_PER_INSTRUCTION = 100;
const PARSED_RANGES_PER_INSTRUCTION = 10;
const FOLDED_PER_INSTRUCTION = 50;

/** The size of the smallest pattern: every pattern takes memory for its tables. */
const MIN_SIZE = 20;

const REPEAT = /\{(?<min>0|[1-9]\d*)(?:(?<comma>,)(?<max>0|[1-9]\d*)?)?\}/y;
const GROUP = /\((?:\?(?:P?<[^>]*>|(?<flags>[a-zA-Z-]*)(?<end>[:)])))?/y;
const QUOTED = /\\Q(?<text>.*?)(?:\\E|$)/suy;
const UNICODE_CLASS = /\\[pP](?:\{[^}]*\}|.)/suy;
const SHORT_CLASS = /\\[dDsSwW]|\[:\^?\w+:\]/y;
const CHARACTER =
  /\\x\{(?<long>[\da-fA-F]+)\}|\\x(?<short>[\da-fA-F]{2})|\\(?<octal>[0-7]{1,3})|\\?(?<plain>.)/suy;

/** A group that is being read. `total`: the size without the last atom, which may be repeated. */
interface Group {
  total: number;
  atom: number;
  readonly captures: boolean;
}

class Reader {
  readonly #pattern: string;
  /** Whether a class in the pattern may have to match both cases of its letters. */
  readonly #foldsCase: boolean;
  #at = 0;
  /**
   * The work of parsing classes, in instructions. It does not grow when a part of the pattern is
   * repeated.
   */
  #parsing = 0;
  readonly #groups: Group[] = [];
  #group: Group = { total: 0, atom: 0, captures: false };

  constructor(pattern: string, caseInsensitive: boolean) {
    this.#pattern = pattern;
    this.#foldsCase = caseInsensitive || /\(\?[a-zA-Z-]*i/.test(pattern);
  }

  size(): number {
    while (this.#at < this.#pattern.length) this.#next();
    while (this.#groups.length > 0) this.#close();
    // Adds two instructions that each program has, one for failure and one for success.
    return Math.max(MIN_SIZE, Math.ceil(this.#group.total + this.#group.atom + this.#parsing) + 2);
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#pattern) ?? undefined;
    if (match) this.#at = expression.lastIndex;
    return match;
  }

  #next(): void {
    switch (this.#pattern[this.#at]) {
      case "(":
        return this.#open();
      case ")":
        this.#at++;
        return this.#close();
      case "|":
        this.#at++;
        // Counts an instruction for the choice, and one for an empty alternative.
        return this.#add(2, 0);
      case "*":
        return this.#repeatOnce(0, undefined);
      case "+":
        return this.#repeatOnce(1, undefined);
      case "?":
        return this.#repeatOnce(0, 1);
      case "{":
        return this.#brace();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      default:
        return this.#literal();
    }
  }

  /** Completes the last atom, and adds an atom after it. `extra`: instructions between the two. */
  #add(extra: number, atom: number): void {
    this.#group.total += this.#group.atom + extra;
    this.#group.atom = atom;
  }

  #open(): void {
    const { flags, end } = this.#match(GROUP)?.groups ?? {};
    if (end === ")") return;
    this.#groups.push(this.#group);
    this.#group = { total: 0, atom: 0, captures: flags === undefined };
    // Continues after `(?` without valid flags, because the parser rejects such a pattern.
  }

  #close(): void {
    const outer = this.#groups.pop();
    if (!outer) return;
    const { total, atom, captures } = this.#group;
    this.#group = outer;
    this.#add(0, Math.max(1, total + atom) + (captures ? 2 : 0));
  }

  #repeatOnce(min: number, max: number | undefined): void {
    this.#at++;
    this.#repeat(min, max);
  }

  /** Repeats the last atom. `max`: undefined for no limit. */
  #repeat(min: number, max: number | undefined): void {
    const { atom } = this.#group;
    this.#group.atom =
      max === undefined ? Math.max(1, min) * atom + 2 : max * atom + Math.max(1, max - min);
  }

  #brace(): void {
    const groups = this.#match(REPEAT)?.groups;
    if (!groups) return this.#literal();
    const min = Number(groups["min"]);
    const { comma, max = comma === undefined ? groups["min"] : undefined } = groups;
    this.#repeat(min, max === undefined ? undefined : Number(max));
  }

  #literal(): void {
    this.#match(CHARACTER);
    this.#add(0, 1);
  }

  #escape(): void {
    const quoted = this.#match(QUOTED)?.groups?.["text"];
    if (quoted !== undefined) {
      for (const _ of quoted) this.#add(0, 1);
      return;
    }
    const ranges = this.#classRanges();
    if (ranges === 0) this.#match(CHARACTER);
    this.#addClass(ranges);
  }

  /** Reads a class such as `\pL` or `\w`. Returns its ranges; 0 when there is no such class here. */
  #classRanges(): number {
    if (this.#match(UNICODE_CLASS)) return UNICODE_RANGES;
    return this.#match(SHORT_CLASS) ? SHORT_RANGES : 0;
  }

  #addClass(ranges: number): void {
    this.#parsing += ranges / PARSED_RANGES_PER_INSTRUCTION;
    this.#add(0, 1 + ranges / RANGES_PER_INSTRUCTION);
  }

  #class(): void {
    this.#at++;
    if (this.#pattern[this.#at] === "^") this.#at++;
    let ranges = 0;
    // Treats a `]` at the start of the class as a character of the class.
    for (let first = true; this.#at < this.#pattern.length; first = false) {
      if (this.#pattern[this.#at] === "]" && !first) break;
      ranges += this.#classRanges() || this.#range();
    }
    this.#at++;
    this.#addClass(ranges);
  }

  /** Reads one character of a class, or a range of characters. Returns the number of ranges. */
  #range(): number {
    const low = this.#codePoint();
    const isRange =
      this.#pattern[this.#at] === "-" &&
      this.#at + 1 < this.#pattern.length &&
      this.#pattern[this.#at + 1] !== "]";
    if (isRange) this.#at++;
    const high = isRange ? this.#codePoint() : low;
    if (!this.#foldsCase) return 1;
    const cased = Math.min(high, LAST_CASED) - Math.max(low, FIRST_CASED) + 1;
    this.#parsing += Math.max(0, cased) / FOLDED_PER_INSTRUCTION;
    return 1 + Math.min(Math.max(0, 3 * cased), FOLDED_RANGES);
  }

  #codePoint(): number {
    const groups = this.#match(CHARACTER)?.groups;
    // Stops at a backslash at the end of the pattern, because the parser rejects such a pattern.
    if (!groups) return this.#at++;
    const { long, short, octal, plain } = groups;
    if (octal !== undefined) return Number.parseInt(octal, 8);
    const hex = long ?? short;
    if (hex !== undefined) return Number.parseInt(hex, 16);
    return plain?.codePointAt(0) ?? 0;
  }
}

/**
 * Estimates the size of a compiled regular expression in instructions, from its text and in linear
 * time. Compiling takes a few microseconds for each instruction. The estimate is never below the
 * real size. For a pattern that does not parse, it is the size of the part that a parser reads.
 */
export const regexSize = (pattern: string, caseInsensitive: boolean): number =>
  new Reader(pattern, caseInsensitive).size();
