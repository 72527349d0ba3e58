import { desc, gte } from "drizzle-orm";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { environments } from "../../db/schema/projects.ts";
import type { JobDeps } from "../deps.ts";

/**
 * How long after a change the job notifies the event streams again, milliseconds. Several runs
 * repeat each change, so one lost run loses nothing.
 */
export const RECENT_MS = 5 * MINUTE_MS;

/** The most environments of one run. Each costs a call. */
const MAX_ENVIRONMENTS = 500;
/** How many environments are notified at the same time. */
const AT_ONCE = 10;

/**
 * The job that notifies the event streams of recent changes again. A notification is lost when the
 * Worker stops after the commit, or when a Durable Object fails. An environment whose streams have
 * the change already costs one call. Throws whatever the database throws.
 */
export async function notifyRecent({ db, now, notifyStreams }: JobDeps): Promise<void> {
  const recent = await db
    .select({ environmentId: environments.id, revision: environments.revision })
    .from(environments)
    .where(gte(environments.changedAt, now() - RECENT_MS))
    .orderBy(desc(environments.changedAt))
    .limit(MAX_ENVIRONMENTS);
  for (let start = 0; start < recent.length; start += AT_ONCE)
    await Promise.all(recent.slice(start, start + AT_ONCE).map(notifyStreams));
}
