/**
 * The rows that D1 counts for the service's statements, measured on the local runtime where not
 * stated otherwise. test/worker/scale.test.ts measures them again. A changed index counts as a row.
 */
export const ROWS = {
  keyCheck: { read: 2 },
  build: { readAFlag: 6.5 },
  /**
   * The rows of a change of one strategy: audit record, event, revision, and one webhook delivery.
   */
  change: { read: 100, written: 30 },
  /** The rows from the claim of a webhook delivery to its success. Estimated, not measured. */
  delivery: { read: 40, written: 15 },
  /** `counted_reports`: the row and two indexes, and their later deletion. */
  report: { read: 15, written: 3, deleted: 1 },
  /**
   * `instance_usage`: one new row per hour (`begun`), otherwise an update (`written`). `readAFlag`
   * is per flag in the row.
   */
  instanceHour: { readAFlag: 3.5, written: 1, begun: 4, deleted: 1 },
  /**
   * `flag_usage`: one new row per hour (`begun`), otherwise an update, for each flag and
   * environment in a transaction.
   */
  flagHour: { read: 4, written: 1, begun: 4, deleted: 1 },
  /** `client_instances`: the row and the index on the last-seen time. */
  lastSeenMark: { read: 3, written: 2 },
} as const;

/**
 * Bytes of a row in the database, for names and ids of the length of UUIDs and common flag keys.
 */
export const BYTES = {
  report: 117,
  instanceHour: 194,
  instanceHourAFlag: 31,
  flagHour: 78,
  instance: 190,
} as const;

/** Bytes of JSON in a queue message: a report, each flag in the report, and a last-seen mark. */
export const MESSAGE_BYTES = { report: 200, reportAFlag: 30, lastSeenMark: 150 } as const;
/** Bytes of JSON of one rule in a snapshot. */
export const RULE_BYTES = 345;
