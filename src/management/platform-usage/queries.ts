import { gte } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { platformReading, platformUsageDays } from "../../db/schema/platform.ts";

/** Reads the amounts since the day `from` (epoch milliseconds), and the last reading. */
export async function findUsage(db: ReadDb, from: number) {
  const [days, [reading]] = await db.batch([
    db.select().from(platformUsageDays).where(gte(platformUsageDays.day, from)),
    db.select().from(platformReading),
  ]);
  return { days, reading };
}
