import { ApiError } from "./api-error.ts";

/**
 * Awaits an API call and replaces the messages of its ApiError by translated ones, because the
 * server writes English only. `messages.codes` contains the message by error code,
 * `messages.fields` the messages of field errors by field. Rethrows any other error unchanged.
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
    // The error code must change too, because `describeError` would replace the message if it knew
    // the error code.
    throw error.copyWith({
      ...(replacement !== undefined && { code: "REWORDED", message: replacement }),
      details,
    });
  }
}
