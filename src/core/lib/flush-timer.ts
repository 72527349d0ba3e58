/** What the timer uses of the request that sets it. */
export interface TimerPorts {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after that many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Runs work after the response was sent (`waitUntil`). */
  later(work: Promise<unknown>): void;
}

/** A flush this late was lost with its request, so another request may set a new timer. */
const GRACE_MS = 10_000;

/**
 * Schedules one flush for everything that an isolate has gathered. The first request that adds
 * something sets the timer: an isolate without requests has nothing left to flush.
 */
export class FlushTimer {
  /** When the pending flush counts as lost, epoch milliseconds. */
  #flushBy = 0;

  isSet(now: number): boolean {
    return now < this.#flushBy;
  }

  /** Runs `flush` after `ms` milliseconds, unless the timer is set already. `flush` must not throw. */
  set(ports: TimerPorts, ms: number, flush: () => Promise<void>): void {
    const now = ports.now();
    if (this.isSet(now)) return;
    this.#flushBy = now + ms + GRACE_MS;
    ports.later(
      ports.wait(ms).then(() => {
        this.#flushBy = 0;
        return flush();
      }),
    );
  }
}
