import { isRecord } from "@feature-flags/evaluation/record";
import type { Constraint, Serve } from "../api/types.ts";
import { isSameConstraints } from "../constraints/is-same-constraints.ts";
import { type RuleSettings, TEXT_FIELDS } from "./settings.ts";

/** Type guards for values from audit records. They check only what the dashboard needs. */
export const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

export const isNumber = (value: unknown): value is number => typeof value === "number";

export const isTextOrNull = (value: unknown): value is string | null =>
  value === null || typeof value === "string";

export const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every(isNumber);

export const isConstraints = (value: unknown): value is Constraint[] =>
  Array.isArray(value) && value.every(isConstraint);

const isConstraint = (item: unknown): item is Constraint =>
  isRecord(item) && "field" in item && "operator" in item && Array.isArray(item["values"]);

export const isServe = (value: unknown): value is Serve =>
  isRecord(value) &&
  (typeof value["variant"] === "string" ||
    (isRecord(value["weights"]) && Object.values(value["weights"]).every(isNumber)));

export const isRules = (value: unknown): value is RuleSettings[] =>
  Array.isArray(value) && value.every(isRule);

export const isRule = (item: unknown): item is RuleSettings =>
  isRecord(item) &&
  isTextOrNull(item["name"]) &&
  isNumber(item["exactPercentage"]) &&
  isConstraints(item["constraints"]) &&
  isNumbers(item["segmentIds"]) &&
  isServe(item["serve"]);

/** Whether two lists contain the same segments. Their order has no effect on an evaluation. */
export const isSameSegments = (a: readonly number[], b: readonly number[]): boolean =>
  sorted(a) === sorted(b);

const sorted = (ids: readonly number[]): string => ids.toSorted((x, y) => x - y).join(" ");

/** Whether two rules serve the same. The order of the weights, and weights of 0, do not matter. */
export function isSameServe(a: Serve, b: Serve): boolean {
  if ("variant" in a || "variant" in b)
    return "variant" in a && "variant" in b && a.variant === b.variant;
  const variants = [...Object.keys(a.weights), ...Object.keys(b.weights)];
  return variants.every((variant) => weightOf(a.weights, variant) === weightOf(b.weights, variant));
}

/** Returns the weight of a variant in percent. A variant without a weight has 0. */
export const weightOf = (weights: Readonly<Record<string, number>>, variant: string): number =>
  // A variant may have the name of a property that all objects inherit, such as `constructor`.
  (Object.hasOwn(weights, variant) ? weights[variant] : undefined) ?? 0;

/** Whether two lists have the same rules in the same order. Their ids do not matter. */
export const isSameRules = (a: readonly RuleSettings[], b: readonly RuleSettings[]): boolean =>
  a.length === b.length &&
  a.every((rule, index) => {
    const other = b[index];
    return other !== undefined && isSameRule(rule, other);
  });

const isSameRule = (a: RuleSettings, b: RuleSettings): boolean =>
  PLAIN.every((field) => a[field] === b[field]) &&
  isSameConstraints(a.constraints, b.constraints) &&
  isSameSegments(a.segmentIds, b.segmentIds) &&
  isSameServe(a.serve, b.serve);

/** The fields of a rule whose values are texts or numbers. */
const PLAIN = ["name", "exactPercentage", ...TEXT_FIELDS] as const;
