import { hasStatus } from "./api-error.ts";

/**
 * Awaits an API call. If it fails with 409, throws a field error of `field` with `message` instead.
 * Rethrows all other errors unchanged.
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
