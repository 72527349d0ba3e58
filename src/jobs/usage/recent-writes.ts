import { LRUCache } from "lru-cache";
import { MIN_MARK_INTERVAL_MS } from "../../core/usage/message-types.ts";

/**
 * The most marks to remember. Each takes about 100 bytes. If one was evicted, a statement is
 * repeated, and changes nothing.
 */
const MAX_MARKS = 10_000;

/**
 * The last-seen marks that this isolate wrote within the last minute. Writing them again would
 * change nothing.
 */
export class RecentWrites<Key extends string | number> {
  readonly #marks = new LRUCache<Key, number>({ max: MAX_MARKS });

  isDue(key: Key, at: number): boolean {
    const last = this.#marks.get(key);
    return last === undefined || at - last >= MIN_MARK_INTERVAL_MS;
  }

  set(key: Key, at: number): void {
    this.#marks.set(key, at);
  }
}
