import { ApiError, hasStatus } from "./api-error.ts";

/**
 * Awaits an API call and replaces the messages of its ApiError by translated messages, because the
 * server writes only English. `messages.codes` contains the message for each error code,
 * `messages.fields` the message for each field with an error. Rethrows any other error unchanged.
 */
export async function rewordError<T>(
  call: Promise<T>,
  messages: { codes?: Readonly<Record<string, string>>; fields?: Readonly<Record<string, string>> },
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const replacement = messages.codes?.[error.code];
    const details = error.details.map(({ field, message }) => ({
      field,
      message: messages.fields?.[field] ?? message,
    }));
    // Change the error code too, because `describeError` would replace the message of an error code
    // that it knows.
    throw error.copyWith({
      ...(replacement !== undefined && { code: "REWORDED", message: replacement }),
      details,
    });
  }
}

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
