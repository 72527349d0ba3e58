import { ApiError } from "./api-error.ts";

/** What the server found wrong with the fields of a form, by their names; empty for other errors. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  // Show only the first error of a field: fixing it may fix the others.
  const fieldErrors = error.details.toReversed();
  return Object.fromEntries(fieldErrors.map(({ field, message }) => [field, sentence(message)]));
}

/** The API writes `must not be empty`, to stand behind the name of the field. */
const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/** The same refusal, whose words all stand at fields. */
export function toInvalidFieldsError(error: unknown): unknown {
  return error instanceof ApiError
    ? error.copyWith({ code: "FIELDS_REFUSED", details: [] })
    : error;
}
