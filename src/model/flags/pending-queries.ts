import { sql } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { inList } from "../../db/json-list.ts";
import { isActive } from "../ramps/queries.ts";

/** What waits for a flag: how many change requests and ramps. */
export interface Pending {
  readonly flagId: number;
  /** The open change requests that the service does not apply at a time. */
  readonly changeRequests: number;
  readonly scheduled: number;
  readonly ramps: number;
}

/**
 * Returns what waits for flags. A flag for which nothing waits is missing. The cross join makes SQLite
 * begin with the operations of the flags, and not with all open requests.
 */
export const pendingOf = (db: ReadDb, flagIds: readonly number[]) =>
  db
    .select({
      flagId: sql<number>`flag_id`.as("flag_id"),
      changeRequests: sql<number>`sum(kind = 'request')`.as("requests"),
      scheduled: sql<number>`sum(kind = 'scheduled')`.as("scheduled"),
      ramps: sql<number>`sum(kind = 'ramp')`.as("ramps"),
    })
    .from(
      sql`(SELECT DISTINCT o.target_id AS flag_id, r.id,
          iif(r.apply_at IS NULL, 'request', 'scheduled') AS kind
        FROM change_request_operations o CROSS JOIN change_requests r ON r.id = o.request_id
        WHERE o.target_id IN ${inList(flagIds)} AND o.kind <> 'segment.update' AND r.state = 'open'
        UNION ALL SELECT flag_id, id, 'ramp' FROM ramps
        WHERE flag_id IN ${inList(flagIds)} AND ${isActive})`,
    )
    .groupBy(sql`flag_id`);
