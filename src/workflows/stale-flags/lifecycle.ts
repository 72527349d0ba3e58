import type { AuditEntry } from "../../db/audit.ts";
import type { DomainEvent } from "../../db/outbox.ts";
import { iso } from "../../http/schema.ts";
import { type Call, reads, writes } from "../../access/call.ts";
import { repeatStale } from "../../model/optimistic-update.ts";
import * as queries from "../../model/flags/stale-queries.ts";
import type { NewlyStaleFlag } from "../../model/flags/stale-queries.ts";

/** The maximum number of flags that one call of `markStaleFlags` marks, in one transaction. */
export const MAX_MARKED = 200;

/**
 * Returns the ids of at most `limit` projects in which `markStaleFlags` would mark flags, in random
 * order. Throws: 403.
 */
export async function projectsToMark(
  call: Call,
  { limit }: { readonly limit: number },
): Promise<number[]> {
  const { db, now } = reads(call, "flag:read");
  const found = await queries.projectsWithNewlyStale(db, now(), limit);
  return found.map(({ id }) => id);
}

/**
 * Marks at most `MAX_MARKED` flags of a project that have become stale, and returns their number.
 * Writes an audit record and the event `flag.stale` for each. A flag is marked again only after it
 * has changed and has become stale once more. A mark keeps the version, the ETag and the rules.
 * Throws: 403; 409 if other requests change some of the flags during every attempt.
 */
export async function markStaleFlags(
  call: Call,
  { projectId }: { readonly projectId: number },
): Promise<number> {
  const { db, commit, now } = writes(call, "flag:write", { projectId });
  return repeatStale(async () => {
    const at = now();
    const found = await queries.newlyStaleFlags(db, projectId, at, MAX_MARKED);
    const ids = found.map(({ id }) => id);
    const [first, ...others] = found.map(auditOf);
    if (!first) return 0;
    await commit({
      guards: [queries.stillNewlyStale(projectId, at, ids)],
      statements: [queries.markStale(ids)],
      audit: [first, ...others],
      events: found.map(staleEvent),
    });
    return ids.length;
  });
}

const auditOf = (flag: NewlyStaleFlag): AuditEntry => ({
  action: "flag.stale",
  entityType: "flag",
  entityId: flag.id,
  projectId: flag.projectId,
  after: stalenessOf(flag),
});

const staleEvent = (flag: NewlyStaleFlag): DomainEvent => ({
  type: "flag.stale",
  projectId: flag.projectId,
  entityId: flag.id,
  data: { flag: { key: flag.key, name: flag.name, ...stalenessOf(flag) } },
});

/** Returns since when a flag is unchanged, and the setting of its project. */
const stalenessOf = ({ updatedAt, staleDays }: NewlyStaleFlag) => ({
  updatedAt: iso(updatedAt),
  staleDays,
});
