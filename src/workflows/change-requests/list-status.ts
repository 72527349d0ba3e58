import { sql } from "drizzle-orm";
import { type RequestStatus, statusOf } from "../../core/change-requests/status.ts";
import type { ReadDb } from "../../db/database.ts";
import { storedNeedsApproval } from "../../changes/restrictions.ts";
import { readCurrent } from "./targets.ts";
import { findOperationsOf } from "../../model/change-requests/operation-queries.ts";
import * as queries from "../../model/change-requests/queries.ts";
import type { RequestRow } from "../../model/change-requests/queries.ts";
import { standingOf } from "./outdated.ts";

/**
 * The most bytes of contents for whose requests a list has the status. The isolate parses and hashes
 * them at once.
 */
export const MAX_BYTES = 3_000_000;

/** What an open request of a list waits for. */
export interface ListedStatus {
  /** Null for what `statusesOf` leaves out. */
  readonly status: RequestStatus | null;
  readonly approval: { readonly required: number; readonly given: number };
}

/**
 * Returns what open requests of a project wait for, by their ids, in at most five statements. Leaves out the
 * status of a request that depends on an open one, and of the oldest requests if their operations
 * together have more than `MAX_BYTES` of contents.
 */
export async function statusesOf(
  db: ReadDb,
  projectId: number,
  rows: readonly RequestRow[],
): Promise<ReadonlyMap<number, ListedStatus>> {
  const open = rows.filter(({ state }) => state === "open");
  const ids = open.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const operations = await findOperationsOf(db, ids, MAX_BYTES);
  const current = await readCurrent(db, projectId, operations);
  const needsApproval = storedNeedsApproval(sql`r.rule_change`);
  const counted = await queries.countReviews(db, ids, needsApproval);
  const counts = new Map(counted.map((row) => [row.id, row]));
  const byRequest = Map.groupBy(operations, ({ requestId }) => requestId);
  const known = await Promise.all(
    open.map(async (row): Promise<readonly [number, ListedStatus][]> => {
      const [own, reviews] = [byRequest.get(row.id), counts.get(row.id)];
      if (!reviews) return [];
      const approval = { required: reviews.required, given: reviews.approvals };
      if (!own) return [[row.id, { status: null, approval }]];
      const { isCurrent, obstacle } = await standingOf(row, own, current);
      const status = statusOf({
        isComplete: obstacle === undefined,
        isCurrent,
        isGivenUp: row.blockedBy !== null,
        isPlanned: row.nextAt !== null,
        ...reviews,
      });
      return [[row.id, { status, approval }]];
    }),
  );
  return new Map(known.flat());
}
