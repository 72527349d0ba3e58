import { format as formats } from "@cfworker/json-schema";
import { isObject, isOfType } from "../lib/is-object.ts";
import type { UniformKeywords } from "./uniform-schema.ts";

/**
 * The values of the keyword `format` that a check enforces: those that the library checks in linear
 * time. Any other `format` is an annotation and accepts every value.
 */
const CHECKED_FORMATS: ReadonlySet<string> = new Set([
  "date",
  "time",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uuid",
  "json-pointer",
]);

/** The maximum number of values of `enum` that a message names. */
const MAX_NAMED = 20;

/** Makes an error message. Most messages are never shown, because they are those of alternatives. */
export type Message = () => string;

/** Returns the fault of a value by the keywords that contain no other schema. */
export function ownFault(schema: UniformKeywords, value: unknown): Message | undefined {
  const { type, enum: allowed } = schema;
  if (type !== undefined && !hasType(type, value))
    return () => `must be of the type ${typeof type === "string" ? type : type.join(" or ")}`;
  if (allowed && !allowed.some((one) => isEqual(one, value)))
    return () => `must be one of ${named(allowed)}`;
  if (schema.const !== undefined && !isEqual(schema.const, value))
    return () => `must be ${JSON.stringify(schema.const)}`;
  if (typeof value === "number") return numberFault(schema, value);
  return typeof value === "string" ? textFault(schema, value) : undefined;
}

/** Returns the first values of a list as JSON. */
function named(values: readonly unknown[]): string {
  const names = values.slice(0, MAX_NAMED).map((value) => JSON.stringify(value));
  return [...names, ...(values.length > MAX_NAMED ? ["…"] : [])].join(", ");
}

/** Whether two JSON values are equal. The time is at most proportional to the size of the smaller value. */
function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, n) => isEqual(item, b[n]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

const hasType = (type: string | readonly string[], value: unknown): boolean =>
  [type].flat().some((one) => isOfType(value, one));

function numberFault(schema: UniformKeywords, value: number): Message | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (minimum !== undefined && value < minimum) return () => `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return () => `must be at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return () => `must be greater than ${exclusiveMinimum}`;
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return () => `must be less than ${exclusiveMaximum}`;
  if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    return () => `must be a multiple of ${multipleOf}`;
  return undefined;
}

/**
 * Whether a number is a multiple of `divisor`. Compares decimals, because 0.3 / 0.1 is
 * 2.9999999999999996 in floating point.
 */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0;
  const times = value / divisor;
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.abs(times);
}

function textFault(schema: UniformKeywords, text: string): Message | undefined {
  const { minLength = 0, maxLength = Infinity, pattern, regex, format } = schema;
  const length = minLength > 0 || maxLength < Infinity ? lengthOf(text) : 0;
  if (length < minLength) return () => `must have at least ${minLength} characters`;
  if (length > maxLength) return () => `must have at most ${maxLength} characters`;
  if (regex && !regex.test(text)) return () => `must match ${pattern}`;
  if (format !== undefined && CHECKED_FORMATS.has(format) && formats[format]?.(text) === false)
    return () => `must have the format ${format}`;
  return undefined;
}

/** Returns the number of characters. A surrogate pair is one character (JSON Schema, 6.3.1). */
const lengthOf = (text: string): number =>
  text.length - (text.match(/[\uD800-\uDBFF]/g)?.length ?? 0);
