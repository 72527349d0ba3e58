import { leastRecentFirst, type SeenInstance } from "./presence.ts";

/** The newest revision of an environment, and which SDK instances are counted. */
export interface Propagated {
  readonly environmentId: number;
  readonly revision: number;
  /** The time of the change that created the revision, epoch milliseconds. */
  readonly changedAt: number;
  /** Only SDK instances that were seen at or after this time are counted. Epoch milliseconds. */
  readonly seenSince: number;
}

/** How far a revision has reached the SDK instances of an environment. */
export interface Reach {
  /** The number of SDK instances. */
  readonly known: number;
  readonly upToDate: number;
  /**
   * The longest time from the change until an instance was seen with the revision, milliseconds;
   * null when no instance was.
   */
  readonly slowestMs: number | null;
  /** SDK instances that are not up to date, least recently seen first. */
  readonly pending: readonly SeenInstance[];
}

/**
 * Returns how far a revision has reached the given SDK instances of its environment, with at most
 * `limit` pending ones.
 */
export function reach(
  instances: readonly SeenInstance[],
  { revision, changedAt, seenSince }: Propagated,
  { limit }: { readonly limit: number },
): Reach {
  const counted = instances.filter(({ lastSeenAt }) => lastSeenAt >= seenSince);
  // Counts an instance without a revision as up to date if it was first seen after the change.
  const isUpToDate = (one: SeenInstance) =>
    one.revision === null ? one.firstSeenAt > changedAt : one.revision >= revision;
  const [upToDate, pending] = [
    counted.filter(isUpToDate),
    counted.filter((one) => !isUpToDate(one)),
  ];
  // Counts an instance that was first seen after the change as without delay. `max(0, …)`
  // corrects clocks that differ slightly.
  const delays = upToDate.flatMap(({ firstSeenAt, revisionSeenAt }) =>
    firstSeenAt <= changedAt && revisionSeenAt !== null
      ? [Math.max(0, revisionSeenAt - changedAt)]
      : [],
  );
  return {
    known: counted.length,
    upToDate: upToDate.length,
    slowestMs: delays.length === 0 ? null : delays.reduce((one, other) => Math.max(one, other)),
    pending: pending.toSorted(leastRecentFirst).slice(0, limit),
  };
}
