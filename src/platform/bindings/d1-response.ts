import { UnavailableError } from "../../core/errors/unavailable-error.ts";
import { isObject } from "../../core/lib/is-object.ts";
import { isConstraintViolation } from "../../db/database.ts";
import { withTimeout } from "../runtime/timeout.ts";

/** A function that checks whether a value has the shape of a response of D1. */
export type ResponseCheck = (response: unknown) => boolean;

/**
 * Runs a query of D1. Throws: `UnavailableError` when D1 fails, takes longer than `timeoutMs` or
 * returns a malformed response. A violated constraint throws D1's own error.
 */
export async function checkedQuery<T>(
  timeoutMs: number,
  query: () => Promise<T>,
  isWellFormed: ResponseCheck,
): Promise<T> {
  try {
    const response = await withTimeout(timeoutMs, query);
    if (!isWellFormed(response)) throw new Error("D1 returned a malformed response");
    return response;
  } catch (error) {
    throw isConstraintViolation(error) ? error : unavailable(error);
  }
}

/** Runs a call of D1 that only prepares a query. Throws: `UnavailableError` when the call fails. */
export function orUnavailable<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    throw unavailable(error);
  }
}

const unavailable = (cause: unknown) =>
  new UnavailableError("The database does not respond", { cause });

/** Whether a value may be in a row of D1. Blobs are not accepted, because no table has them. */
const isValue: ResponseCheck = (value) =>
  value === null || typeof value === "string" || Number.isFinite(value);

const isRow: ResponseCheck = (row) => isObject(row) && isFull(Object.values(row));

const isFull = (values: readonly unknown[]) => values.length > 0 && values.every(isValue);

/** Whether a value is a response of D1's `run()` or `all()`. */
export const isResult = (response: unknown): response is D1Result => {
  const rows: unknown = isObject(response) && "results" in response ? response.results : undefined;
  return Array.isArray(rows) && rows.every(isRow);
};

/** Returns a function that checks whether a value is a response of D1's `batch()` with `count` statements. */
export const areResults =
  (count: number): ResponseCheck =>
  (response) =>
    Array.isArray(response) && response.length === count && response.every(isResult);

/** Whether a value is a response of D1's `raw()`, in which all rows have as many values as the first. */
export const isRaw: ResponseCheck = (response) => {
  if (!Array.isArray(response)) return false;
  const [first] = response as readonly unknown[];
  return response.every(
    (row) =>
      Array.isArray(row) && isFull(row) && Array.isArray(first) && row.length === first.length,
  );
};
