import { and, asc, desc, eq, gte, not, sql } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { environments } from "../../db/schema/projects.ts";
import { clientInstances } from "../../db/schema/usage.ts";

type InstanceRow = Awaited<ReturnType<typeof listInstances>>[number];
export type Instances = readonly InstanceRow[];
export type PendingInstances = readonly Awaited<ReturnType<typeof pendingInstances>>[number][];

export interface InstanceFilter {
  readonly projectId: number;
  readonly environmentId?: number | undefined;
  readonly appName?: string | undefined;
}

/**
 * Returns the SDK instances of a project, most recently seen first. Each row contains the newest
 * revision of the instance's environment.
 */
export function listInstances(db: ReadDb, filter: InstanceFilter, limit: number) {
  const { projectId, environmentId, appName } = filter;
  const seen = clientInstances;
  return db
    .select({
      environmentId: seen.environmentId,
      instanceId: seen.instanceId,
      appName: seen.appName,
      sdkVersion: seen.sdkVersion,
      firstSeenAt: seen.firstSeenAt,
      lastSeenAt: seen.lastSeenAt,
      revision: seen.revision,
      newestRevision: environments.revision,
    })
    .from(seen)
    .innerJoin(environments, eq(environments.id, seen.environmentId))
    .where(
      and(
        eq(environments.projectId, projectId),
        environmentId === undefined ? undefined : eq(seen.environmentId, environmentId),
        appName === undefined ? undefined : eq(seen.appName, appName),
      ),
    )
    .orderBy(
      desc(seen.lastSeenAt),
      asc(seen.environmentId),
      asc(seen.instanceId),
      asc(seen.appName),
    )
    .limit(limit);
}

/**
 * The newest revision of an environment, and which SDK instances of the environment are counted.
 */
export interface Propagated {
  readonly id: number;
  readonly revision: number;
  /** The time of the change that created the revision, in epoch milliseconds. */
  readonly changedAt: number;
  /** Only SDK instances that were seen at or after this time are counted. Epoch milliseconds. */
  readonly seenSince: number;
}

const recentlySeen = ({ id, seenSince }: Propagated) =>
  and(eq(clientInstances.environmentId, id), gte(clientInstances.lastSeenAt, seenSince));

/**
 * Returns the SQL condition for an SDK instance that is up to date: the instance reported the
 * revision or a newer one, or it reported none and was first seen after the change.
 */
const upToDate = ({ revision, changedAt }: Propagated) =>
  sql`coalesce(${clientInstances.revision} >= ${revision}, ${clientInstances.firstSeenAt} > ${changedAt})`;

/**
 * Returns one row: how many SDK instances are known, how many of them are up to date, and how many
 * milliseconds after the change the slowest of these was first seen with its revision.
 */
export const countInstances = (db: ReadDb, propagated: Propagated) =>
  db
    .select({
      known: sql<number>`count(*)`,
      upToDate: sql<number>`coalesce(sum(${upToDate(propagated)}), 0)`,
      // An SDK instance that was first seen after the change does not count. `max(0, …)` corrects
      // clocks that differ slightly.
      slowestMs: sql<number | null>`max(CASE WHEN ${upToDate(propagated)}
        AND ${clientInstances.firstSeenAt} <= ${propagated.changedAt}
        THEN max(0, ${clientInstances.revisionSeenAt} - ${propagated.changedAt}) END)`,
    })
    .from(clientInstances)
    .where(recentlySeen(propagated));

/** Returns the SDK instances that are not up to date, least recently seen first. */
export const pendingInstances = (db: ReadDb, propagated: Propagated, limit: number) =>
  db
    .select({
      instanceId: clientInstances.instanceId,
      appName: clientInstances.appName,
      revision: clientInstances.revision,
      lastSeenAt: clientInstances.lastSeenAt,
    })
    .from(clientInstances)
    .where(and(recentlySeen(propagated), not(upToDate(propagated))))
    .orderBy(
      asc(clientInstances.lastSeenAt),
      asc(clientInstances.instanceId),
      asc(clientInstances.appName),
    )
    .limit(limit);
