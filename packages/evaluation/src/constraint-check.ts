import { parseConstraint } from "./constraint.ts";

/** What is wrong with one field of a constraint; `values.<index>` names a single value. */
export interface ConstraintFault {
  readonly field: string;
  readonly message: string;
}

/**
 * What a writer has to correct in a constraint before it can be stored.
 *
 * @returns every fault; none when the evaluator understands the constraint
 */
export function constraintFaults(constraint: unknown): ConstraintFault[] {
  const faults: ConstraintFault[] = [];
  parseConstraint(constraint, (field, message) => {
    faults.push({ field, message });
  });
  return faults;
}
