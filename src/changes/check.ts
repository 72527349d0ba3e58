import { ApiError } from "../core/errors/api-error.ts";
import { jsonBytes } from "../core/lib/chunks.ts";
import type { ReadDb } from "../db/database.ts";
import type { AllChangedRows } from "./changed-tables.ts";
import type { Plan } from "./plan/plan.ts";
import { assertRegexesFit } from "./regex-limit.ts";

/** Limits of a list of operations. */
export interface Bounds {
  /** The most bytes that the operations read. Undefined: those of a request of the API. */
  readonly maxReadBytes?: number | undefined;
  /**
   * The greatest size of the records and events of all operations together, bytes of JSON.
   * Undefined: no limit, for operations with different targets of limited size.
   */
  readonly maxRecordBytes?: number | undefined;
}

/** Throws: 400 if the records of a plan, or its regular expressions, are too large. */
export async function checkPlan(
  db: ReadDb,
  plan: Plan,
  changes: AllChangedRows,
  { maxRecordBytes }: Bounds,
): Promise<void> {
  if (maxRecordBytes !== undefined) assertRecordsFit(plan, maxRecordBytes);
  await assertRegexesFit(db, changes);
}

function assertRecordsFit({ work: { records } }: Plan, maxBytes: number): void {
  let bytes = 0;
  for (const { audit, event } of records) {
    bytes += jsonBytes([audit.map(({ before, after }) => [before, after]), event?.data]);
    if (bytes > maxBytes)
      throw new ApiError(
        "BAD_REQUEST",
        `The operations change more than ${maxBytes} bytes of JSON; send them in several requests`,
      );
  }
}
