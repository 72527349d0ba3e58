import { z } from "@hono/zod-openapi";
import { constraintFaults } from "../core/constraint-check.ts";
import type { Constraint } from "../core/rule.ts";

/** Limits of decisions 4.6. */
const MAX_CONSTRAINTS = 50;
const MAX_VALUES = 1000;
const MAX_VALUE_LENGTH = 512;
const MAX_FIELD_LENGTH = 200;

/** A constraint that somebody wants to store; one that could never hold is refused. */
const constraint = z
  .object({
    field: z.string().min(1, "must not be empty").max(MAX_FIELD_LENGTH),
    operator: z.string(),
    values: z.array(z.string().max(MAX_VALUE_LENGTH)).max(MAX_VALUES).default([]),
    contextType: z.string(),
    caseInsensitive: z.boolean().optional(),
    inverted: z.boolean().optional(),
  })
  .transform(({ caseInsensitive, inverted, ...rest }): Constraint => ({
    ...rest,
    ...(caseInsensitive && { caseInsensitive }),
    ...(inverted && { inverted }),
  }))
  .superRefine((value, c) => {
    for (const { field, message } of constraintFaults(value))
      c.addIssue({ code: "custom", message, path: field.split(".") });
  });

export const constraintsRequest = z
  .array(constraint)
  .max(MAX_CONSTRAINTS, `must have at most ${MAX_CONSTRAINTS} constraints`);
