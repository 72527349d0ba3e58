import type { Constraint } from "../api/types.ts";

// The negative operators of packages/evaluation/src/operators.ts. Repeated here, because that
// module imports all parsers.
const NEGATIVE: Readonly<Record<string, string>> = {
  in: "notIn",
  equals: "notEquals",
  exists: "notExists",
};

const POSITIVE = new Map(Object.entries(NEGATIVE).map(([positive, name]) => [name, positive]));

/**
 * An operator as the user chooses it. A constraint can be negated in two ways, by a negative
 * operator or by `inverted`; here `base` is always the positive operator.
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

/** The fields of a constraint. Uses the negative operator if there is one, otherwise `inverted`. */
export function toOperator({
  base,
  isNegated,
}: OperatorChoice): Pick<Constraint, "operator" | "inverted"> {
  const negative = NEGATIVE[base];
  if (!isNegated) return { operator: base };
  return negative === undefined ? { operator: base, inverted: true } : { operator: negative };
}
