import type { z } from "@hono/zod-openapi";
import type { FieldError } from "../core/errors/api-error.ts";

/** Returns the field errors that a schema found, in the form of `details` in the error body. */
export const fieldErrorsOf = (error: Pick<z.ZodError, "issues">): FieldError[] =>
  error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
