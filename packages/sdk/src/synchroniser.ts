import { atLeast, backoff, isWithin, remaining, spread } from "./backoff.ts";
import { FlagClientError } from "./failure.ts";
import { type Fetched, fetchRules, readChange } from "./fetch-rules.ts";
import { type Ports, Timer } from "./ports.ts";
import type { RuleStore, Update } from "./rule-store.ts";
import { EventStream } from "./stream.ts";
import { CallError, type Transport } from "./transport.ts";

/**
 * How long the service may answer with older rules before the client accepts them, milliseconds. A
 * lagging location of the service catches up much sooner. After this time, the client assumes that
 * the revisions of the service began again.
 */
const OLDER_ACCEPTED_MS = 600_000;

/** The interval of requests after a 401 or 403, milliseconds. */
const REFUSED_INTERVAL_MS = 300_000;

/**
 * How long after a request a stream that cannot be opened causes no other request, milliseconds. Then
 * the last answer still says whether the service is down.
 */
const CHECK_INTERVAL_MS = 5_000;

/** How long after a request the client makes no other request with manual updates, milliseconds. */
const MANUAL_INTERVAL_MS = 1_000;

/** How the client learns of changes. */
export interface UpdateOptions {
  readonly updates: "stream" | "poll" | "manual";
  /** The interval of polls without a stream, milliseconds. */
  readonly pollInterval: number;
  /** The interval of polls while a stream is open, milliseconds. */
  readonly streamPollInterval: number;
}

export interface SyncListeners {
  /** Called when rules were applied. `flags`: the keys of the flags that changed. */
  readonly onUpdate: (flags: readonly string[]) => void;
  /** Called when the service has confirmed that the rules are the newest. */
  readonly onCurrent: () => void;
  /** Called when the service has answered with rules that may be old. */
  readonly onStale: () => void;
  readonly onFailure: (error: FlagClientError) => void;
  /** Called when the stream has ended for long, so that the client polls. */
  readonly onStreamFailure: (error: FlagClientError) => void;
  /** Called with the time of the service, epoch milliseconds. */
  readonly onDate: (date: number) => void;
}

/** Keeps a rule store up to date with the service. One request runs at a time. */
export class Synchroniser {
  readonly #ports: Ports;
  readonly #transport: Transport;
  readonly #store: RuleStore;
  readonly #options: UpdateOptions;
  readonly #listeners: SyncListeners;
  readonly #timer: Timer;
  readonly #stream: EventStream;
  #isStopped = false;
  #hasStream = false;
  #running: Promise<boolean> | undefined;
  /** The newest revision that an event has named. */
  #demanded = 0;
  #failures = 0;
  /** When the newest request began, epoch milliseconds. */
  #askedAt = -Infinity;
  /** Whether the service has answered the last completed request. */
  #isAnswered = false;
  /** How long the service has asked the client to wait in an error response, milliseconds. */
  #demandedDelay = 0;
  /** When the service demanded the delay, epoch milliseconds. */
  #demandedAt = 0;
  /**
   * Since when the service has answered with older rules than the client has or an event has named,
   * epoch milliseconds; undefined: it does not.
   */
  #olderSince: number | undefined;

  constructor(
    ports: Ports,
    parts: { transport: Transport; store: RuleStore },
    options: UpdateOptions,
    listeners: SyncListeners,
  ) {
    this.#ports = ports;
    this.#transport = parts.transport;
    this.#store = parts.store;
    this.#options = options;
    this.#listeners = listeners;
    this.#timer = new Timer(ports.clock);
    this.#stream = new EventStream(ports, parts.transport, {
      revision: () => this.#store.version?.revision,
      onEvent: (data) => this.#onEvent(data),
      onAlive: () => {
        if (this.#isCurrent) this.#listeners.onCurrent();
      },
      onOpen: () => this.#onStreamOpen(),
      onEnd: (error) => this.#onStreamEnd(error),
    });
  }

  /** Fetches the rules, and then keeps them current, unless the updates are manual. */
  start(): void {
    if (this.#options.updates !== "manual") void this.refresh();
  }

  /** Ends all timers and the stream. */
  stop(): void {
    this.#isStopped = true;
    this.#timer.clear();
    this.#stream.stop();
  }

  /**
   * Asks the service for changes now. Returns whether it has answered. While a request runs,
   * returns the result of that request. With manual updates, each call makes a request of its own,
   * because in a Worker no request may wait for the work of another request.
   */
  refresh(): Promise<boolean> {
    if (this.#options.updates === "manual") return this.#run();
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Does the same as `refresh`, but rarely. With manual updates, makes no request within a second
   * of the last request, or while the service demands a delay, and returns whether the service has
   * answered the last request.
   */
  async refreshRarely(): Promise<boolean> {
    if (this.#options.updates !== "manual") return this.refresh();
    const now = this.#ports.clock.now();
    const isTooSoon =
      isWithin(MANUAL_INTERVAL_MS, this.#askedAt, now) ||
      isWithin(this.#demandedDelay, this.#demandedAt, now);
    return isTooSoon ? this.#isAnswered : this.refresh();
  }

  /**
   * The revision below which the client accepts no rules. Undefined for rules of a snapshot, which
   * may belong to another environment with unrelated revisions.
   */
  get #heldRevision(): number {
    const held = this.#store.version;
    return held?.nextSince === undefined ? 0 : held.revision;
  }

  /** Whether the client has the newest revision that an event has named. */
  get #hasDemanded(): boolean {
    return (this.#store.version?.revision ?? -1) >= this.#demanded;
  }

  /** Whether an open stream would report a change of the rules. */
  get isListening(): boolean {
    return this.#stream.isOpen && this.#isCurrent;
  }

  /** Whether the rules are the newest, as far as the client knows. */
  get #isCurrent(): boolean {
    return this.#hasDemanded && this.#failures === 0;
  }

  /**
   * How long the client must still wait before a request, because the service has demanded a delay,
   * milliseconds.
   */
  get #mustWait(): number {
    return remaining(this.#demandedDelay, this.#demandedAt, this.#ports.clock.now());
  }

  async #run(): Promise<boolean> {
    if (this.#isStopped) return false;
    this.#timer.clear();
    const hadFailures = this.#failures > 0;
    let delay: number;
    try {
      delay = await this.#attempt();
    } catch (error) {
      if (this.#isStopped) return false;
      delay = this.#fail(error);
    }
    if (this.#isStopped) return false;
    this.#plan(delay);
    this.#isAnswered = this.#failures === 0;
    if (this.#isAnswered) this.#openStream(hadFailures);
    return this.#isAnswered;
  }

  /** Makes one request. Returns the delay before the next request. Throws: FlagClientError. */
  async #attempt(): Promise<number> {
    const { random, clock } = this.#ports;
    this.#askedAt = clock.now();
    const held = this.#store.version;
    const isTooOld =
      this.#olderSince !== undefined && clock.now() - this.#olderSince >= OLDER_ACCEPTED_MS;
    const minRevision = isTooOld ? 0 : Math.max(this.#heldRevision, this.#demanded);
    const isNews = ({ revision }: Fetched) => isTooOld || revision >= this.#heldRevision;
    const asked = isTooOld ? undefined : held;
    let fetched = await fetchRules(this.#transport, { held: asked, minRevision });
    if (isNews(fetched) && fetched.update !== undefined && !this.#store.fits(fetched.update))
      fetched = await fetchRules(this.#transport, { held: undefined, minRevision });
    if (this.#isStopped) return 0;
    this.#demandedDelay = 0;
    if (fetched.date !== undefined) this.#listeners.onDate(fetched.date);
    const now = clock.now();
    // Takes the earlier time, because the clock may have been set back.
    this.#olderSince =
      fetched.revision < minRevision ? Math.min(this.#olderSince ?? now, now) : undefined;
    if (isNews(fetched)) await this.#accept(fetched, isTooOld);
    if (this.#isStopped) return 0;
    if (fetched.revision < minRevision || fetched.isStale) {
      this.#listeners.onStale();
      // Asks again soon, because the service usually catches up within seconds.
      this.#failures++;
      return backoff(this.#failures, random);
    }
    this.#failures = 0;
    // Asks again at once, because an event has named a newer revision while the request ran.
    if (this.#demanded > fetched.revision) return 0;
    this.#listeners.onCurrent();
    return this.#interval();
  }

  async #accept(fetched: Fetched, isTooOld: boolean): Promise<void> {
    const { update, revision } = fetched;
    if (isTooOld) this.#demanded = revision;
    if (update === undefined) return this.#store.confirm(fetched);
    const flags = await this.#store.apply(update);
    if (!this.#isStopped) this.#listeners.onUpdate(flags);
  }

  #fail(given: unknown): number {
    const { random, clock } = this.#ports;
    const error =
      given instanceof FlagClientError
        ? given
        : new FlagClientError("INVALID_RESPONSE", `The rules cannot be used: ${String(given)}`);
    this.#failures++;
    const demanded = error instanceof CallError ? (error.retryAfter ?? 0) : 0;
    this.#demandedDelay = Math.max(this.#mustWait, atLeast(demanded, random));
    this.#demandedAt = clock.now();
    this.#listeners.onFailure(error);
    return error.isFatal ? spread(REFUSED_INTERVAL_MS, random) : backoff(this.#failures, random);
  }

  #interval(): number {
    const { pollInterval, streamPollInterval } = this.#options;
    return spread(this.#stream.isOpen ? streamPollInterval : pollInterval, this.#ports.random);
  }

  /**
   * Plans the next request: after `ms` milliseconds, but not before the delay that the service
   * demands has passed.
   */
  #plan(ms: number): void {
    if (this.#options.updates !== "manual" && !this.#isStopped)
      this.#timer.set(Math.max(ms, this.#mustWait), () => void this.refresh());
  }

  /** Asks for changes at once, or when the delay that the service demands has passed. */
  #refreshSoon(): void {
    if (this.#running === undefined && this.#mustWait > 0) this.#plan(0);
    else void this.refresh();
  }

  /** Opens the stream. `isRecovery`: whether the requests before had failed. */
  #openStream(isRecovery: boolean): void {
    if (this.#options.updates !== "stream") return;
    if (!this.#hasStream) this.#stream.start();
    else if (isRecovery) this.#stream.recover();
    this.#hasStream = true;
  }

  #onEvent(data: string): void {
    const change = readChange(data, this.#store);
    if (change === undefined) return this.#refreshSoon();
    this.#demanded = Math.max(this.#demanded, change.revision);
    if (this.#hasDemanded) return;
    // Does not apply the event while a request runs. If the response of the request is older,
    // another request follows.
    if (change.update === undefined || this.#running !== undefined) return this.#refreshSoon();
    this.#applyEvent(change.update);
  }

  /** Applies the rules of an event. */
  #applyEvent(update: Update): void {
    const applied = this.#store.apply(update);
    if (!(applied instanceof Promise)) return this.#applied(applied);
    this.#running = applied
      .then(
        (flags) => this.#applied(flags),
        (error: unknown) => this.#plan(this.#fail(error)),
      )
      .then(() => {
        this.#running = undefined;
        if (!this.#hasDemanded) this.#plan(0);
        return this.#failures === 0;
      });
  }

  #applied(flags: readonly string[]): void {
    if (this.#isStopped) return;
    this.#listeners.onUpdate(flags);
    if (this.#isCurrent) this.#listeners.onCurrent();
  }

  /** Delays the next poll, because the stream reports changes from now on. */
  #onStreamOpen(): void {
    const { clock } = this.#ports;
    if (this.#running === undefined && this.#failures === 0)
      this.#plan(remaining(this.#interval(), this.#askedAt, clock.now()));
  }

  /** Plans a poll, because nothing else reports changes without a stream. */
  #onStreamEnd(error: CallError | undefined): void {
    const { clock, random } = this.#ports;
    if (error?.code === "INVALID_RESPONSE") this.#listeners.onStreamFailure(error);
    // Polls at once if the stream cannot be opened, because the key may have been deleted or the
    // service may be down. The poll reports it.
    const isUnknown =
      error !== undefined &&
      (error.isFatal || !isWithin(CHECK_INTERVAL_MS, this.#askedAt, clock.now()));
    const mustAsk = isUnknown && this.#failures === 0;
    const wait = mustAsk ? this.#mustWait : spread(this.#options.pollInterval, random);
    if (this.#running === undefined && (this.#timer.due ?? Infinity) - clock.now() > wait)
      this.#plan(wait);
  }
}
