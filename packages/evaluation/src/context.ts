import type { EvaluationContext } from "./rule.ts";

/** A value in an evaluation context that counts as present. Numbers are finite. */
export type Primitive = string | number | boolean;

/**
 * Reads a context value for an operator, for example as a number. Returns undefined for a value that
 * the operator cannot use. All constraints with the same field and the same function share the
 * result, so a long text is parsed once for each context.
 */
export type Reading<T> = (value: Primitive) => T | undefined;

/** Reads a value as text. */
export const toText = (value: Primitive): string =>
  typeof value === "string" ? value : String(value);

/**
 * The context fields that may contain the id of a percentage roll-out when the rule names no field.
 * The first field with an id is used.
 */
export const DEFAULT_STICKINESS = ["targetingKey", "userId", "sessionId"] as const;

/**
 * The names of context fields that always count as missing, even when `JSON.parse` has made one of
 * them an own property.
 */
const NEVER_PRESENT: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function toPrimitive(value: unknown): Primitive | undefined {
  if (typeof value === "string" || typeof value === "boolean") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns the value of a field that is not in `NEVER_PRESENT`. See `contextReader`. */
const readField = (context: EvaluationContext, field: string): Primitive | undefined =>
  typeof context === "object" && context !== null && Object.hasOwn(context, field)
    ? toPrimitive(context[field])
    : undefined;

/**
 * Makes a function that reads one context field.
 *
 * @param field the name of the field
 * @returns a function that returns the field's value, or undefined when the field is missing:
 * absent, inherited, or anything but a string, a boolean or a finite number
 */
export const contextReader = (
  field: string,
): ((context: EvaluationContext) => Primitive | undefined) =>
  NEVER_PRESENT.has(field) ? () => undefined : (context) => readField(context, field);

/** A function that returns the id of a context as text, or undefined when the context has none. */
export type IdReader = (context: EvaluationContext) => string | undefined;

/**
 * Makes a function that reads the id that a percentage roll-out hashes.
 *
 * @param stickiness the context field with the id; if undefined, the first field of
 * `DEFAULT_STICKINESS` that has an id
 * @returns a function that returns the id as text, or undefined when the context has none. An empty
 *   string is not an id.
 */
export const idReader = (stickiness: string | undefined): IdReader =>
  stickiness === undefined ? readDefaultId : firstIdReader([stickiness]);

function firstIdReader(fields: readonly string[]): IdReader {
  const readable = fields.filter((field) => !NEVER_PRESENT.has(field));
  return (context) => {
    for (const field of readable) {
      const value = readField(context, field);
      if (value !== undefined && value !== "") return toText(value);
    }
    return undefined;
  };
}

/**
 * The reader that all rules without `stickiness` share. A separate reader would take half a
 * kilobyte for each rule.
 */
const readDefaultId = firstIdReader(DEFAULT_STICKINESS);
