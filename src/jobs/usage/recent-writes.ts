import { LRUCache } from "lru-cache";
import { MIN_MARK_INTERVAL_MS } from "../../core/usage/message-types.ts";

/** Some 100 bytes each; whoever is forgotten costs a statement that finds nothing to do. */
const MAX_MARKS = 10_000;

/** What this isolate marked as used within the minute, so that it need not ask the database again. */
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
