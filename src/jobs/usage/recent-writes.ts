import { LRUCache } from "lru-cache";
import { MIN_MARK_INTERVAL_MS } from "../../core/usage/message-types.ts";

/** About 100 bytes each. A mark that was evicted costs one statement that changes nothing. */
const MAX_MARKS = 10_000;

/** The last-seen marks that this isolate wrote within the last minute: they need no new write. */
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
