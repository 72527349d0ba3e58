import { z } from "@hono/zod-openapi";
import {
  constraintErrors,
  isRegexSizeAllowed,
  MAX_LIST_REGEX_SIZE,
  MAX_REGEX_LENGTH,
  MAX_REGEX_SIZE,
  MAX_REGEXES,
} from "@feature-flags/evaluation/constraint-check";
import { CONTEXT_TYPES } from "@feature-flags/evaluation/operators";
import type { Constraint } from "@feature-flags/evaluation/rule";
import { jsonBytes } from "../../core/lib/chunks.ts";
import { MAX_CONSTRAINTS_BYTES } from "../../core/strategies/validate.ts";
import { EXAMPLE_CONSTRAINT, operatorName } from "../../http/constraint-schema.ts";
import { exactText } from "../../http/schema.ts";

/**
 * The limits for the constraints of a request: the number of constraints, the number of values of
 * one constraint, and the length of a value and of a field name in characters
 * (docs/build/decisions.md,
 * 4.6).
 */
const MAX_CONSTRAINTS = 50;
const MAX_VALUES = 1000;
const MAX_VALUE_LENGTH = 512;
const MAX_FIELD_LENGTH = 200;

/**
 * The schema of a constraint in a request body. The schema rejects a constraint that the evaluator
 * does not understand.
 */
const constraint = z
  .object({
    field: exactText.min(1, "must not be empty").max(MAX_FIELD_LENGTH),
    operator: operatorName,
    values: z
      .array(exactText.max(MAX_VALUE_LENGTH))
      .max(MAX_VALUES)
      .default([])
      .openapi({
        description:
          `The values to compare with; one of them must match. With \`matches\`, at most ` +
          `${MAX_REGEXES} regular expressions of at most ${MAX_REGEX_LENGTH} characters, which ` +
          `compile to at most ${MAX_REGEX_SIZE} instructions together`,
      }),
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

const constraints = z
  .array(constraint)
  .max(MAX_CONSTRAINTS, `must have at most ${MAX_CONSTRAINTS} constraints`)
  .refine((list) => jsonBytes(list) <= MAX_CONSTRAINTS_BYTES, {
    message: `must have at most ${MAX_CONSTRAINTS_BYTES} bytes of JSON`,
  });

/**
 * The schema of the constraints of a strategy or segment. Checks the size of all regular
 * expressions first, from their text, because the schema of a constraint compiles them.
 */
export const constraintsRequest = z.preprocess((list, c) => {
  if (isRegexSizeAllowed(list)) return list;
  c.addIssue(
    `must have smaller regular expressions: together at most ${MAX_LIST_REGEX_SIZE} instructions`,
  );
  return z.NEVER;
}, constraints);
