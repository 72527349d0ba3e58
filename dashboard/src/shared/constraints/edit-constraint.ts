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

/** The default operator of each type. */
const DEFAULT_OPERATOR: Readonly<Record<string, string>> = {
  string: "in",
  number: "gte",
  boolean: "equals",
  date: "gte",
  semver: "gte",
  ip: "in",
};

/**
 * Operators without a negative counterpart that are offered as negated operators, by `inverted`.
 */
const NEGATABLE = new Set(["contains", "startsWith", "endsWith", "matches"]);

export const isSame = (a: OperatorChoice, b: OperatorChoice): boolean =>
  a.base === b.base && a.isNegated === b.isNegated;

/** The operators offered for a type, each followed by its negation; empty for an unknown type. */
export function operatorChoicesOf(contextType: string): OperatorChoice[] {
  const offered = operatorsOf(contextType).map((operator) => operatorChoiceOf({ operator }));
  const choices: OperatorChoice[] = [];
  for (const { base, isNegated } of offered) {
    // A boolean has two values, so "one of" makes no sense.
    if (isNegated || (contextType === "boolean" && base === "in")) continue;
    choices.push({ base, isNegated });
    const negation = { base, isNegated: true };
    if (NEGATABLE.has(base) || offered.some((choice) => isSame(choice, negation)))
      choices.push(negation);
  }
  return choices;
}

/** Whether the operator takes several values. */
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
 * Changes the type. The operator stays if the user has completed the constraint and the new type
 * has it; values stay if the new type can parse them.
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

/** Changes the field, and the type to that of its context definition, if there is one. */
export function withField(
  constraint: Constraint,
  field: string,
  definition: ContextDefinition | undefined,
): Constraint {
  const renamed = { ...constraint, field };
  return definition === undefined ? renamed : withType(renamed, definition.contextType);
}
