import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Amounts } from "../../core/platform-usage/counters.ts";
import { time, version } from "./columns.ts";

/**
 * How much the service has used of what Cloudflare bills, per UTC day and counter (`CounterName`).
 * Rows are kept for 90 days.
 */
export const platformUsageDays = sqliteTable(
  "platform_usage_days",
  {
    /** The start of the UTC day in epoch milliseconds. */
    day: time("day").notNull(),
    counter: text("counter").notNull(),
    amount: integer("amount").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.counter] })],
);

/**
 * The counters as the job `countPlatformUsage` read them last; at most one row. The next run adds
 * only what was counted since.
 */
export const platformReading = sqliteTable(
  "platform_reading",
  {
    id: integer("id").primaryKey(),
    readAt: time("read_at").notNull(),
    /** The counters of each metrics object. */
    objects: text("objects", { mode: "json" }).$type<readonly Amounts[]>().notNull(),
    version: version(),
  },
  (t) => [check("platform_reading_once", sql`${t.id} = 1`)],
);
