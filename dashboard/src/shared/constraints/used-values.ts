import type { Constraint } from "../api/types.ts";
import { operatorChoiceOf } from "./operator-choice.ts";

/** The operators whose values are parts of texts or patterns. */
const PARTIAL = new Set(["contains", "startsWith", "endsWith", "matches"]);

/** What a value means for an operator: a whole value, or a part for this operator. */
const meaningOf = (constraint: Constraint): string => {
  const { base } = operatorChoiceOf(constraint);
  return PARTIAL.has(base) ? base : "whole";
};

const byNumber = new Intl.Collator(undefined, { numeric: true });

/**
 * Returns the values that other constraints on the same field use, those of the most constraints
 * first. Leaves out the values of other context types, and of operators whose values mean something
 * else: a part of a text is no suggestion for a whole text.
 */
export function usedValues(others: readonly Constraint[], constraint: Constraint): string[] {
  const { field, contextType } = constraint;
  if (field === "") return [];
  const meaning = meaningOf(constraint);
  const counts = new Map<string, number>();
  for (const other of others)
    if (other.field === field && other.contextType === contextType && meaningOf(other) === meaning)
      for (const value of new Set(other.values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || byNumber.compare(a, b))
    .map(([value]) => value);
}
