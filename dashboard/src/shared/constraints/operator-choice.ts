import type { Constraint } from "../api/types.ts";

export type OperatorName = Constraint["operator"];

/**
 * The negative operator for each positive operator that has one. Copied from
 * packages/evaluation/src/operators.ts, because importing that module would also load all parsers.
 */
const NEGATIVE: Readonly<Partial<Record<OperatorName, OperatorName>>> = {
  in: "notIn",
  equals: "notEquals",
  exists: "notExists",
};

const POSITIVE: ReadonlyMap<string, OperatorName> = new Map([
  ["notIn", "in"],
  ["notEquals", "equals"],
  ["notExists", "exists"],
]);

/**
 * A choice in the editor's list of operators: a positive operator or its negation. `base` is always
 * the positive operator. A stored constraint expresses the negation by a negative operator or by
 * `inverted`.
 */
export interface OperatorChoice {
  readonly base: OperatorName;
  readonly isNegated: boolean;
}

export function operatorChoiceOf({
  operator,
  inverted = false,
}: {
  readonly operator: string;
  readonly inverted?: boolean | undefined;
}): OperatorChoice {
  const positive = POSITIVE.get(operator);
  // A stored operator that this dashboard does not know is displayed and kept as it is.
  return {
    base: positive ?? (operator as OperatorName),
    isNegated: (positive !== undefined) !== inverted,
  };
}

/**
 * Returns the properties of a constraint that express the choice: the negative operator if there is
 * one, otherwise `inverted`.
 */
export function toOperator({
  base,
  isNegated,
}: OperatorChoice): Pick<Constraint, "operator" | "inverted"> {
  const negative = NEGATIVE[base];
  if (!isNegated) return { operator: base };
  return negative === undefined ? { operator: base, inverted: true } : { operator: negative };
}
