import { sql } from "drizzle-orm";
import { startOf } from "../../core/insights/series.ts";
import type { ReadDb } from "../../db/database.ts";
import type { Call } from "../../access/call.ts";
import { countsByFlag } from "../../model/insights/queries.ts";
import { environmentEntries } from "../../model/insights/unwritten-usage.ts";

/** Reads how often flags were checked in an environment in the last 24 hours, by their ids. */
export type Checks = (
  environmentId: number,
  flagIds: readonly number[],
) => Promise<ReadonlyMap<number, number>>;

export const NO_CHECKS: ReadonlyMap<number, number> = new Map();

const DAY_MS = 24 * 3_600_000;

/** Returns a function that reads checks. A call without usage, as of a job, reads none. */
export const evaluationsOf =
  ({ usage, now }: Pick<Call, "usage" | "now">, db: ReadDb, projectId: number): Checks =>
  async (environmentId, flagIds) => {
    if (!usage) return NO_CHECKS;
    // Reads the usage object first, so that the query notices usage that the object writes meanwhile.
    const asked = { environmentIds: [environmentId] };
    const unwritten = environmentEntries(await usage.unwritten(projectId, asked));
    const to = now();
    const counted = await countsByFlag(
      db,
      { id: environmentId, projectId, flagIds },
      { from: startOf("hour", to - DAY_MS), to, interval: "hour" },
      unwritten,
    );
    const sums = new Map<number, number>();
    for (const { flagId, t, f } of counted) sums.set(flagId, (sums.get(flagId) ?? 0) + t + f);
    return sums;
  };

/** Returns the number of webhook deliveries that events of these types cause. */
export async function countDeliveries(
  db: ReadDb,
  projectId: number,
  types: readonly string[],
): Promise<number> {
  if (types.length === 0) return 0;
  const counts = Array.from(
    Map.groupBy(types, (type) => type),
    ([type, some]) => [type, some.length],
  );
  const [row] = await db.select({ n: sql<number>`coalesce(sum(j.value ->> 1), 0)` }).from(
    sql`json_each(${JSON.stringify(counts)}) j CROSS JOIN integrations i ON i.project_id = ${projectId}
        AND i.enabled = 1 AND i.deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM json_each(i.events) WHERE value = j.value ->> 0)`,
  );
  return row?.n ?? 0;
}
