import { TimeoutError, raceTimeout } from "../core/lib/timeout.ts";
import type { ClientPorts } from "./ports.ts";

/** How long the breaker stays open after a timeout, milliseconds. The same as a key lease. */
export const OPEN_MS = 1_000;

/** The breaker is open: the call was not made. */
export class CircuitOpenError extends Error {
  override readonly name = "CircuitOpenError";
}

/** How long other calls wait for a trial call, milliseconds. A healthy database needs less. */
const TRIAL_MS = 100;
const POLL_MS = 5;

/**
 * Circuit breaker with a timeout, for a dependency that can hang. A timeout opens it for `OPEN_MS`.
 * Then one call tries the dependency; the others wait for its result up to `TRIAL_MS`, and fail
 * without a call after that. Plain data, because the runtime forbids sharing a promise between requests.
 */
export class CircuitBreaker {
  readonly #timeoutMs: number;
  /** Whether the last call timed out, so that the next one is a trial. */
  #timedOut = false;
  /** Calls fail until then, epoch milliseconds. */
  #openUntil = 0;
  /** Calls wait for the trial call until then, epoch milliseconds. */
  #trialUntil = 0;

  /** `timeoutMs`: a call that takes longer fails with `TimeoutError`. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Returns what `work` returns. Throws: what `work` throws, `TimeoutError`, `CircuitOpenError`. */
  async call<T>(ports: ClientPorts, work: () => Promise<T>): Promise<T> {
    while (ports.now() < this.#trialUntil) await ports.wait(POLL_MS);
    const now = ports.now();
    if (now < this.#openUntil) throw new CircuitOpenError("the last call timed out a moment ago");
    if (this.#timedOut) {
      this.#trialUntil = now + TRIAL_MS;
      this.#openUntil = now + this.#timeoutMs;
    }
    try {
      const result = await raceTimeout((ms) => ports.wait(ms), this.#timeoutMs, work());
      this.close();
      return result;
    } catch (error) {
      this.#timedOut = error instanceof TimeoutError;
      this.#openUntil = this.#timedOut ? ports.now() + OPEN_MS : 0;
      this.#trialUntil = 0;
      throw error;
    }
  }

  /** Call this when the dependency is known to work again. */
  close(): void {
    this.#timedOut = false;
    this.#openUntil = 0;
    this.#trialUntil = 0;
  }
}
