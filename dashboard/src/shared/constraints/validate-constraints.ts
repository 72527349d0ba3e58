import {
  type ConstraintError,
  constraintErrors,
  isRegexSizeAllowed,
  MAX_REGEX_LENGTH,
  MAX_REGEXES,
} from "@feature-flags/evaluation/constraint-check";
import type { Constraint } from "../api/types.ts";
import type { Translate } from "../i18n/translate.ts";
import { operatorChoiceOf } from "./operator-choice.ts";
import { isKnownType } from "./type-text.ts";

/**
 * Validates a list of constraints with the evaluator's parser, as the server does. The lengths of
 * values are limited for patterns only; the server also limits the others. Returns translated
 * messages by path within the list, such as `0.values.2`. The path of an error of the whole list is
 * empty. Import this module only in pages that load lazily, because it loads the evaluator's parser.
 */
export function validateConstraints(
  t: Translate,
  constraints: readonly Constraint[],
): Record<string, string> {
  const fieldErrors = constraints.flatMap((constraint, index) =>
    Object.entries(validateConstraint(t, constraint)).map(
      ([path, words]) => [`${index}.${path}`, words] as const,
    ),
  );
  return {
    ...Object.fromEntries(fieldErrors),
    ...(!isRegexSizeAllowed(constraints) && { "": t("constraints.errors.listSize") }),
  };
}

/** Returns messages by path within the constraint, such as `values.2`. */
export const validateConstraint = (t: Translate, constraint: Constraint): Record<string, string> =>
  Object.fromEntries(
    constraintErrors(constraint).map((error) => [
      error.field,
      limitText(t, constraint, error) ?? errorText(t, constraint, error.field) ?? error.message,
    ]),
  );

/** Returns the message of a pattern that exceeds a limit; undefined for any other error. */
function limitText(
  t: Translate,
  { values }: Constraint,
  { field, limit }: ConstraintError,
): string | undefined {
  switch (limit) {
    case "count":
      return t("constraints.errors.count", { max: MAX_REGEXES });
    case "length":
      return t("constraints.errors.length", { max: MAX_REGEX_LENGTH });
    case "size":
      return t("constraints.errors.size", { value: quoted(t, values, field) });
    default:
      return undefined;
  }
}

/** Returns the value of a path such as `values.2`, in quotes. */
const quoted = (t: Translate, values: readonly string[], path: string): string =>
  t("constraints.quoted", { value: values[Number(path.replace("values.", ""))] ?? "" });

function errorText(t: Translate, constraint: Constraint, path: string): string | undefined {
  switch (path) {
    case "field":
    case "operator":
    case "contextType":
    case "caseInsensitive":
      return t(`constraints.errors.${path}`);
    case "values":
      return t(`constraints.errors.${constraint.contextType === "boolean" ? "boolean" : path}`);
    default:
      return valueErrorText(t, constraint, path);
  }
}

function valueErrorText(t: Translate, constraint: Constraint, path: string): string | undefined {
  const { contextType, values } = constraint;
  if (!isKnownType(contextType)) return undefined;
  const takesCidr = contextType === "ip" && operatorChoiceOf(constraint).base === "in";
  const value = quoted(t, values, path);
  return t(`constraints.errors.${takesCidr ? "ipBlock" : contextType}`, { value });
}
