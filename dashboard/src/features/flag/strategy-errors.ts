import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import { constraintFieldErrors } from "../../shared/constraints/field-errors.ts";

/** What the server refuses of a strategy, where it concerns a part of the form. */
export interface StrategyErrors {
  percentage?: string | undefined;
  stickiness?: string | undefined;
  segmentIds?: string | undefined;
  /** By the path below the list, such as `0.values`. */
  constraints?: Readonly<Record<string, string>>;
}

const FIELDS = ["percentage", "stickiness", "segmentIds"] as const;

export function strategyErrors(error: unknown): StrategyErrors {
  const fieldErrors = Object.entries(fieldErrorsOf(error));
  const constraints = constraintFieldErrors(error);
  const found: StrategyErrors = Object.keys(constraints).length > 0 ? { constraints } : {};
  for (const part of FIELDS) {
    // A segment is one of a list, and has no field of its own.
    const fieldError = fieldErrors.find(
      ([field]) => field === part || field.startsWith(`${part}.`),
    );
    if (fieldError) found[part] = fieldError[1];
  }
  return found;
}
