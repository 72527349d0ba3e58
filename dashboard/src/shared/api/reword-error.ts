import { ApiError } from "./api-error.ts";

/**
 * Awaits an API call and translates the message of its error, because the server writes English
 * only. `messages.codes` contains messages by error code, `messages.fields` by field name. Rethrows
 * all other errors unchanged.
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
    // The code must change too, because `describeError` would replace the message if it knew the
    // code.
    throw error.copyWith({
      ...(replacement !== undefined && { code: "REWORDED", message: replacement }),
      details,
    });
  }
}
