import { isObject } from "../lib/is-object.ts";
import type { JsonFault } from "../lib/json-fault.ts";
import { readSchema } from "./read-schema.ts";
import { valueFault } from "./value-fault.ts";

/**
 * The most work that a check may take: the cost of the schema multiplied by the size of the values.
 * This much work takes less than a second (hostile-schemas.test.ts).
 */
const MAX_WORK = 5_000_000;

/** The number of characters of a text that count as much as one part of a value. */
const CHARACTERS_PER_PART = 16;

/** The maximum length of an error message, characters. A message can quote a whole list. */
const MAX_MESSAGE_LENGTH = 200;

/** What is wrong with a schema, or with the values that it should accept. */
export interface SchemaCheck {
  /** The faults of the schema itself. */
  readonly schema: readonly JsonFault[];
  /** One fault for each value that the schema rejects, by the index of the value. */
  readonly values: ReadonlyMap<number, JsonFault>;
}

/**
 * Checks values by a schema of the supported subset of JSON Schema 2020-12. A schema may be
 * hostile, so a check that would take too long is reported as a fault of the schema.
 *
 * @param values values of `JSON.parse`
 */
export function checkValues(schema: unknown, values: readonly unknown[]): SchemaCheck {
  const read = readSchema(schema);
  if (!("root" in read)) return { schema: read, values: new Map() };
  const size = values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
  if (read.cost * size > MAX_WORK) {
    const message = `must be smaller, or the values must be: cost ${Math.ceil(read.cost)} of the schema × size ${Math.ceil(size)} of the values must be at most ${MAX_WORK}`;
    return { schema: [{ at: "", message }], values: new Map() };
  }
  const found = values.flatMap((value, n) => {
    const fault = valueFault(read, value);
    return fault ? [[n, { ...fault, message: shortened(fault.message) }] as const] : [];
  });
  return { schema: [], values: new Map(found) };
}

/** Returns the size of a value: 1 for each part and each name, and more for long texts. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return 1 + value.length / CHARACTERS_PER_PART;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), 1);
  if (!isObject(value)) return 1;
  return Object.entries(value).reduce((sum, [name, part]) => sum + sizeOf(name) + sizeOf(part), 1);
}

const shortened = (message: string): string =>
  message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;
