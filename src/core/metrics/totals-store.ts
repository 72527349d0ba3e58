import { addBatch, currentValues, emptyTotals, type MetricsBatch, type Totals } from "./totals.ts";

interface StorePorts {
  /** The current time, epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
  /** Loads the totals that were saved last. Returns undefined when none were ever saved. */
  load(): Totals | undefined;
  /** Saves the totals as one atomic write. Throws the errors of the storage. */
  save(totals: Totals): void;
}

/**
 * A store of the metric totals of many isolates. All totals are one value, so that the counts of a
 * batch and its sequence number are saved in one atomic write. Batches that arrive within `pauseMs`
 * of a write share the next write.
 */
export class TotalsStore {
  readonly #ports: StorePorts;
  readonly #pauseMs: number;
  /** The totals in memory. Undefined when only the storage has them. */
  #totals: Totals | undefined;
  /**
   * The pending write: resolves when all batches added so far are saved. Undefined when no write is pending.
   */
  #saving: Promise<void> | undefined;
  #savedAt = 0;

  /** @param pauseMs the least time between two writes, milliseconds */
  constructor(ports: StorePorts, pauseMs: number) {
    this.#ports = ports;
    this.#pauseMs = pauseMs;
  }

  /**
   * Adds a metrics batch, unless it was added before, and resolves once it is saved. Throws the
   * errors of the storage. The same batch can then be added again.
   */
  async add(batch: MetricsBatch): Promise<void> {
    if (addBatch(this.#load(), batch, this.#ports.now())) this.#saving ??= this.#saveSoon();
    await this.#saving;
  }

  /** Returns the value of each sample by the key of the sample. Throws the errors of the storage. */
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

  /**
   * Saves the totals. If the storage fails, the totals in memory are dropped and the pending calls
   * of `add` fail, so the senders repeat their batches.
   */
  #save(): void {
    const totals = this.#totals;
    this.#totals = undefined;
    if (!totals) throw new Error("The metric totals of the isolates could not be saved");
    this.#ports.save(totals);
    this.#totals = totals;
    this.#savedAt = this.#ports.now();
  }
}
