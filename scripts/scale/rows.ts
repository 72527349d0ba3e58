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
   * The table `counted_reports`. A usage report writes one row and two indexes. Its later deletion
   * counts as one row.
   */
  report: { read: 15, written: 3, deleted: 1 },
  /**
   * The table `instance_usage`. The first usage report of an SDK instance in an hour inserts a row
   * (`begun`). Later reports update this row (`written`). `readAFlag` is per flag in a report, and
   * `readAVariant` per variant of such a flag.
   */
  instanceHour: { readAFlag: 3.5, readAVariant: 5, written: 1, begun: 4, deleted: 1 },
  /**
   * The table `flag_usage`, for one flag and environment. The first transaction of an hour inserts
   * a row (`begun`). Later transactions update this row (`written`).
   */
  flagHour: { read: 4, written: 1, begun: 4, deleted: 1 },
  /** The table `flag_variant_usage`, for one variant of a flag, in the same way. */
  variantHour: { read: 4, written: 1, begun: 2, deleted: 1 },
  /** The table `client_instances`: a last-seen mark writes one row and one index. */
  lastSeenMark: { read: 3, written: 2 },
} as const;

/**
 * The size of a row in the database, bytes. It assumes that names and ids are as long as UUIDs, and
 * that flag keys have a common length.
 */
export const BYTES = {
  report: 117,
  instanceHour: 194,
  instanceHourAFlag: 31,
  instanceHourAVariant: 15,
  flagHour: 78,
  variantHour: 64,
  instance: 190,
} as const;

/**
 * Bytes of JSON in a queue message: a report, each flag in the report, each variant of such a flag,
 * and a last-seen mark.
 */
export const MESSAGE_BYTES = {
  report: 200,
  reportAFlag: 30,
  reportAVariant: 15,
  lastSeenMark: 200,
} as const;
/** Bytes of JSON of one rule in a snapshot. */
export const RULE_BYTES = 345;
