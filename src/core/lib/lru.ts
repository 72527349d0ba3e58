import { LRUCache } from "lru-cache";

/**
 * A cache of at most `max` entries, which evicts the least recently used. Calls `onRemove` when an entry
 * is evicted or deleted, not when it is replaced. Its memory grows with the entries: with the library's
 * own `max`, it allocates room for all of them at once, which takes 1 ms for 10,000, and most caches are
 * made when an isolate starts.
 */
export class Lru<K extends {}, V extends {}> extends LRUCache<K, V> {
  constructor(max: number, onRemove?: () => void) {
    super({
      maxSize: max,
      sizeCalculation: () => 1,
      ...(onRemove && {
        dispose: (_value, _key, reason) => {
          if (reason !== "set") onRemove();
        },
      }),
    });
  }
}
