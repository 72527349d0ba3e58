import type { ClientRule } from "@feature-flags/evaluation/rule";
import { isRecord } from "@feature-flags/evaluation/record";
import { isFunction } from "./arguments.ts";
import { isWithin, remaining } from "./backoff.ts";
import type { BindingCaller, FlagsBinding, RulesAnswer } from "./binding-contract.ts";
import { Checks } from "./checks.ts";
import type { FlagClient } from "./client.ts";
import type { ClientStatus } from "./connection.ts";
import { Evaluator, type JsonValue } from "./evaluator.ts";
import { FlagClientError } from "./failure.ts";
import type { AnyFlags } from "./flag-types.ts";
import { type Clock, type Logger, safeLogger, systemClock } from "./ports.ts";
import { RuleStore, type Update, type Version } from "./rule-store.ts";
import type { Snapshot } from "./snapshot.ts";
import { type Counts, MAX_COUNTED_FLAGS, Usage } from "./usage.ts";
import { SDK_VERSION } from "./version.ts";

export type {
  BindingAllOptions,
  BindingCaller,
  BindingFailure,
  BindingReport,
  DetailsOptions,
  FlagsBinding,
  ReportAnswer,
  RulesAnswer,
  RulesRequest,
} from "./binding-contract.ts";
export type { AllOptions, Details, FlagResult, JsonValue } from "./evaluator.ts";
export { FlagClientError } from "./failure.ts";
export type {
  AnyFlags,
  DeepReadonly,
  EvaluationContext,
  FlagKey,
  FlagValue,
} from "./flag-types.ts";
export type { ValueType } from "./rule-store.ts";

/** The options of a client with a service binding. All times are milliseconds. */
export interface BindingClientOptions {
  /** The service binding, with the entrypoint `Flags`. */
  readonly binding: FlagsBinding;
  /** The id of the environment. Default: the environment in the `props` of the binding. */
  readonly environment?: number | undefined;
  /** The name of the application, in the service's list of instances. Default: none. */
  readonly appName?: string | undefined;
  /** The name of the instance in the same list. Default: `worker`, for all isolates together. */
  readonly instanceId?: string | undefined;
  /** After this age of the rules, `ready` asks for changes in the background. Default: 1 second. */
  readonly refreshAfter?: number | undefined;
  /**
   * After this age of the rules, `ready` waits until the service has answered. Default: 30 seconds.
   */
  readonly maxAge?: number | undefined;
  /** After this time without an answer, a call fails. Default: 5 seconds. */
  readonly timeout?: number | undefined;
  /** Whether the client reports how often flags were checked. Default: true. */
  readonly reportUsage?: boolean | undefined;
  /** The least time between two usage reports. Default: 10 seconds. */
  readonly reportInterval?: number | undefined;
  /** Where messages go. Default: the console. */
  readonly logger?: Logger | undefined;
  /** Replaces the clock of the runtime, for tests. */
  readonly clock?: Clock | undefined;
}

/** What a client needs from a request: `ctx`, the execution context. */
export interface Background {
  waitUntil(work: Promise<unknown>): void;
}

type Check = "boolean" | "string" | "number" | "json" | "details" | "all";
type Inspection = "status" | "snapshot" | "flush" | "override" | "clearOverrides";

/** What clients with a service binding have in common with other clients. */
type Shared<Flags extends object> = Pick<FlagClient<Flags>, Check | Inspection>;

/**
 * Checks flags in a Worker of the same account. Create one for each isolate, outside of the handlers.
 * A check reads the memory of the isolate: it never waits, and it never throws. `Flags`: the type of
 * each flag's value by key.
 */
export interface BindingClient<Flags extends object = AnyFlags> extends Shared<Flags> {
  /**
   * Call this once in each request, before the request's first check. Loads the rules if there are
   * none, and asks for changes at most once a second, after the response if possible. Rejects with
   * a `FlagClientError` only while the isolate has no rules.
   */
  ready(context: Background): Promise<void>;
}

/** How often a request checks whether another request has loaded the rules, milliseconds. */
const POLL_MS = 5;

/**
 * How long the service may answer with older rules before the client accepts them, milliseconds.
 * After this time, the client assumes that the revisions of the service began again, for example
 * after its database was restored.
 */
const OLDER_ACCEPTED_MS = 600_000;

const decoder = new TextDecoder();

/**
 * The requests of an isolate share this object. The runtime forbids that a request waits for a
 * promise of another request, so the object holds plain data, and requests poll it.
 */
class Client extends Checks implements BindingClient {
  /** Undefined when the program has no such binding. */
  readonly #binding: FlagsBinding | undefined;
  readonly #environment: number | undefined;
  readonly #caller: BindingCaller;
  readonly #settings: Readonly<Record<"refreshAfter" | "maxAge" | "timeout", number>>;
  /**
   * The least time between two usage reports, milliseconds; undefined: the client sends no reports.
   */
  readonly #reportInterval: number | undefined;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #usage: Usage;
  readonly #store: RuleStore;
  readonly #evaluator: Evaluator;
  /** When the last completed call for rules began, or failed, epoch milliseconds. */
  #askedAt = -Infinity;
  /**
   * The call for rules that a request makes, and when it began, epoch milliseconds. Until its
   * timeout, other requests make no call for rules.
   */
  #loading: { readonly since: number } | undefined;
  #confirmedAt: number | undefined;
  #isStale = false;
  #error: FlagClientError | undefined;
  #reported: FlagClientError["code"] | undefined;
  #reportedAt: number | undefined;
  /**
   * Since when the service has answered with older rules than the client has, epoch milliseconds;
   * undefined: it does not.
   */
  #olderSince: number | undefined;

  constructor(given: BindingClientOptions) {
    const options: Partial<BindingClientOptions> = isRecord(given) ? given : {};
    const usage = new Usage(MAX_COUNTED_FLAGS, () => {});
    const store = new RuleStore((key) => usage.counter(key));
    const evaluator = new Evaluator(store, usage);
    super(evaluator);
    const { appName, instanceId = "worker" } = options;
    this.#binding = options.binding ?? undefined;
    this.#environment = options.environment;
    this.#caller = { appName, instanceId, sdkVersion: SDK_VERSION };
    this.#settings = {
      refreshAfter: options.refreshAfter ?? 1_000,
      maxAge: options.maxAge ?? 30_000,
      timeout: options.timeout ?? 5_000,
    };
    this.#reportInterval =
      options.reportUsage === false ? undefined : (options.reportInterval ?? 10_000);
    this.#logger = safeLogger(options.logger ?? console);
    this.#clock = options.clock ?? systemClock;
    this.#usage = usage;
    this.#store = store;
    this.#evaluator = evaluator;
  }

  async ready(given: Background): Promise<void> {
    const context: unknown = given;
    if (!isRecord(context) || !isFunction(context["waitUntil"]))
      throw new TypeError("ready takes the execution context of the request: ready(ctx)");
    this.#reportSoon(given);
    const { refreshAfter, maxAge, timeout } = this.#settings;
    const now = () => this.#clock.now();
    const mustWait = () =>
      this.#store.version === undefined || remaining(maxAge, this.#askedAt, now()) === 0;
    while (!isWithin(refreshAfter, this.#askedAt, now())) {
      if (!isWithin(timeout, this.#loading?.since ?? -Infinity, now())) {
        const loading = this.#load();
        given.waitUntil(loading);
        if (mustWait()) await loading;
        break;
      }
      if (!mustWait()) break;
      await this.#wait(POLL_MS);
    }
    if (this.#store.version === undefined)
      throw this.#error ?? new FlagClientError("TIMEOUT", "The rules have not arrived in time");
  }

  get status(): ClientStatus {
    const revision = this.#store.version?.revision;
    const isStale = this.#isStale || this.#error !== undefined;
    const held = isStale ? "stale" : "ready";
    return {
      state: revision === undefined ? "starting" : held,
      revision,
      confirmedAt: this.#confirmedAt,
      error: this.#error,
    };
  }

  snapshot(): Snapshot | undefined {
    return this.#store.snapshot();
  }

  override(key: string, value: JsonValue): void {
    this.#evaluator.override(key, value);
  }

  clearOverrides(): void {
    this.#evaluator.clearOverrides();
  }

  async flush(): Promise<boolean> {
    if (this.#reportInterval === undefined) return false;
    const reports = this.#usage.take((key) => this.#store.flags.has(key));
    const accepted = await Promise.all(reports.map((counts) => this.#report(counts)));
    return accepted.every(Boolean);
  }

  /** Sends the usage after the response, unless the last report is too recent. */
  #reportSoon(context: Background): void {
    if (this.#reportInterval === undefined) return;
    const now = this.#clock.now();
    this.#reportedAt ??= now;
    if (isWithin(this.#reportInterval, this.#reportedAt, now)) return;
    this.#reportedAt = now;
    context.waitUntil(this.flush());
  }

  async #report(evaluations: Counts): Promise<boolean> {
    const environment = this.#environment;
    const report = {
      environment,
      evaluations,
      caller: this.#caller,
      revision: this.#store.version?.revision,
    };
    try {
      const answer = await this.#inTime(this.#bound.report(report));
      if (answer.kind === "accepted") return true;
      if (answer.code === "INVALID") {
        this.#logger.error(`Feature flags: a usage report is lost: ${answer.message}`);
        return false;
      }
    } catch {
      // Ignores the error. The counts are part of the next report.
    }
    this.#usage.giveBack(evaluations);
    return false;
  }

  /** Asks for changes. Never rejects. */
  async #load(): Promise<void> {
    const beganAt = this.#clock.now();
    const loading = { since: beganAt };
    this.#loading = loading;
    try {
      await this.#inTime(this.#fetch());
      this.#askedAt = beganAt;
      this.#error = undefined;
      this.#reported = undefined;
    } catch (error) {
      this.#askedAt = this.#clock.now();
      this.#fail(error);
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  async #fetch(): Promise<void> {
    const held = this.#store.version;
    const isTooOld =
      this.#olderSince !== undefined && this.#clock.now() - this.#olderSince >= OLDER_ACCEPTED_MS;
    const isOlder = ({ version }: Answer) =>
      !isTooOld && version.revision < (this.#store.version?.revision ?? 0);
    let answer = await this.#ask(isTooOld ? undefined : held);
    if (!isOlder(answer) && answer.update !== undefined && !this.#store.fits(answer.update))
      answer = await this.#ask(undefined);
    if (isOlder(answer)) {
      const now = this.#clock.now();
      // Takes the earlier time, because the clock may have been set back.
      this.#olderSince = Math.min(this.#olderSince ?? now, now);
      this.#isStale = true;
      return;
    }
    this.#olderSince = undefined;
    if (answer.update === undefined) this.#store.confirm(answer.version);
    else await this.#store.apply(answer.update);
    this.#isStale = answer.isStale;
    if (!answer.isStale) this.#confirmedAt = this.#clock.now();
  }

  /** Throws: INVALID_OPTION without a binding. */
  get #bound(): FlagsBinding {
    if (this.#binding !== undefined) return this.#binding;
    throw new FlagClientError(
      "INVALID_OPTION",
      "The option binding must be a service binding with the entrypoint Flags, such as env.FLAGS",
    );
  }

  /** Calls the service for the rules that differ from those of a version. Throws: FlagClientError. */
  async #ask(held: Version | undefined): Promise<Answer> {
    const answer = await this.#bound.rules({
      environment: this.#environment,
      caller: this.#caller,
      ...(held && {
        etag: held.etag,
        // Asks for all rules if there is no digest, without which the client could not tell whether
        // a delta fits.
        since: held.digest === undefined ? undefined : held.nextSince,
        minRevision: held.revision,
      }),
    });
    if (answer.kind === "failed") throw failureOf(answer);
    const { kind, rules, revision, etag, digest, nextSince, isStale } = answer;
    const version = { revision, etag, digest, nextSince };
    if (kind === "unchanged") return { version, update: undefined, isStale };
    const list = JSON.parse(decoder.decode(rules)) as ClientRule[];
    return { version, update: { kind, rules: list, version }, isStale };
  }

  #fail(given: unknown): void {
    const error =
      given instanceof FlagClientError
        ? given
        : new FlagClientError("UNREACHABLE", `The service binding has failed: ${String(given)}`);
    this.#error = error;
    if (this.#reported === error.code) return;
    this.#reported = error.code;
    this.#logger.error(`Feature flags: ${error.message}`);
  }

  /** Returns the result of a call. Throws: TIMEOUT, and the errors of the call. */
  #inTime<T>(call: Promise<T>): Promise<T> {
    const { timeout } = this.#settings;
    return new Promise((resolve, reject) => {
      const timer = this.#clock.setTimeout(() => {
        const message = `The service binding has not answered within ${timeout} ms`;
        reject(new FlagClientError("TIMEOUT", message));
      }, timeout);
      void call.then(resolve, reject).finally(() => this.#clock.clearTimeout(timer));
    });
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.setTimeout(resolve, ms);
    });
  }
}

/**
 * The rules in an answer of the service. `update`: undefined when the client has the newest rules.
 */
interface Answer {
  readonly version: Version;
  readonly update: Update | undefined;
  readonly isStale: boolean;
}

const CODES = {
  NOT_FOUND: "NOT_FOUND",
  INVALID: "INVALID_OPTION",
  UNAVAILABLE: "UNAVAILABLE",
} as const;

const failureOf = (answer: Extract<RulesAnswer, { kind: "failed" }>): FlagClientError =>
  new FlagClientError(CODES[answer.code], answer.message);

/**
 * Creates a client that reads the rules through a service binding. The client makes no call before
 * `ready`.
 */
export function createBindingClient<Flags extends object = AnyFlags>(
  options: BindingClientOptions,
): BindingClient<Flags> {
  return new Client(options) as unknown as BindingClient<Flags>;
}
