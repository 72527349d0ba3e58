import { hasStatus } from "./api-error.ts";

/** Turns a 409 of an API call into a field error: `message` at `field`. */
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
