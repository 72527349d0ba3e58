import { isObject } from "../lib/is-object.ts";

/** What an audit record says about a resource: values by field, without secrets. */
export type Content = Readonly<Record<string, unknown>>;

/** The contents of a resource before and after a change. */
export interface Sides {
  readonly before: Content;
  readonly after: Content;
}

/** Returns the fields whose values differ, on both sides; undefined if no value differs. */
export function changedFields({ before, after }: Sides): Sides | undefined {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = fields.filter((field) => !isSame(before[field], after[field]));
  return changed.length === 0
    ? undefined
    : { before: picked(before, changed), after: picked(after, changed) };
}

const picked = (content: Content, fields: readonly string[]): Content =>
  Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(content, field) ? [[field, content[field]]] : [])),
  );

/**
 * Returns whether two values have the same JSON. The order of the keys of an object does not
 * matter, the order of the items of a list does. Stops at the first difference, and makes no copies,
 * because one change compares the constraints of a strategy several times.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, n) => isSame(item, b[n]));
  if (!isObject(a) || !isObject(b)) return false;
  // JSON leaves out a field that is undefined.
  const fields = Object.keys(a).filter((key) => a[key] !== undefined);
  return (
    fields.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key])) &&
    Object.values(b).filter((value) => value !== undefined).length === fields.length
  );
}

/** Returns a value of `JSON.parse` as JSON with sorted object keys. */
export const canonicalJson = (value: unknown): string => JSON.stringify(withSortedKeys(value));

// Makes a copy, because `JSON.stringify` takes several times as long with a replacer.
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, withSortedKeys(part)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
