import { nearestOf } from "@feature-flags/evaluation/decimal";
import { foldCase } from "@feature-flags/evaluation/fold";
import { parseBlock } from "@feature-flags/evaluation/ip";
import {
  parseBoolean,
  parseDate,
  parseNumber,
  parseVersion,
} from "@feature-flags/evaluation/parse";
import type { Constraint } from "@feature-flags/evaluation/rule";
import { compareVersions, type Version } from "@feature-flags/evaluation/version";
import type { UnleashConstraint } from "./feature.ts";
import type { Fault } from "./fault.ts";
import { CURRENT_TIME, fieldName, isReadable } from "./fields.ts";

/** Constraints, all of which must hold. */
type Conjunction = readonly UnleashConstraint[];

/** Lists of constraints, one of which must hold. Each one needs a strategy of its own. */
export type Alternatives = readonly Conjunction[];

/** The operators that older SDKs do not know, so that they never hold there. They are never inverted. */
const NEW_OPERATORS: ReadonlySet<string> = new Set(["REGEX", "IN_CIDR"]);

/** Whether a constraint holds for a value that is missing or empty, which some SDKs read as 0. */
const HOLDS_FOR_EMPTY = new Map<string, (value: string) => boolean>([
  ["NUM_EQ", (value) => Number(value) === 0],
  ["NUM_GT", (value) => Number(value) < 0],
  ["NUM_GTE", (value) => Number(value) <= 0],
  ["NUM_LT", (value) => Number(value) > 0],
  ["NUM_LTE", (value) => Number(value) >= 0],
  ["SEMVER_LT", () => true],
]);

/**
 * Whether the constraints hold for the same contexts in all SDKs. An inverted comparison with a missing
 * value does not hold in Go.
 */
export const areSameInAll = (constraints: Conjunction): boolean =>
  !constraints.some(
    ({ operator, inverted }) =>
      NEW_OPERATORS.has(operator) || (inverted && /^(?:NUM|SEMVER)_/.test(operator)),
  );

/** The operators that are another one, or its negation. */
const SAME = new Map([
  ["notIn", "in"],
  ["equals", "in"],
  ["notEquals", "in"],
  ["notExists", "exists"],
]);

const ORDERED: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte"]);

const TEXT = new Map([
  ["contains", "STR_CONTAINS"],
  ["startsWith", "STR_STARTS_WITH"],
  ["endsWith", "STR_ENDS_WITH"],
]);

const NUMBER = new Map([
  ["in", "NUM_EQ"],
  ["gt", "NUM_GT"],
  ["gte", "NUM_GTE"],
  ["lt", "NUM_LT"],
  ["lte", "NUM_LTE"],
]);

/** One of these must hold. Older SDKs do not know `SEMVER_GTE` and `SEMVER_LTE`. */
const VERSION = new Map([
  ["in", ["SEMVER_EQ"]],
  ["gt", ["SEMVER_GT"]],
  ["gte", ["SEMVER_GT", "SEMVER_EQ"]],
  ["lt", ["SEMVER_LT"]],
  ["lte", ["SEMVER_LT", "SEMVER_EQ"]],
]);

/** A constraint, read for the mapping. */
interface Read {
  /** The name of the field in Unleash. */
  readonly field: string;
  /** The operator without its negation. */
  readonly operator: string;
  readonly isNegated: boolean;
  readonly values: readonly string[];
  readonly caseInsensitive: boolean;
}

/** Returns a constraint of Unleash on the field. */
const make = (
  { field }: Read,
  operator: string,
  given: Pick<UnleashConstraint, "value" | "values">,
  flags: { readonly inverted?: boolean; readonly caseInsensitive?: boolean } = {},
): UnleashConstraint => ({
  contextName: field,
  operator,
  ...given,
  inverted: flags.inverted === true,
  caseInsensitive: flags.caseInsensitive === true,
});

/** Returns the alternatives of a constraint in Unleash. */
export function alternativesOf(constraint: Constraint): Alternatives | Fault {
  const { operator, values, contextType, inverted = false, caseInsensitive = false } = constraint;
  const isNegative = operator.startsWith("not");
  const read: Read = {
    field: fieldName(constraint.field),
    operator: SAME.get(operator) ?? operator,
    isNegated: isNegative !== inverted,
    values,
    caseInsensitive,
  };
  if (contextType === "date" && ORDERED.has(read.operator)) return time(read);
  if (!isReadable(read.field)) return { code: "field", detail: constraint.field };
  if (read.operator === "exists") return modern(read, "REGEX", { value: "^" });
  if (values.length === 0) return { code: "malformed" };
  switch (contextType) {
    case "string":
      return text(read);
    case "boolean":
      return values.every((value) => parseBoolean(value) !== undefined)
        ? list(read)
        : { code: "malformed" };
    case "number":
      return number(read);
    case "semver":
      return version(read);
    case "ip":
      return operator.endsWith("quals") && values.some((value) => value.includes("/"))
        ? { code: "malformed" }
        : address(read);
    default:
      return unknown(read);
  }
}

/** Returns the constraint that a context has an id in a field. An empty text is no id. */
export function hasId(field: string): Alternatives | Fault {
  const contextName = fieldName(field);
  if (!isReadable(contextName)) return { code: "field", detail: field };
  return [
    [{ contextName, operator: "REGEX", value: ".", inverted: false, caseInsensitive: false }],
  ];
}

const unknown = ({ operator }: Read): Fault => ({ code: "operator", detail: operator });

/** An operator that must not be inverted: PHP holds an inverted operator that it does not know. */
const modern = (
  read: Read,
  operator: string,
  given: Pick<UnleashConstraint, "value" | "values">,
): Alternatives | Fault =>
  read.isNegated
    ? {
        code: "operator",
        detail: read.operator === "exists" ? "notExists" : `not ${read.operator}`,
      }
    : [[make(read, operator, given, read)]];

const list = (read: Read): Alternatives => [
  [make(read, read.isNegated ? "NOT_IN" : "IN", { values: read.values })],
];

/** Whether a value has a sigma, of which most SDKs take the form at the end of a word for another letter. */
const hasSigma = (value: string): boolean => foldCase(value).includes("σ");

function text(read: Read): Alternatives | Fault {
  const { field, operator, values, caseInsensitive } = read;
  if (operator === "matches") return pattern(read);
  // Node leaves out empty values and trims the others.
  if (values.some((value) => value === "" || value.trim() !== value))
    return { code: "white-space", detail: field };
  const unquotable = values.find((value) => value.endsWith("\\"));
  if (unquotable !== undefined) return { code: "value", detail: unquotable };
  if (operator === "in" && !caseInsensitive) return list(read);
  if (operator === "in" || (caseInsensitive && values.some(hasSigma)))
    return { code: "case", detail: field };
  const theirs = TEXT.get(operator);
  if (theirs === undefined) return unknown(read);
  return [[make(read, theirs, { values }, { inverted: read.isNegated, caseInsensitive })]];
}

/** Several regular expressions become one. A quotation `\Q` without its end would go on into the next. */
function pattern(read: Read): Alternatives | Fault {
  const { values } = read;
  const [only = ""] = values;
  const unfit = values.find(
    (value) => value.endsWith("\\") || (values.length > 1 && value.includes("\\Q")),
  );
  if (unfit !== undefined) return { code: "value", detail: unfit };
  const value = values.length === 1 ? only : values.map((one) => `(?:${one})`).join("|");
  return modern(read, "REGEX", { value });
}

/** Returns the parsed values; undefined if one of them has not the type. */
function parsed<T>(
  { values }: Read,
  parse: (value: string) => T | undefined,
): readonly T[] | undefined {
  const found = values.map(parse).filter((value) => value !== undefined);
  return found.length === values.length ? found : undefined;
}

/** Whether the values of a comparison count from above: a number is below any of them if it is below the maximum. */
const isUpper = ({ operator }: Read): boolean => operator === "lt" || operator === "lte";

const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));

function number(read: Read): Alternatives | Fault {
  const decimals = parsed(read, parseNumber);
  if (!decimals) return { code: "malformed" };
  // SDKs of Unleash compare doubles.
  const rounded = read.values[decimals.findIndex((decimal) => typeof decimal !== "number")];
  if (rounded !== undefined) return { code: "value", detail: rounded };
  const numbers = decimals.map(nearestOf);
  const operator = NUMBER.get(read.operator);
  if (operator === undefined) return unknown(read);
  const bound = isUpper(read) ? Math.max(...numbers) : Math.min(...numbers);
  const values = (read.operator === "in" ? numbers : [bound]).map(String);
  const inverted = read.isNegated;
  const made = eitherOf(read, values, (value) => make(read, operator, { value }, { inverted }));
  return withoutEmpty(read, made, make(read, "STR_ENDS_WITH", { values: DIGITS }, { inverted }));
}

/**
 * Adds a constraint that tells a missing or empty value from others, if the alternatives hold for it in
 * some SDKs: Node reads an empty text as the number 0, and PHP also a missing value, and as a version
 * below all others. Here, a missing or empty value is no number and no version.
 */
function withoutEmpty(
  { isNegated }: Read,
  alternatives: Alternatives,
  isPresent: UnleashConstraint,
): Alternatives {
  const holds = ({ operator, value = "" }: UnleashConstraint): boolean =>
    HOLDS_FOR_EMPTY.get(operator)?.(value) === true;
  if (!alternatives.flat().some(holds)) return alternatives;
  return isNegated
    ? [...alternatives, [isPresent]]
    : alternatives.map((one) => (one.some(holds) ? one.concat(isPresent) : one));
}

/** Returns an alternative for each value; or all of them together if the constraint is negated. */
function eitherOf<T>(
  { isNegated }: Read,
  values: readonly T[],
  toConstraint: (value: T) => UnleashConstraint,
): Alternatives {
  const all = values.map(toConstraint);
  return isNegated ? [all] : all.map((one) => [one]);
}

/** Whether an SDK of Unleash cannot compare a version: most read its numbers as doubles. */
const isTooLong = (one: Version): boolean => /\d{16}/.test(one.version);

function version(read: Read): Alternatives | Fault {
  const versions = parsed(read, parseVersion);
  const [first, ...others] = versions ?? [];
  if (!versions || !first) return { code: "malformed" };
  const long = versions.find(isTooLong);
  if (long) return { code: "value", detail: long.version };
  const operators = VERSION.get(read.operator);
  if (!operators) return unknown(read);
  const sign = isUpper(read) ? 1 : -1;
  const bound = others.reduce(
    (one, other) => (compareVersions(other, one) * sign > 0 ? other : one),
    first,
  );
  const compared = read.operator === "in" ? versions : [bound];
  const inverted = read.isNegated;
  const pairs = compared.flatMap(({ version: value }) =>
    operators.map((operator) => ({ operator, value })),
  );
  const made = eitherOf(read, pairs, ({ operator, value }) =>
    make(read, operator, { value }, { inverted }),
  );
  return withoutEmpty(read, made, make(read, "STR_CONTAINS", { values: ["."] }, { inverted }));
}

/** The shortest prefix of a block of IPv4-mapped addresses, bits. */
const MAPPED_BITS = 96;

/**
 * Whether a block of IPv6 addresses has some or all IPv4-mapped addresses. They are IPv4 addresses here,
 * and IPv6 addresses there.
 */
function hasMapped(block: string): boolean {
  const [base = "", length = "128"] = block.split("/");
  const bits = Math.min(Number(length), MAPPED_BITS);
  return base.includes(":") && parseBlock(`${base}/${bits}`) === parseBlock(`::ffff:0:0/${bits}`);
}

function address(read: Read): Alternatives | Fault {
  if (read.operator !== "in") return unknown(read);
  if (!parsed(read, parseBlock)) return { code: "malformed" };
  const mapped = read.values.find(hasMapped);
  if (mapped !== undefined) return { code: "value", detail: mapped };
  return modern(read, "IN_CIDR", { values: read.values });
}

/** The times that all SDKs can parse: those with a year of four digits. */
const FIRST_TIME = Date.UTC(1000, 0);
const LAST_TIME = Date.UTC(9999, 11);

function time(read: Read): Alternatives | Fault {
  const { field, operator } = read;
  if (field !== CURRENT_TIME) return { code: "date-field", detail: field };
  const times = parsed(read, parseDate);
  if (!times || times.length === 0) return { code: "malformed" };
  const bound = isUpper(read) ? Math.max(...times) : Math.min(...times);
  if (!Number.isInteger(bound) || bound < FIRST_TIME || bound > LAST_TIME)
    return { code: "value", detail: String(bound) };
  const value = new Date(bound).toISOString();
  // `gte` is the opposite of "before", and `lte` of "after".
  const isAfter = operator === "gt" || operator === "lte";
  const inverted = operator.endsWith("e") !== read.isNegated;
  return [[make(read, isAfter ? "DATE_AFTER" : "DATE_BEFORE", { value }, { inverted })]];
}
