import type { Context } from "hono";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { type FieldError, invalid } from "../../core/errors/api-error.ts";
import { jsonBytes } from "../../core/lib/chunks.ts";
import { isObject } from "../../core/lib/is-object.ts";
import { readObject } from "../../http/json.ts";

/**
 * The most fields of the evaluation context in a request, the length of a context value in characters, and
 * the size of the context in bytes of JSON. These limits are part of the API (docs/use/api.md, Limits).
 */
export const MAX_CONTEXT_KEYS = 100;
export const MAX_CONTEXT_VALUE_LENGTH = 4096;
export const MAX_CONTEXT_BYTES = 65_536;

/**
 * The most bytes of JSON that one character takes (`\\u0000`), and that one field takes besides its texts.
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

/**
 * Returns the field errors of an evaluation context. `path`: the field of the body that has it. The
 * check is written by hand, as are those of the other bodies that front ends send with each
 * evaluation: an isolate that only evaluates need not load Zod.
 */
export function contextErrors(context: unknown, path: string): FieldError[] {
  const error = (message: string) => [{ field: path, message }];
  if (!isObject(context)) return error("must be an object");
  const entries = Object.entries(context);
  if (entries.length > MAX_CONTEXT_KEYS) return error(`must have at most ${MAX_CONTEXT_KEYS} keys`);
  if (!isSmall(context)) return error(`must have at most ${MAX_CONTEXT_BYTES} bytes of JSON`);
  const errors: FieldError[] = [];
  for (const [key, value] of entries)
    if (typeof value === "string" && value.length > MAX_CONTEXT_VALUE_LENGTH)
      errors.push({
        field: path === "" ? key : `${path}.${key}`,
        message: `must have at most ${MAX_CONTEXT_VALUE_LENGTH} characters`,
      });
  return errors;
}

/** A request body with an evaluation context. Its other fields are not checked. */
export type ContextBody = Readonly<Record<string, unknown>> & {
  readonly context: EvaluationContext;
};

/**
 * Reads a request body with an evaluation context. `errorsOf` returns the field errors of its other
 * fields. Throws: 400.
 */
export async function readContextBody(
  c: Context,
  errorsOf?: (body: Readonly<Record<string, unknown>>) => FieldError[],
): Promise<ContextBody> {
  const body = await readObject(c);
  const errors = contextErrors(body["context"], "context");
  if (errorsOf) errors.push(...errorsOf(body));
  if (errors.length > 0) throw invalid(errors);
  return body as ContextBody;
}
