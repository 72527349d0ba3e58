import { sql } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { jsonRows } from "../../db/json-list.ts";

/** A resource, and for a strategy its environment. */
export interface ChangedResource {
  readonly entityType: string;
  readonly entityId: number;
  readonly environmentId: number | null;
}

/** Who has changed a resource last, and when (epoch milliseconds). */
export interface FieldEditor {
  /** Null if the caller may not see it. */
  readonly name: string | null;
  readonly at: number;
}

/**
 * Returns who has changed each resource last; null without a record, in the order of the resources.
 * `showsPeople`: whether the caller may see the names of users (null otherwise).
 */
export async function lastChanges(
  db: ReadDb,
  resources: readonly ChangedResource[],
  showsPeople: boolean,
): Promise<(FieldEditor | null)[]> {
  if (resources.length === 0) return [];
  const list = resources.map((one, n) => [one.entityType, one.entityId, one.environmentId, n]);
  const rows = await db
    .select({
      change: sql<string | null>`(SELECT json_object('at', a.at, 'name',
          CASE WHEN a.actor_kind <> 'user' OR ${showsPeople ? 1 : 0} THEN coalesce(u.name, a.actor_name) END)
        FROM audit a LEFT JOIN users u ON a.actor_kind = 'user' AND u.id = a.actor_id
        WHERE a.entity_id = j.value ->> 1 AND a.entity_type = j.value ->> 0
          AND (j.value ->> 2 IS NULL OR a.environment_id = j.value ->> 2)
        ORDER BY a.at DESC, a.id DESC LIMIT 1)`,
    })
    .from(sql`${jsonRows(list)} j`)
    .orderBy(sql`j.value ->> 3`);
  return rows.map(({ change }) => (change === null ? null : (JSON.parse(change) as FieldEditor)));
}
