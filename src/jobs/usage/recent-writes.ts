import { LRUCache } from "lru-cache";
import { MIN_MARK_INTERVAL_MS } from "../../core/usage/message-types.ts";

/**
 * The maximum number of last-seen marks in memory. A mark takes about 100 bytes. A mark that was
 * evicted from memory is written again, which changes nothing.
 */
const MAX_MARKS = 10_000;

/**
 * Remembers when this isolate last wrote the last-seen mark of each flag, API key or SDK instance. An isolate
 * need not write a mark that is less than a minute newer, because the database ignores such a mark.
 */
export class RecentWrites<Key extends string | number> {
  readonly #marks = new LRUCache<Key, number>({ max: MAX_MARKS });

  /** Whether this isolate has written a mark of the key. */
  has(key: Key): boolean {
    return this.#marks.has(key);
  }

  isDue(key: Key, at: number): boolean {
    const last = this.#marks.get(key);
    return last === undefined || at - last >= MIN_MARK_INTERVAL_MS;
  }

  set(key: Key, at: number): void {
    this.#marks.set(key, at);
  }
}
