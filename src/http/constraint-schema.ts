import { z } from "@hono/zod-openapi";

/** The constraint in the examples of the OpenAPI description. */
export const EXAMPLE_CONSTRAINT = {
  field: "country",
  operator: "in",
  values: ["DE", "FR"],
  contextType: "string",
};

/** Lenient: a stored constraint is shown even if a later release would reject it in a request. */
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
