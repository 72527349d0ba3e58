import { ApiError } from "./api-error.ts";

/**
 * Replaces the message of an ApiError by a translated one, since the server writes English only.
 * `messages.codes` applies by error code, `messages.fields` by field name. Other errors are
 * rethrown unchanged.
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
    // With a known code, describeError would replace the message by its general one.
    throw error.copyWith({
      ...(replacement !== undefined && { code: "REWORDED", message: replacement }),
      details,
    });
  }
}
