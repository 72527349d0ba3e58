/** What the flush timer needs from the request that sets it. */
export interface TimerPorts {
  /** The current time, epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
  /** Keeps the request alive until `work` ends, also after its response was sent (`waitUntil`). */
  later(work: Promise<unknown>): void;
}

/**
 * A flush that is this late, in milliseconds, counts as lost, because the request that set the
 * timer has probably ended. Another request may then set the timer again.
 */
const GRACE_MS = 10_000;

/**
 * A timer that schedules one flush for everything that an isolate has gathered. The first request
 * that adds something sets the timer. An isolate without requests has nothing to flush.
 */
export class FlushTimer {
  /** When the pending flush counts as lost, epoch milliseconds; 0: no flush is pending. */
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
