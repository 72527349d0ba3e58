import { UnavailableError } from "../core/errors/unavailable-error.ts";
import { LateError } from "../core/lib/timeout.ts";

/** What the question comes to. Errors: its own; `LateError` when it takes longer. */
export async function inTime<T>(ms: number, question: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(ms)), ms);
  });
  try {
    return await Promise.race([question(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same, and every error an `UnavailableError` that says what it is about. */
export async function available<T>(
  what: string,
  ms: number,
  question: () => Promise<T>,
): Promise<T> {
  try {
    return await inTime(ms, question);
  } catch (error) {
    throw new UnavailableError(`${what} does not answer`, { cause: error });
  }
}
