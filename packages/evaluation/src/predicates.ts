import { RE2JS } from "re2js";
import type { Primitive } from "./context.ts";
import type { IpBlock } from "./ip.ts";
import { blockHolds, parseAddress, parseBlock } from "./ip.ts";

/** A function that checks whether a context value matches any of the constraint's values. */
export type Predicate = (value: Primitive) => boolean;

/** An operator of one context type, without negation. */
export interface Operator {
  /** What a constraint value must be, for the error message "must be …". */
  readonly expects: string;
  /** Whether the constraint must have at least one value. */
  readonly needsValues: boolean;
  /**
   * Compiles the constraint's values. Returns the predicate, or the indexes of the values that
   * cannot be parsed. Never throws.
   */
  readonly compile: (
    values: readonly string[],
    caseInsensitive: boolean,
  ) => Predicate | readonly number[];
}

/** Makes an operator that parses the constraint's values once, when the rule is compiled. */
function operator<T>(
  expects: string,
  parse: (text: string, caseInsensitive: boolean) => T | undefined,
  predicate: (operands: readonly T[], caseInsensitive: boolean) => Predicate,
): Operator {
  const compile: Operator["compile"] = (values, caseInsensitive) => {
    const operands: T[] = [];
    const unparsable: number[] = [];
    for (const [index, text] of values.entries()) {
      const operand = parse(text, caseInsensitive);
      if (operand === undefined) unparsable.push(index);
      else operands.push(operand);
    }
    return unparsable.length > 0 ? unparsable : predicate(operands, caseInsensitive);
  };
  return { expects, needsValues: true, compile };
}

/** Makes the operators `in` and `equals`. `key` maps all spellings of one value to the same key. */
export function membership(
  expects: string,
  key: (value: Primitive) => Primitive | undefined,
): readonly [string, Operator][] {
  const member = operator(expects, key, (operands) => {
    const keys: ReadonlySet<Primitive | undefined> = new Set(operands);
    return (value) => keys.has(key(value));
  });
  return [
    ["in", member],
    ["equals", member],
  ];
}

/**
 * Makes the operators `gt`, `gte`, `lt` and `lte`. `compare` compares as in `Array.prototype.sort`.
 */
export function ordering<T>(
  expects: string,
  parse: (value: Primitive) => T | undefined,
  compare: (a: T, b: T) => number,
): readonly [string, Operator][] {
  const ordered = (accepts: (order: number) => boolean): Operator =>
    operator(expects, parse, (operands) => (value) => {
      const parsed = parse(value);
      return parsed !== undefined && operands.some((operand) => accepts(compare(parsed, operand)));
    });
  return [
    ["gt", ordered((order) => order > 0)],
    ["gte", ordered((order) => order >= 0)],
    ["lt", ordered((order) => order < 0)],
    ["lte", ordered((order) => order <= 0)],
  ];
}

/**
 * The operator `exists` is always true here, because a predicate is called only for a field that is
 * present.
 */
export const exists: Operator = {
  expects: "a string",
  needsValues: false,
  compile: () => () => true,
};

const toText = (value: Primitive): string => (typeof value === "string" ? value : String(value));
const toLowerText = (value: Primitive): string => toText(value).toLowerCase();
const textOf = (caseInsensitive: boolean) => (caseInsensitive ? toLowerText : toText);

/** Makes an operator on strings. Numbers and booleans are compared as text. */
export function textual(
  predicate: (operands: readonly string[]) => (text: string) => boolean,
): Operator {
  return operator(
    "a string",
    (text, caseInsensitive) => textOf(caseInsensitive)(text),
    (operands, caseInsensitive) => {
      const toComparable = textOf(caseInsensitive);
      const test = predicate(operands);
      return (value) => test(toComparable(value));
    },
  );
}

function compileRegex(pattern: string, caseInsensitive: boolean): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    return undefined;
  }
}

/**
 * The operator `matches`: true when any part of the text matches the pattern, which has RE2 syntax
 * (github.com/google/re2/wiki/Syntax).
 */
export const matches = operator(
  "an RE2 regular expression",
  compileRegex,
  (patterns) => (value) => {
    const text = toText(value);
    return patterns.some((pattern) => pattern.test(text));
  },
);

const isPlain = ({ address, bits }: IpBlock): boolean =>
  bits === (address.kind() === "ipv6" ? 128 : 32);

/**
 * The operator `in` of IP addresses. Single addresses are looked up in a set; only blocks of
 * several addresses are tested one by one.
 */
export const inBlocks = operator("an IP address or a CIDR block", parseBlock, (blocks) => {
  const plain = blocks.filter(isPlain);
  const addresses: ReadonlySet<string> = new Set(plain.map(({ address }) => address.toString()));
  const wide = blocks.filter((block) => !isPlain(block));
  return (value) => {
    const address = parseAddress(value);
    return (
      address !== undefined &&
      (addresses.has(address.toString()) || wide.some((block) => blockHolds(block, address)))
    );
  };
});
