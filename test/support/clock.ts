/** A clock that advances only when a test says so. Tests pass `now` and `wait` as ports. */
export class FakeClock {
  #time: number;
  #timers: { readonly at: number; readonly fire: () => void }[] = [];

  /** @param time the start time of the clock, epoch milliseconds */
  constructor(time = 1_000_000) {
    this.#time = time;
  }

  /** Returns the current time, epoch milliseconds. */
  readonly now = (): number => this.#time;

  /** Resolves once the clock has advanced by `ms` milliseconds. */
  readonly wait = (ms: number): Promise<void> =>
    new Promise((fire) => {
      this.#timers.push({ at: this.#time + ms, fire });
    });

  /** Advances the clock by `ms` milliseconds, and returns how many timers fired. */
  advance(ms: number): number {
    this.#time += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#time);
    this.#timers = this.#timers.filter(({ at }) => at > this.#time);
    for (const { fire } of due) fire();
    return due.length;
  }

  /** Advances the clock without firing timers. `skipToNextTimer` then fires them one by one. */
  jump(ms: number): void {
    this.#time += ms;
  }

  /** Advances to the earliest timer and fires only that one. Returns false when no timer is set. */
  skipToNextTimer(): boolean {
    const next = this.#timers.toSorted((one, other) => one.at - other.at).at(0);
    if (!next) return false;
    this.#timers = this.#timers.filter((timer) => timer !== next);
    this.#time = Math.max(this.#time, next.at);
    next.fire();
    return true;
  }

  /** Removes all timers, as when the platform ends the request that set them. */
  dropTimers(): void {
    this.#timers = [];
  }
}
