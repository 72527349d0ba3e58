/**
 * The work that one check may take, in steps of at most about 100 ns, and of 50 ns on average. So
 * the check of a hostile schema holds the isolate for 100 to 200 ms. The check of 256 KB of values
 * by an ordinary schema takes at most 1.6 million steps: hostile-schemas.test.ts has examples.
 */
const MAX_STEPS = 2_000_000;

/** The number of entries from which on a list or an object counts its reads. */
const LARGE = 100;

/** The steps of reading one key of a large object, and one item of a large list. */
const STEPS_PER_KEY = 10;
const STEPS_PER_ITEM = 2;

/** Thrown when a check would take too much work. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork";
}

/** Counts the work of a check. */
export class Budget {
  #left: number;

  constructor(steps: number = MAX_STEPS) {
    this.#left = steps;
  }

  /** Throws: TooMuchWork when the budget is used up. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooMuchWork();
  }

  /**
   * Returns a copy of a JSON value in which every read of a large list or object spends steps. The
   * validator cannot count these reads itself: one step of it can read 30,000 keys.
   */
  metered(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return this.#meteredList(value.map((item) => this.metered(item)));
    const entries = Object.entries(value).map(([key, part]) => [key, this.metered(part)] as const);
    return this.#meteredObject(Object.fromEntries(entries), entries.length);
  }

  #meteredList(list: readonly unknown[]): readonly unknown[] {
    if (list.length < LARGE) return list;
    return new Proxy(list, {
      // Twice as fast as with `this.spend` and `Reflect.get`. A list of 1,000 items that must be
      // different is read a million times.
      get: (target, key) => {
        this.#left -= STEPS_PER_ITEM;
        if (this.#left < 0) throw new TooMuchWork();
        return (target as unknown as Readonly<Record<PropertyKey, unknown>>)[key];
      },
    });
  }

  #meteredObject(object: object, size: number): object {
    if (size < LARGE) return object;
    return new Proxy(object, {
      ownKeys: (target) => {
        this.spend(STEPS_PER_KEY * size);
        return Reflect.ownKeys(target);
      },
    });
  }
}
