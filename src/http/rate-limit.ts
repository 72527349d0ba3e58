import { Lru } from "../core/lib/lru.ts";
import { tooManyRequests } from "../core/errors/api-error.ts";

/**
 * A rate limit binding of Cloudflare. It counts requests by the given key. The count is approximate
 * and separate for each Cloudflare location.
 */
export interface RateCounter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** What a rate limit needs from the platform during one request. */
export interface RatePorts {
  /** The current time, epoch milliseconds. */
  now(): number;
  /** Keeps the Worker running until `work` ends, even after the response was sent. */
  later(work: Promise<unknown>): void;
  /** Logs and counts a fault that causes no error response. */
  fault(what: string, error: unknown): void;
}

/**
 * The window of the rate limit bindings in wrangler.toml, milliseconds. A binding does not expose
 * when its window starts. This module assumes that each window starts at a full minute.
 */
const PERIOD_MS = 60_000;

/**
 * The maximum number of keys whose state an isolate keeps. A key identifies, for example, a caller
 * or a network. The state of a key takes 200 bytes.
 */
const MAX_KEYS = 10_000;

/** The state of one key of a rate limit. */
interface KeyState {
  /** The number of requests since the counter was last called. */
  uncounted: number;
  /** Until when requests with the key get 429, epoch milliseconds. */
  blockedUntil: number;
}

/**
 * A rate limit in one isolate. No request waits for the counter. When the counter reports a key
 * above its limit, the isolate rejects the key until the minute ends. When a call of the counter
 * fails, the isolate does not call the counter until the minute ends, and rejects no further key.
 */
export class RateLimit {
  readonly #states = new Lru<string | number, KeyState>(MAX_KEYS);
  readonly #name: string;
  readonly #weight: number;
  /** Until when the isolate does not call the counter after a failed call, epoch milliseconds. */
  #skipUntil = 0;

  /**
   * @param name the name of the rate limit in a fault report
   * @param weight how many requests with the same key cause one call of the counter
   */
  constructor(name: string, weight = 1) {
    this.#name = name;
    this.#weight = weight;
  }

  /** Counts a request with the key. Throws: 429 when the key is above its limit. */
  admit(ports: RatePorts, counter: RateCounter, key: string | number): void {
    const state = this.#stateOf(key);
    assertNotBlocked(state, ports.now());
    this.#count(ports, counter, key, state);
  }

  /** Checks the limit of the key without counting. Throws: 429. */
  check(ports: RatePorts, key: string | number): void {
    const state = this.#states.get(key);
    if (state) assertNotBlocked(state, ports.now());
  }

  /** Counts a request with the key without checking the limit. */
  count(ports: RatePorts, counter: RateCounter, key: string | number): void {
    this.#count(ports, counter, key, this.#stateOf(key));
  }

  #stateOf(key: string | number): KeyState {
    const known = this.#states.get(key);
    if (known) return known;
    const fresh = { uncounted: 0, blockedUntil: 0 };
    this.#states.set(key, fresh);
    return fresh;
  }

  #count(ports: RatePorts, counter: RateCounter, key: string | number, state: KeyState): void {
    state.uncounted += 1;
    if (state.uncounted < this.#weight || ports.now() < this.#skipUntil) return;
    state.uncounted = 0;
    ports.later(this.#call(ports, counter, String(key), state));
  }

  async #call(ports: RatePorts, counter: RateCounter, key: string, state: KeyState): Promise<void> {
    try {
      const { success } = await counter.limit({ key });
      if (!success) state.blockedUntil = endOfPeriod(ports.now());
    } catch (error) {
      this.#skipUntil = endOfPeriod(ports.now());
      ports.fault(`rate limit of ${this.#name}`, error);
    }
  }
}

const endOfPeriod = (now: number) => now - (now % PERIOD_MS) + PERIOD_MS;

function assertNotBlocked({ blockedUntil }: KeyState, now: number): void {
  if (now < blockedUntil)
    throw tooManyRequests("Too many requests; wait before the next", blockedUntil - now);
}
