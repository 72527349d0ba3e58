import { LRUCache } from "lru-cache";
import { tooManyRequests } from "../core/errors/api-error.ts";

/** A rate limit binding of Cloudflare. It counts approximately, and each location by itself. */
export interface RateCounter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** What a limit needs of one request's outside world. */
export interface RatePorts {
  /** Epoch milliseconds. */
  now(): number;
  /** Work for after the answer. */
  later(work: Promise<unknown>): void;
  /** Reports a fault that the caller was spared. */
  fault(what: string, error: unknown): void;
}

/** That of the bindings in wrangler.toml; where it begins is theirs to know, a minute is near. */
const PERIOD_MS = 60_000;

/** Some 200 bytes each. */
const MAX_KEYS = 10_000;

interface Known {
  /** Those that the counter has not heard of. */
  uncounted: number;
  /** Epoch milliseconds. */
  refusedUntil: number;
}

/**
 * A rate limit as one isolate knows it. The counter is asked after the answer, which waits for
 * nobody; what it refuses is remembered until the minute is over, and then costs a look at memory.
 * A counter that fails refuses nobody.
 */
export class RateLimit {
  readonly #known = new LRUCache<string | number, Known>({ max: MAX_KEYS });
  readonly #name: string;
  readonly #weight: number;
  /** Until when a counter that failed is left alone, and nothing more is said of it. */
  #restsUntil = 0;

  /** `weight`: how many requests one in the counter stands for. */
  constructor(name: string, weight = 1) {
    this.#name = name;
    this.#weight = weight;
  }

  /** One more request of the key. Errors: 429. */
  admit(ports: RatePorts, counter: RateCounter, key: string | number): void {
    const now = ports.now();
    const known = this.#of(key);
    assertNotRefused(known, now);
    this.#count(ports, counter, key, known, now);
  }

  /** Errors: 429. */
  check(ports: RatePorts, key: string | number): void {
    const known = this.#known.get(key);
    if (known) assertNotRefused(known, ports.now());
  }

  /** Counts one, whatever has become of it. */
  count(ports: RatePorts, counter: RateCounter, key: string | number): void {
    this.#count(ports, counter, key, this.#of(key), ports.now());
  }

  #of(key: string | number): Known {
    const known = this.#known.get(key);
    if (known) return known;
    const fresh = { uncounted: 0, refusedUntil: 0 };
    this.#known.set(key, fresh);
    return fresh;
  }

  #count(
    ports: RatePorts,
    counter: RateCounter,
    key: string | number,
    known: Known,
    now: number,
  ): void {
    known.uncounted += 1;
    if (known.uncounted < this.#weight || now < this.#restsUntil) return;
    known.uncounted = 0;
    ports.later(this.#ask(ports, counter, String(key), known));
  }

  async #ask(ports: RatePorts, counter: RateCounter, key: string, known: Known): Promise<void> {
    try {
      const { success } = await counter.limit({ key });
      if (!success) known.refusedUntil = endOfPeriod(ports.now());
    } catch (error) {
      this.#restsUntil = endOfPeriod(ports.now());
      ports.fault(`rate limit of ${this.#name}`, error);
    }
  }
}

const endOfPeriod = (now: number) => now - (now % PERIOD_MS) + PERIOD_MS;

function assertNotRefused({ refusedUntil }: Known, now: number): void {
  if (now < refusedUntil)
    throw tooManyRequests("Too many requests; wait before the next", refusedUntil - now);
}
