import { parseVersion } from "@feature-flags/evaluation/parse";
import type { FileConstraint } from "@feature-flags/file/file";
import type { Condition } from "../condition.ts";
import { checked, isOtherType } from "../constraint.ts";
import { MAX_VALUES } from "../limits.ts";
import { type Changes, Refusal } from "../report.ts";
import type { LdClause } from "./document.ts";

const USER = "user";

/** The field that has the key of a context of the kind `user`. */
const USER_KEY = "targetingKey";

/** The operators on texts. */
const TEXT: Readonly<Record<string, string>> = {
  contains: "contains",
  startsWith: "startsWith",
  endsWith: "endsWith",
};

const NUMBER: Readonly<Record<string, string>> = {
  lessThan: "lt",
  lessThanOrEqual: "lte",
  greaterThan: "gt",
  greaterThanOrEqual: "gte",
};

const DATE: Readonly<Record<string, string>> = { before: "lt", after: "gt" };

const VERSION: Readonly<Record<string, string>> = {
  semVerEqual: "equals",
  semVerLessThan: "lt",
  semVerGreaterThan: "gt",
};

/**
 * The parts of a regular expression that JavaScript, with which the SDK for Node reads them, and RE2
 * read differently: escapes of letters and digits, named classes, and groups with a flag or a name.
 */
const OTHER_DIALECT = /\\[^dDwWsSbBnrtfv\W]|\[\[:|\(\?(?!:)/;

/**
 * Returns the field of the context for an attribute of LaunchDarkly. Notes attributes that the
 * application must pass in another form.
 */
export function fieldOf(attribute: string, kind: string | undefined, changes: Changes): string {
  const names =
    kind !== undefined && attribute.startsWith("/")
      ? attribute
          .slice(1)
          .split("/")
          .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
      : [attribute];
  if (names.includes("")) throw new Refusal("malformed");
  const name = names.join(".");
  if (name === "kind") throw new Refusal("kindAttribute");
  const isUser = (kind ?? USER) === USER;
  const own = isUser && name === "key" ? USER_KEY : name;
  const field = isUser ? own : `${kind}.${name}`;
  if (!isUser) changes.add("contextKind", { kind: kind ?? "", field });
  else if (name === "anonymous") changes.add("anonymous");
  else if (names.length > 1) changes.add("nestedField", { field });
  return field;
}

/** Returns the condition that the key of a context is one of these. */
export function keyIn(
  keys: readonly string[],
  kind: string | undefined,
  changes: Changes,
): Condition {
  if (keys.length === 0) return false;
  const field = fieldOf("key", kind, changes);
  const any: Condition[] = [];
  for (let start = 0; start < keys.length; start += MAX_VALUES)
    any.push({
      constraint: checked({
        field,
        operator: "in",
        values: keys.slice(start, start + MAX_VALUES),
      }),
    });
  return { any };
}

/**
 * Returns what a clause of LaunchDarkly means. A negated clause needs the attribute, too. Throws:
 * Refusal for an unknown operator, for a constraint that the service does not accept, and for a value
 * in a negated clause that no context can match, such as a text for `lessThan`.
 */
export function conditionOf(clause: LdClause, changes: Changes): Condition {
  const { attribute, contextKind, negate = false } = clause;
  const field = fieldOf(attribute, contextKind, changes);
  const condition = positive(field, clause, changes);
  if (!negate) return condition;
  const ignored = clause.values.find(
    (one) => !positive(field, { ...clause, values: [one] }, changes),
  );
  if (ignored !== undefined)
    throw new Refusal("constraintValue", { field, value: String(ignored) });
  return { all: [{ constraint: { field, operator: "exists" } }, { not: condition }] };
}

function positive(field: string, { op, values }: LdClause, changes: Changes): Condition {
  const texts = values.filter((value) => typeof value === "string");
  if (op === "in") return membership(field, values, changes);
  const text = TEXT[op];
  if (text !== undefined && texts.some(isOtherType)) changes.add("otherTypes", { field });
  if (text !== undefined) return oneOf({ field, operator: text }, texts);
  if (op === "matches") return matching(field, texts, changes);
  const number = NUMBER[op];
  if (number !== undefined) {
    changes.add("otherTypes", { field });
    return oneOf(
      { field, operator: number, contextType: "number" },
      values.filter((value) => typeof value === "number").map(String),
    );
  }
  const date = DATE[op];
  if (date !== undefined) {
    changes.add("otherDates", { field });
    return oneOf({ field, operator: date, contextType: "date" }, values.flatMap(dateOf));
  }
  const version = VERSION[op];
  if (version !== undefined) {
    changes.add("otherVersions", { field });
    return oneOf({ field, operator: version, contextType: "semver" }, texts.flatMap(versionOf));
  }
  throw new Refusal("unknownOperator", { operator: op });
}

/** Returns a constraint with values; false without values, because no value matches then. */
const oneOf = (constraint: FileConstraint, values: readonly string[]): Condition =>
  values.length > 0 && { constraint: checked({ ...constraint, values }) };

/** LaunchDarkly compares the types, too. */
function membership(field: string, values: LdClause["values"], changes: Changes): Condition {
  const types = new Set(values.map((value) => typeof value));
  const [type = "string"] = types;
  if (types.size > 1) changes.add("mixedValues", { field });
  else if (values.some(isOtherType)) changes.add("otherTypes", { field });
  return oneOf(
    { field, operator: "in", ...(types.size === 1 && type !== "string" && { contextType: type }) },
    values.map(String),
  );
}

function matching(field: string, patterns: readonly string[], changes: Changes): Condition {
  // The SDKs of LaunchDarkly ignore a regular expression with an error.
  const valid = patterns.filter(isRegex);
  if (valid.some((pattern) => OTHER_DIALECT.test(pattern))) changes.add("regexDialect", { field });
  return oneOf({ field, operator: "matches" }, valid);
}

function isRegex(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d(:\d\d)?)/;

/** Dates are texts of RFC 3339, or milliseconds since 1970. */
function dateOf(value: unknown): readonly string[] {
  if (typeof value !== "number" && typeof value !== "string") return [];
  if (typeof value === "string" && !RFC_3339.test(value)) return [];
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? [] : [date.toISOString()];
}

/** LaunchDarkly accepts versions with one or two numbers, and white space around them, but no `v`. */
function versionOf(text: string): readonly string[] {
  const complete = text
    .trim()
    .replace(/^\d+(\.\d+)?(?=$|[-+])/, (found, minor?: string) =>
      minor === undefined ? `${found}.0.0` : `${found}.0`,
    );
  return parseVersion(complete) === undefined ? [] : [complete];
}
