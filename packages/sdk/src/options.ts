import { isRecord } from "@feature-flags/evaluation/record";
import { isFunction } from "./arguments.ts";
import { FlagClientError } from "./failure.ts";
import { type Clock, type Logger, systemClock } from "./ports.ts";
import type { Snapshot } from "./snapshot.ts";
import { MAX_COUNTED_FLAGS } from "./usage.ts";

/** A snapshot; undefined or null: there is none. */
export type SnapshotOrNone = Snapshot | undefined | null;

/** Returns a snapshot, for example from a file or KV; undefined or null: there is none. */
export type SnapshotSource = () => SnapshotOrNone | Promise<SnapshotOrNone>;

/** The options of a client. All times are milliseconds. */
export interface ClientOptions {
  /** The address of the service, such as `https://flags.example.com`. */
  readonly url: string;
  /** An API key of the type SERVER. */
  readonly key: string;
  /** The name of the application, in the service's list of instances. Default: none. */
  readonly appName?: string | undefined;
  /** The name of this process, in the same list. Default: a random id. */
  readonly instanceId?: string | undefined;
  /**
   * The rules to begin with, from `client.snapshot()`, so that the client answers before its first
   * request. Default: none.
   */
  readonly bootstrap?: Snapshot | SnapshotSource | undefined;
  /**
   * How the client learns of changes. `stream`: at once. `poll`: by polls only. `manual`: only when
   * `refresh` is called; then the client has no timers, and `flush` sends the usage. Default: `stream`.
   */
  readonly updates?: "stream" | "poll" | "manual" | undefined;
  /** The interval of polls without a stream, at least 1,000. Default: 30 seconds. */
  readonly pollInterval?: number | undefined;
  /** The interval of polls while a stream is open, at least 1,000. Default: 5 minutes. */
  readonly streamPollInterval?: number | undefined;
  /**
   * After this time without a confirmation by the service, the rules count as stale. Default: 2
   * minutes, or three times `pollInterval` if that is longer. An open stream is a confirmation.
   */
  readonly staleAfter?: number | undefined;
  /** After this time without a complete response, a request fails. Default: 10 seconds. */
  readonly timeout?: number | undefined;
  /** Whether the client reports how often flags were checked. Default: true. */
  readonly reportUsage?: boolean | undefined;
  /**
   * The interval of usage reports. Default: 60 seconds, and with an open stream, after the first
   * report, what the service demands: usually 5 minutes.
   */
  readonly reportInterval?: number | undefined;
  /** The most flags of which checks are counted between two reports. Default: 10,000. */
  readonly maxCountedFlags?: number | undefined;
  /** The logger that gets messages for operators. Default: the console. */
  readonly logger?: Logger | undefined;
  /** Replaces the global `fetch`, for example for a proxy. */
  readonly fetch?: typeof fetch | undefined;
  /** Replaces the clock of the machine, for tests. */
  readonly clock?: Clock | undefined;
  /** Replaces `Math.random`, for tests. */
  readonly random?: (() => number) | undefined;
}

/** The options with their defaults. */
export interface Settings {
  readonly url: string;
  readonly updates: "stream" | "poll" | "manual";
  readonly pollInterval: number;
  readonly streamPollInterval: number;
  readonly staleAfter: number;
  readonly timeout: number;
  readonly reportUsage: boolean;
  /** Undefined: the client chooses. */
  readonly reportInterval: number | undefined;
  readonly maxCountedFlags: number;
}

/** The greatest value of an option that is a number: a day in milliseconds. */
const GREATEST = 86_400_000;

/**
 * The shortest interval of polls, milliseconds. A shorter interval was probably given in seconds.
 */
const SHORTEST_POLL_MS = 1_000;

/** The least default of `staleAfter`, milliseconds. */
const STALE_AFTER_MS = 120_000;

/** After this many failed polls without a stream, the rules are stale. */
const STALE_AFTER_POLLS = 3;

/** Fills in the defaults. Throws: INVALID_OPTION. */
export function settingsOf(options: ClientOptions): Settings {
  const { updates = "stream" } = options;
  if (!["stream", "poll", "manual"].includes(updates))
    throw invalid("updates", "must be stream, poll or manual");
  if (typeof options.key !== "string" || !/^[\x21-\x7e]+$/.test(options.key))
    throw invalid("key", "must be an API key of the type SERVER");
  for (const name of ["appName", "instanceId"] as const)
    if (typeof (options[name] ?? "") !== "string") throw invalid(name, "must be a text");
  if (typeof (options.reportUsage ?? true) !== "boolean")
    throw invalid("reportUsage", "must be true or false");
  if (!isLogger(options.logger ?? console))
    throw invalid("logger", "must have the functions warn and error");
  const { fetch: ownFetch, random, clock } = options;
  if (!isFunction(ownFetch ?? fetch)) throw invalid("fetch", "must be a function");
  if (!isFunction(random ?? Math.random)) throw invalid("random", "must be a function");
  const { now, setTimeout: set, clearTimeout: clear } = clock ?? systemClock;
  if (![now, set, clear].every(isFunction))
    throw invalid("clock", "must have the functions now, setTimeout and clearTimeout");
  const pollInterval = intervalOf(options, "pollInterval", 30_000);
  // Ignores `streamPollInterval`, because the heartbeats of an open stream confirm the rules more
  // often than polls.
  const staleAfter = Math.max(STALE_AFTER_MS, STALE_AFTER_POLLS * pollInterval);
  return {
    url: addressOf(options.url),
    updates,
    pollInterval,
    streamPollInterval: intervalOf(options, "streamPollInterval", 300_000),
    staleAfter: positive(options, "staleAfter", staleAfter),
    timeout: positive(options, "timeout", 10_000),
    reportUsage: options.reportUsage ?? true,
    reportInterval: positive(options, "reportInterval", undefined),
    maxCountedFlags: positive(options, "maxCountedFlags", MAX_COUNTED_FLAGS),
  };
}

/** Whether a value has the functions of a logger. */
export const isLogger = (value: unknown): value is Logger =>
  isRecord(value) && isFunction(value["warn"]) && isFunction(value["error"]);

type NumberOption =
  | "pollInterval"
  | "streamPollInterval"
  | "staleAfter"
  | "timeout"
  | "reportInterval"
  | "maxCountedFlags";

function positive<T extends number | undefined>(
  options: ClientOptions,
  name: NumberOption,
  fallback: T,
): number | T {
  const value: unknown = options[name] ?? undefined;
  if (value === undefined) return fallback;
  if (typeof value === "number" && value > 0 && value <= GREATEST) return value;
  throw invalid(name, `must be a number above 0, and at most ${GREATEST}`);
}

/** Returns an interval of polls. Throws: INVALID_OPTION. */
function intervalOf(
  options: ClientOptions,
  name: "pollInterval" | "streamPollInterval",
  fallback: number,
): number {
  const value = positive(options, name, fallback);
  if (value >= SHORTEST_POLL_MS) return value;
  throw invalid(name, `must be at least ${SHORTEST_POLL_MS}: ${name} is in milliseconds`);
}

/** Returns the address of the service without `/api` and a slash at the end. Throws: INVALID_OPTION. */
function addressOf(url: unknown): string {
  let parsed: URL | undefined;
  try {
    parsed = typeof url === "string" ? new URL(url) : undefined;
  } catch {
    // Ignores the error, which is reported below.
  }
  const isAddress =
    parsed !== undefined &&
    /^https?:$/.test(parsed.protocol) &&
    parsed.search === "" &&
    parsed.hash === "" &&
    parsed.username === "";
  if (!isAddress)
    throw invalid("url", "must be the address of the service, such as https://flags.example.com");
  return `${parsed?.origin}${parsed?.pathname}`.replace(/\/+$/, "").replace(/\/api$/, "");
}

const invalid = (option: string, message: string): FlagClientError =>
  new FlagClientError("INVALID_OPTION", `The option ${option} ${message}`);
