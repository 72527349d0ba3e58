import { BILL_DAYS, type Line, linesOf } from "../../core/platform-usage/bill.ts";
import { increaseOf } from "../../core/platform-usage/counters.ts";
import { DAY_MS, startOfDay } from "../../core/lib/time.ts";
import type { ManagementContext } from "../context.ts";
import * as queries from "./queries.ts";

export interface PlatformUsage {
  readonly isCounting: boolean;
  /** When the counters were read, epoch milliseconds; undefined if they were never read. */
  readonly readAt: number | undefined;
  readonly lines: readonly Line[];
}

/**
 * Returns how much the service has used of what Cloudflare bills, in the last `BILL_DAYS` days. What
 * the hourly job has not stored yet is read from the metrics objects. If one does not respond, the
 * result ends with the last run of the job.
 */
export async function getPlatformUsage(
  ctx: Pick<ManagementContext, "db" | "now" | "platformCounters">,
): Promise<PlatformUsage> {
  const now = ctx.now();
  const today = startOfDay(now);
  const from = today - (BILL_DAYS - 1) * DAY_MS;
  const { days, reading } = await queries.findUsage(ctx.db, from);
  const objects = await ctx.platformCounters.read();
  const recent = objects ? increaseOf(reading?.objects ?? [], objects) : {};
  return {
    isCounting: ctx.platformCounters.isCounting,
    readAt: objects ? now : reading?.readAt,
    lines: linesOf(days, recent, today),
  };
}
