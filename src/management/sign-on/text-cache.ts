import { LRUCache } from "lru-cache";

/**
 * What this isolate knows of identity providers, as JSON texts: their configuration and their keys.
 * Only texts are kept, because Workers must not share promises between requests.
 */
const texts = new LRUCache<string, { readonly text: string; readonly until: number }>({ max: 200 });

/** Returns the value that was kept under a key; undefined after `until`, or if there is none. */
export function kept(key: string, now: number): unknown {
  const found = texts.get(key);
  return found && found.until > now ? JSON.parse(found.text) : undefined;
}

/** Keeps a value until a time in epoch milliseconds. */
export const keep = (key: string, value: unknown, until: number): void => {
  texts.set(key, { text: JSON.stringify(value), until });
};
