import { ApiError } from "./api-error.ts";

/**
 * Returns the field errors of an ApiError as messages by field name. Empty for all other errors.
 */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  // Show only the first error of each field, because correcting it may also correct the others.
  const fieldErrors = error.details.toReversed();
  return Object.fromEntries(fieldErrors.map(({ field, message }) => [field, sentence(message)]));
}

/**
 * Makes a sentence of a message such as `must not be empty`. The API's messages start with the
 * verb, because they follow the field name.
 */
const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/**
 * Replaces an ApiError by an error that only says that some fields are invalid. A form that shows
 * each field error at its input displays this error above the inputs.
 */
export function toInvalidFieldsError(error: unknown): unknown {
  return error instanceof ApiError
    ? error.copyWith({ code: "INVALID_FIELDS", details: [] })
    : error;
}
