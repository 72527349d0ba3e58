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

/** What is current most of a type. */
const USUAL: Readonly<Record<string, string>> = {
  string: "in",
  number: "gte",
  boolean: "equals",
  date: "gte",
  semver: "gte",
  ip: "in",
};

/** Those without a negative operator of their own that are worth asking the other way round. */
const NEGATABLE = new Set(["contains", "startsWith", "endsWith", "matches"]);

export const isSame = (a: OperatorChoice, b: OperatorChoice): boolean =>
  a.base === b.base && a.isNegated === b.isNegated;

/** What can be current of a type, each choice followed by its negation; nothing for an unknown type. */
export function operatorChoicesOf(contextType: string): OperatorChoice[] {
  const current = operatorsOf(contextType).map((operator) => operatorChoiceOf({ operator }));
  const choices: OperatorChoice[] = [];
  for (const { base, isNegated } of current) {
    // Of two values there is nothing to choose several from.
    if (isNegated || (contextType === "boolean" && base === "in")) continue;
    choices.push({ base, isNegated });
    const negation = { base, isNegated: true };
    if (NEGATABLE.has(base) || current.some((choice) => isSame(choice, negation)))
      choices.push(negation);
  }
  return choices;
}

/** Whether there is room for several values. */
export function takesManyValues({ base }: OperatorChoice): boolean {
  return base === "in" || NEGATABLE.has(base);
}

export function withOperator(constraint: Constraint, choice: OperatorChoice): Constraint {
  const { field, values, contextType, caseInsensitive } = constraint;
  const isPresence = choice.base === "exists";
  return {
    field,
    values: isPresence ? [] : values,
    contextType,
    ...toOperator(choice),
    ...(caseInsensitive && contextType === "string" && !isPresence && { caseInsensitive }),
  };
}

/**
 * With another type. A choice that was answered stays if it fits, and so do those of its values
 * that can be read.
 */
export function withType(constraint: Constraint, contextType: string): Constraint {
  if (contextType === constraint.contextType) return constraint;
  const current = operatorChoiceOf(constraint);
  const isAnswered = constraint.values.length > 0 || current.base === "exists";
  const fits =
    isAnswered && operatorChoicesOf(contextType).some((choice) => isSame(choice, current));
  const base = USUAL[contextType] ?? current.base;
  const choice = fits ? current : { base, isNegated: false };
  const next = withOperator({ ...constraint, contextType }, choice);
  const faulty = new Set(constraintErrors(next).map(({ field }) => field));
  return { ...next, values: next.values.filter((_, index) => !faulty.has(`values.${index}`)) };
}

/** With another field, and its type where the project describes it. */
export function withField(
  constraint: Constraint,
  field: string,
  definition: ContextDefinition | undefined,
): Constraint {
  const named = { ...constraint, field };
  return definition === undefined ? named : withType(named, definition.contextType);
}
