import { hasStatus } from "./api-error.ts";

/** For a form: a conflict is about that field, and is told there in these words. */
export async function conflictToFieldError<T>(
  call: Promise<T>,
  field: string,
  words: string,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw hasStatus(error, 409) ? error.copyWith({ details: [{ field, message: words }] }) : error;
  }
}
