import { z } from "@hono/zod-openapi";
import { constraintErrors } from "@feature-flags/evaluation/constraint-check";
import { CONTEXT_TYPES } from "@feature-flags/evaluation/operators";
import type { Constraint } from "@feature-flags/evaluation/rule";
import { EXAMPLE_CONSTRAINT } from "../http/constraint-schema.ts";

/**
 * The limits of constraints in a request: how many there are, the number of values of a constraint,
 * and the characters of a value and of a field name (docs/decisions.md, 4.6).
 */
const MAX_CONSTRAINTS = 50;
const MAX_VALUES = 1000;
const MAX_VALUE_LENGTH = 512;
const MAX_FIELD_LENGTH = 200;

/**
 * The maximum size of a request's constraints in bytes of JSON. An audit record stores the
 * constraints twice, before and after the change, and a D1 row holds 2 MB (docs/decisions.md,
 * 4.10).
 */
const MAX_BYTES = 500_000;

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/**
 * The schema of a constraint in a request body. The schema rejects a constraint that the evaluator
 * does not understand.
 */
const constraint = z
  .object({
    field: z.string().min(1, "must not be empty").max(MAX_FIELD_LENGTH),
    operator: z.string().openapi({
      description: "An operator of the context type; docs/api.md lists them",
    }),
    values: z.array(z.string().max(MAX_VALUE_LENGTH)).max(MAX_VALUES).default([]),
    contextType: z.string().openapi({ enum: [...CONTEXT_TYPES] }),
    caseInsensitive: z
      .boolean()
      .optional()
      .openapi({ description: "Compare case-insensitively. Only for the context type `string`" }),
    inverted: z
      .boolean()
      .optional()
      .openapi({ description: "Negate the result of the comparison" }),
  })
  .transform(({ caseInsensitive, inverted, ...rest }): Constraint => ({
    ...rest,
    ...(caseInsensitive && { caseInsensitive }),
    ...(inverted && { inverted }),
  }))
  .superRefine((value, c) => {
    for (const { field, message } of constraintErrors(value))
      c.addIssue({ code: "custom", message, path: field.split(".") });
  })
  .openapi("NewConstraint", { example: EXAMPLE_CONSTRAINT });

export const constraintsRequest = z
  .array(constraint)
  .max(MAX_CONSTRAINTS, `must have at most ${MAX_CONSTRAINTS} constraints`)
  .refine((constraints) => utf8Length(JSON.stringify(constraints)) <= MAX_BYTES, {
    message: `must have at most ${MAX_BYTES} bytes of JSON`,
  });
