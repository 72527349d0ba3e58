import { foreignKey, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { VariantCounts } from "../../core/usage/message-types.ts";
import { time } from "./columns.ts";
import { environments, flags } from "./projects.ts";

const flagId = () =>
  integer("flag_id")
    .notNull()
    .references(() => flags.id, { onDelete: "cascade" });
const environmentId = () =>
  integer("environment_id")
    .notNull()
    .references(() => environments.id, { onDelete: "cascade" });

/**
 * How often a flag was true (`t`) and false (`f`) in an environment per hour, and how often its
 * variants were served. Rows are kept for 90 days and then added to `flag_usage_days`. The usage of
 * an hour is written after the hour (src/core/usage/usage-state.ts). The table has no rowid and no
 * index, so that each flag costs one written row per hour. For the same reason the environment is
 * not a foreign key: deleting an environment would need an index on it.
 */
export const usageHours = sqliteTable(
  "usage_hours",
  {
    flagId: flagId(),
    environmentId: integer("environment_id").notNull(),
    /** The start of the hour in epoch milliseconds. */
    hour: time("hour").notNull(),
    t: integer("t").notNull(),
    f: integer("f").notNull(),
    /** The counts by variant key; null if no report has variants. */
    variants: text("variants", { mode: "json" }).$type<VariantCounts>(),
  },
  (t) => [primaryKey({ columns: [t.flagId, t.environmentId, t.hour] })],
);

/**
 * The usage of a flag as `app_usage` stores it: how often the flag was true, how often it was false,
 * and how often each variant was served, if a report has variants.
 */
export type StoredCounts = readonly [t: number, f: number, variants?: VariantCounts];

/**
 * The flag evaluations that the SDKs of one application reported in one hour. Rows are kept for 30
 * days. The table has no rowid.
 */
export const appUsage = sqliteTable(
  "app_usage",
  {
    environmentId: environmentId(),
    appName: text("app_name").notNull(),
    hour: time("hour").notNull(),
    /** The counts by flag key. */
    evaluations: text("evaluations", { mode: "json" })
      .$type<Readonly<Record<string, StoredCounts>>>()
      .notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.appName, t.hour] }),
    index("app_usage_hour").on(t.hour),
  ],
);

/**
 * The ids of the writes of `usage_hours` and `app_usage`. A usage object repeats a write when it does
 * not know whether the write succeeded, and the id makes the repetition fail. Rows are kept for a
 * day. The table has no rowid.
 */
export const usageWrites = sqliteTable("usage_writes", {
  id: text("id").primaryKey(),
  at: time("at").notNull(),
});

/**
 * How often a flag was true (`t`) and false (`f`) in an environment per UTC day, for the days that
 * `usage_hours` no longer contains. Rows are kept for 2 years.
 */
export const flagUsageDays = sqliteTable(
  "flag_usage_days",
  {
    flagId: flagId(),
    environmentId: environmentId(),
    /** The start of the UTC day in epoch milliseconds. */
    day: time("day").notNull(),
    t: integer("t").notNull(),
    f: integer("f").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.environmentId, t.day] }),
    index("flag_usage_days_environment").on(t.environmentId, t.day),
    index("flag_usage_days_day").on(t.day),
  ],
);

/**
 * How often a variant of a flag was served (`n`) in an environment per UTC day. A row is deleted
 * together with the row of `flag_usage_days` for the same flag, environment and day.
 */
export const flagVariantUsageDays = sqliteTable(
  "flag_variant_usage_days",
  {
    flagId: integer("flag_id").notNull(),
    environmentId: integer("environment_id").notNull(),
    day: time("day").notNull(),
    variant: text("variant").notNull(),
    n: integer("n").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.environmentId, t.day, t.variant] }),
    foreignKey({
      columns: [t.flagId, t.environmentId, t.day],
      foreignColumns: [flagUsageDays.flagId, flagUsageDays.environmentId, flagUsageDays.day],
    }).onDelete("cascade"),
  ],
);
