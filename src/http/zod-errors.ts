import type { z } from "@hono/zod-openapi";
import type { FieldError } from "../core/errors/api-error.ts";

/** Every fault that a schema found, as the contract's `details` has them. */
export const fieldErrorsOf = (error: Pick<z.ZodError, "issues">): FieldError[] =>
  error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
