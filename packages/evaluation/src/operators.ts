import type { Primitive } from "./context.ts";
import { compareDecimals, type Decimal, decimalKey } from "./decimal.ts";
import { parseAddress } from "./ip.ts";
import { parseBoolean, parseInstant, parseNumber, parseVersion } from "./parse.ts";
import {
  type Operator,
  contains,
  exists,
  inBlocks,
  matches,
  membership,
  ordering,
  textual,
} from "./predicates.ts";
import { compareVersions } from "./version.ts";

const NUMBER = "a decimal number";
const DATE = "an ISO 8601 date or date-time";
const VERSION = "a semantic version";

/** Makes a parser that returns the same for all texts of a number or time. */
const keyed =
  (parse: (value: Primitive) => Decimal | undefined) =>
  (value: Primitive): number | string | undefined => {
    const decimal = parse(value);
    return decimal === undefined ? undefined : decimalKey(decimal);
  };

const isOneOf = textual((operands) => {
  const texts: ReadonlySet<string> = new Set(operands);
  return (text) => texts.has(text);
});

/** The context types: the types that a context field can have. */
export const CONTEXT_TYPES = ["string", "number", "boolean", "date", "semver", "ip"] as const;

/** The names of all operators, of any context type. */
export const OPERATORS = [
  "in",
  "notIn",
  "equals",
  "notEquals",
  "contains",
  "startsWith",
  "endsWith",
  "matches",
  "gt",
  "gte",
  "lt",
  "lte",
  "exists",
  "notExists",
] as const;
export type OperatorName = (typeof OPERATORS)[number];

/** The operators of each context type, without the negative ones. */
const POSITIVE: ReadonlyMap<string, ReadonlyMap<string, Operator>> = new Map([
  [
    "string",
    new Map([
      ["in", isOneOf],
      ["equals", isOneOf],
      ["contains", contains],
      ["startsWith", textual((parts) => (text) => parts.some((part) => text.startsWith(part)))],
      ["endsWith", textual((parts) => (text) => parts.some((part) => text.endsWith(part)))],
      ["matches", matches],
      ["exists", exists],
    ]),
  ],
  [
    "number",
    new Map([
      ...membership(NUMBER, keyed(parseNumber)),
      ...ordering(NUMBER, parseNumber, compareDecimals),
      ["exists", exists],
    ]),
  ],
  ["boolean", new Map([...membership("true or false", parseBoolean), ["exists", exists]])],
  [
    "date",
    new Map([
      ...membership(DATE, keyed(parseInstant)),
      ...ordering(DATE, parseInstant, compareDecimals),
      ["exists", exists],
    ]),
  ],
  [
    "semver",
    new Map([
      // Compares only the `version` text, which lacks the build metadata. semver.org ignores build
      // metadata in comparisons.
      ...membership(VERSION, (value) => parseVersion(value)?.version),
      ...ordering(VERSION, parseVersion, compareVersions),
      ["exists", exists],
    ]),
  ],
  [
    "ip",
    new Map([...membership("an IP address", parseAddress), ["in", inBlocks], ["exists", exists]]),
  ],
]);

/**
 * The negative operators, each with the operator that it negates. For a missing field, a positive
 * operator is false, and so a negative operator is true.
 */
const NEGATIVE: ReadonlyMap<string, string> = new Map([
  ["notIn", "in"],
  ["notEquals", "equals"],
  ["notExists", "exists"],
]);

/**
 * Returns the names of the operators of a context type, including negative ones; an empty list for
 * an unknown type.
 */
export function operatorsOf(contextType: string): OperatorName[] {
  const positive = POSITIVE.get(contextType);
  return OPERATORS.filter((name) => positive?.has(NEGATIVE.get(name) ?? name));
}

/**
 * Finds an operator of a context type. `isNegative`: whether to negate the operator's result.
 * Returns undefined when the context type has no such operator.
 */
export function findOperator(
  contextType: string,
  name: string,
): { operator: Operator; isNegative: boolean } | undefined {
  const operator = POSITIVE.get(contextType)?.get(NEGATIVE.get(name) ?? name);
  return operator && { operator, isNegative: NEGATIVE.has(name) };
}
