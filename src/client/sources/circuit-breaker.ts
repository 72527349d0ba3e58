import { TimeoutError, raceTimeout } from "../../core/lib/timeout.ts";
import type { ClientPorts } from "./ports.ts";

/**
 * How long the circuit breaker stays open after a timeout, milliseconds. It equals `LEASE_MS`, the
 * age at which a key lease is renewed.
 */
export const OPEN_MS = 1_000;

/** The error that is thrown instead of making a call while the circuit breaker is open. */
export class CircuitOpenError extends Error {
  override readonly name = "CircuitOpenError";
}

/** How long other calls wait for the result of the trial call, milliseconds. */
const TRIAL_MS = 100;
/** How often a waiting call checks whether the trial call has ended, milliseconds. */
const POLL_MS = 5;

/**
 * A circuit breaker with a timeout, for the database and KV, which can hang. A timeout opens it for
 * `OPEN_MS`; then one trial call is made, and other calls wait up to `TRIAL_MS` for its result.
 * Waiting calls poll the state, because the runtime forbids sharing a promise between requests.
 */
export class CircuitBreaker {
  readonly #timeoutMs: number;
  /** Whether the last call timed out. The next call is then the trial call. */
  #timedOut = false;
  /** Until when calls fail at once, epoch milliseconds. */
  #openUntil = 0;
  /** Until when other calls wait for the trial call, epoch milliseconds. */
  #trialUntil = 0;

  /** @param timeoutMs a call that takes longer fails with `TimeoutError`, milliseconds */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs `work` unless the circuit breaker is open. Returns what `work` returns. Throws: what
   * `work` throws, `TimeoutError`, `CircuitOpenError`.
   */
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

  /** Closes the circuit breaker. Call this when the dependency is known to work again. */
  close(): void {
    this.#timedOut = false;
    this.#openUntil = 0;
    this.#trialUntil = 0;
  }
}
