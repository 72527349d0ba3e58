import type { TFunction } from "i18next";
import { constraintErrors } from "@feature-flags/evaluation/constraint-check";
import type { Constraint } from "../api/types.ts";
import { operatorChoiceOf } from "./operator-choice.ts";
import { isKnownType } from "./type-text.ts";

/**
 * Validates a list of constraints with the evaluator's parser, as the server does; the server also
 * limits lengths. Returns translated messages by path within the list, such as `0.values.2`. Import
 * this only in pages that load lazily, because it loads the evaluator's parser.
 */
export function validateConstraints(
  t: TFunction,
  constraints: readonly Constraint[],
): Record<string, string> {
  const fieldErrors = constraints.flatMap((constraint, index) =>
    Object.entries(validateConstraint(t, constraint)).map(
      ([path, words]) => [`${index}.${path}`, words] as const,
    ),
  );
  return Object.fromEntries(fieldErrors);
}

/**
 * Validates a constraint like `validateConstraints`. Returns messages by path within the
 * constraint, such as `values.2`.
 */
export const validateConstraint = (t: TFunction, constraint: Constraint): Record<string, string> =>
  Object.fromEntries(
    constraintErrors(constraint).map(({ field, message }) => [
      field,
      errorText(t, constraint, field) ?? message,
    ]),
  );

function errorText(t: TFunction, constraint: Constraint, path: string): string | undefined {
  switch (path) {
    case "field":
    case "operator":
    case "contextType":
    case "values":
    case "caseInsensitive":
      return t(`constraints.errors.${path}`);
    default:
      return valueErrorText(t, constraint, Number(path.replace("values.", "")));
  }
}

function valueErrorText(t: TFunction, constraint: Constraint, index: number): string | undefined {
  const { contextType, values } = constraint;
  if (!isKnownType(contextType)) return undefined;
  const takesCidr = contextType === "ip" && operatorChoiceOf(constraint).base === "in";
  const value = t("constraints.quoted", { value: values[index] ?? "" });
  return t(`constraints.errors.${takesCidr ? "ipBlock" : contextType}`, { value });
}
