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
 * index, so that a flag and hour costs one row. For the same reason the environment is not a foreign
 * key: its deletion would need an index.
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
      .$type<Readonly<Record<string, InstanceCounts>>>()
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
 * The usage of flags per hour, as releases before `usage_hours` wrote it. Rows are kept for 90 days.
 */
export const flagUsage = sqliteTable(
  "flag_usage",
  {
    flagId: flagId(),
    environmentId: environmentId(),
    /** The start of the hour in epoch milliseconds. */
    hour: time("hour").notNull(),
    t: integer("t").notNull(),
    f: integer("f").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.environmentId, t.hour] }),
    index("flag_usage_environment").on(t.environmentId, t.hour),
    index("flag_usage_hour").on(t.hour),
  ],
);

/**
 * How often a flag was true (`t`) and false (`f`) in an environment per UTC day, for the days that
 * `flag_usage` no longer contains. Rows are kept for 2 years.
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
 * How often a variant of a flag was served (`n`) in an environment per hour, as releases before
 * `usage_hours` wrote it. A row is deleted
 * together with the row of `flag_usage` for the same flag, environment and hour.
 */
export const flagVariantUsage = sqliteTable(
  "flag_variant_usage",
  {
    flagId: integer("flag_id").notNull(),
    environmentId: integer("environment_id").notNull(),
    hour: time("hour").notNull(),
    /** The key of the variant. The flag may no longer have the variant. */
    variant: text("variant").notNull(),
    n: integer("n").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.environmentId, t.hour, t.variant] }),
    foreignKey({
      columns: [t.flagId, t.environmentId, t.hour],
      foreignColumns: [flagUsage.flagId, flagUsage.environmentId, flagUsage.hour],
    }).onDelete("cascade"),
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

/**
 * The usage of a flag as `instance_usage` stores it: how often the flag was true, how often it was
 * false, and how often each variant was served, if a report has variants.
 */
export type InstanceCounts = readonly [t: number, f: number, variants?: VariantCounts];

/**
 * The flag evaluations that one SDK instance, or one application, reported in one hour, as releases
 * before `app_usage` wrote it. Rows are kept for 7 days. Today the usage object keeps the usage by
 * instance.
 */
export const instanceUsage = sqliteTable(
  "instance_usage",
  {
    environmentId: environmentId(),
    hour: time("hour").notNull(),
    appName: text("app_name").notNull(),
    instanceId: text("instance_id").notNull(),
    /** The counts by flag key. One row holds any number of flags. */
    evaluations: text("evaluations", { mode: "json" })
      .$type<Readonly<Record<string, InstanceCounts>>>()
      .notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.instanceId, t.appName, t.hour] }),
    index("instance_usage_app").on(t.environmentId, t.appName, t.hour),
    index("instance_usage_hour").on(t.hour),
  ],
);

/**
 * The SDK instances, as releases before the usage objects wrote them. Each usage object imports the
 * instances of its project once. An instance that reports no application name has the name "".
 */
export const clientInstances = sqliteTable(
  "client_instances",
  {
    environmentId: environmentId(),
    instanceId: text("instance_id").notNull(),
    appName: text("app_name").notNull(),
    sdkVersion: text("sdk_version"),
    firstSeenAt: time("first_seen_at").notNull(),
    lastSeenAt: time("last_seen_at").notNull(),
    /**
     * The newest revision of the environment that the instance fetched or reported; null if
     * unknown.
     */
    revision: integer("revision"),
    /**
     * The time when the instance was first seen with the revision in `revision`; null if `revision`
     * is null.
     */
    revisionSeenAt: time("revision_seen_at"),
    /** The features of the SDK, such as `rules`; null if unknown. */
    sdkFeatures: text("sdk_features", { mode: "json" }).$type<readonly string[]>(),
    /**
     * When the instance last fetched rules, accurate to an hour; null if it has not fetched any since
     * the column exists. An instance that fetches rules evaluates flags itself.
     */
    rulesFetchedAt: time("rules_fetched_at"),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.instanceId, t.appName] }),
    index("client_instances_seen").on(t.environmentId, t.lastSeenAt),
  ],
);

/**
 * The ids of the usage reports that releases before the usage objects counted. If the queue delivers
 * such a report again, the report is not counted again. Rows are kept for a day.
 */
export const countedReports = sqliteTable(
  "counted_reports",
  { id: text("id").primaryKey(), at: time("at").notNull() },
  (t) => [index("counted_reports_at").on(t.at)],
);
