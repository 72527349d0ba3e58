/** What a timer needs of the request in which it is set. */
export interface TimerPorts {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after that many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Work for after the answer. */
  later(work: Promise<unknown>): void;
}

/** A flush that has not begun by then went down with its request: another one makes its own. */
const GRACE_MS = 10_000;

/**
 * One flush for all that an isolate gathers, made by the request that brings the first. Nothing
 * lingers in an isolate that nobody asks any more.
 */
export class FlushTimer {
  /** Until when the flush of another request is waited for. */
  #flushBy = 0;

  isSet(now: number): boolean {
    return now < this.#flushBy;
  }

  /** Unless it is set: `flush` runs after that many milliseconds, and must not fail. */
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
