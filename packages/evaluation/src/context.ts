import type { EvaluationContext } from "./rule.ts";

/** A context value that counts as present; a number is finite. */
export type Primitive = string | number | boolean;

/** The fields that may be hashed when a rule names none, in order. */
export const DEFAULT_STICKINESS = ["targetingKey", "userId", "sessionId"] as const;

/** Never present, even where JSON has made one of them an own property. */
const NEVER_PRESENT: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function toPrimitive(value: unknown): Primitive | undefined {
  if (typeof value === "string" || typeof value === "boolean") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * Prepares the reading of one context field.
 *
 * @returns a function that gives the field's own value, or undefined when it is missing:
 *   absent, inherited, null, an object, an array, or a number that JSON cannot carry
 */
export function contextReader(
  field: string,
): (context: EvaluationContext) => Primitive | undefined {
  if (NEVER_PRESENT.has(field)) return () => undefined;
  return (context) =>
    typeof context === "object" && context !== null && Object.hasOwn(context, field)
      ? toPrimitive(context[field])
      : undefined;
}

/**
 * Prepares the reading of the id that a roll-out hashes.
 *
 * @param stickiness the context field to use; without it, the first of `DEFAULT_STICKINESS`
 * @returns a function that gives the id as text, or undefined; an empty string is not an id
 */
export function idReader(
  stickiness: string | undefined,
): (context: EvaluationContext) => string | undefined {
  const fields = stickiness === undefined ? DEFAULT_STICKINESS : [stickiness];
  const readers = fields.map((field) => contextReader(field));
  return (context) => {
    for (const read of readers) {
      const value = read(context);
      if (value !== undefined && value !== "") return String(value);
    }
    return undefined;
  };
}
