import { constraintErrors } from "@feature-flags/evaluation/constraint-check";
import type { FileConstraint } from "@feature-flags/file/file";
import { MAX_VALUES } from "./limits.ts";
import { Refusal } from "./report.ts";

/** Returns a constraint. Throws: Refusal if the service does not accept the constraint. */
export function checked(constraint: FileConstraint): FileConstraint {
  const { field, values = [] } = constraint;
  if (values.length > MAX_VALUES)
    throw new Refusal("tooManyValues", { field, count: values.length, limit: MAX_VALUES });
  const [error] = constraintErrors({ contextType: "string", values, ...constraint });
  if (!error) return constraint;
  const value = values[Number(/^values\.(\d+)$/.exec(error.field)?.[1] ?? Number.NaN)];
  throw value === undefined
    ? new Refusal("constraint", { field })
    : new Refusal("constraintValue", { field, value });
}

/**
 * Whether a value to compare with is a number or a boolean, or a text that may be equal to one. Services
 * differ in the texts that they take for a number or a boolean.
 */
export const isOtherType = (value: string | number | boolean): boolean =>
  typeof value !== "string" ||
  !Number.isNaN(Number(value)) ||
  value === "true" ||
  value === "false";
