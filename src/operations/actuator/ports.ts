import type { TraceVariables } from "../../http/trace.ts";

/** The endpoints below `/actuator` (docs/decisions.md, 5.1). */
export const ENDPOINTS = ["health", "info", "metrics", "prometheus"] as const;
type Endpoint = (typeof ENDPOINTS)[number];

/** What the operational endpoints need of one request's outside world. */
export interface ActuatorDeps {
  readonly exposed: readonly Endpoint[];
  /** What all but health ask for; undefined: nothing. */
  readonly token: string | undefined;
  /** What is wrong with the settings; undefined: nothing. */
  readonly settingsError: () => string | undefined;
  /** How large the database is, in bytes. Errors: the database's; it may also take its time. */
  readonly databaseBytes: () => Promise<number>;
  /** The metrics of all isolates (see `Sample`). Errors: theirs who keep them. */
  readonly totals: () => Promise<ReadonlyMap<string, number>>;
  readonly info: Info;
  /** Resolves after that many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  /** Reports a fault. */
  readonly fault: (what: string, error: unknown) => void;
}

/** What runs. */
interface Info {
  readonly name: string;
  readonly version: string;
  readonly deployment: { readonly id: string; readonly tag: string; readonly timestamp: string };
}

export interface ActuatorEnv {
  Variables: TraceVariables & { actuator: ActuatorDeps };
}
