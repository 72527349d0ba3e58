import type { z } from "@hono/zod-openapi";
import type { Fault } from "../core/errors/api-error.ts";

/** Every fault that a schema found, as the contract's `details` has them. */
export const faultsOf = (error: Pick<z.ZodError, "issues">): Fault[] =>
  error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
