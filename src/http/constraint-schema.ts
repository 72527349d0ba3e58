import { z } from "@hono/zod-openapi";

/** An example of a constraint for the OpenAPI description. */
export const EXAMPLE_CONSTRAINT = {
  field: "country",
  operator: "in",
  values: ["DE", "FR"],
  contextType: "string",
};

/**
 * The schema of a constraint in a response. It accepts stored constraints that a request with them
 * would no longer pass.
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
