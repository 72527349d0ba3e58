import { z } from "@hono/zod-openapi";
import { constraintErrors } from "@feature-flags/evaluation/constraint-check";
import { CONTEXT_TYPES } from "@feature-flags/evaluation/operators";
import type { Constraint } from "@feature-flags/evaluation/rule";
import { EXAMPLE_CONSTRAINT } from "../http/constraint-schema.ts";

/** Limits of decisions 4.6. */
const MAX_CONSTRAINTS = 50;
const MAX_VALUES = 1000;
const MAX_VALUE_LENGTH = 512;
const MAX_FIELD_LENGTH = 200;

/** An audit record holds them twice, before and after, and a row of D1 at most 2 MB. */
const MAX_BYTES = 500_000;

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/** A constraint that somebody wants to store; one that could never hold is refused. */
const constraint = z
  .object({
    field: z.string().min(1, "must not be empty").max(MAX_FIELD_LENGTH),
    operator: z.string().openapi({
      description: "One that fits the context type: see docs/api.md",
    }),
    values: z.array(z.string().max(MAX_VALUE_LENGTH)).max(MAX_VALUES).default([]),
    contextType: z.string().openapi({ enum: [...CONTEXT_TYPES] }),
    caseInsensitive: z.boolean().optional().openapi({ description: "For `string` only" }),
    inverted: z.boolean().optional().openapi({ description: "Negates the result, last" }),
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
