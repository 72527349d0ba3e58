import { isObject } from "../lib/is-object.ts";

/**
 * The markers in an audit record: objects that stand for parts of a value that the record omits.
 * Values of users can have the same form, so a record has another `$` before their keys
 * `$unchanged`, `$cut`, `$$unchanged` and so on (`escaped`). Older records have no such `$`
 * (see `earlierContent`).
 */

/**
 * A run of list items that an audit record does not repeat, because the list on the other side of
 * the change has them, too.
 */
export interface Unchanged {
  readonly $unchanged: number;
}

/** What an audit record stores in place of a value that is too large. */
export interface Cut {
  readonly $cut: {
    /** The size of the value, as JSON in bytes of UTF-8. */
    readonly bytes: number;
    /** The number of items, if the value is a list. */
    readonly items?: number;
    /** The SHA-256 hash of the JSON of the value, as base64url without padding. */
    readonly sha256: string;
  };
}

const RESERVED = /^\$+(?:unchanged|cut)$/;
const ESCAPED = /^\$\$+(?:unchanged|cut)$/;

/** Whether the JSON of a value may have a key that is escaped or must be escaped. */
const mayBeReserved = (value: unknown): boolean =>
  /\$(?:unchanged|cut)"/.test(JSON.stringify(value) ?? "");

/** Returns a value of a user as an audit record stores it: without keys of markers. */
export const escaped = (value: unknown): unknown =>
  mayBeReserved(value) ? withKeys(value, (key) => (RESERVED.test(key) ? `$${key}` : key)) : value;

/** Returns the value of a user that `escaped` has changed. Markers stay as they are. */
export const unescaped = (value: unknown): unknown =>
  mayBeReserved(value) ? withKeys(value, unescapedKey) : value;

export const unescapedKey = (key: string): string => (ESCAPED.test(key) ? key.slice(1) : key);

function withKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withKeys(item, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [rename(key), withKeys(part, rename)]),
  );
}

/** Returns the number of list items for which a marker stands; undefined for another value. */
export function unchangedCount(item: unknown): number | undefined {
  if (!isObject(item) || Object.keys(item).length !== 1) return undefined;
  const { $unchanged: count } = item;
  return Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : undefined;
}

/** Whether a value is the marker of a value that was too large. */
export function isCut(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  const { $cut: cut } = value;
  return isObject(cut) && typeof cut["bytes"] === "number";
}
