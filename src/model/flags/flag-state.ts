import type { FlagWithTags } from "./queries.ts";

/** A flag that requires a flag, or that a flag requires. */
export interface LinkedFlag {
  readonly key: string;
  readonly archived: boolean;
}

/** A flag with all that a plan of operations needs to know about it. */
export interface FlagState extends FlagWithTags {
  /** Whether the flag is enabled in at least one environment, archived or not. */
  readonly isOnSomewhere: boolean;
  /** The flags that the flag requires, sorted by key. Read for a clone and to unarchive the flag. */
  readonly requires: readonly LinkedFlag[];
  /** The flags that require the flag, sorted by key. */
  readonly dependents: readonly LinkedFlag[];
}
