import type { Constraint } from "../api/types.ts";

// As src/core/operators.ts has it, which brings its parsers along: too much for a sentence.
const NEGATIVE: Readonly<Record<string, string>> = {
  in: "notIn",
  equals: "notEquals",
  exists: "notExists",
};

const POSITIVE = new Map(Object.entries(NEGATIVE).map(([positive, name]) => [name, positive]));

/** What a constraint asks, without its two ways to negate: `base` is a positive operator. */
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

/** The choice as a constraint puts it; a negative operator goes before `inverted`. */
export function toOperator({
  base,
  isNegated,
}: OperatorChoice): Pick<Constraint, "operator" | "inverted"> {
  const negative = NEGATIVE[base];
  if (!isNegated) return { operator: base };
  return negative === undefined ? { operator: base, inverted: true } : { operator: negative };
}
