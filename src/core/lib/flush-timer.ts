/** What the flush timer needs from the request that sets it. */
export interface TimerPorts {
  /** The current time, epoch milliseconds. */
  now(): number;
  /** Resolves after that many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Runs work after the response was sent (`waitUntil`). */
  later(work: Promise<unknown>): void;
}

/**
 * A flush that is this much overdue, in milliseconds, was lost with its request, and another
 * request may set the timer again.
 */
const GRACE_MS = 10_000;

/**
 * Schedules one flush for everything that an isolate has gathered. The first request that adds
 * something sets the timer. An isolate without requests needs no timer, because it has nothing to
 * flush.
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
