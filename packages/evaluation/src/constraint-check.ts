import { parseConstraint } from "./constraint.ts";

/** One error of an invalid constraint. */
export interface ConstraintError {
  /** The name of the invalid field, or `values.<index>` for a single value. */
  readonly field: string;
  /** What the field must be, such as "must be a boolean". */
  readonly message: string;
}

/**
 * Validates a constraint before it is stored.
 *
 * @param constraint any value
 * @returns all errors; an empty list when the evaluator understands the constraint
 */
export function constraintErrors(constraint: unknown): ConstraintError[] {
  const errors: ConstraintError[] = [];
  parseConstraint(constraint, (field, message) => {
    errors.push({ field, message });
  });
  return errors;
}
