import { sql } from "drizzle-orm";
import { increaseOf } from "../../core/platform-usage/counters.ts";
import { DAY_MS, startOfDay } from "../../core/lib/time.ts";
import { findReading, saveReading } from "./queries.ts";
import type { JobDeps } from "../deps.ts";
import { deleteAll } from "../sweep.ts";

/** How long the amounts of a day are kept, milliseconds. */
const KEEP_MS = 90 * DAY_MS;

/**
 * The hourly job that adds what was counted since its last run to the amounts of the current UTC
 * day. The amounts and the reading are stored in one transaction, so two runs at once count nothing
 * twice. Throws whatever the database throws; the next run counts what this one did not store.
 */
export async function countPlatformUsage(deps: JobDeps): Promise<void> {
  const last = await findReading(deps.db);
  const objects = await deps.platformCounters.read();
  if (!objects) return;
  const readAt = deps.now();
  const day = startOfDay(readAt);
  const increase = increaseOf(last?.objects ?? [], objects);
  await deps.record(saveReading(last, { readAt, objects }, { day, increase }));
  await deleteAll(deps, "platform_usage_days", sql`day < ${day - KEEP_MS}`);
}
