import { and, desc, eq, gte, max, sql } from "drizzle-orm";
import { MINUTE_MS } from "../../core/lib/time.ts";
import type { ReadDb } from "../../db/database.ts";
import { environments } from "../../db/schema/projects.ts";
import { audit } from "../../db/schema/records.ts";
import type { JobDeps } from "../deps.ts";

/**
 * How long after a change the job notifies the event streams again, milliseconds. Several runs
 * repeat each change, so one lost run loses nothing.
 */
const RECENT_MS = 5 * MINUTE_MS;

/** The most environments, projects and API keys of one run. Each of them costs a call to a hub. */
const MAX_NOTIFIED = 500;
/** How many hubs are called at the same time. */
const AT_ONCE = 10;

/**
 * The job that notifies the event streams of recent changes again. A notification is lost when the
 * Worker stops after the commit, or when a Durable Object fails. An environment whose streams have
 * the change already costs one call. Throws the errors of the database.
 */
export async function notifyRecent({ db, now, notifyStreams }: JobDeps): Promise<void> {
  const recent = await db
    .select({ environmentId: environments.id, revision: environments.revision })
    .from(environments)
    .where(gte(environments.changedAt, now() - RECENT_MS))
    .orderBy(desc(environments.changedAt))
    .limit(MAX_NOTIFIED);
  await inGroups(recent, notifyStreams);
}

/**
 * The job that notifies the event streams of projects of recent changes again. A project whose
 * streams have the change already costs one call. Throws the errors of the database.
 */
export async function notifyRecentProjects({ db, now, notifyProject }: JobDeps): Promise<void> {
  await inGroups(await recentProjects(db, now() - RECENT_MS), notifyProject);
}

/** Returns the newest change of each project that changed since then, the newest first. */
export function recentProjects(db: ReadDb, since: number) {
  const projectId = sql<number>`${audit.projectId}`;
  const change = sql<number>`${max(audit.id)}`;
  return (
    db
      .select({ projectId, change })
      .from(audit)
      // Uses the operator + to keep SQLite from choosing the index of projects, which would read
      // all records.
      .where(sql`${audit.at} >= ${since} AND +${audit.projectId} IS NOT NULL`)
      .groupBy(sql`+${audit.projectId}`)
      .orderBy(desc(change))
      .limit(MAX_NOTIFIED)
  );
}

/**
 * The job that ends the streams of recently deleted API keys again. The deletion of a key ends its
 * streams before the response, but not if the Durable Objects fail then. A key costs a call of the
 * hub and of each leaf. Throws the errors of the database.
 */
export async function closeDeletedKeys({ db, now, closeStreamsOfKey }: JobDeps): Promise<void> {
  await inGroups(await deletedKeys(db, now() - RECENT_MS), closeStreamsOfKey);
}

/** Returns the API keys that were deleted since then, the last deleted first. */
export function deletedKeys(db: ReadDb, since: number) {
  const id = sql<number>`${audit.entityId}`;
  const environmentId = sql<number>`${audit.environmentId}`;
  return db
    .select({ id, environmentId })
    .from(audit)
    .where(and(eq(audit.action, "api-key.deleted"), gte(audit.at, since)))
    .orderBy(desc(audit.at))
    .limit(MAX_NOTIFIED);
}

async function inGroups<T>(items: readonly T[], notify: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map(notify));
}
