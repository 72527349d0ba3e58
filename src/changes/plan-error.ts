import { ApiError, invalid } from "../core/errors/api-error.ts";
import { listed, MAX_NAMED } from "../core/errors/naming.ts";
import type { PlanError } from "./plan/plan.ts";

export type ErrorFor = (errors: readonly PlanError[]) => ApiError;

export const firstError: ErrorFor = ([first]) => {
  if (!first) throw new Error("There must be an error");
  return first.error;
};

/**
 * Returns the error for a list of operations. It has the code and the status of the first refused operation,
 * and names all operations with the same: in `details` for invalid fields, else in the message.
 */
export const listError: ErrorFor = (errors) => {
  const { code, status, headers } = firstError(errors);
  const alike = errors.filter(({ error }) => error.code === code && error.status === status);
  if (code !== "VALIDATION_ERROR") {
    const named = alike.map(({ operation, error }) => `operations.${operation}: ${error.message}`);
    return new ApiError(code, listed(named, "; "), { status, headers });
  }
  const details = alike.flatMap(({ operation, error: { details: fields = [] } }) =>
    fields.map((one) => ({ ...one, field: `operations.${operation}.input.${one.field}` })),
  );
  return invalid(details.slice(0, MAX_NAMED), details.length);
};
