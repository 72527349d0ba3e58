import { z } from "@hono/zod-openapi";

/** The example of a constraint in the OpenAPI description. */
export const EXAMPLE_CONSTRAINT = {
  field: "country",
  operator: "in",
  values: ["DE", "FR"],
  contextType: "string",
};

/**
 * The schema of a constraint in a response. It also accepts a stored constraint that a request
 * would no longer be allowed to contain.
 */
export const constraintResponse = z
  .object({
    field: z.string(),
    operator: z.string(),
    values: z.array(z.string()).readonly(),
    contextType: z.string(),
    caseInsensitive: z.boolean().optional(),
    inverted: z.boolean().optional(),
  })
  .openapi("Constraint", { example: EXAMPLE_CONSTRAINT });
