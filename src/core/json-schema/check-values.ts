import { format as formats, type OutputUnit, validate } from "@cfworker/json-schema";
import { isObject } from "../lib/is-object.ts";
import type { JsonFault } from "../lib/json-fault.ts";
import { Budget, TooMuchWork } from "./budget.ts";
import { type PreparedSchema, prepareSchema } from "./prepare.ts";
import { readSchema, type Schema } from "./read-schema.ts";

/** The maximum length of an error message, characters. The validator quotes whole lists. */
const MAX_MESSAGE_LENGTH = 200;

/** The keywords whose errors say only that a part of the value has an error, which comes next. */
const WRAPPERS = new Set([
  "$ref",
  "allOf",
  "if",
  "properties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "dependentSchemas",
  "items",
  "prefixItems",
  "unevaluatedItems",
]);

/** What is wrong with a schema, or with the values that it should accept. */
export interface SchemaCheck {
  /** The places are inside the schema. */
  readonly schema: readonly JsonFault[];
  /** One fault for each value that the schema rejects, by the index of the value. */
  readonly values: ReadonlyMap<number, JsonFault>;
}

/**
 * Checks values by a JSON Schema 2020-12. The schema may come from anybody: the work is bounded (see
 * `Budget`), and a schema that needs more work has a fault.
 *
 * @param values values of `JSON.parse`
 */
export function checkValues(schema: Schema, values: readonly unknown[]): SchemaCheck {
  const sound = readSchema(schema);
  if (!("root" in sound)) return { schema: sound, values: new Map() };
  const budget = new Budget();
  try {
    const prepared = prepareSchema(sound, [...namesIn(values)], budget);
    const faults = withTextChecks(prepared, () =>
      values.map((value) => valueFault(prepared, budget.metered(value, prepared.comparesItems))),
    );
    const found = [...faults.entries()].flatMap(([n, fault]) =>
      fault ? [[n, fault] as const] : [],
    );
    return { schema: [], values: new Map(found) };
  } catch (error) {
    // A `$ref` that leads to itself ends in a RangeError: the call stack is full.
    if (!(error instanceof TooMuchWork || error instanceof RangeError)) throw error;
    const message = "needs too much work to check the values; simplify the schema";
    return { schema: [{ at: "", message }], values: new Map() };
  }
}

/** Returns the names of all properties in the values. */
function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names);
  else if (isObject(value))
    for (const [name, part] of Object.entries(value)) namesIn(part, names.add(name));
  return names;
}

/** Registers the checks of texts as formats of the validator while `check` runs. */
function withTextChecks<T>({ textChecks }: PreparedSchema, check: () => T): T {
  try {
    for (const [name, isAllowed] of textChecks) formats[name] = isAllowed;
    return check();
  } finally {
    for (const name of textChecks.keys()) delete formats[name];
  }
}

function valueFault({ root, lookup, textChecks }: PreparedSchema, value: unknown) {
  const { valid, errors } = validate(value, root, "2020-12", lookup);
  if (valid) return undefined;
  const error = errors.find(({ keyword }) => !WRAPPERS.has(keyword)) ?? errors[0];
  return error && { at: error.instanceLocation.slice(1), message: messageOf(error, textChecks) };
}

function messageOf(
  { keyword, error }: OutputUnit,
  textChecks: PreparedSchema["textChecks"],
): string {
  if (keyword === "false") return "is not allowed";
  const name = /^String does not match format "(?<name>.*)"\.$/s.exec(error)?.groups?.["name"];
  const message = name !== undefined && textChecks.has(name) ? name : error;
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;
}
