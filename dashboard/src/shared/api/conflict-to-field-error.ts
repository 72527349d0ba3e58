import { hasStatus } from "./api-error.ts";

/**
 * Awaits an API call. If the API returns 409, throws the ApiError with a single field error
 * instead: `message` at `field`. Rethrows all other errors unchanged.
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
