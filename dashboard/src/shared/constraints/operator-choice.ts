import type { Constraint } from "../api/types.ts";

/**
 * The negative operator for each positive operator that has one. Copied from
 * packages/evaluation/src/operators.ts, because importing that module would also load all parsers.
 */
const NEGATIVE: Readonly<Record<string, string>> = {
  in: "notIn",
  equals: "notEquals",
  exists: "notExists",
};

const POSITIVE = new Map(Object.entries(NEGATIVE).map(([positive, name]) => [name, positive]));

/**
 * A choice in the editor's list of operators: a positive operator or its negation. A stored
 * constraint expresses the negation by a negative operator or by `inverted`; here `base` is always
 * the positive operator.
 */
export interface OperatorChoice {
  readonly base: string;
  readonly isNegated: boolean;
}

export function operatorChoiceOf({
  operator,
  inverted = false,
}: Pick<Constraint, "operator" | "inverted">): OperatorChoice {
  const positive = POSITIVE.get(operator);
  return { base: positive ?? operator, isNegated: (positive !== undefined) !== inverted };
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
