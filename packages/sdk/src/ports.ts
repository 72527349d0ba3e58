/** The clock and the timers of a client. Tests and simulations pass their own. */
export interface Clock {
  /** Returns epoch milliseconds. */
  readonly now: () => number;
  /** Calls `work` once, after `ms` milliseconds. Returns what `clearTimeout` takes. */
  readonly setTimeout: (work: () => void, ms: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
}

/** The receiver of messages for operators. */
export interface Logger {
  readonly warn: (message: string) => void;
  readonly error: (message: string) => void;
}

/** Returns a logger that never throws. */
export function safeLogger(logger: Logger): Logger {
  const call = (level: keyof Logger) => (message: string) => {
    try {
      logger[level](message);
    } catch {
      // Ignores the error, because a logger must not end the client.
    }
  };
  return { warn: call("warn"), error: call("error") };
}

/** The parts of the environment that the client uses. */
export interface Ports {
  readonly clock: Clock;
  /** Returns a random number from 0 to less than 1. */
  readonly random: () => number;
  readonly fetch: typeof fetch;
}

/**
 * The clock of the runtime. Looks its functions up at each call, so that a test can replace them.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (work, ms) => setTimeout(work, ms),
  clearTimeout: (timer) => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};

/** One timer that can be set again. Setting it replaces the timer that was set before. */
export class Timer {
  readonly #clock: Clock;
  #timer: unknown;
  /** When the timer fires, epoch milliseconds; undefined: it is not set. */
  #due: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get due(): number | undefined {
    return this.#due;
  }

  set(ms: number, work: () => void): void {
    this.clear();
    this.#due = this.#clock.now() + ms;
    this.#timer = this.#clock.setTimeout(() => {
      this.#due = undefined;
      work();
    }, ms);
  }

  clear(): void {
    if (this.#due !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#due = undefined;
  }
}
