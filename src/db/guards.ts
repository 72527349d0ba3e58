import { type SQL, sql } from "drizzle-orm";
import type { ApiError } from "../core/errors/api-error.ts";
import { FAILED } from "./database.ts";
import {
  fitsQuota,
  quotaCondition,
  type QuotaGuard,
  type Quotas,
  rulesTooLarge,
  type SizeGuard,
} from "./quota.ts";

/**
 * A condition of a change, which `commit` checks inside the transaction. If the condition is false,
 * nothing is written and `commit` throws.
 */
export type Guard = Check | AbsenceGuard<never>;

/**
 * A condition whose error needs no further read. `commit` can check it after the statements, too,
 * where it is a rule about the result of the change.
 */
export type Check = ConditionGuard | QuotaGuard | SizeGuard;

export interface ConditionGuard {
  /** The SQL condition that must be true, such as `EXISTS (SELECT …)`. */
  readonly holds: SQL;
  /** The error that `commit` throws if the condition is false. */
  readonly error: ApiError;
}

/** A guard that passes while a SELECT finds no row. Its error can name what the SELECT found. */
interface AbsenceGuard<Row = unknown> {
  readonly absent: SQL;
  /**
   * Returns the error that `commit` throws. `rows` has the rows that the SELECT finds after the rollback of
   * the transaction: an empty list if another request has removed the rows in the meantime.
   */
  readonly errorFor: (rows: readonly Row[]) => ApiError;
}

const FAILED_CONDITION = new RegExp(`${FAILED} (\\d+)(?: (\\d+))?`);

/**
 * Returns the statement that fails if a condition is false. SQLite has no statement that only fails,
 * so this one reads JSON at a path that is none. The error message contains the path, and thereby
 * the number of the first condition that is false, counted from `first`.
 */
export function assertions(
  conditions: readonly Guard[],
  first: number,
  quotas: Quotas,
): readonly SQL[] {
  if (conditions.length === 0) return [];
  const cases = conditions.map((guard, n) => {
    const failed = sql.raw(`'${FAILED} ${first + n}'`);
    return "bytes" in guard
      ? sql`WHEN NOT (${fitsQuota(guard, quotas)}) THEN ${failed} || ' ' || (${guard.bytes})`
      : sql`WHEN NOT (${conditionOf(guard, quotas)}) THEN ${failed}`;
  });
  return [
    sql`SELECT json_extract('{}', failed)
      FROM (SELECT CASE ${sql.join(cases, sql` `)} END AS failed) WHERE failed IS NOT NULL`,
  ];
}

function conditionOf(guard: Exclude<Guard, SizeGuard>, quotas: Quotas): SQL {
  if ("holds" in guard) return guard.holds;
  if ("absent" in guard) return sql`NOT EXISTS (${guard.absent})`;
  return quotaCondition(guard, quotas).holds;
}

/**
 * Returns the error of the condition that has failed a transaction with this error message; undefined if
 * none has. If the error names the rows that a guard found, reads these rows once more with `read`.
 */
export async function refusalOf(
  message: string,
  conditions: readonly Guard[],
  quotas: Quotas,
  read: (query: SQL) => Promise<readonly never[]>,
): Promise<ApiError | undefined> {
  const [, index, bytes] = FAILED_CONDITION.exec(message) ?? [];
  const failed = conditions[Number(index)];
  if (failed === undefined) return undefined;
  if ("holds" in failed) return failed.error;
  // A size guard that fails says how large the rules are.
  if ("bytes" in failed) return rulesTooLarge(Number(bytes), quotas);
  if ("count" in failed) return quotaCondition(failed, quotas).error;
  return failed.errorFor(await read(failed.absent));
}
