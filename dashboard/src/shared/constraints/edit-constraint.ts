import { constraintErrors } from "@feature-flags/evaluation/constraint-check";
import { operatorsOf } from "@feature-flags/evaluation/operators";
import type { Constraint, ContextDefinition } from "../api/types.ts";
import { toOperator, type OperatorChoice, operatorChoiceOf } from "./operator-choice.ts";

export const NEW_CONSTRAINT: Constraint = {
  field: "",
  operator: "in",
  values: [],
  contextType: "string",
};

/** The operator that a new constraint has initially, by the type of its field. */
const DEFAULT_OPERATOR: Readonly<Record<string, string>> = {
  string: "in",
  number: "gte",
  boolean: "equals",
  date: "gte",
  semver: "gte",
  ip: "in",
};

/**
 * Operators that have no negative counterpart. The editor negates them with the `inverted` field of
 * the constraint.
 */
const NEGATABLE = new Set(["contains", "startsWith", "endsWith", "matches"]);

export const isSame = (a: OperatorChoice, b: OperatorChoice): boolean =>
  a.base === b.base && a.isNegated === b.isNegated;

/**
 * Returns the operators that the editor offers for a type, each followed by its negation. Empty for
 * an unknown type.
 */
export function operatorChoicesOf(contextType: string): OperatorChoice[] {
  const offered = operatorsOf(contextType).map((operator) => operatorChoiceOf({ operator }));
  const choices: OperatorChoice[] = [];
  for (const { base, isNegated } of offered) {
    // Leave out "one of" for booleans, because a boolean has only two values.
    if (isNegated || (contextType === "boolean" && base === "in")) continue;
    choices.push({ base, isNegated });
    const negation = { base, isNegated: true };
    if (NEGATABLE.has(base) || offered.some((choice) => isSame(choice, negation)))
      choices.push(negation);
  }
  return choices;
}

/** Whether constraints with this operator can have several values. */
export function takesManyValues({ base }: OperatorChoice): boolean {
  return base === "in" || NEGATABLE.has(base);
}

export function withOperator(constraint: Constraint, choice: OperatorChoice): Constraint {
  const { field, values, contextType, caseInsensitive } = constraint;
  const isExistsCheck = choice.base === "exists";
  return {
    field,
    values: isExistsCheck ? [] : values,
    contextType,
    ...toOperator(choice),
    ...(caseInsensitive && contextType === "string" && !isExistsCheck && { caseInsensitive }),
  };
}

/**
 * Changes the type of a constraint. Keeps the operator if the constraint has values and the new
 * type has this operator. Keeps the values that the new type can parse.
 */
export function withType(constraint: Constraint, contextType: string): Constraint {
  if (contextType === constraint.contextType) return constraint;
  const current = operatorChoiceOf(constraint);
  const isComplete = constraint.values.length > 0 || current.base === "exists";
  const fits =
    isComplete && operatorChoicesOf(contextType).some((choice) => isSame(choice, current));
  const base = DEFAULT_OPERATOR[contextType] ?? current.base;
  const choice = fits ? current : { base, isNegated: false };
  const next = withOperator({ ...constraint, contextType }, choice);
  const invalid = new Set(constraintErrors(next).map(({ field }) => field));
  return { ...next, values: next.values.filter((_, index) => !invalid.has(`values.${index}`)) };
}

/**
 * Changes the field of a constraint. If the field has a context definition, also changes the type.
 */
export function withField(
  constraint: Constraint,
  field: string,
  definition: ContextDefinition | undefined,
): Constraint {
  const renamed = { ...constraint, field };
  return definition === undefined ? renamed : withType(renamed, definition.contextType);
}
