import { ApiError } from "./api-error.ts";

/**
 * Returns the field errors of an ApiError: the message of each field by the field's path, such as
 * `constraints.0.values`. Returns an empty object for any other error.
 */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  // Show only the first error of each field, because correcting it may also correct the field's
  // other errors. `Object.fromEntries` keeps the last entry of each field, hence the reversal.
  const fieldErrors = error.details.toReversed();
  return Object.fromEntries(fieldErrors.map(({ field, message }) => [field, sentence(message)]));
}

/**
 * Makes a sentence of the message of a field error, such as `must not be empty`. The API's messages
 * start with the verb, because they follow the field name.
 */
const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/**
 * Replaces an ApiError by one that only says that some fields are invalid, for a form that shows
 * each field error at its input and this error above the inputs. Returns any other error unchanged.
 */
export function toInvalidFieldsError(error: unknown): unknown {
  return error instanceof ApiError
    ? error.copyWith({ code: "INVALID_FIELDS", details: [] })
    : error;
}
