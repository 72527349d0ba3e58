import { LRUCache } from "lru-cache";
import { MIN_MARK_INTERVAL_MS } from "../../core/usage/message-types.ts";

/**
 * The most last-seen marks that are remembered. Each takes about 100 bytes. A mark that was evicted
 * is written again, which changes nothing.
 */
const MAX_MARKS = 10_000;

/**
 * Remembers when this isolate last wrote the last-seen mark of each flag or API key. The database
 * ignores a mark that is less than a minute newer, so it need not be written.
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
