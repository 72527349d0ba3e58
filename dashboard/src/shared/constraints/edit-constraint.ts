import { constraintErrors } from "@feature-flags/evaluation/constraint-check";
import { operatorsOf } from "@feature-flags/evaluation/operators";
import type { Constraint, ContextDefinition } from "../api/types.ts";
import {
  toOperator,
  type OperatorChoice,
  operatorChoiceOf,
  type OperatorName,
} from "./operator-choice.ts";

export const NEW_CONSTRAINT: Constraint = {
  field: "",
  operator: "in",
  values: [],
  contextType: "string",
};

/**
 * The default operator by context type. A constraint gets this operator when its context type
 * changes and its old operator cannot be kept.
 */
const DEFAULT_OPERATOR: Readonly<Record<string, OperatorName>> = {
  string: "in",
  number: "gte",
  boolean: "equals",
  date: "gte",
  semver: "gte",
  ip: "in",
};

/**
 * The operators that exist only for texts. They have no negative counterpart, so the editor negates
 * them with the `inverted` field of the constraint.
 */
const NEGATABLE = new Set(["contains", "startsWith", "endsWith", "matches"]);

export const isSame = (a: OperatorChoice, b: OperatorChoice): boolean =>
  a.base === b.base && a.isNegated === b.isNegated;

/**
 * Returns the operators that the editor offers for a context type. An operator that can be negated
 * is followed by its negation. Empty for an unknown type.
 */
export function operatorChoicesOf(contextType: string): OperatorChoice[] {
  const offered = operatorsOf(contextType).map((operator) => operatorChoiceOf({ operator }));
  const choices: OperatorChoice[] = [];
  for (const { base, isNegated } of offered) {
    // Leave out `in` ("one of") for booleans, because a boolean has only two values.
    if (isNegated || (contextType === "boolean" && base === "in")) continue;
    choices.push({ base, isNegated });
    const negation = { base, isNegated: true };
    if (NEGATABLE.has(base) || offered.some((choice) => isSame(choice, negation)))
      choices.push(negation);
  }
  return choices;
}

/** Whether the editor lets users enter several values for an operator. */
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
 * Returns the constraint with another context type. Keeps the operator if the new type has the
 * operator and the constraint is complete: it has values or needs none. Keeps only the values that
 * are valid for the new type.
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
 * Returns the constraint with another field. If the field has a context definition, the constraint
 * also gets the definition's context type.
 */
export function withField(
  constraint: Constraint,
  field: string,
  definition: ContextDefinition | undefined,
): Constraint {
  const renamed = { ...constraint, field };
  return definition === undefined ? renamed : withType(renamed, definition.contextType);
}
