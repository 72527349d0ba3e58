import { UnavailableError } from "../core/errors/unavailable-error.ts";
import { isConstraintViolation } from "../db/database.ts";
import { withTimeout } from "./timeout.ts";

/** Whether something has the form that D1 gives the answer to a question. */
export type Form = (answer: unknown) => boolean;

/**
 * The one place where a failure of the database becomes an `UnavailableError`: what it throws, what takes
 * too long, and what is no answer. What it refuses because of a constraint passes as it is.
 */
export async function answerOf<T>(
  boundMs: number,
  question: () => Promise<T>,
  isAnswer: Form,
): Promise<T> {
  try {
    const answer = await withTimeout(boundMs, question);
    if (!isAnswer(answer)) throw new Error("what came is no answer of D1");
    return answer;
  } catch (error) {
    throw isConstraintViolation(error) ? error : unavailable(error);
  }
}

/** For what asks nothing yet. */
export function orUnavailable<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    throw unavailable(error);
  }
}

const unavailable = (cause: unknown) =>
  new UnavailableError("The database cannot be asked", { cause });

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** No table has blobs. */
const isValue: Form = (value) =>
  value === null || typeof value === "string" || Number.isFinite(value);

const isRow: Form = (row) => isObject(row) && isFull(Object.values(row));

const isFull = (values: readonly unknown[]) => values.length > 0 && values.every(isValue);

export const isFirst: Form = (answer) => answer === null || isRow(answer);

export const isResult: Form = (answer) => {
  const rows: unknown = isObject(answer) && "results" in answer ? answer.results : undefined;
  return Array.isArray(rows) && rows.every(isRow);
};

export const areResults =
  (count: number): Form =>
  (answer) =>
    Array.isArray(answer) && answer.length === count && answer.every(isResult);

/** All rows have as many values as the first. */
export const isRaw: Form = (answer) => {
  if (!Array.isArray(answer)) return false;
  const [first] = answer as readonly unknown[];
  return answer.every(
    (row) =>
      Array.isArray(row) && isFull(row) && Array.isArray(first) && row.length === first.length,
  );
};
