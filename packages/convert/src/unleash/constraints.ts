import { parseBlock } from "@feature-flags/evaluation/ip";
import { parseVersion } from "@feature-flags/evaluation/parse";
import type { FileConstraint } from "@feature-flags/file/file";
import { checked } from "../constraint.ts";
import { type Changes, Refusal } from "../report.ts";
import type { UnleashConstraint } from "./document.ts";

/** What a constraint of Unleash means here: a constraint, or the same result for every context. */
export type Condition = FileConstraint | boolean;

const TEXT: Readonly<Record<string, string>> = {
  STR_CONTAINS: "contains",
  STR_STARTS_WITH: "startsWith",
  STR_ENDS_WITH: "endsWith",
};

/** The operators that compare with a list. */
const LISTS = new Set(["IN", "NOT_IN", "IN_CIDR", ...Object.keys(TEXT)]);

const ORDER: Readonly<Record<string, string>> = {
  EQ: "equals",
  GT: "gt",
  GTE: "gte",
  LT: "lt",
  LTE: "lte",
};

/** The operators that this service sends to SDKs of Unleash only without an inversion. */
const NEVER_INVERTED = new Set(["REGEX", "IN_CIDR"]);

/** The fields that an SDK of Unleash adds to each context. */
const ADDED = new Set(["appName", "environment"]);

/**
 * Returns what a constraint of Unleash means here. Throws: Refusal for an operator that this function
 * does not know, for a constraint without the values that the operator needs, and for one that the
 * service does not accept.
 */
export function conditionOf(source: UnleashConstraint, changes: Changes): Condition {
  const { inverted = false } = source;
  if (inverted && NEVER_INVERTED.has(source.operator))
    changes.add("invertedOperator", { operator: source.operator });
  const condition = positive(source, changes);
  if (typeof condition === "boolean") return condition !== inverted;
  return noted(inverted ? { ...condition, inverted } : condition, changes);
}

/**
 * Returns a constraint, after a note if an SDK of Unleash adds its field. Throws: Refusal for a
 * constraint that the service does not accept.
 */
export function noted(constraint: FileConstraint, changes: Changes): FileConstraint {
  noteAddedField(constraint.field, changes);
  return checked(constraint);
}

/** Notes a field that an SDK of Unleash adds by itself. */
export function noteAddedField(field: string, changes: Changes): void {
  if (ADDED.has(field)) changes.add("addedField", { field });
}

/** Letters with several small forms, which the SDKs of Unleash compare by the place in the word. */
const GREEK = /[\p{Script=Greek}µ]/u;

function positive(source: UnleashConstraint, changes: Changes): Condition {
  const { contextName: field, operator, caseInsensitive = false } = source;
  if (caseInsensitive && GREEK.test(JSON.stringify(source.values ?? source.value)))
    changes.add("greekCase", { field });
  if (operator === "REGEX")
    return {
      field,
      operator: "matches",
      values: [needed(source, "value")],
      ...(caseInsensitive && { caseInsensitive }),
    };
  if (!LISTS.has(operator)) return ordered(source, changes);
  const values = needed(source, "values")
    .filter((value) => value !== "")
    .map((one) => one.trim());
  if (operator === "IN") return values.length > 0 && { field, operator: "in", values };
  if (operator === "NOT_IN") return values.length === 0 || { field, operator: "notIn", values };
  const text = TEXT[operator];
  if (text !== undefined)
    return (
      values.length > 0 && {
        field,
        operator: text,
        values,
        ...(caseInsensitive && { caseInsensitive }),
      }
    );
  const blocks = values.filter((value) => parseBlock(value) !== undefined || never(source, value));
  return blocks.length > 0 && { field, operator: "in", values: blocks, contextType: "ip" };
}

/**
 * Returns false for a value with which no context agrees. Throws: Refusal if the constraint is inverted,
 * because everybody would have the flag for the sake of a value that nobody can read.
 */
function never({ contextName: field, inverted }: UnleashConstraint, value: string): false {
  if (inverted) throw new Refusal("constraintValue", { field, value });
  return false;
}

/** Returns what an operator compares with. Throws: Refusal if it is missing. */
function needed<Name extends "value" | "values">(source: UnleashConstraint, name: Name) {
  const found = source[name];
  if (found !== undefined) return found as NonNullable<UnleashConstraint[Name]>;
  const { contextName: field, operator } = source;
  throw new Refusal("noValues", { field, operator });
}

/** Returns the condition for an operator that compares with one number, version or time. */
function ordered(source: UnleashConstraint, changes: Changes): Condition {
  const { contextName: field } = source;
  const [, kind = "", order = ""] = /^(NUM|SEMVER|DATE)_(\w+)$/.exec(source.operator) ?? [];
  if (kind === "DATE" && (order === "AFTER" || order === "BEFORE")) {
    changes.add("presentTime");
    const value = needed(source, "value");
    const time = Date.parse(value);
    if (Number.isNaN(time)) return never(source, value);
    return {
      field: "currentTime",
      operator: order === "AFTER" ? "gt" : "lt",
      values: [new Date(time).toISOString()],
      contextType: "date",
    };
  }
  const operator = ORDER[order];
  if (kind === "NUM" && operator !== undefined) {
    changes.add("otherTypes", { field });
    const value = needed(source, "value");
    const number = Number(value);
    if (Number.isNaN(number)) return never(source, value);
    return { field, operator, values: [String(number)], contextType: "number" };
  }
  if (kind === "SEMVER" && operator !== undefined) {
    changes.add("otherVersions", { field });
    const value = needed(source, "value");
    const version = value.trim().replace(/^v/, "");
    if (parseVersion(version) === undefined) return never(source, value);
    return { field, operator, values: [version], contextType: "semver" };
  }
  throw new Refusal("unknownOperator", { operator: source.operator });
}
