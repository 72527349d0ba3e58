import { createParser } from "eventsource-parser";
import { atLeast, backoff, isWithin, remaining, spread } from "./backoff.ts";
import { FlagClientError } from "./failure.ts";
import { type Ports, Timer } from "./ports.ts";
import { CallError, type Transport } from "./transport.ts";

/**
 * How long a stream may be silent before it counts as dead, milliseconds. The service writes every
 * 25 s.
 */
const SILENCE_MS = 60_000;

/** How many failures, and within how many milliseconds, make the client poll instead. */
const MAX_FAILURES = 5;
const FAILURES_MS = 60_000;

/** How long the client polls before it tries to open a stream again, milliseconds. */
const FALLBACK_MS = 300_000;

/** The most characters of an event. The service sends at most 16 KB of rules in one event. */
const MAX_EVENT_LENGTH = 1024 * 1024;

/** The longest delay before a reconnect that the client accepts from an event, milliseconds. */
const LONGEST_RETRY_MS = 30_000;

/**
 * The shortest and the longest delay before the client opens a stream after an outage,
 * milliseconds. The same delays as after a deploy of the service (docs/use/push.md).
 */
const RECOVERY_MS = [1_000, 5_000] as const;

export interface StreamListeners {
  /** The revision that the client has; undefined: none. */
  readonly revision: () => number | undefined;
  /** Called with the data of each event. */
  readonly onEvent: (data: string) => void;
  /**
   * Called when an event or a heartbeat has arrived, and when the stream ends for another reason
   * than silence.
   */
  readonly onAlive: () => void;
  /** Called when the stream was opened. */
  readonly onOpen: () => void;
  /** Called when the stream has ended or could not be opened. */
  readonly onEnd: (error: CallError | undefined) => void;
}

/** Keeps an event stream open, and opens it again when it ends. */
export class EventStream {
  readonly #ports: Ports;
  readonly #transport: Transport;
  readonly #listeners: StreamListeners;
  readonly #timer: Timer;
  /** The times of the failures within `FAILURES_MS`. */
  #failures: number[] = [];
  #isResumed = false;
  #isStopped = false;
  #isOpen = false;
  /** The delay that the service asks for before reconnecting, milliseconds. */
  #retry = 0;
  /** How long the service has asked the client to wait in an error response, milliseconds. */
  #demandedDelay = 0;
  /** When the service demanded the delay, epoch milliseconds. */
  #demandedAt = 0;
  #end: (() => void) | undefined;

  constructor(ports: Ports, transport: Transport, listeners: StreamListeners) {
    this.#ports = ports;
    this.#transport = transport;
    this.#listeners = listeners;
    this.#timer = new Timer(ports.clock);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens the stream, and keeps it open. */
  start(): void {
    this.#isStopped = false;
    this.#connect();
  }

  /** Ends the stream. */
  stop(): void {
    this.#isStopped = true;
    this.#timer.clear();
    this.#end?.();
  }

  /**
   * Opens the stream within seconds, because a poll has succeeded after failures. Does nothing while
   * the stream is open or being opened.
   */
  recover(): void {
    this.#failures = [];
    if (this.#timer.due === undefined) return;
    const { clock, random } = this.#ports;
    const [shortest, longest] = RECOVERY_MS;
    const wait = shortest + random() * (longest - shortest);
    const now = clock.now();
    const mustWait = remaining(this.#demandedDelay, this.#demandedAt, now);
    const rest = Math.max(0, this.#timer.due - now);
    this.#timer.set(Math.min(rest, Math.max(wait, mustWait)), () => this.#connect());
  }

  #connect(): void {
    void this.#follow().then(
      (aliveMs) => this.#reconnect(undefined, aliveMs >= FAILURES_MS),
      (error: unknown) => this.#reconnect(error, false),
    );
  }

  /**
   * Opens the stream and reads it until it ends. Returns the time from the opening until the last
   * event or heartbeat, milliseconds. Throws: CallError.
   */
  async #follow(): Promise<number> {
    const { clock } = this.#ports;
    const revision = this.#listeners.revision();
    const { body, end } = await this.#transport.open({
      path: `/api/client/stream${revision === undefined ? "" : `?revision=${revision}`}`,
      headers: {
        Accept: "text/event-stream",
        ...(this.#isResumed && revision !== undefined && { "Last-Event-ID": String(revision) }),
      },
    });
    const openedAt = clock.now();
    let aliveAt = openedAt;
    const silence = new Timer(clock);
    let isSilent = false;
    const reader = body.getReader();
    // Cancels the reader, which ends the loop even if the runtime does not end the body at an
    // abort.
    this.#end = () => {
      silence.clear();
      reader.cancel().catch(() => {});
      end();
    };
    const endSilent = () => {
      isSilent = true;
      this.#end?.();
    };
    if (this.#isStopped) this.#end();
    else silence.set(SILENCE_MS, endSilent);
    let isTooLarge = false;
    const parser = createParser({
      maxBufferSize: MAX_EVENT_LENGTH,
      onError: ({ type }) => {
        isTooLarge ||= type === "max-buffer-size-exceeded";
      },
      onEvent: ({ event, data }) => event === "revision" && this.#listeners.onEvent(data),
      onRetry: (ms) => {
        this.#retry = Math.min(ms, LONGEST_RETRY_MS);
      },
    });
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return aliveAt - openedAt;
        if (this.#isStopped) continue;
        silence.set(SILENCE_MS, endSilent);
        aliveAt = clock.now();
        this.#opened();
        this.#listeners.onAlive();
        parser.feed(decoder.decode(value, { stream: true }));
        if (isTooLarge) break;
      }
    } catch {
      // Treats a broken connection like a stream that ends.
      return aliveAt - openedAt;
    } finally {
      if (this.#isOpen && !isSilent && !this.#isStopped) this.#listeners.onAlive();
      this.#isOpen = false;
      this.#end();
      this.#end = undefined;
    }
    const message = `An event of the stream has more than ${MAX_EVENT_LENGTH / 1024} KB`;
    throw new CallError(new FlagClientError("INVALID_RESPONSE", message));
  }

  /**
   * Call this when the first bytes have arrived. The service writes some bytes at once. If none
   * arrive, a proxy holds the stream back.
   */
  #opened(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#isResumed = true;
    this.#listeners.onOpen();
  }

  /** Plans the next attempt. `wasStable`: whether the stream was open for long. */
  #reconnect(error: unknown, wasStable: boolean): void {
    if (this.#isStopped) return;
    const failure = error instanceof CallError ? error : undefined;
    this.#timer.set(this.#delay(failure, wasStable), () => this.#connect());
    this.#listeners.onEnd(failure);
  }

  #delay(error: CallError | undefined, wasStable: boolean): number {
    const { clock, random } = this.#ports;
    const now = clock.now();
    if (wasStable) this.#failures = [];
    this.#failures = [...this.#failures.filter((at) => isWithin(FAILURES_MS, at, now)), now];
    const { length } = this.#failures;
    this.#demandedDelay = error?.retryAfter ?? 0;
    this.#demandedAt = now;
    const retry = Math.max(error?.retryAfter ?? 0, error === undefined ? this.#retry : 0);
    const mustPoll =
      length >= MAX_FAILURES || (error !== undefined && POLL_INSTEAD.has(error.code));
    if (mustPoll) this.#failures = [];
    const wait = mustPoll ? spread(FALLBACK_MS, random) : backoff(length, random);
    return Math.max(wait, retry > 0 ? atLeast(retry, random) : 0);
  }
}

/** The codes of errors after which another attempt soon is useless. */
const POLL_INSTEAD: ReadonlySet<FlagClientError["code"]> = new Set([
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "INVALID_RESPONSE",
]);
