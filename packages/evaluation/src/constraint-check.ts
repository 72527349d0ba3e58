import { parseConstraint } from "./constraint.ts";

/** What is wrong with one field of a constraint; `values.<index>` names a single value. */
export interface ConstraintError {
  readonly field: string;
  readonly message: string;
}

/**
 * What a writer has to correct in a constraint before it can be stored.
 *
 * @returns every error; none when the evaluator understands the constraint
 */
export function constraintErrors(constraint: unknown): ConstraintError[] {
  const errors: ConstraintError[] = [];
  parseConstraint(constraint, (field, message) => {
    errors.push({ field, message });
  });
  return errors;
}
