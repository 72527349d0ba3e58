import type { Constraint } from "../api/types.ts";

/**
 * The negative counterparts of operators. Copied from packages/evaluation/src/operators.ts, because
 * importing that module would also load all parsers.
 */
const NEGATIVE: Readonly<Record<string, string>> = {
  in: "notIn",
  equals: "notEquals",
  exists: "notExists",
};

const POSITIVE = new Map(Object.entries(NEGATIVE).map(([positive, name]) => [name, positive]));

/**
 * An operator as the editor offers it. A stored constraint is negated either by a negative operator
 * or by `inverted`. Here `base` is always the positive operator.
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
