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

/**
 * A schema with `uniqueItems` compares each item of a list with every other one. So every read of
 * an item also spends the steps of comparing the item: for each object or list in it, for each part
 * of these, for each key of a wide object, and for each long text. Short lists of simple items do
 * not count their reads.
 */
const STEPS_PER_COMPARED_OBJECT = 1;
const STEPS_PER_COMPARED_PART = 0.6;
const STEPS_PER_COMPARED_KEY = 3;
const STEPS_PER_COMPARED_TEXT = 0.6;
const SHORT = 8;
const SIMPLE = 5;

/** The number of keys from which on an object is wide: V8 reads its keys more slowly. */
const WIDE = 16;

/** The number of characters of a long text. A longer one counts several times. */
const LONG_TEXT = 64;

/** A copy of a JSON value, and the steps of comparing it with an equal one. */
interface Copy {
  readonly copy: unknown;
  readonly steps: number;
}

const stepsOfParts = (parts: readonly Copy[]): number =>
  parts.reduce(
    (sum, { steps }) => sum + STEPS_PER_COMPARED_PART + steps,
    STEPS_PER_COMPARED_OBJECT,
  );

const stepsOfText = (text: string): number =>
  Math.floor(text.length / LONG_TEXT) * STEPS_PER_COMPARED_TEXT;

/** Thrown when a check would take too much work. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork";
}

/** The steps of comparing each item of a list, by its index. */
type Steps = Readonly<Record<PropertyKey, number | undefined>>;

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
   *
   * @param comparesItems whether the schema has `uniqueItems`
   */
  metered(value: unknown, comparesItems: boolean): unknown {
    return this.#copyOf(value, comparesItems).copy;
  }

  #copyOf(value: unknown, comparesItems: boolean): Copy {
    if (typeof value === "string") return { copy: value, steps: stepsOfText(value) };
    if (typeof value !== "object" || value === null) return { copy: value, steps: 0 };
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#copyOf(item, comparesItems));
      const copy = comparesItems ? this.#comparedList(items) : this.#meteredList(items);
      return { copy, steps: stepsOfParts(items) };
    }
    const entries = Object.entries(value).map(
      ([key, part]) => [key, this.#copyOf(part, comparesItems)] as const,
    );
    const object = Object.fromEntries(entries.map(([key, { copy }]) => [key, copy]));
    const keySteps = entries.length > WIDE ? entries.length * STEPS_PER_COMPARED_KEY : 0;
    return {
      copy: this.#meteredObject(object, entries.length),
      steps: keySteps + stepsOfParts(entries.map(([, part]) => part)),
    };
  }

  #meteredList(items: readonly Copy[]): readonly unknown[] {
    const list = items.map(({ copy }) => copy);
    return list.length < LARGE ? list : this.#counted(list, undefined);
  }

  #comparedList(items: readonly Copy[]): readonly unknown[] {
    const list = items.map(({ copy }) => copy);
    const steps = items.map((item) => item.steps);
    const sum = steps.reduce((all, one) => all + one, 0);
    if (list.length < SHORT && sum < SIMPLE) return list;
    // Without a prototype, so that only the keys of items have steps.
    return this.#counted(list, sum === 0 ? undefined : Object.assign(Object.create(null), steps));
  }

  /** Returns the list. Each read spends steps, and those of comparing the item in `compared`. */
  #counted(list: readonly unknown[], compared: Steps | undefined): readonly unknown[] {
    return new Proxy(list, {
      // Twice as fast as with `this.spend` and `Reflect.get`. A list of 1,000 items that must be
      // different is read a million times.
      get: (target, key) => {
        this.#left -= STEPS_PER_ITEM;
        if (compared) this.#left -= compared[key] ?? 0;
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
