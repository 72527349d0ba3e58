import { UnavailableError } from "../core/errors/unavailable-error.ts";
import { isConstraintViolation } from "../db/database.ts";
import { withTimeout } from "./timeout.ts";

/** Checks whether a value has the shape of D1's response to a query. */
export type ResponseCheck = (response: unknown) => boolean;

/**
 * Runs a query. Throws `UnavailableError` when D1 fails, takes too long or returns a malformed
 * response. A violated constraint is not a fault: D1's error is then thrown unchanged.
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

/** Runs a call that only prepares a query. Throws `UnavailableError` when it fails. */
export function orUnavailable<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    throw unavailable(error);
  }
}

const unavailable = (cause: unknown) =>
  new UnavailableError("The database does not respond", { cause });

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value may be in a row. Blobs are not accepted, because no table has them. */
const isValue: ResponseCheck = (value) =>
  value === null || typeof value === "string" || Number.isFinite(value);

const isRow: ResponseCheck = (row) => isObject(row) && isFull(Object.values(row));

const isFull = (values: readonly unknown[]) => values.length > 0 && values.every(isValue);

/** Whether a value is a response of `first()`. */
export const isFirst: ResponseCheck = (response) => response === null || isRow(response);

/** Whether a value is a response of `run()` or `all()`. */
export const isResult: ResponseCheck = (response) => {
  const rows: unknown = isObject(response) && "results" in response ? response.results : undefined;
  return Array.isArray(rows) && rows.every(isRow);
};

/** Whether a value is a response of `batch()` with `count` statements. */
export const areResults =
  (count: number): ResponseCheck =>
  (response) =>
    Array.isArray(response) && response.length === count && response.every(isResult);

/** Whether a value is a response of `raw()`, in which all rows have as many values as the first. */
export const isRaw: ResponseCheck = (response) => {
  if (!Array.isArray(response)) return false;
  const [first] = response as readonly unknown[];
  return response.every(
    (row) =>
      Array.isArray(row) && isFull(row) && Array.isArray(first) && row.length === first.length,
  );
};
