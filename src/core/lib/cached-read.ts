/** How often a waiting request checks whether another request has finished the read, ms. */
const POLL_MS = 5;

/** What a `CachedRead` needs from the platform. */
export interface CachedReadPorts {
  /** The current time, epoch milliseconds. */
  readonly now: () => number;
  /** Returns a promise that resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  /** Lets the work continue after the request has ended. */
  readonly later: (work: Promise<unknown>) => void;
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/**
 * The last result of a read that costs much, shared by the requests of one isolate. Requests that arrive
 * during a read wait for its result. They poll, because the runtime forbids sharing a promise between
 * requests. The read goes on when the client of its request disconnects, because others wait for it. A failed
 * read is cached, too, so that a failing dependency gets no more reads than a working one.
 */
export class CachedRead<T> {
  readonly #maxAgeMs: number;
  readonly #timeoutMs: number;
  #last: Outcome<T> | undefined;
  /** Until when the last result is fresh, epoch milliseconds. */
  #freshUntil = 0;
  /**
   * Until when other requests wait for the running read, epoch milliseconds. After that, the
   * platform has probably ended the request that reads.
   */
  #readingUntil = 0;

  /**
   * @param maxAgeMs how long a result is fresh after its read, milliseconds @param timeoutMs how
   * long other requests wait for a running read, milliseconds
   */
  constructor(maxAgeMs: number, timeoutMs: number) {
    this.#maxAgeMs = maxAgeMs;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns the last result while it is fresh, otherwise the result of `read`. Throws what `read` throws. */
  async get(ports: CachedReadPorts, read: () => Promise<T>): Promise<T> {
    const { now, wait, later } = ports;
    while (now() >= this.#freshUntil && now() < this.#readingUntil) await wait(POLL_MS);
    if (this.#last && now() < this.#freshUntil) return valueOf(this.#last);
    const reading = this.#read(ports, read);
    later(reading);
    return valueOf(await reading);
  }

  async #read({ now }: CachedReadPorts, read: () => Promise<T>): Promise<Outcome<T>> {
    this.#readingUntil = now() + this.#timeoutMs;
    const outcome = await outcomeOf(read);
    this.#last = outcome;
    this.#freshUntil = now() + this.#maxAgeMs;
    this.#readingUntil = 0;
    return outcome;
  }
}

async function outcomeOf<T>(read: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    return { error };
  }
}

function valueOf<T>(outcome: Outcome<T>): T {
  if ("value" in outcome) return outcome.value;
  throw outcome.error;
}
