import type { TraceVariables } from "../../http/trace.ts";

/** The operational endpoints below `/actuator` (docs/decisions.md, 5.1). */
export const ENDPOINTS = ["health", "info", "metrics", "prometheus"] as const;
type Endpoint = (typeof ENDPOINTS)[number];

/** What the operational endpoints need during one request. */
export interface ActuatorDeps {
  readonly exposed: readonly Endpoint[];
  /** The bearer token for all endpoints but `health`; undefined: no token is needed. */
  readonly token: string | undefined;
  /**
   * Returns a sentence that says which setting is invalid; undefined when all settings are valid.
   */
  readonly settingsError: () => string | undefined;
  /** Returns the size of the database in bytes. Throws whatever the database throws. */
  readonly databaseBytes: () => Promise<number>;
  /**
   * Returns the metrics of all isolates: the value of each sample by the sample's key. Throws when
   * a metrics object fails or does not respond.
   */
  readonly totals: () => Promise<ReadonlyMap<string, number>>;
  readonly info: Info;
  /** Returns a promise that resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  /** Logs and counts a fault. */
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
