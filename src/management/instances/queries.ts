import { and, asc, desc, eq, gte, not, type SQL, sql } from "drizzle-orm";
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
  /** Only instances that evaluate flags themselves with an SDK that lacks a feature. */
  readonly lacking?: LackedFeature | undefined;
}

interface LackedFeature {
  readonly feature: string;
  /** Only instances that fetched rules at or after this time count. Epoch milliseconds. */
  readonly fetchedSince: number;
}

/**
 * Returns the SDK instances of a project, most recently seen first. Each row contains the newest
 * revision of the instance's environment.
 */
export function listInstances(db: ReadDb, filter: InstanceFilter, limit: number) {
  const { projectId, environmentId, appName, lacking } = filter;
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
      sdkFeatures: seen.sdkFeatures,
      rulesFetchedAt: seen.rulesFetchedAt,
      newestRevision: environments.revision,
    })
    .from(seen)
    .innerJoin(environments, eq(environments.id, seen.environmentId))
    .where(
      and(
        eq(environments.projectId, projectId),
        environmentId === undefined ? undefined : eq(seen.environmentId, environmentId),
        appName === undefined ? undefined : eq(seen.appName, appName),
        lacking && lacks(lacking),
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
 * Returns the SQL condition for an SDK instance that lacks a feature. An instance was last seen when
 * it last fetched rules, or later; the condition for that uses an index.
 */
const lacks = ({ feature, fetchedSince }: LackedFeature): SQL | undefined =>
  and(
    gte(clientInstances.lastSeenAt, fetchedSince),
    gte(clientInstances.rulesFetchedAt, fetchedSince),
    sql`NOT EXISTS (SELECT 1 FROM json_each(${clientInstances.sdkFeatures}) WHERE value = ${feature})`,
  );

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
 * Returns the SQL condition for an SDK instance that is up to date. Such an instance reported this
 * revision or a newer one. An instance that reported no revision is up to date if it was first seen
 * after the change.
 */
const upToDate = ({ revision, changedAt }: Propagated) =>
  sql`coalesce(${clientInstances.revision} >= ${revision}, ${clientInstances.firstSeenAt} > ${changedAt})`;

/**
 * Returns one row: the number of recently seen SDK instances, the number of these that are up to
 * date, and the longest delay between the change and an instance's first report of the new
 * revision, in milliseconds.
 */
export const countInstances = (db: ReadDb, propagated: Propagated) =>
  db
    .select({
      known: sql<number>`count(*)`,
      upToDate: sql<number>`coalesce(sum(${upToDate(propagated)}), 0)`,
      // An SDK instance that was first seen after the change is left out, because it has no delay.
      // `max(0, …)` corrects clocks that differ slightly.
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
