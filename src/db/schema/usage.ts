import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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
 * How often a flag was true (`t`) and false (`f`) in an environment per hour. Rows are kept for 90
 * days and then added to `flag_usage_days`.
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

/** The flag evaluations that one SDK instance reported in one hour. Rows are kept for 7 days. */
export const instanceUsage = sqliteTable(
  "instance_usage",
  {
    environmentId: environmentId(),
    hour: time("hour").notNull(),
    appName: text("app_name").notNull(),
    instanceId: text("instance_id").notNull(),
    /**
     * The counts of each flag: `{<flag key>: [true count, false count]}`. One row holds any number
     * of flags.
     */
    evaluations: text("evaluations", { mode: "json" })
      .$type<Readonly<Record<string, readonly [number, number]>>>()
      .notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.instanceId, t.appName, t.hour] }),
    index("instance_usage_app").on(t.environmentId, t.appName, t.hour),
    index("instance_usage_hour").on(t.hour),
  ],
);

/**
 * The SDK instances that were seen within the last 7 days. An instance that reports no application
 * name has the name "".
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
     * The time when the instance was first seen with the revision in `revision`; null if that is
     * null.
     */
    revisionSeenAt: time("revision_seen_at"),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.instanceId, t.appName] }),
    index("client_instances_seen").on(t.environmentId, t.lastSeenAt),
  ],
);

/**
 * The ids of the usage reports that are already counted, because the queue may deliver the same
 * report twice. Rows are kept for a day.
 */
export const countedReports = sqliteTable(
  "counted_reports",
  { id: text("id").primaryKey(), at: time("at").notNull() },
  (t) => [index("counted_reports_at").on(t.at)],
);
