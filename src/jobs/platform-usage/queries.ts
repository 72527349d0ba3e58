import { sql } from "drizzle-orm";
import type { Amounts } from "../../core/platform-usage/counters.ts";
import type { Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { platformReading, platformUsageDays } from "../../db/schema/platform.ts";

type Reading = typeof platformReading.$inferSelect;

/** Returns the last reading of the counters; undefined before the first. */
export const findReading = async (db: ReadDb): Promise<Reading | undefined> =>
  (await db.select().from(platformReading))[0];

/**
 * Returns the statements that store a new reading, and add the increase since `last` to the amounts
 * of a day. If another reading was stored after `last`, the statements change nothing.
 */
export function saveReading(
  last: Reading | undefined,
  next: Pick<Reading, "readAt" | "objects">,
  { day, increase }: { readonly day: number; readonly increase: Amounts },
): readonly Statement[] {
  const isLast = last
    ? sql`EXISTS (SELECT 1 FROM ${platformReading} WHERE version = ${last.version})`
    : sql`NOT EXISTS (SELECT 1 FROM ${platformReading})`;
  return [
    sql`INSERT INTO ${platformUsageDays} (day, counter, amount)
      SELECT ${day}, key, value FROM json_each(${JSON.stringify(increase)}) WHERE ${isLast}
      ON CONFLICT (day, counter) DO UPDATE SET amount = amount + excluded.amount`,
    sql`INSERT INTO ${platformReading} (id, read_at, objects)
      SELECT 1, ${next.readAt}, ${JSON.stringify(next.objects)} WHERE ${isLast}
      ON CONFLICT (id) DO UPDATE SET read_at = excluded.read_at, objects = excluded.objects,
        version = version + 1`,
  ];
}
