import { isRecord } from "@feature-flags/evaluation/record";
import { timeoutOf } from "./arguments.ts";
import { Checks } from "./checks.ts";
import { type ClientStatus, Connection } from "./connection.ts";
import { type ClientEvents, Emitter, type Listener } from "./emitter.ts";
import {
  type AllOptions,
  type Details,
  Evaluator,
  type FlagResult,
  type JsonValue,
} from "./evaluator.ts";
import { FlagClientError } from "./failure.ts";
import type {
  AnyFlags,
  DeepReadonly,
  EvaluationContext,
  FlagKey,
  FlagValue,
  OfflineFlags,
} from "./flag-types.ts";
import { type ClientOptions, isLogger, settingsOf } from "./options.ts";
import { safeLogger, systemClock } from "./ports.ts";
import { RuleStore, type ValueType } from "./rule-store.ts";
import type { Snapshot } from "./snapshot.ts";
import { MAX_COUNTED_FLAGS, Usage } from "./usage.ts";

/** The default of `ready`'s and `close`'s timeout, milliseconds. */
const READY_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Checks flags. A check reads the memory of the process: it never waits for the network, and it never
 * throws. If a flag has no value for the caller, the check returns the default.
 *
 * `Flags` has the type of each flag's value by key, such as `{ "new-checkout": boolean }`. Then the
 * client accepts only these keys. By default it accepts every key.
 */
export interface FlagClient<Flags extends object = AnyFlags> {
  /**
   * Resolves when the client has rules. Rejects with a `FlagClientError` after `timeout` milliseconds
   * (default: 10,000), when the service refuses the key, and when an option is wrong. After the
   * timeout, the code is that of the last failed request, or else `TIMEOUT`. Rejects with a `TypeError`
   * when the timeout is not a number from 0.
   */
  ready(options?: { readonly timeout?: number }): Promise<void>;

  /** Returns the value of a boolean flag, or `fallback`. A flag that is off is false. */
  boolean(key: FlagKey<Flags, "boolean">, fallback: boolean, context?: EvaluationContext): boolean;
  /** Returns the value of a flag with texts, or `fallback`. */
  string(key: FlagKey<Flags, "string">, fallback: string, context?: EvaluationContext): string;
  /** Returns the value of a flag with numbers, or `fallback`. */
  number(key: FlagKey<Flags, "number">, fallback: number, context?: EvaluationContext): number;
  /**
   * Returns the value of a flag with JSON, or `fallback`. The value is frozen. Its type is that of
   * `Flags`, or what the caller says; the client does not check it.
   */
  json<T = JsonValue, K extends FlagKey<Flags, "json"> = FlagKey<Flags, "json">>(
    key: K,
    fallback: FlagValue<Flags, K, T>,
    context?: EvaluationContext,
  ): DeepReadonly<FlagValue<Flags, K, T>>;
  /**
   * Checks a flag, and returns the value with its reason, variant or error. `type`: the type of the
   * flag; by default that of `fallback`.
   */
  details<T, K extends FlagKey<Flags> = FlagKey<Flags>>(
    key: K,
    fallback: FlagValue<Flags, K, T>,
    context?: EvaluationContext,
    type?: ValueType,
  ): Details<DeepReadonly<FlagValue<Flags, K, T>>>;
  /**
   * Evaluates all flags for one context. Counts no checks. For a page of the same user, pass
   * `{ for: "browser" }`, which leaves out the flags that browsers do not get.
   */
  all(context?: EvaluationContext, options?: AllOptions): Record<string, FlagResult>;

  /**
   * Adds a listener for the next event only. Returns a function that removes it. Throws, as `on` and
   * `off`: a TypeError for an unknown event, or a listener that is not a function.
   */
  once<E extends keyof ClientEvents>(event: E, listener: Listener<E>): () => void;
  /** Removes a listener. If it was added more than once, removes the one that was added last. */
  off<E extends keyof ClientEvents>(event: E, listener: Listener<E>): void;
  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof ClientEvents>(event: E, listener: Listener<E>): () => void;
  /** The state of the client, and how current its rules are. */
  readonly status: ClientStatus;
  /** The rules as plain JSON, for the option `bootstrap`; undefined when there are none yet. */
  snapshot(): Snapshot | undefined;

  /**
   * Asks the service for changes now. Resolves with whether it has answered; never rejects. With
   * manual updates, a call within a second of the last request makes no new request.
   */
  refresh(): Promise<boolean>;
  /**
   * Sends the usage now, unless `reportUsage` is false. Resolves with whether the service has
   * accepted it; never rejects. With manual updates, a call within 10 seconds of the last report,
   * or while the service demands a longer delay, sends no report, and a later call or `close` sends
   * the usage.
   */
  flush(): Promise<boolean>;
  /**
   * Sends the usage, with further attempts after a failure, for at most `timeout` milliseconds
   * (default: 5,000), and ends the stream and all timers. Checks still return what the last rules say.
   * Never rejects.
   */
  close(options?: { readonly timeout?: number }): Promise<void>;

  /**
   * Gives a flag this value for everybody, until `clearOverrides`. For tests. Throws: a TypeError for a
   * key that is not a text, and for `undefined`, a function or a symbol as the value.
   */
  override<K extends FlagKey<Flags>>(key: K, value: FlagValue<Flags, K, JsonValue>): void;
  /**
   * Ends all overrides. The flags of an offline client keep the values with which it was created.
   */
  clearOverrides(): void;
}

/**
 * The options of a program that passes none. The client reports each required option as missing.
 */
const NO_OPTIONS: ClientOptions = { url: "", key: "" };

interface ClientParts {
  readonly store: RuleStore;
  readonly evaluator: Evaluator;
  readonly emitter: Emitter;
  /**
   * The connection to the service. Undefined for an offline client and for a client with a wrong
   * option.
   */
  readonly connection: Connection | undefined;
  /**
   * The error in the options, because of which there is no connection; undefined: the options are
   * right.
   */
  readonly fault: FlagClientError | undefined;
}

class Client extends Checks implements FlagClient {
  readonly #parts: ClientParts;
  readonly #evaluator: Evaluator;
  #isClosed = false;

  constructor(parts: ClientParts) {
    super(parts.evaluator);
    this.#parts = parts;
    this.#evaluator = parts.evaluator;
  }

  async ready(options?: { readonly timeout?: number }): Promise<void> {
    const timeout = timeoutOf(options, READY_TIMEOUT_MS);
    if (timeout === undefined)
      throw new TypeError("ready takes a number of milliseconds, as in ready({ timeout: 5000 })");
    const { connection, fault } = this.#parts;
    if (fault !== undefined) throw fault;
    await connection?.ready(timeout);
  }

  on<E extends keyof ClientEvents>(event: E, listener: Listener<E>): () => void {
    return this.#parts.emitter.on(event, listener);
  }

  once<E extends keyof ClientEvents>(event: E, listener: Listener<E>): () => void {
    return this.#parts.emitter.once(event, listener);
  }

  off<E extends keyof ClientEvents>(event: E, listener: Listener<E>): void {
    this.#parts.emitter.off(event, listener);
  }

  get status(): ClientStatus {
    const { connection, fault } = this.#parts;
    if (connection !== undefined) return connection.status;
    const state = fault === undefined ? "ready" : "error";
    return {
      state: this.#isClosed ? "closed" : state,
      revision: undefined,
      confirmedAt: undefined,
      error: fault,
    };
  }

  snapshot(): Snapshot | undefined {
    return this.#parts.store.snapshot();
  }

  async refresh(): Promise<boolean> {
    return (await this.#parts.connection?.refresh()) ?? false;
  }

  async flush(): Promise<boolean> {
    return (await this.#parts.connection?.flush()) ?? false;
  }

  async close(options?: { readonly timeout?: number }): Promise<void> {
    const timeout = timeoutOf(options, CLOSE_TIMEOUT_MS) ?? CLOSE_TIMEOUT_MS;
    this.#isClosed = true;
    await this.#parts.connection?.close(timeout);
    this.#parts.emitter.clear();
  }

  override(key: string, value: JsonValue): void {
    this.#evaluator.override(key, value);
    this.#emitChange([key]);
  }

  clearOverrides(): void {
    this.#emitChange(this.#evaluator.clearOverrides());
  }

  #emitChange(flags: readonly string[]): void {
    const { emitter, store } = this.#parts;
    const revision = store.version?.revision ?? 0;
    if (flags.length > 0) emitter.emit("change", { flags, revision });
  }
}

/**
 * Creates a client, which fetches the rules and keeps them current. Never throws: a wrong option is
 * an `error` event, and makes `ready` reject. `Flags`: the type of each flag's value by key.
 */
export function createClient<Flags extends object = AnyFlags>(
  options: ClientOptions,
): FlagClient<Flags> {
  return connected(options) as unknown as FlagClient<Flags>;
}

/** @param given the options; missing when a program without types passes nothing */
function connected(given: ClientOptions | null | undefined): FlagClient {
  const options = isRecord(given) ? given : NO_OPTIONS;
  const logger = safeLogger(isLogger(options.logger) ? options.logger : console);
  const emitter = new Emitter(logger);
  const ports = {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    fetch: options.fetch ?? ((...call: Parameters<typeof fetch>) => fetch(...call)),
  };
  let connection: Connection | undefined;
  let fault: FlagClientError | undefined;
  const usage = new Usage(options.maxCountedFlags ?? MAX_COUNTED_FLAGS, () => {
    if (options.reportUsage === false) return;
    const message = "So many flags were checked that not all checks are counted";
    connection?.reportOnce(new FlagClientError("USAGE_OVERFLOW", message));
  });
  const store = new RuleStore((key) => usage.counter(key));
  try {
    const settings = settingsOf(options);
    connection = new Connection({ ports, logger, emitter, store, usage }, options, settings);
  } catch (error) {
    const known =
      error instanceof FlagClientError
        ? error
        : new FlagClientError("INVALID_OPTION", `The options cannot be used: ${String(error)}`);
    fault = known;
    logger.error(`Feature flags: ${known.message}`);
    // Emits the error later, so that the caller can add a listener first.
    queueMicrotask(() => emitter.emit("error", known));
  }
  return new Client({ store, emitter, connection, fault, evaluator: new Evaluator(store, usage) });
}

/**
 * Creates a client for tests: without a service, the flags have the given values for everybody. Any
 * other flag does not exist. Throws: a TypeError if the flags are not an object.
 */
export function createOfflineClient<Flags extends object = AnyFlags>(
  flags: OfflineFlags<NoInfer<Flags>> = {} as OfflineFlags<Flags>,
): FlagClient<Flags> {
  if (!isRecord(flags))
    throw new TypeError(
      "createOfflineClient takes an object with the value of each flag, such as { checkout: true }",
    );
  const usage = new Usage(0, () => {});
  const store = new RuleStore((key) => usage.counter(key));
  const version = { revision: 0, etag: "", digest: undefined, nextSince: undefined };
  void store.apply({ kind: "full", rules: [], version });
  const evaluator = new Evaluator(store, usage, Object.entries(flags as OfflineFlags<AnyFlags>));
  const emitter = new Emitter(safeLogger(console));
  const parts = { store, emitter, evaluator, connection: undefined, fault: undefined };
  return new Client(parts) as unknown as FlagClient<Flags>;
}
