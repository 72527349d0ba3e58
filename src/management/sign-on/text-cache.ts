import { Lru } from "../../core/lib/lru.ts";

/** A cache of the documents of other servers, in the memory of an isolate. */
interface TextCache {
  /** Returns the value that was kept under a key; undefined after `until`, or if there is none. */
  readonly kept: (key: string, now: number) => unknown;
  /** Keeps a value until a time in epoch milliseconds. */
  readonly keep: (key: string, value: unknown, until: number) => void;
}

/**
 * Returns a cache for at most `max` values, which are kept as JSON texts, because Workers must not share
 * promises between requests.
 */
export function newTextCache(max: number): TextCache {
  const texts = new Lru<string, { readonly text: string; readonly until: number }>(max);
  return {
    kept: (key, now) => {
      const found = texts.get(key);
      return found && found.until > now ? JSON.parse(found.text) : undefined;
    },
    keep: (key, value, until) => {
      texts.set(key, { text: JSON.stringify(value), until });
    },
  };
}

/** The cached configurations and keys of identity providers. */
export const { kept, keep } = newTextCache(200);
