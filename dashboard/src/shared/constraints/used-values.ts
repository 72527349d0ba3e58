import type { Constraint } from "../api/types.ts";
import { compareNames } from "../compare-names.ts";
import { operatorChoiceOf } from "./operator-choice.ts";

/** The operators whose values are parts of texts or patterns. */
const PARTIAL = new Set(["contains", "startsWith", "endsWith", "matches"]);

/** What a value means for an operator: a whole value, or a part for this operator. */
const meaningOf = (constraint: Constraint): string => {
  const { base } = operatorChoiceOf(constraint);
  return PARTIAL.has(base) ? base : "whole";
};

/**
 * Returns a function that finds the values which other constraints on the field of a constraint
 * use, those of the most constraints first. Leaves out the values of other context types, and of
 * operators whose values mean something else: a part of a text is no suggestion for a whole text.
 * Counts the values of a field once, because the rows of an editor render at each key press.
 */
export function usedValues(others: readonly Constraint[]): (of: Constraint) => readonly string[] {
  const found = new Map<string, readonly string[]>();
  return (constraint) => {
    if (constraint.field === "") return NONE;
    const key = keyOf(constraint);
    const values = found.get(key) ?? count(others.filter((other) => keyOf(other) === key));
    found.set(key, values);
    return values;
  };
}

const NONE: readonly string[] = [];

const keyOf = (constraint: Constraint): string =>
  JSON.stringify([constraint.field, constraint.contextType, meaningOf(constraint)]);

function count(constraints: readonly Constraint[]): string[] {
  const counts = new Map<string, number>();
  for (const { values } of constraints)
    for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || compareNames(a, b))
    .map(([value]) => value);
}
