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

/** Instances of a project, most recently seen first; each with the revision there is to be had. */
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

/** A revision of an environment, and since when an instance must have been silent not to count. */
export interface Propagated {
  readonly id: number;
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly changedAt: number;
  readonly seenSince: number;
}

const recentlySeen = ({ id, seenSince }: Propagated) =>
  and(eq(clientInstances.environmentId, id), gte(clientInstances.lastSeenAt, seenSince));

/** It has told the revision; or none at all, but it began after the change. */
const upToDate = ({ revision, changedAt }: Propagated) =>
  sql`coalesce(${clientInstances.revision} >= ${revision}, ${clientInstances.firstSeenAt} > ${changedAt})`;

/** One row: how many instances there are, how many are up to date, and how long the slowest took. */
export const countInstances = (db: ReadDb, propagated: Propagated) =>
  db
    .select({
      known: sql<number>`count(*)`,
      upToDate: sql<number>`coalesce(sum(${upToDate(propagated)}), 0)`,
      // Those that began later had nothing to wait for; two clocks may differ by a little.
      slowestMs: sql<number | null>`max(CASE WHEN ${upToDate(propagated)}
        AND ${clientInstances.firstSeenAt} <= ${propagated.changedAt}
        THEN max(0, ${clientInstances.revisionSeenAt} - ${propagated.changedAt}) END)`,
    })
    .from(clientInstances)
    .where(recentlySeen(propagated));

/** Those that are not up to date, the longest silent first. */
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
