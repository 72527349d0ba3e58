import { TimeoutError, raceTimeout } from "../core/lib/timeout.ts";
import type { ClientPorts } from "./ports.ts";

/** So long nobody waits again for what has just kept somebody waiting in vain: as a lease. */
export const REST_MS = 1_000;

/** Why a question was not even asked. */
export class RestingError extends Error {
  override readonly name = "RestingError";
}

/** So long the others wait for the one who asks whether it is back: a database that is takes less. */
const PROBE_MS = 100;
const WAIT_MS = 5;

/**
 * Questions to something that may hang, bounded in time. After one that got no answer in time, the
 * isolate goes without for a while; then one request asks whether it is back, and nobody else waits.
 * Plain data: no promise is shared between requests (design.md, 12).
 */
export class Patience {
  readonly #boundMs: number;
  #wasLate = false;
  #restsUntil = 0;
  /** Until when the others wait for the one who asks whether it is back. */
  #waitsUntil = 0;

  constructor(boundMs: number) {
    this.#boundMs = boundMs;
  }

  /** Errors: the question's own, `TimeoutError`, `RestingError`. */
  async ask<T>(ports: ClientPorts, question: () => Promise<T>): Promise<T> {
    while (ports.now() < this.#waitsUntil) await ports.wait(WAIT_MS);
    const now = ports.now();
    if (now < this.#restsUntil) throw new RestingError("it did not answer a moment ago");
    if (this.#wasLate) {
      this.#waitsUntil = now + PROBE_MS;
      this.#restsUntil = now + this.#boundMs;
    }
    try {
      const answer = await raceTimeout((ms) => ports.wait(ms), this.#boundMs, question());
      this.end();
      return answer;
    } catch (error) {
      this.#wasLate = error instanceof TimeoutError;
      this.#restsUntil = this.#wasLate ? ports.now() + REST_MS : 0;
      this.#waitsUntil = 0;
      throw error;
    }
  }

  /** It has answered, this or somebody else. */
  end(): void {
    this.#wasLate = false;
    this.#restsUntil = 0;
    this.#waitsUntil = 0;
  }
}
