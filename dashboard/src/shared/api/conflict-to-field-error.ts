import { hasStatus } from "./api-error.ts";

/**
 * Turns a 409 into a field error of `field` with `message`. Other errors are rethrown unchanged.
 */
export async function conflictToFieldError<T>(
  call: Promise<T>,
  field: string,
  message: string,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw hasStatus(error, 409) ? error.copyWith({ details: [{ field, message }] }) : error;
  }
}
