import { isWithin, remaining } from "./backoff.ts";
import { Emitter } from "./emitter.ts";
import { FlagClientError } from "./failure.ts";
import type { ClientOptions, Settings, SnapshotOrNone, SnapshotSource } from "./options.ts";
import { type Logger, type Ports, Timer } from "./ports.ts";
import { Reporter } from "./reporter.ts";
import type { RuleStore } from "./rule-store.ts";
import { isSnapshot } from "./snapshot.ts";
import { Synchroniser } from "./synchroniser.ts";
import { Transport } from "./transport.ts";
import type { Usage } from "./usage.ts";

/** The states of a client. */
export type ClientState =
  /** The client has no rules yet. */
  | "starting"
  /** The rules are the newest, as far as the client knows. */
  | "ready"
  /** The client has rules, but the service has not confirmed them for a while. */
  | "stale"
  /** The service refuses the key, or an option is wrong. The client goes on using its rules. */
  | "error"
  /** `close` was called. The client fetches no more rules, and goes on using those it has. */
  | "closed";

/** The state of a client. */
export interface ClientStatus {
  readonly state: ClientState;
  /** The revision of the rules; undefined: there are none. */
  readonly revision: number | undefined;
  /** When the service last confirmed the rules, epoch milliseconds; undefined: never. */
  readonly confirmedAt: number | undefined;
  /** The error of the newest request for rules; undefined: the request succeeded. */
  readonly error: FlagClientError | undefined;
}

/**
 * How much the clocks of this machine and of the service may differ before the client reports it,
 * milliseconds.
 */
const MAX_SKEW_MS = 300_000;

/** How long the first request waits for the bootstrap, milliseconds. */
const BOOTSTRAP_HEAD_START_MS = 1_000;

/**
 * How long after a usage report `flush` sends no other report with manual updates, milliseconds.
 */
const MANUAL_REPORT_INTERVAL_MS = 10_000;

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: FlagClientError) => void;
}

export interface ConnectionParts {
  readonly ports: Ports;
  readonly logger: Logger;
  readonly emitter: Emitter;
  readonly store: RuleStore;
  readonly usage: Usage;
}

/** The connection of a client to the service. It receives rules and sends usage. */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #settings: Settings;
  readonly #sync: Synchroniser;
  readonly #reporter: Reporter;
  readonly #rulesTransport: Transport;
  readonly #usageTransport: Transport;
  readonly #staleTimer: Timer;
  readonly #bootTimer: Timer;
  /**
   * Ends the head start of the bootstrap; undefined: the first request does not wait for a
   * bootstrap.
   */
  #endHeadStart: (() => void) | undefined;
  readonly #waiters = new Set<Waiter>();
  readonly #reported = new Set<FlagClientError["code"]>();
  /** Whether the client has reported a failure of the stream. */
  #hasReportedStream = false;
  /**
   * With manual updates: resolves when the client uses the bootstrap rules. Undefined: the client
   * uses them already, or was started without bootstrap rules.
   */
  #beginning: Promise<void> | undefined;
  /** With manual updates: the bootstrap rules, until the first call of `ready` has loaded them. */
  #bootstrap: SnapshotSource | undefined;
  #state: ClientState = "starting";
  /** Whether the client has never had rules. */
  #isEmpty = true;
  #confirmedAt: number | undefined;
  #error: FlagClientError | undefined;
  #closing: Promise<void> | undefined;
  /** With manual updates: when `flush` last sent usage, epoch milliseconds. */
  #flushedAt = -Infinity;
  /** With manual updates: whether the service has accepted the last usage. */
  #isFlushed = false;

  constructor(parts: ConnectionParts, options: ClientOptions, settings: Settings) {
    const { ports, store, usage } = parts;
    this.#parts = parts;
    this.#settings = settings;
    let instanceId = options.instanceId;
    const transportOptions = {
      url: settings.url,
      key: options.key,
      timeout: settings.timeout,
      identity: {
        appName: options.appName,
        instanceId: () => (instanceId ??= crypto.randomUUID()),
      },
    };
    this.#rulesTransport = new Transport(ports, transportOptions);
    this.#usageTransport = new Transport(ports, transportOptions);
    this.#staleTimer = new Timer(ports.clock);
    this.#bootTimer = new Timer(ports.clock);
    this.#sync = new Synchroniser(ports, { transport: this.#rulesTransport, store }, settings, {
      onUpdate: (flags) => this.#onUpdate(flags),
      onCurrent: () => this.#onCurrent(),
      onStale: () => this.#onStale(),
      onFailure: (error) => this.#onFailure(error),
      onStreamFailure: (error) => this.#onStreamFailure(error),
      onDate: (date) => this.#onDate(date),
    });
    this.#reporter = new Reporter(
      ports,
      {
        transport: this.#usageTransport,
        usage,
        isKnown: (key) => store.flags.has(key),
        revision: () => store.version?.revision,
        isListening: () => this.#sync.isListening,
        onRejected: ({ status }) => {
          const message = `The service rejects a usage report (${status}); its counts are lost`;
          this.reportOnce(new FlagClientError("USAGE_REJECTED", message));
        },
      },
      settings.reportInterval,
    );
    const { bootstrap } = options;
    // With manual updates, leaves the bootstrap to the first `ready`, because a Worker may do
    // nothing that needs I/O before its first request.
    if (settings.updates !== "manual") void this.#start(bootstrap);
    else if (typeof bootstrap === "function") this.#bootstrap = bootstrap;
    else if (bootstrap !== undefined) this.#beginning = this.#begin(bootstrap);
  }

  get status(): ClientStatus {
    return {
      state: this.#state,
      revision: this.#parts.store.version?.revision,
      confirmedAt: this.#confirmedAt,
      error: this.#error,
    };
  }

  get #hasRules(): boolean {
    return this.#parts.store.version !== undefined;
  }

  get #isManual(): boolean {
    return this.#settings.updates === "manual";
  }

  /**
   * Resolves when the client has rules. Rejects after `timeout` milliseconds, or when waiting
   * cannot help, for example because the service refuses the key.
   */
  async ready(timeout: number): Promise<void> {
    const isLate = this.#isManual && !this.#hasRules && !(await this.#fillWithin(timeout));
    if (this.#hasRules) return;
    if (this.#state === "closed") throw closed();
    if (isLate) throw this.#late(timeout);
    const error = this.#error;
    if (error !== undefined && (error.isFatal || this.#isManual)) throw error;
    await this.#wait(timeout);
  }

  /**
   * With manual updates: gets rules. Returns false after `timeout` milliseconds; the work then
   * continues.
   */
  async #fillWithin(timeout: number): Promise<boolean> {
    const timer = new Timer(this.#parts.ports.clock);
    const late = new Promise<false>((resolve) => {
      timer.set(timeout, () => resolve(false));
    });
    const isInTime = await Promise.race([this.#fill().then(() => true), late]);
    timer.clear();
    return isInTime;
  }

  /** With manual updates: gets rules from the bootstrap, or else from the service. */
  async #fill(): Promise<void> {
    const bootstrap = this.#bootstrap;
    this.#bootstrap = undefined;
    await this.#beginning;
    if (bootstrap !== undefined) await this.#headStart(this.#load(bootstrap));
    if (!this.#hasRules) await this.#sync.refresh();
  }

  #wait(timeout: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = new Timer(this.#parts.ports.clock);
      const end = () => {
        timer.clear();
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        resolve: () => {
          end();
          resolve();
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      this.#waiters.add(waiter);
      timer.set(timeout, () => waiter.reject(this.#late(timeout)));
    });
  }

  /** Returns the error of a `ready` whose timeout has passed. */
  #late(timeout: number): FlagClientError {
    const why = this.#error === undefined ? "" : `: ${this.#error.message}`;
    const message = `The rules have not arrived within ${timeout} ms${why}`;
    const { code = "TIMEOUT", status } = this.#error ?? {};
    const options = { cause: this.#error, ...(status !== undefined && { status }) };
    return new FlagClientError(code, message, options);
  }

  async refresh(): Promise<boolean> {
    return this.#state !== "closed" && (await this.#sync.refreshRarely());
  }

  async flush(): Promise<boolean> {
    if (this.#state === "closed" || !this.#settings.reportUsage) return false;
    if (!this.#isManual || this.#parts.usage.isEmpty) return await this.#reporter.flush();
    const now = this.#parts.ports.clock.now();
    const isTooSoon = isWithin(MANUAL_REPORT_INTERVAL_MS, this.#flushedAt, now);
    // Sends no report now. The counts are part of a later report.
    if (isTooSoon || this.#reporter.mustWait > 0) return this.#isFlushed;
    this.#flushedAt = now;
    this.#isFlushed = await this.#reporter.flush();
    return this.#isFlushed;
  }

  /** Sends the usage, for at most `timeout` milliseconds, and ends everything. */
  close(timeout: number): Promise<void> {
    this.#closing ??= this.#close(timeout);
    return this.#closing;
  }

  async #close(timeout: number): Promise<void> {
    this.#state = "closed";
    this.#sync.stop();
    this.#rulesTransport.close();
    this.#reporter.stop();
    this.#staleTimer.clear();
    this.#endHeadStart?.();
    for (const waiter of this.#waiters) waiter.reject(closed());
    const deadline = new Timer(this.#parts.ports.clock);
    deadline.set(timeout, () => this.#usageTransport.close());
    if (this.#settings.reportUsage) await this.#reporter.flushAll(timeout);
    deadline.clear();
    this.#usageTransport.close();
    this.#parts.emitter.clear();
  }

  /** Reports an error, unless the same error was reported before. */
  reportOnce(error: FlagClientError): void {
    if (this.#reported.has(error.code)) return;
    this.#reported.add(error.code);
    this.#report(error);
  }

  #report(error: FlagClientError): void {
    this.#parts.logger.error(`Feature flags: ${error.message}`);
    this.#parts.emitter.emit("error", error);
  }

  /** Applies the bootstrap, and then starts requests and reports. */
  async #start(bootstrap: ClientOptions["bootstrap"]): Promise<void> {
    const applied =
      typeof bootstrap === "function" ? this.#load(bootstrap) : this.#begin(bootstrap);
    if (applied !== undefined) await this.#headStart(applied);
    if (this.#state === "closed") return;
    this.#armStaleTimer();
    this.#sync.start();
    if (this.#settings.reportUsage) this.#reporter.start();
  }

  /** Waits for the bootstrap, but at most for its head start. */
  async #headStart(applied: Promise<void>): Promise<void> {
    const late = new Promise<void>((resolve) => {
      this.#endHeadStart = resolve;
      this.#bootTimer.set(BOOTSTRAP_HEAD_START_MS, resolve);
    });
    await Promise.race([applied, late]);
    this.#bootTimer.clear();
    this.#endHeadStart = undefined;
  }

  async #load(source: SnapshotSource): Promise<void> {
    try {
      await this.#begin(await source());
    } catch (cause) {
      this.reportOnce(bootstrapError(`The bootstrap has failed: ${String(cause)}`, cause));
    }
  }

  /**
   * Puts a snapshot into use. Returns a promise only when the client must wait until the snapshot
   * is in use. Never throws, and the promise never rejects.
   */
  #begin(snapshot: SnapshotOrNone): Promise<void> | undefined {
    try {
      return this.#apply(snapshot);
    } catch (cause) {
      // Reports a bootstrap that throws while the client reads it.
      return this.#reportLater(bootstrapError(`The bootstrap has failed: ${String(cause)}`, cause));
    }
  }

  /** Reports an error after the caller has had the chance to add a listener. */
  async #reportLater(failure: FlagClientError): Promise<void> {
    await Promise.resolve();
    this.reportOnce(failure);
  }

  #apply(snapshot: SnapshotOrNone): Promise<void> | undefined {
    // Ignores the bootstrap if there is none, or if the service answered first.
    if (snapshot === undefined || snapshot === null || this.#hasRules || this.#state === "closed")
      return undefined;
    if (!isSnapshot(snapshot)) {
      const message = "The bootstrap is not a snapshot that this version of the client can read";
      return this.#reportLater(bootstrapError(message));
    }
    const { revision, etag, rules } = snapshot;
    const version = { revision, etag, digest: undefined, nextSince: undefined };
    const applied = this.#parts.store.apply({ kind: "full", rules, version });
    if (applied instanceof Promise)
      return applied.then(
        (flags) => this.#onUpdate(flags),
        (error: FlagClientError) => this.reportOnce(error),
      );
    this.#onUpdate(applied);
    return undefined;
  }

  #onUpdate(flags: readonly string[]): void {
    const { emitter, store } = this.#parts;
    if (this.#state === "closed" || store.version === undefined) return;
    const { revision } = store.version;
    const isFirst = this.#isEmpty;
    this.#isEmpty = false;
    if (this.#state === "starting") {
      this.#become("ready");
      // Sets the timer again if it has fired while there were no rules.
      if (this.#staleTimer.due === undefined) this.#armStaleTimer();
    }
    for (const waiter of this.#waiters) waiter.resolve();
    if (flags.length > 0 && !isFirst) emitter.emit("change", { flags, revision });
  }

  #onCurrent(): void {
    this.#confirmedAt = this.#parts.ports.clock.now();
    this.#error = undefined;
    for (const code of SYNC_CODES) this.#reported.delete(code);
    this.#become("ready");
    if (this.#staleTimer.due === undefined) this.#armStaleTimer();
  }

  #onStale(): void {
    // Forgets the error, because the service has answered.
    this.#error = undefined;
    if (this.#hasRules) this.#become("stale");
  }

  #onFailure(error: FlagClientError): void {
    this.#error = error;
    this.reportOnce(error);
    if (!error.isFatal) return;
    this.#become("error");
    for (const waiter of this.#waiters) waiter.reject(error);
  }

  #onStreamFailure({ message, cause }: FlagClientError): void {
    if (this.#hasReportedStream) return;
    this.#hasReportedStream = true;
    const what = `The event stream cannot be used, so the client polls: ${message}`;
    this.reportOnce(new FlagClientError("INVALID_RESPONSE", what, { cause }));
  }

  #onDate(date: number): void {
    const skew = this.#parts.ports.clock.now() - date;
    if (Math.abs(skew) <= MAX_SKEW_MS) return void this.#reported.delete("CLOCK_SKEW");
    const seconds = Math.round(Math.abs(skew) / 1000);
    const direction = skew > 0 ? "fast" : "slow";
    const message =
      `The clock of this machine is ${seconds} s ${direction}: ` +
      "rules that compare with the current time have wrong results";
    this.reportOnce(new FlagClientError("CLOCK_SKEW", message));
  }

  #become(state: ClientState): void {
    if (this.#state === state || this.#state === "closed") return;
    this.#state = state;
    const { emitter } = this.#parts;
    if (state === "ready") emitter.emit("ready", undefined);
    else if (state === "stale") emitter.emit("stale", undefined);
  }

  /**
   * Sets the timer that makes the rules stale when the service does not confirm them in time.
   *
   * @param since when the time begins, epoch milliseconds
   */
  #armStaleTimer(since = this.#confirmedAt): void {
    // A listener may close the client while the client handles what it has told the listener.
    if (this.#isManual || this.#state === "closed") return;
    const { clock } = this.#parts.ports;
    const { staleAfter } = this.#settings;
    const confirmedAt = this.#confirmedAt;
    const now = clock.now();
    this.#staleTimer.set(Math.max(1, remaining(staleAfter, since ?? now, now)), () => {
      // Compares for equality instead of computing a difference of times, because the clock may
      // have been set.
      const isConfirmed = this.#confirmedAt !== confirmedAt;
      if (isConfirmed) this.#armStaleTimer();
      // Counts an open stream as a confirmation, because the stream would report a change. Heartbeats
      // may be rarer than `staleAfter`.
      else if (this.#sync.isListening) this.#armStaleTimer(clock.now());
      else if (this.#hasRules && this.#state === "ready") this.#become("stale");
    });
  }
}

const bootstrapError = (message: string, cause?: unknown): FlagClientError =>
  new FlagClientError("BOOTSTRAP_FAILED", message, { cause });

const closed = () => new FlagClientError("CLOSED", "The client was closed");

/** The codes of errors of requests for rules. Such errors are reported again after a success. */
const SYNC_CODES: readonly FlagClientError["code"][] = [
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "RATE_LIMITED",
  "UNAVAILABLE",
  "UNREACHABLE",
  "TIMEOUT",
  "INVALID_RESPONSE",
  "ENGINE_UNAVAILABLE",
];
