import { LRUCache } from "lru-cache";

/**
 * A cache of at most `max` entries. It drops the entry that was not used for longest. It calls
 * `onRemove` for a dropped and for a deleted entry. It grows with its entries: with its own option `max`, the library reserves room for all of
 * them, which takes 1 ms for 10,000, and most caches are made at the start of an isolate.
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
