import { isObject } from "@feature-flags/file/json";
import { pointer } from "@feature-flags/file/pointer";
import { Refusal } from "./report.ts";

// These schemas are 40 lines because zod is 22 KB, and the packed command line has at most 400 KB.

/**
 * Reads a part of a document, and returns it without the fields that the schema does not have. Throws:
 * Refusal (`unreadable`) with the JSON Pointer of the place for any other value.
 */
export type Schema<T> = (value: unknown, place: string) => T;

const only =
  <T>(accepts: (value: unknown) => value is T): Schema<T> =>
  (value, place) => {
    if (accepts(value)) return value;
    throw new Refusal("unreadable", { place: place || "/" });
  };

export const anything: Schema<unknown> = (value) => value;
export const present: Schema<unknown> = (value, place) =>
  value === undefined ? object(value, place) : value;
export const text = only((value) => typeof value === "string");
export const truth = only((value) => typeof value === "boolean");
export const finite = only((value): value is number => Number.isFinite(value));
/** A whole number from 0. */
export const count = only(
  (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0,
);
export const scalar = only(
  (value) => typeof value === "string" || typeof value === "boolean" || typeof value === "number",
);
export const object = only(isObject);
export const list = only((value): value is readonly unknown[] => Array.isArray(value));

/** Accepts one of these texts. */
export const oneOf = (...texts: readonly string[]): Schema<string> =>
  only((value): value is string => texts.some((one) => one === value));

/** Accepts a value that is missing, or null, which services write for a missing value. */
export const optional =
  <T>(schema: Schema<T>): Schema<T | undefined> =>
  (value, place) =>
    value === undefined || value === null ? undefined : schema(value, place);

export const listOf =
  <T>(item: Schema<T>): Schema<readonly T[]> =>
  (value, place) =>
    list(value, place).map((one, n) => item(one, place + pointer(n)));

/** Accepts an object whose values have one schema. `names`: the only fields to read. Default: all. */
export const mapOf =
  <T>(item: Schema<T>, names?: readonly string[]): Schema<Readonly<Record<string, T>>> =>
  (value, place) =>
    Object.fromEntries(
      Object.entries(object(value, place))
        .filter(([name]) => names?.includes(name) ?? true)
        .map(([name, one]) => [name, item(one, place + pointer(name))]),
    );

/** Accepts an object with fields. */
export const fields =
  <T extends object>(schemas: { readonly [Name in keyof T]-?: Schema<T[Name]> }): Schema<T> =>
  (value, place) => {
    const given = object(value, place);
    const read = Object.entries<Schema<unknown>>(schemas).map(([name, schema]) => [
      name,
      schema(given[name], place + pointer(name)),
    ]);
    return Object.fromEntries(read) as T;
  };

/**
 * Returns the last item of a list with this id, as services do; undefined if there is none. Throws:
 * Refusal (`unreadable`) also if there may be one, because the id of another item cannot be read.
 */
export function itemWith<T>(
  id: string | number,
  items: unknown,
  { name, schema, place }: { name: string; schema: Schema<T>; place: string },
): T | undefined {
  const all = optional(list)(items, place) ?? [];
  const idOf = (item: unknown) => (isObject(item) ? item[name] : undefined);
  const found = all.findLastIndex((item) => idOf(item) === id);
  const known = found < 0 ? all.findIndex((item) => typeof idOf(item) !== typeof id) : found;
  return known < 0 ? undefined : schema(all[known], place + pointer(known));
}
