import { z } from "@hono/zod-openapi";

/** In the examples of whatever has constraints. */
export const EXAMPLE_CONSTRAINT = {
  field: "country",
  operator: "in",
  values: ["DE", "FR"],
  contextType: "string",
};

/** Lenient on purpose: what is stored is shown, even if a later release would refuse it. */
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
