import { canonicalJson } from "../audit/changed-fields.ts";
import { isObject } from "../lib/is-object.ts";
import type { JsonFault } from "../lib/json-fault.ts";
import { type Message, ownFault } from "./own-fault.ts";
import { pointerOf } from "./place.ts";
import type { UniformKeywords, UniformSchema } from "./uniform-schema.ts";

/** Returns the first reason why the schema rejects a value; undefined if the schema accepts it. */
export function valueFault(schema: UniformSchema, value: unknown): JsonFault | undefined {
  const fault = new Validator().faultOf(schema, value);
  return fault && { at: pointerOf({ outer: "", parts: fault.parts }), message: fault.message() };
}

/**
 * A fault with the names and indexes that lead to it. Its pointer and its message are built at the
 * end, because most faults are those of alternatives, which nobody sees.
 */
interface Fault {
  readonly parts: readonly (string | number)[];
  readonly message: Message;
}

class Validator {
  /** The JSON of objects and lists that were compared. */
  readonly #canonical = new WeakMap<object, string>();

  faultOf(schema: UniformSchema, value: unknown): Fault | undefined {
    if (typeof schema === "boolean") return schema ? undefined : here(() => "is not allowed");
    return (
      here(ownFault(schema, value)) ??
      this.#combinedFault(schema, value) ??
      (Array.isArray(value) ? this.#itemsFault(schema, value) : undefined) ??
      (isObject(value) ? this.#propertiesFault(schema, value) : undefined)
    );
  }

  #accepts(schema: UniformSchema, value: unknown): boolean {
    return this.faultOf(schema, value) === undefined;
  }

  /**
   * Returns the fault of a value by the schemas in `$ref`, `allOf`, `anyOf` and the like, which
   * apply to the same value.
   */
  #combinedFault(schema: UniformKeywords, value: unknown): Fault | undefined {
    const { target, allOf, anyOf, oneOf, not } = schema;
    if (target !== undefined) {
      const fault = this.faultOf(target, value);
      if (fault) return fault;
    }
    if (allOf)
      for (const one of allOf) {
        const fault = this.faultOf(one, value);
        if (fault) return fault;
      }
    if (anyOf && !anyOf.some((one) => this.#accepts(one, value)))
      return here(() => "must match a schema of anyOf");
    if (oneOf) {
      const matches = oneOf.filter((one) => this.#accepts(one, value)).length;
      if (matches !== 1) return here(() => `must match one schema of oneOf; it matches ${matches}`);
    }
    if (not !== undefined && this.#accepts(not, value)) return here(() => "must not match not");
    if (schema.if === undefined) return undefined;
    const { matching = true, other = true } = schema;
    return this.faultOf(this.#accepts(schema.if, value) ? matching : other, value);
  }

  #itemsFault(schema: UniformKeywords, list: readonly unknown[]): Fault | undefined {
    const { minItems = 0, maxItems = Infinity, uniqueItems, prefixItems = [], items } = schema;
    if (list.length < minItems) return here(() => `must have at least ${minItems} items`);
    if (list.length > maxItems) return here(() => `must have at most ${maxItems} items`);
    for (const [n, item] of list.entries()) {
      const fault = this.faultOf(prefixItems[n] ?? items ?? true, item);
      if (fault) return inside(n, fault);
    }
    if (uniqueItems && new Set(list.map((item) => this.#comparable(item))).size < list.length)
      return here(() => "must have different items");
    return undefined;
  }

  #propertiesFault(
    schema: UniformKeywords,
    object: Readonly<Record<string, unknown>>,
  ): Fault | undefined {
    const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
    const { properties = {}, additionalProperties = true } = schema;
    const names = Object.keys(object);
    if (names.length < minProperties)
      return here(() => `must have at least ${minProperties} properties`);
    if (names.length > maxProperties)
      return here(() => `must have at most ${maxProperties} properties`);
    const missing = required.find((name) => !Object.hasOwn(object, name));
    if (missing !== undefined) return here(() => `must have the property "${missing}"`);
    for (const name of names) {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const fault = this.faultOf(own ?? additionalProperties, object[name]);
      if (fault) return inside(name, fault);
    }
    return undefined;
  }

  /**
   * Returns a key for comparing the items of a list: equal items have the same key, different items
   * have different keys.
   */
  #comparable(item: unknown): unknown {
    // Puts a quotation mark before a text, so that no text equals the JSON of another value.
    if (typeof item === "string") return `"${item}`;
    if (typeof item !== "object" || item === null) return item;
    const json = this.#canonical.get(item) ?? canonicalJson(item);
    this.#canonical.set(item, json);
    return json;
  }
}

/** Returns a message as a fault of the value itself; undefined if there is no message. */
const here = (message: Message | undefined): Fault | undefined =>
  message === undefined ? undefined : { parts: [], message };

/** Returns the fault of a part of a value, with its place in the value that contains the part. */
const inside = (part: string | number, { parts, message }: Fault): Fault => ({
  parts: [part, ...parts],
  message,
});
