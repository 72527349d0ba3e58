import { addressKey } from "./ip.ts";
import { parseBoolean, parseDate, parseNumber, parseVersion } from "./parse.ts";
import type { Operator } from "./predicates.ts";
import { exists, inBlocks, matches, membership, ordering, textual } from "./predicates.ts";

const NUMBER = "a decimal number";
const DATE = "an ISO 8601 date or date-time";
const VERSION = "a semantic version";

const difference = (a: number, b: number): number => a - b;

const isOneOf = textual((operands) => {
  const texts: ReadonlySet<string> = new Set(operands);
  return (text) => texts.has(text);
});

/** The operators of each context type, without the negative ones. */
const POSITIVE: ReadonlyMap<string, ReadonlyMap<string, Operator>> = new Map([
  [
    "string",
    new Map([
      ["in", isOneOf],
      ["equals", isOneOf],
      ["contains", textual((parts) => (text) => parts.some((part) => text.includes(part)))],
      ["startsWith", textual((parts) => (text) => parts.some((part) => text.startsWith(part)))],
      ["endsWith", textual((parts) => (text) => parts.some((part) => text.endsWith(part)))],
      ["matches", matches],
      ["exists", exists],
    ]),
  ],
  [
    "number",
    new Map([
      ...membership(NUMBER, parseNumber),
      ...ordering(NUMBER, parseNumber, difference),
      ["exists", exists],
    ]),
  ],
  ["boolean", new Map([...membership("true or false", parseBoolean), ["exists", exists]])],
  [
    "date",
    new Map([
      ...membership(DATE, parseDate),
      ...ordering(DATE, parseDate, difference),
      ["exists", exists],
    ]),
  ],
  [
    "semver",
    new Map([
      // `version` of a parsed version has no build metadata, because semver.org ignores build
      // metadata in comparisons.
      ...membership(VERSION, (value) => parseVersion(value)?.version),
      ...ordering(VERSION, parseVersion, (a, b) => a.compare(b)),
      ["exists", exists],
    ]),
  ],
  [
    "ip",
    new Map([...membership("an IP address", addressKey), ["in", inBlocks], ["exists", exists]]),
  ],
]);

/**
 * The negative operators, each with the operator that it negates. So a negative operator holds for
 * a missing field.
 */
const NEGATIVE: ReadonlyMap<string, string> = new Map([
  ["notIn", "in"],
  ["notEquals", "equals"],
  ["notExists", "exists"],
]);

/** The context types: the types that a context field can have. */
export const CONTEXT_TYPES: readonly string[] = [...POSITIVE.keys()];

/**
 * Returns the names of the operators of a context type, including negative ones; an empty list for
 * an unknown type.
 */
export function operatorsOf(contextType: string): string[] {
  const positive = [...(POSITIVE.get(contextType)?.keys() ?? [])];
  const negative = [...NEGATIVE].filter(([, name]) => positive.includes(name));
  return [...positive, ...negative.map(([name]) => name)];
}

/**
 * Finds an operator of a context type, and whether to negate its result; undefined when the context
 * type has no such operator.
 */
export function findOperator(
  contextType: string,
  name: string,
): { operator: Operator; isNegative: boolean } | undefined {
  const operator = POSITIVE.get(contextType)?.get(NEGATIVE.get(name) ?? name);
  return operator && { operator, isNegative: NEGATIVE.has(name) };
}
