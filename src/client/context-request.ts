import { z } from "@hono/zod-openapi";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { jsonBytes } from "../core/lib/chunks.ts";

/**
 * The most fields of the evaluation context in a request, the length of a context value in
 * characters, and the size of the context in bytes of JSON. These limits are part of the API
 * (docs/api.md, Limits).
 */
const MAX_CONTEXT_KEYS = 100;
const MAX_CONTEXT_VALUE_LENGTH = 4096;
const MAX_CONTEXT_BYTES = 65_536;

/**
 * The most bytes of JSON that one character takes (`\\u0000`), and that one field takes besides its
 * texts.
 */
const MAX_CHARACTER_BYTES = 6;
const MAX_FIELD_BYTES = 32;

/**
 * Whether the context has at most `MAX_CONTEXT_BYTES`. For most contexts, the length of their texts
 * already shows it, which saves making their JSON.
 */
function isSmall(context: EvaluationContext): boolean {
  let characters = 0;
  let fields = 0;
  let isFlat = true;
  for (const [key, value] of Object.entries(context)) {
    characters += key.length + (typeof value === "string" ? value.length : 0);
    fields++;
    isFlat &&= typeof value !== "object";
  }
  if (characters > MAX_CONTEXT_BYTES) return false;
  return (
    (isFlat && characters * MAX_CHARACTER_BYTES + fields * MAX_FIELD_BYTES <= MAX_CONTEXT_BYTES) ||
    jsonBytes(context) <= MAX_CONTEXT_BYTES
  );
}

/** The schema of the evaluation context in a request. */
export const contextRequest = z
  .record(z.string(), z.unknown())
  .superRefine((context, c) => {
    if (Object.keys(context).length > MAX_CONTEXT_KEYS)
      return c.addIssue(`must have at most ${MAX_CONTEXT_KEYS} keys`);
    if (!isSmall(context))
      return c.addIssue(`must have at most ${MAX_CONTEXT_BYTES} bytes of JSON`);
    for (const [key, value] of Object.entries(context))
      if (typeof value === "string" && value.length > MAX_CONTEXT_VALUE_LENGTH)
        c.addIssue({
          code: "custom",
          message: `must have at most ${MAX_CONTEXT_VALUE_LENGTH} characters`,
          path: [key],
        });
  })
  .openapi({
    description:
      `The facts about the user by field name: at most ${MAX_CONTEXT_KEYS} fields, ` +
      `${MAX_CONTEXT_VALUE_LENGTH} characters in a value, and ${MAX_CONTEXT_BYTES} bytes of JSON`,
  });
