import { z } from "@hono/zod-openapi";
import { OPERATORS } from "@feature-flags/evaluation/operators";

export const EXAMPLE_CONSTRAINT = {
  field: "country",
  operator: "in",
  values: ["DE", "FR"],
  contextType: "string",
};

/**
 * The schema of an operator. The list of names is only in the API description and is not enforced
 * here: a response may have a stored name that is not in the list, and the evaluator checks the
 * operators of requests.
 */
export const operatorName = z.string().openapi({
  enum: [...OPERATORS],
  description: "Must fit the context type; docs/use/api.md has the table",
});

/**
 * The schema of a constraint in a response. The schema also accepts stored constraints that a new
 * request must not contain.
 */
export const constraintResponse = z
  .object({
    field: z.string(),
    operator: operatorName,
    values: z.array(z.string()).readonly(),
    contextType: z.string(),
    caseInsensitive: z.boolean().optional(),
    inverted: z.boolean().optional(),
  })
  .openapi("Constraint", { example: EXAMPLE_CONSTRAINT });

export const storedConstraint = z.object({
  ...constraintResponse.shape,
  caseInsensitive: z.boolean().exactOptional(),
  inverted: z.boolean().exactOptional(),
});
