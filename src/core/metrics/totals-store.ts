import { addBatch, type MetricsBatch, emptyTotals, currentValues, type Totals } from "./totals.ts";

interface StorePorts {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after that many milliseconds. */
  wait(ms: number): Promise<void>;
  /** What was saved last. */
  load(): Totals | undefined;
  /** All or nothing. Errors: the storage's. */
  save(totals: Totals): void;
}

/**
 * Totals that are kept as one value: what was added, and that it was added, are one write. What comes
 * within `pauseMs` of the last write shares the next, and nobody hears of anything before it is saved.
 */
export class TotalsStore {
  readonly #ports: StorePorts;
  readonly #pauseMs: number;
  /** Undefined: as it is saved. */
  #totals: Totals | undefined;
  /** Ends when all that was added is saved. */
  #saving: Promise<void> | undefined;
  #savedAt = 0;

  constructor(ports: StorePorts, pauseMs: number) {
    this.#ports = ports;
    this.#pauseMs = pauseMs;
  }

  /** Adds a batch, once, and saves it. Errors: the storage's; then it may be added again. */
  async add(batch: MetricsBatch): Promise<void> {
    if (addBatch(this.#load(), batch, this.#ports.now())) this.#saving ??= this.#saveSoon();
    await this.#saving;
  }

  /** All counts, and the gauges of the last minute. Errors: the storage's. */
  read(): Map<string, number> {
    if (this.#saving) this.#save();
    return currentValues(this.#load(), this.#ports.now());
  }

  #load(): Totals {
    return (this.#totals ??= this.#ports.load() ?? emptyTotals());
  }

  async #saveSoon(): Promise<void> {
    try {
      await this.#ports.wait(Math.max(0, this.#savedAt + this.#pauseMs - this.#ports.now()));
      this.#save();
    } finally {
      this.#saving = undefined;
    }
  }

  /** Memory that is ahead of the storage is forgotten: whoever waits will tell it again. */
  #save(): void {
    const totals = this.#totals;
    this.#totals = undefined;
    if (!totals) throw new Error("what was added could not be saved");
    this.#ports.save(totals);
    this.#totals = totals;
    this.#savedAt = this.#ports.now();
  }
}
