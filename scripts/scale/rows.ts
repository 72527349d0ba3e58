/**
 * The rows that D1 counts for the service's statements. They are measured on the local runtime
 * unless stated otherwise, and test/worker/scale.test.ts checks them. A changed index counts as a
 * row.
 */
export const ROWS = {
  keyCheck: { read: 2 },
  build: { readAFlag: 6.5 },
  /**
   * The rows of a request that changes one strategy. They include the audit record, the event, the
   * revision and one webhook delivery.
   */
  change: { read: 100, written: 31 },
  /** The rows from the claim of a webhook delivery to its success. Estimated, not measured. */
  delivery: { read: 40, written: 15 },
  /**
   * The table `usage_hours`: one flag in one environment and hour. Its row is read once and deleted
   * when it is added to a day.
   */
  flagHour: { read: 4, written: 1, deleted: 1 },
  /** The table `app_usage`: one application in one hour. */
  appHour: { written: 2, deleted: 1 },
  /** The table `usage_writes`: the usage of one environment and hour. */
  write: { written: 1, deleted: 1 },
  /** The first hour of a day in the table `flag_usage_days`, for one flag and environment. */
  day: { written: 4 },
  /** The last use of a flag or an API key. */
  use: { read: 6, written: 1 },
  /**
   * A compaction of a usage object's log writes at least one row. (Rows of the object's own storage.)
   */
  compaction: { written: 1 },
  /** The table `instance_hours` of a usage object. */
  instanceHours: { written: 1, deleted: 1 },
} as const;

/**
 * The size of a row in the database, bytes. It assumes that names and ids are as long as UUIDs, and
 * that flag keys have a common length.
 */
export const BYTES = {
  /** A row of `usage_hours`, and each variant in it. */
  flagHour: 40,
  variant: 15,
  /** A row of `app_usage` without its counts. */
  appHour: 60,
  /** The counts of a flag by application or SDK instance, as JSON. */
  countOfFlag: 31,
  /** An SDK instance in a usage object, as JSON. */
  instance: 300,
} as const;

/**
 * Bytes of JSON in a usage batch: a report, each flag in the report, each variant of such a flag,
 * and a last-seen mark.
 */
export const MESSAGE_BYTES = {
  report: 130,
  reportAFlag: 30,
  reportAVariant: 15,
  lastSeenMark: 220,
} as const;
/** Bytes of JSON of one rule in a snapshot. */
export const RULE_BYTES = 345;
