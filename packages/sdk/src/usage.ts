/** The most flags of which a client counts the checks between two reports. */
export const MAX_COUNTED_FLAGS = 10_000;

/** The greatest count that the service accepts, and the most variants of a flag. */
const MAX_COUNT = 1_000_000_000;
const MAX_VARIANTS = 50;

/** The longest key of a flag. The checks of a longer key are not counted. */
const MAX_KEY_LENGTH = 128;

/** The most characters of the counts in one report. The service accepts bodies of up to 1 MB. */
const MAX_REPORT_LENGTH = 250_000;

/**
 * The counts of one flag in a report: how often it was true (`t`) and false (`f`), and how often
 * each variant was served (`v`).
 */
export interface FlagCounts {
  readonly t: number;
  readonly f: number;
  readonly v?: Readonly<Record<string, number>>;
}

/** The counts of a report by flag key. */
export type Counts = Readonly<Record<string, FlagCounts>>;

/** Counts the checks of one flag since the last report. */
export class Counter {
  #t = 0;
  #f = 0;
  #variants: Map<string, number> | undefined;

  get isEmpty(): boolean {
    return this.#t === 0 && this.#f === 0;
  }

  /** Counts checks. `variant`: undefined when no variant was served, or when the flag has none. */
  add(enabled: boolean, variant: string | undefined, n = 1): void {
    if (enabled) this.#t += n;
    else this.#f += n;
    if (variant !== undefined) this.#addVariant(variant, n);
  }

  #addVariant(variant: string, n: number): void {
    this.#variants ??= new Map();
    const known = this.#variants.get(variant);
    if (known !== undefined || this.#variants.size < MAX_VARIANTS)
      this.#variants.set(variant, (known ?? 0) + n);
  }

  /**
   * Returns the counts, and starts again at 0. Keeps the part of a count that is above the greatest
   * count.
   */
  take(): FlagCounts {
    const t = Math.min(this.#t, MAX_COUNT);
    const f = Math.min(this.#f, MAX_COUNT);
    this.#t -= t;
    this.#f -= f;
    const variants = this.#variants;
    this.#variants = undefined;
    if (variants === undefined) return { t, f };
    return {
      t,
      f,
      v: Object.fromEntries([...variants].map(([key, n]) => [key, Math.min(n, MAX_COUNT)])),
    };
  }

  /** Adds counts that `take` has returned. */
  giveBack({ t, f, v = {} }: FlagCounts): void {
    this.#t += t;
    this.#f += f;
    for (const [variant, n] of Object.entries(v)) this.#addVariant(variant, n);
  }
}

/**
 * The counts of all flags since the last report. The number of counted flags is limited: the flags
 * of the rules, and further flags up to `maxFlags`.
 */
export class Usage {
  readonly #maxFlags: number;
  readonly #onOverflow: () => void;
  readonly #counters = new Map<string, Counter>();

  /** @param onOverflow called for each check that is not counted because of the limit */
  constructor(maxFlags: number, onOverflow: () => void) {
    this.#maxFlags = maxFlags;
    this.#onOverflow = onOverflow;
  }

  /** Whether there are no counts since the last report. */
  get isEmpty(): boolean {
    for (const counter of this.#counters.values()) if (!counter.isEmpty) return false;
    return true;
  }

  /** Returns the counter of a flag that the rules have. */
  counter(key: string): Counter {
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      counter = new Counter();
      this.#counters.set(key, counter);
    }
    return counter;
  }

  /**
   * Counts a check of a flag that the rules do not have, such as an archived flag.
   *
   * @param key the key of the flag; if a program without types passes something else than a text,
   * nothing is counted
   */
  countUnknown(key: unknown): void {
    if (typeof key !== "string") return;
    const counter = this.#counters.get(key);
    if (counter !== undefined) counter.add(false, undefined);
    else if (key.length > MAX_KEY_LENGTH) return;
    else if (this.#counters.size < this.#maxFlags) this.counter(key).add(false, undefined);
    else this.#onOverflow();
  }

  /**
   * Returns all counts as reports, and starts again at 0. Forgets the flags without counts that the
   * rules do not have.
   */
  take(isKnown: (key: string) => boolean): Counts[] {
    const reports: Counts[] = [];
    let entries: [string, FlagCounts][] = [];
    let length = 0;
    const end = () => {
      // Uses `fromEntries`, which stores the key `__proto__` as a plain field, too.
      if (entries.length > 0) reports.push(Object.fromEntries(entries));
      entries = [];
      length = 0;
    };
    for (const [key, counter] of this.#counters)
      if (!counter.isEmpty) {
        const counts = counter.take();
        entries.push([key, counts]);
        length += key.length + JSON.stringify(counts).length;
        if (length > MAX_REPORT_LENGTH) end();
      } else if (!isKnown(key)) this.#counters.delete(key);
    end();
    return reports;
  }

  /** Adds the counts of a report that was not sent. */
  giveBack(counts: Counts): void {
    for (const [key, one] of Object.entries(counts))
      if (this.#counters.has(key) || this.#counters.size < this.#maxFlags)
        this.counter(key).giveBack(one);
      else this.#onOverflow();
  }
}
