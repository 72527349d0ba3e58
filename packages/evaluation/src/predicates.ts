import { type Primitive, type Reading, toText } from "./context.ts";
import { foldCase } from "./fold.ts";
import { anyHolds, parseAddress, parseBlock } from "./ip.ts";
import type { Regex, RegexPool } from "./regex-pool.ts";
import { type Searchable, searchable } from "./searchable.ts";

/** A constraint's values, compiled. */
export interface Predicate {
  readonly read: Reading<unknown>;
  /** Checks whether what `read` returned, unless undefined, matches any of the values. */
  readonly test: (operand: unknown) => boolean;
}

/** Makes a predicate. `test` gets only what `read` returned. */
const predicateOf = <T>(read: Reading<T>, test: (operand: T) => boolean): Predicate => ({
  read,
  test: test as (operand: unknown) => boolean,
});

/** A constraint value that the operator cannot use. */
interface UnfitValue {
  readonly index: number;
  /** What is wrong, such as "must be a decimal number". */
  readonly message: string;
  /** Whether the value is a regular expression that is too large. */
  readonly isTooLarge?: boolean;
}

/** An operator of one context type, without negation. */
export interface Operator {
  /** Whether the constraint must have at least one value. */
  readonly needsValues: boolean;
  /**
   * Compiles the constraint's values. Returns the predicate, or the values that do not fit. Never
   * throws.
   *
   * @param regexes compiles regular expressions
   * @param field the context field of the constraint
   */
  readonly compile: (
    values: readonly string[],
    caseInsensitive: boolean,
    regexes: RegexPool,
    field: string,
  ) => Predicate | readonly UnfitValue[];
}

/**
 * Makes an operator that parses the constraint's values once, when the rule is compiled. `expects`:
 * the words in the error message that say what a value must be.
 */
function operator<T>(
  expects: string,
  parse: (text: string, caseInsensitive: boolean) => T | undefined,
  predicate: (operands: readonly T[], caseInsensitive: boolean) => Predicate,
): Operator {
  const compile: Operator["compile"] = (values, caseInsensitive) => {
    const operands: T[] = [];
    const unfit: UnfitValue[] = [];
    for (const [index, text] of values.entries()) {
      const operand = parse(text, caseInsensitive);
      if (operand === undefined) unfit.push({ index, message: `must be ${expects}` });
      else operands.push(operand);
    }
    return unfit.length > 0 ? unfit : predicate(operands, caseInsensitive);
  };
  return { needsValues: true, compile };
}

/** Makes the operators `in` and `equals`. `key` maps all spellings of one value to the same key. */
export function membership(
  expects: string,
  key: (value: Primitive) => Primitive | undefined,
): readonly [string, Operator][] {
  const member = operator(expects, key, (operands) => {
    const keys: ReadonlySet<Primitive> = new Set(operands);
    return predicateOf(key, (value) => keys.has(value));
  });
  return [
    ["in", member],
    ["equals", member],
  ];
}

/**
 * Makes the operators `gt`, `gte`, `lt` and `lte`. `compare` compares as in `Array.prototype.sort`.
 * A value is above one of several operands when it is above the smallest of them, so each operator
 * compares with one operand.
 */
export function ordering<T>(
  expects: string,
  parse: (value: Primitive) => T | undefined,
  compare: (a: T, b: T) => number,
): readonly [string, Operator][] {
  const ordered = (sign: 1 | -1, accepts: (order: number) => boolean): Operator =>
    operator(expects, parse, (operands) => {
      const bound = operands.reduce((a, b) => (compare(a, b) * sign <= 0 ? a : b));
      return predicateOf(parse, (value) => accepts(compare(value, bound)));
    });
  return [
    ["gt", ordered(1, (order) => order > 0)],
    ["gte", ordered(1, (order) => order >= 0)],
    ["lt", ordered(-1, (order) => order < 0)],
    ["lte", ordered(-1, (order) => order <= 0)],
  ];
}

const isPresent = predicateOf(toText, () => true);

/**
 * The operator `exists`. Its predicate is always true, because predicates are called only for
 * fields that are present.
 */
export const exists: Operator = {
  needsValues: false,
  compile: () => isPresent,
};

const toFolded = (value: Primitive): string => foldCase(toText(value));
const textOf = (caseInsensitive: boolean) => (caseInsensitive ? toFolded : toText);
const parseText = (text: string, caseInsensitive: boolean): string => textOf(caseInsensitive)(text);

/** Makes an operator on strings. Numbers and booleans are compared as text. */
export function textual(
  predicate: (operands: readonly string[]) => (text: string) => boolean,
): Operator {
  return operator("a string", parseText, (operands, caseInsensitive) =>
    predicateOf(textOf(caseInsensitive), predicate(operands)),
  );
}

const toSearchable = (value: Primitive): Searchable => searchable(toText(value));
const toFoldedSearchable = (value: Primitive): Searchable => searchable(toFolded(value));

/** The operator `contains`. */
export const contains = operator("a string", parseText, (parts, caseInsensitive) =>
  predicateOf(caseInsensitive ? toFoldedSearchable : toSearchable, (text) =>
    parts.some((part) => text.includes(part)),
  ),
);

const NOT_A_REGEX = { message: "must be an RE2 regular expression" };
const TOO_LARGE = {
  message: "must be a smaller regular expression, for example with lower repetition counts",
  isTooLarge: true,
};

/**
 * The operator `matches`: true when any part of the text matches any of the patterns, which have
 * RE2 syntax.
 */
export const matches: Operator = {
  needsValues: true,
  compile: (patterns, caseInsensitive, regexes, field) => {
    const compiled: Regex[] = [];
    const unfit: UnfitValue[] = [];
    for (const [index, pattern] of patterns.entries()) {
      const regex = regexes.compile(pattern, caseInsensitive, field);
      if (regex === "syntax") unfit.push({ index, ...NOT_A_REGEX });
      else if (regex === "size") unfit.push({ index, ...TOO_LARGE });
      else compiled.push(regex);
    }
    if (unfit.length > 0) return unfit;
    return predicateOf(toText, (text) => compiled.some((regex) => regex.test(text)));
  },
};

/**
 * The operator `in` of IP addresses: true when any of the addresses or CIDR blocks contains the
 * address.
 */
export const inBlocks = operator("an IP address or a CIDR block", parseBlock, (blocks) =>
  predicateOf(parseAddress, anyHolds(blocks)),
);
