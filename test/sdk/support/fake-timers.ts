import type { Clock } from "@feature-flags/sdk";

interface FakeTimer {
  readonly at: number;
  readonly work: () => void;
}

/** Waits until promises, streams and dynamic imports have made progress. */
async function settle(): Promise<void> {
  for (let round = 0; round < 4; round++)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

/** A clock that advances only when a test says so. */
export class FakeTimers implements Clock {
  #time: number;
  /** How far the clock is ahead of the time of the timers, milliseconds. */
  #shift = 0;
  readonly #timers = new Set<FakeTimer>();

  /** @param time the start time of the clock, epoch milliseconds */
  constructor(time = Date.UTC(2026, 0, 1)) {
    this.#time = time;
  }

  /** Returns how many timers are set. */
  get size(): number {
    return this.#timers.size;
  }

  readonly now = (): number => this.#time + this.#shift;

  /** Sets the clock ahead or back. Timers fire as if the clock had not been set. */
  shift(ms: number): void {
    this.#shift += ms;
  }

  readonly setTimeout = (work: () => void, ms: number): FakeTimer => {
    const timer = { at: this.#time + ms, work };
    this.#timers.add(timer);
    return timer;
  };

  readonly clearTimeout = (timer: unknown): void => void this.#timers.delete(timer as FakeTimer);

  /** Advances the clock, and fires the timers one by one in the order of their times. */
  async advance(ms: number): Promise<void> {
    const end = this.#time + ms;
    await settle();
    for (;;) {
      const next = this.#next();
      if (next === undefined || next.at > end) break;
      this.#time = Math.max(this.#time, next.at);
      this.#timers.delete(next);
      next.work();
      await settle();
    }
    this.#time = end;
  }

  #next(): FakeTimer | undefined {
    let first: FakeTimer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  }
}
