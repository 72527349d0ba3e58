import type { z } from "@hono/zod-openapi";
import type { FieldError } from "../core/errors/api-error.ts";

/** The most characters of a name that the field of an error repeats. */
const MAX_NAME = 200;

/** Returns the field errors that a schema found, in the form of `details` in the error body. */
export const fieldErrorsOf = (error: Pick<z.ZodError, "issues">): FieldError[] =>
  error.issues.map(({ path, message }) => ({ field: path.map(shortName).join("."), message }));

// A body can have one name of a megabyte, and many errors below it.
const shortName = (name: PropertyKey): string => {
  const text = String(name);
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
};
