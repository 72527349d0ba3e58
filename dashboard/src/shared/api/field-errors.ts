import { ApiError } from "./api-error.ts";

/** Returns the messages of field errors by path, such as `constraints.0.values`. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  // Show only the first error of each field, because correcting it may also correct the field's
  // other errors. `Object.fromEntries` keeps the last entry of each field, so the list is reversed.
  const fieldErrors = error.details.toReversed();
  return Object.fromEntries(fieldErrors.map(({ field, message }) => [field, sentence(message)]));
}

/**
 * Turns the message of a field error, such as `must not be empty`, into a sentence. The API's
 * messages start with a lower-case verb, because they follow the field name.
 */
const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, "")}.`;

/**
 * Replaces an ApiError by an error that only says that some fields are invalid. A form shows this
 * error above the inputs, and each field error at its input. Returns any other error unchanged.
 */
export function toInvalidFieldsError(error: unknown): unknown {
  return error instanceof ApiError
    ? error.copyWith({ code: "INVALID_FIELDS", details: [] })
    : error;
}
