import { areSlots, maxSlots, type StoredSlot, toSlots } from "@feature-flags/evaluation/slots";
import type { FileServe, FlagsFile } from "./file.ts";
import { isObject, isOfType } from "./json.ts";
import { pointer } from "./pointer.ts";
import { deref, FLAGS_SCHEMA, type Schema } from "./schema.ts";
import { withoutPauses, type Pausing } from "@feature-flags/evaluation/pausing";

/** What is wrong with a file, and where. */
export interface Fault {
  /** The JSON Pointer of the place. */
  readonly path: string;
  /** Says what the value must be, such as "must be a number". */
  readonly message: string;
}

/** The most faults that a check reports. */
export const MAX_FAULTS = 100;

/**
 * Returns the file, or what is wrong with it: unknown fields, wrong types, and splits that do not
 * add up. Limits such as the length of a name belong to the service, which checks them, too.
 */
export const checkFile = (value: unknown): Checked => withoutPauses(checkSteps(value));

type Checked = { readonly file: FlagsFile } | { readonly faults: readonly Fault[] };

/** Does the same as `checkFile` in steps. */
export function* checkSteps(value: unknown): Pausing<Checked> {
  const check = new Check();
  yield* check.steps([], value, FLAGS_SCHEMA);
  return check.faults.length > 0
    ? { faults: check.faults.slice(0, MAX_FAULTS) }
    : { file: value as FlagsFile };
}

type Place = readonly (string | number)[];

/**
 * The most items of a list, and entries of an object inside of a resource. The longest lists that the
 * service accepts are the values of a constraint and of a context. A longer list is refused at once.
 */
const MAX_ITEMS = 1000;

/**
 * The most items of all lists of a resource together. The constraints of a strategy have at most 256 KB,
 * which has fewer.
 */
const MAX_ALL_ITEMS = 100_000;

/** How deep the steps of a check go: to the environments of a flag. */
const STEP_DEPTH = 4;

/** The most characters of a name that an error repeats. */
const MAX_NAME = 200;

/** Returns the JSON Pointer of a place, with names cut that are too long for an error. */
export const shortPointer = (place: Place): string =>
  pointer(
    ...place.map((name) =>
      typeof name === "string" && name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name,
    ),
  );

class Check {
  readonly faults: Fault[] = [];
  /** How many items the lists of the present step had. */
  #items = 0;

  /** Checks a value, in a step for each object that is not deep inside of it. */
  *steps(place: Place, value: unknown, given: Schema): Pausing<void> {
    const schema = deref(given);
    const isDivided =
      place.length < STEP_DEPTH && isObject(value) && schema.type === "object" && !schema.oneOf;
    if (isDivided) {
      yield;
      for (const [inner, part, one] of this.#parts(place, value, schema))
        yield* this.steps(inner, part, one);
    } else {
      if (typeof value === "object") yield value;
      this.#items = 0;
      this.value(place, value, given);
    }
  }

  value(place: Place, value: unknown, given: Schema): void {
    if (this.faults.length >= MAX_FAULTS) return;
    const schema = deref(given);
    if (schema.anyOf) return this.#anyOf(place, value, schema.anyOf);
    if (schema.const !== undefined && value !== schema.const)
      return this.#fault(place, `must be ${JSON.stringify(schema.const)}`);
    if (schema.enum && !schema.enum.includes(value))
      return this.#fault(place, `must be one of ${schema.enum.join(", ")}`);
    if (schema.type !== undefined && !isOfType(value, schema.type))
      return this.#fault(place, mustBe(schema.type, value));
    if (typeof value === "string") this.#text(place, value, schema);
    if (typeof value === "number") this.#number(place, value, schema);
    if (Array.isArray(value)) this.#list(place, value, schema);
    if (isObject(value)) this.#object(place, value, schema);
  }

  #fault(place: Place, message: string): void {
    this.faults.push({ path: shortPointer(place), message });
  }

  /** Checks the alternative of the same type. The alternatives of a field have different types. */
  #anyOf(place: Place, value: unknown, alternatives: readonly Schema[]): void {
    const fitting = alternatives.find(({ type }) => type !== undefined && isOfType(value, type));
    if (fitting) return this.value(place, value, fitting);
    const first = alternatives[0]?.type ?? "object";
    const names = alternatives.flatMap(({ type }) => (type === undefined ? [] : NAMES[type]));
    const hint = typeof value === "number" ? quoted(value, first) : "";
    this.#fault(place, `must be ${names.join(" or ")}${hint}`);
  }

  #text(place: Place, value: string, { pattern }: Schema): void {
    if (pattern !== undefined && !new RegExp(pattern, "u").test(value))
      this.#fault(place, `must match ${pattern}`);
  }

  #number(place: Place, value: number, { minimum = -Infinity, maximum = Infinity }: Schema): void {
    if (value < minimum || value > maximum)
      this.#fault(place, `must be between ${minimum} and ${maximum}`);
  }

  #list(place: Place, list: readonly unknown[], schema: Schema): void {
    const { items, prefixItems = [], minItems = 0 } = schema;
    if (list.length < minItems || (items === false && list.length > prefixItems.length))
      return this.#fault(place, `must have ${minItems} items`);
    // The lists inside of the value of a variant are not the file's.
    if (!items && prefixItems.length === 0) return;
    if (list.length > MAX_ITEMS) return this.#fault(place, `must have at most ${MAX_ITEMS} items`);
    this.#items += list.length;
    if (this.#items > MAX_ALL_ITEMS)
      return this.#fault(
        place,
        `must have at most ${MAX_ALL_ITEMS} items, with all lists around it`,
      );
    for (const [n, item] of list.entries()) {
      const one = prefixItems[n] ?? items;
      if (one) this.value([...place, n], item, one);
    }
  }

  #object(place: Place, value: Readonly<Record<string, unknown>>, schema: Schema): void {
    if (schema.additionalProperties !== undefined && Object.keys(value).length > MAX_ITEMS)
      return this.#fault(place, `must have at most ${MAX_ITEMS} entries`);
    for (const [inner, part, one] of this.#parts(place, value, schema))
      this.value(inner, part, one);
    if (schema.oneOf && this.faults.length === 0)
      this.#serve(place, value as FileServe, schema.oneOf);
  }

  /** Checks the names in an object. Returns its values, with their places and schemas. */
  *#parts(
    place: Place,
    value: Readonly<Record<string, unknown>>,
    { properties = {}, required = [], additionalProperties }: Schema,
  ): Generator<readonly [place: Place, value: unknown, schema: Schema]> {
    for (const name of required)
      if (value[name] === undefined) this.#fault([...place, name], "is required");
    if (Object.keys(value).length > MAX_ALL_ITEMS) {
      this.#fault(place, `must have at most ${MAX_ALL_ITEMS} entries`);
      return;
    }
    for (const [name, part] of Object.entries(value)) {
      const one = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (this.faults.length >= MAX_FAULTS) return;
      if (one === false) this.#fault([...place, name], unknownField(name, Object.keys(properties)));
      else if (one && part !== undefined) yield [[...place, name], part, one];
    }
  }

  #serve(place: Place, serve: FileServe, alternatives: readonly Schema[]): void {
    const names = alternatives.flatMap(({ required = [] }) => required);
    if (names.filter((name) => Object.hasOwn(serve, name)).length !== 1)
      return this.#fault(place, `must have either ${names.join(" or ")}`);
    if ("variant" in serve) {
      if (Object.hasOwn(serve, "slots")) this.#fault([...place, "slots"], "belong to weights");
      return;
    }
    const { weights, slots } = serve;
    const sum = Object.values(weights).reduce((total, one) => total + Math.round(one * 1000), 0);
    if (sum !== 100_000) this.#fault([...place, "weights"], "must add up to 100");
    const message = slots && slotFault(slots);
    if (message) this.#fault([...place, "slots"], message);
  }
}

/** Returns what is wrong with the slots of a split; undefined if nothing is. */
function slotFault(slots: readonly StoredSlot[]): string | undefined {
  const limit = maxSlots(new Set(slots.map(([, , variant]) => variant)).size);
  if (slots.length > limit) return `must have at most ${limit} slots`;
  return slots.some(([from, to]) => from === to) || !areSlots(toSlots(slots))
    ? "must cover each position from 0 to 100000 once"
    : undefined;
}

const NAMES: Readonly<Record<NonNullable<Schema["type"]>, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
  object: "an object",
  array: "a list",
};

const mustBe = (type: NonNullable<Schema["type"]>, value: unknown): string =>
  `must be ${NAMES[type]}${quoted(value, type)}`;

/** Returns the advice for a number or a boolean where a text is expected. */
const quoted = (value: unknown, type: Schema["type"]): string =>
  type === "string" && (typeof value === "number" || typeof value === "boolean")
    ? `: write "${value}" with quotes`
    : "";

function unknownField(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? "is not a field" : `is not a field; did you mean ${near}?`;
}

/**
 * Returns the name that begins like the given one, or else the name with the fewest differing
 * letters. Undefined if all differ in more than two.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const given = name.toLowerCase();
  const distances = known.flatMap((one) => {
    const other = one.toLowerCase();
    const isStart = given !== "" && (other.startsWith(given) || given.startsWith(other));
    if (!isStart && Math.abs(given.length - other.length) > 2) return [];
    return { one, distance: isStart ? 0 : distance(given, other) };
  });
  const [best] = distances.toSorted((a, b) => a.distance - b.distance);
  return best && best.distance <= 2 ? best.one : undefined;
}

/** Returns how many letters must be added, removed or replaced to turn one text into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (const [i, char] of Array.from(a).entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(
        Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + Number(char !== b[j])),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
