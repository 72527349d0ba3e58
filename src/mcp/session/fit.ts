import { jsonBytes } from "../../core/lib/chunks.ts";
import { isObject } from "../../core/lib/is-object.ts";
import { withoutInvisible } from "../../core/lib/visible-text.ts";

/**
 * The greatest size of a result, bytes of JSON. A result is part of the context of the agent, which
 * sees the JSON as text and again as structured content.
 */
export const MAX_BYTES = 20_000;

/** How large a value may be before it is cut, bytes. The next size counts if the result is too large. */
const VALUE_BYTES = [1024, 256, 64, 16] as const;

/** What stands for a value that is too large. */
export interface Cut {
  readonly $cut: {
    /** The size of the value, as JSON in bytes of UTF-8. */
    readonly bytes: number;
    /** The number of items, if the value is a list. */
    readonly items?: number;
  };
}

/** Returns the first result of at most `limit` bytes. `make` gets the size above which it cuts values. */
export function fitting<T>(make: (max: number) => T, limit = MAX_BYTES): T {
  const results = VALUE_BYTES.values().map((max) => make(max));
  return results.find((result) => jsonBytes(result) <= limit) ?? make(0);
}

/** Returns the items of a list, from the first, that fit into `bytes` together, but at least one. */
export function firstThatFit<T>(items: readonly T[], bytes: number): readonly T[] {
  let left = bytes;
  const end = items.findIndex((item) => {
    left -= jsonBytes(item) + 1;
    return left < 0;
  });
  return end < 0 ? items : items.slice(0, Math.max(1, end));
}

/** Returns a value, or what stands for it above `max` bytes. */
export function cut<T>(value: T, max: number): T | Cut {
  const bytes = jsonBytes(value ?? null);
  if (bytes <= max) return value;
  return { $cut: { bytes, ...(Array.isArray(value) && { items: value.length }) } };
}

/** Does the same as `cut` with the parts of objects, and with the items of lists of objects. */
export function cutParts(value: unknown, max: number): unknown {
  if (Array.isArray(value) && value.some(isObject)) return value.map((part) => cutParts(part, max));
  if (!isObject(value)) return cut(value, max);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, cutParts(part, max)]),
  );
}

/** Returns a text of at most `max` characters, which ends in … if it is cut. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, Math.max(0, max - 1)).toWellFormed()}…`;

/** Matches each escape in JSON. Those of control characters begin with `\u00`. */
const ESCAPE = /\\(?:u00[01][0-9a-f]|.)/g;

/**
 * Returns the JSON of a result. People have written its texts, which an agent must not read in another
 * way than they do. So it has no control characters besides line breaks and tabs, no characters that
 * change the direction of text, and no others that nobody sees.
 */
export const visibleJson = (result: unknown): string =>
  withoutInvisible(JSON.stringify(result)).replaceAll(ESCAPE, (escape) =>
    escape.startsWith(String.raw`\u00`) ? "" : escape,
  );
