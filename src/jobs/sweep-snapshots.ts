import { environments } from "../db/schema/projects.ts";
import { inIds } from "../db/ids.ts";
import type { JobDeps } from "./deps.ts";

/** The most snapshots that one run deletes. Each deletion is a call to KV. */
const MAX_DELETED = 200;

/**
 * The hourly job that deletes the snapshots of environments that do not exist from KV. The service
 * deletes such a snapshot when it deletes the environment, but that write to KV may be lost. Throws
 * the errors of KV or the database; the next run continues.
 */
export async function sweepSnapshots({ db, snapshots }: JobDeps): Promise<void> {
  let left = MAX_DELETED;
  for await (const page of snapshots.list()) {
    const ids = page.map(({ environmentId }) => environmentId);
    const found = await db
      .select({ id: environments.id })
      .from(environments)
      .where(inIds(environments.id, ids));
    const existing = new Set(found.map(({ id }) => id));
    const orphans = page.filter(({ environmentId }) => !existing.has(environmentId));
    for (const { name } of orphans.slice(0, left)) await snapshots.delete(name);
    left -= orphans.length;
    if (left <= 0) return;
  }
}
