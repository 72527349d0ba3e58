import { ApiError } from "./api-error.ts";

/** The field errors of `error` by field name; empty for other errors. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  // Show only the first error of a field: fixing it may fix the others.
  const fieldErrors = error.details.toReversed();
  return Object.fromEntries(fieldErrors.map(({ field, message }) => [field, sentence(message)]));
}

/**
 * The API's messages continue the field name (`must not be empty`). At the field they are a
 * sentence of their own.
 */
const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/**
 * The same error for display above the form, when every field error is already shown at its field.
 */
export function toInvalidFieldsError(error: unknown): unknown {
  return error instanceof ApiError
    ? error.copyWith({ code: "FIELDS_REFUSED", details: [] })
    : error;
}
