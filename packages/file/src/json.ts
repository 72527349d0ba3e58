/** What several parts need to compare and to order JSON values. */

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value has a type of JSON Schema. An unknown type accepts no value. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

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

/** Compares two texts by their code points. `<` compares halves of surrogate pairs. */
export function byCodePoint(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let n = 0;
  while (n < end && a.charCodeAt(n) === b.charCodeAt(n)) n += 1;
  if (n === end) return a.length - b.length;
  const [x, y] = [a.charCodeAt(n), b.charCodeAt(n)];
  // A pair stands for a code point above all that need no pair.
  return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
