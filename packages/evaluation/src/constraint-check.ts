import { parseConstraint } from "./constraint.ts";

/** One thing that is wrong with an invalid constraint. */
export interface ConstraintError {
  /**
   * The name of the invalid field, `values.<index>` for a single value, or "" for the whole
   * constraint.
   */
  readonly field: string;
  /** What is wrong, such as "must be a boolean". */
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
