import type { CachedRead } from "../core/lib/cached-read.ts";
import type { TraceVariables } from "../http/trace.ts";

/** The operational endpoints below `/actuator` (docs/build/decisions.md, 5.1). */
export const ENDPOINTS = ["health", "info", "metrics", "prometheus"] as const;
type Endpoint = (typeof ENDPOINTS)[number];

export type Status = "UP" | "DOWN";

export interface Component<Details = { readonly error: string }> {
  readonly status: Status;
  readonly details?: Details;
}

export interface Space {
  readonly total: number;
  readonly used: number;
  readonly free: number;
}

/** The body of `GET /actuator/health`. `configuration` is present only when the settings are invalid. */
export interface Health {
  readonly status: Status;
  readonly components: {
    readonly db: Component;
    readonly diskSpace: Component | Component<Space>;
    readonly configuration?: Component;
  };
}

/**
 * The reads that the requests of one isolate share (docs/build/decisions.md, 5.1), so that a flood
 * of requests costs the database and the Durable Objects nothing.
 */
export interface ActuatorCache {
  readonly health: CachedRead<Health>;
  readonly totals: CachedRead<ReadonlyMap<string, number>>;
}

/** What the operational endpoints need during one request. */
export interface ActuatorDeps {
  readonly exposed: readonly Endpoint[];
  /** The bearer token that all endpoints except `health` require. Undefined if none is required. */
  readonly token: string | undefined;
  /** Returns a sentence that says which setting is invalid; undefined when all settings are valid. */
  readonly settingsError: () => string | undefined;
  /** Counts a request without the token. Throws: 429 above the rate limit of its network. */
  readonly admit: () => void;
  /** The last results of the reads that the operational endpoints make, for this isolate. */
  readonly cache: ActuatorCache;
  /** The current time, epoch milliseconds. */
  readonly now: () => number;
  /** Lets the work continue after the request has ended. */
  readonly later: (work: Promise<unknown>) => void;
  /** Returns the size of the database in bytes. Throws the errors of the database. */
  readonly databaseBytes: () => Promise<number>;
  /**
   * Returns the metrics of all isolates: a map from each sample's key to its value. Throws when a
   * Durable Object that stores metrics fails or does not respond.
   */
  readonly totals: () => Promise<ReadonlyMap<string, number>>;
  readonly info: Info;
  /** Returns a promise that resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  readonly fault: (what: string, error: unknown) => void;
}

/** The version of the service that is running. */
interface Info {
  readonly name: string;
  readonly version: string;
  readonly deployment: { readonly id: string; readonly tag: string; readonly timestamp: string };
}

export interface ActuatorEnv {
  Variables: TraceVariables & { actuator: ActuatorDeps };
}
