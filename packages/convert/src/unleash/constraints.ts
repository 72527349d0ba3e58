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

const ORDER: Readonly<Record<string, string>> = {
  EQ: "equals",
  GT: "gt",
  GTE: "gte",
  LT: "lt",
  LTE: "lte",
};

/** The fields that an SDK of Unleash adds to each context. */
const ADDED = new Set(["appName", "environment"]);

/**
 * Returns what a constraint of Unleash means here. Throws: Refusal for an operator that this function
 * does not know, and for a constraint that the service does not accept.
 */
export function conditionOf(source: UnleashConstraint, changes: Changes): Condition {
  const { inverted = false } = source;
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

function positive(source: UnleashConstraint, changes: Changes): Condition {
  const { contextName: field, operator, caseInsensitive = false } = source;
  const values = (source.values ?? []).filter((value) => value !== "").map((one) => one.trim());
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
  if (operator === "REGEX")
    return {
      field,
      operator: "matches",
      values: [source.value ?? ""],
      ...(caseInsensitive && { caseInsensitive }),
    };
  if (operator === "IN_CIDR") {
    const blocks = values.filter((value) => parseBlock(value) !== undefined);
    return blocks.length > 0 && { field, operator: "in", values: blocks, contextType: "ip" };
  }
  return ordered(source, changes);
}

/** Returns the condition for an operator that compares with one number, version or time. */
function ordered(source: UnleashConstraint, changes: Changes): Condition {
  const { contextName: field, value = "" } = source;
  const [, kind = "", order = ""] = /^(NUM|SEMVER|DATE)_(\w+)$/.exec(source.operator) ?? [];
  if (kind === "DATE" && (order === "AFTER" || order === "BEFORE")) {
    changes.add("presentTime");
    const time = Date.parse(value);
    if (Number.isNaN(time)) return false;
    return {
      field: "currentTime",
      operator: order === "AFTER" ? "gt" : "lt",
      values: [new Date(time).toISOString()],
      contextType: "date",
    };
  }
  const operator = ORDER[order];
  if (kind === "NUM" && operator !== undefined) {
    const number = Number(value);
    if (Number.isNaN(number)) return false;
    return { field, operator, values: [String(number)], contextType: "number" };
  }
  if (kind === "SEMVER" && operator !== undefined) {
    const version = value.trim().replace(/^[=v]+/, "");
    if (parseVersion(version) === undefined) return false;
    return { field, operator, values: [version], contextType: "semver" };
  }
  throw new Refusal("unknownOperator", { operator: source.operator });
}
