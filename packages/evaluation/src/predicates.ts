import { RE2JS } from "re2js";
import type { Primitive } from "./context.ts";
import type { IpBlock } from "./ip.ts";
import { blockHolds, parseAddress, parseBlock } from "./ip.ts";

/** Whether a present context value meets any of a constraint's values. */
export type Predicate = (value: Primitive) => boolean;

/** A positive operator of one context type. */
export interface Operator {
  /** What a constraint value must be: the end of a sentence that starts with "must be". */
  readonly expects: string;
  readonly needsValues: boolean;
  /** Gives the predicate, or the indexes of the values that do not parse. Never throws. */
  readonly compile: (
    values: readonly string[],
    caseInsensitive: boolean,
  ) => Predicate | readonly number[];
}

/** An operator whose values are parsed one by one, once, when the rule is compiled. */
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

/** `in` and `equals`, by a key that all spellings of one value share. */
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

/** `gt`, `gte`, `lt` and `lte` by a comparison as `Array.prototype.sort` takes it. */
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

/** Presence is tested before any operator is, so nothing is left to ask. */
export const exists: Operator = {
  expects: "a string",
  needsValues: false,
  compile: () => () => true,
};

const toText = (value: Primitive): string => (typeof value === "string" ? value : String(value));
const toLowerText = (value: Primitive): string => toText(value).toLowerCase();
const textOf = (caseInsensitive: boolean) => (caseInsensitive ? toLowerText : toText);

/** A string operator that compares the whole text with each value. */
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

/** RE2 syntax, unanchored: true when any part of the text matches. */
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

/** Plain addresses are looked up; only real blocks are walked. */
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
