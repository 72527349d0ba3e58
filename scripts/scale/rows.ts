/**
 * Rows that D1 counts for the service's own statements, and bytes that they leave, as measured on
 * the local runtime; test/worker/scale.test.ts measures the rows again. An index counts as a row.
 */
export const ROWS = {
  keyCheck: { read: 2 },
  build: { readAFlag: 6.5 },
  /** One strategy changed: with audit record, event, revision, and a delivery handed over. */
  change: { read: 100, written: 30 },
  /** From the claim of a webhook delivery to its success; not measured. */
  delivery: { read: 40, written: 15 },
  /** `counted_reports`: the row and two indexes; later it is deleted. */
  report: { read: 15, written: 3, deleted: 1 },
  /** `instance_usage`: once an hour a new row, else the same again; `read` for each flag in it. */
  instanceHour: { readAFlag: 3.5, written: 1, begun: 4, deleted: 1 },
  /** `flag_usage`, for each flag and environment in a transaction. */
  flagHour: { read: 4, written: 1, begun: 4, deleted: 1 },
  /** `client_instances`: the row and the index that holds when it was seen. */
  sighting: { read: 3, written: 2 },
} as const;

/** Bytes in the database; names and ids as long as UUIDs and usual flag keys. */
export const BYTES = {
  report: 117,
  instanceHour: 194,
  instanceHourAFlag: 31,
  flagHour: 78,
  instance: 190,
} as const;

/** Bytes of JSON on the way: a report and each flag in it, a sighting, a rule in a snapshot. */
export const MESSAGE_BYTES = { report: 200, reportAFlag: 30, sighting: 150 } as const;
export const RULE_BYTES = 345;
