import { constraintErrors } from "@feature-flags/evaluation/constraint-check";
import { operatorsOf } from "@feature-flags/evaluation/operators";
import type { Constraint, ContextDefinition } from "../api/types.ts";
import { putQuestion, type Question, questionOf } from "./operator-choice.ts";

export const NEW_CONSTRAINT: Constraint = {
  field: "",
  operator: "in",
  values: [],
  contextType: "string",
};

/** What is asked most of a type. */
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

export const isSame = (a: Question, b: Question): boolean =>
  a.base === b.base && a.isNegated === b.isNegated;

/** What can be asked of a type, each question followed by its negation; nothing for an unknown type. */
export function questionsOf(contextType: string): Question[] {
  const asked = operatorsOf(contextType).map((operator) => questionOf({ operator }));
  const questions: Question[] = [];
  for (const { base, isNegated } of asked) {
    // Of two values there is nothing to choose several from.
    if (isNegated || (contextType === "boolean" && base === "in")) continue;
    questions.push({ base, isNegated });
    const negation = { base, isNegated: true };
    if (NEGATABLE.has(base) || asked.some((question) => isSame(question, negation)))
      questions.push(negation);
  }
  return questions;
}

/** Whether there is room for several values. */
export function takesMany({ base }: Question): boolean {
  return base === "in" || NEGATABLE.has(base);
}

export function withQuestion(constraint: Constraint, question: Question): Constraint {
  const { field, values, contextType, caseInsensitive } = constraint;
  const isPresence = question.base === "exists";
  return {
    field,
    values: isPresence ? [] : values,
    contextType,
    ...putQuestion(question),
    ...(caseInsensitive && contextType === "string" && !isPresence && { caseInsensitive }),
  };
}

/**
 * With another type. A question that was answered stays if it fits, and so do those of its values
 * that can be read.
 */
export function withType(constraint: Constraint, contextType: string): Constraint {
  if (contextType === constraint.contextType) return constraint;
  const asked = questionOf(constraint);
  const isAnswered = constraint.values.length > 0 || asked.base === "exists";
  const fits = isAnswered && questionsOf(contextType).some((question) => isSame(question, asked));
  const base = USUAL[contextType] ?? asked.base;
  const question = fits ? asked : { base, isNegated: false };
  const next = withQuestion({ ...constraint, contextType }, question);
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
