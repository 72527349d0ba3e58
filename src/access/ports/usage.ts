import type { InstanceFilter, SeenInstance } from "../../core/usage/presence.ts";
import type { Propagated, Reach } from "../../core/usage/propagation.ts";
import type {
  FlagHour,
  InstanceUsageFilter,
  UnwrittenFilter,
  UnwrittenHour,
} from "../../core/usage/usage-state.ts";

/**
 * Reads the usage objects of a project, which have the usage that the database does not have yet, the
 * usage by SDK instance, and the SDK instances. Throws: 503 when an object does not respond.
 */
export interface UsageReadPort {
  /** How often SDKs with an open event stream report usage, seconds. */
  readonly reportSeconds: number;
  /** Returns the usage of flags, or of one application, that the database may lack. */
  unwritten(projectId: number, filter: UnwrittenFilter): Promise<readonly UnwrittenHour[]>;
  /** Returns the usage of a flag by one SDK instance, of the last 48 hours. */
  instanceUsage(projectId: number, filter: InstanceUsageFilter): Promise<readonly FlagHour[]>;
  /** Returns at most `limit` SDK instances, most recently seen first. */
  instances(
    projectId: number,
    filter: InstanceFilter,
    limit: number,
  ): Promise<readonly SeenInstance[]>;
  /** Returns how far a revision has reached the SDK instances, with at most `limit` pending ones. */
  reach(projectId: number, propagated: Propagated, limit: number): Promise<Reach>;
}
