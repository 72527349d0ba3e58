import type { FlagsFile } from "./file.ts";

/**
 * The requests and responses of `POST /api/v1/projects/{id}/plan` and `/apply`. Every `path` is a
 * JSON Pointer into the file, such as `/flags/colour/environments/production/percentage`.
 */

/** The body of both requests. */
export interface PlanRequest {
  readonly file: FlagsFile;
  /** Whether to archive the flags of the file's manager that the file lacks. Default: false. */
  readonly prune?: boolean | undefined;
  /** The most flags that `prune` may archive. Default: 10, and at most 20 % of the manager's. */
  readonly pruneLimit?: number | undefined;
  /** The paths of conflicts, or of anything above them, where the file wins. Default: none. */
  readonly overwrite?: readonly string[] | undefined;
  /** The names of the only environments whose strategies change. Default: all. */
  readonly environments?: readonly string[] | undefined;
  /** What happens to changes that need an approval. Default: the apply opens a request, or fails with 409. */
  readonly protectedEnvironments?: ProtectedChoice | undefined;
}

/**
 * What an apply does with the changes that need an approval. `propose`: makes all others, and opens a
 * change request for these. `skip`: leaves the strategies of the protected environments out.
 */
export const PROTECTED_CHOICES = ["propose", "skip"] as const;
export type ProtectedChoice = (typeof PROTECTED_CHOICES)[number];

/** What an apply would do. */
export interface FilePlan {
  /** Identifies the changes. `If-Match` of an apply has it in double quotes. */
  readonly id: string;
  readonly changes: readonly PlannedChange[];
  /** The environments with changed strategies, in the order of their ids. */
  readonly environments: readonly PlannedEnvironment[];
  /** An apply fails with 409 while there are conflicts. */
  readonly conflicts: readonly Conflict[];
  /** The fields that the file no longer names. They keep their values. */
  readonly released: readonly ReleasedField[];
  readonly warnings: readonly Warning[];
  /** The number of webhook deliveries that the apply creates. */
  readonly deliveries: number;
  /** Null: no change needs an approval. */
  readonly approval: PlannedApproval | null;
}

/** The environments in which the caller may not change what the file changes, and the ways out. */
export interface PlannedApproval extends Readonly<Record<ProtectedChoice, WayOut>> {
  /** Their names. */
  readonly environments: readonly string[];
}

/** What an apply would do with one of the values of `protectedEnvironments`. */
export interface WayOut {
  /** The number of operations that the apply makes at once. */
  readonly applied: number;
  /** The number of operations that wait for an approval, or that are left out. */
  readonly held: number;
  /** Why an apply cannot go this way. Null: it can. */
  readonly problem: string | null;
}

/**
 * A changed field, or a whole resource that is new. The path of a flag that is archived or unarchived
 * ends with `/archived`, which is no field of the file.
 */
export interface PlannedChange {
  readonly path: string;
  /** The value as the file would write it. Absent for a new resource. */
  readonly before?: unknown;
  readonly after: unknown;
  /**
   * The share of ids, 0 to 1, that get another variant in this environment by all changes of the
   * flag there. An upper bound if rules have constraints or segments. Null for what belongs to no
   * environment, and if the computation would take too long.
   */
  readonly moves: number | null;
  /** The keys of the flags that use a changed segment. Absent for other changes. */
  readonly flags?: readonly string[] | undefined;
}

export interface PlannedEnvironment {
  readonly name: string;
  /** The number of flags whose strategies change. */
  readonly flags: number;
  /** The greatest `moves` of these flags. Null if one of them is unknown. */
  readonly maxMoves: number | null;
  /** The sum of `moves` times the checks of the flag in the last 24 hours. Counts checks, not users. */
  readonly checks24h: number;
}

/** A field that somebody has changed since the file was applied, or that another file manages. */
export interface Conflict {
  readonly path: string;
  /** The value that the service has. */
  readonly current: unknown;
  /** The value in the file. */
  readonly wanted: unknown;
  /** The other manager of the field. Null: the field was changed elsewhere. */
  readonly manager: string | null;
  /** The name of the user or API key that changed the flag or the segment last. Null if there is no record. */
  readonly by: string | null;
  /** When, as ISO 8601. Null if there is no record. */
  readonly at: string | null;
}

export interface ReleasedField {
  readonly path: string;
  /** The value to write into the file to reset the field. Absent for a field without a default. */
  readonly default?: unknown;
}

export interface Warning {
  readonly path: string;
  readonly message: string;
}
