import { and, eq, lte } from "drizzle-orm";
import { DAY_MS } from "../../core/lib/time.ts";
import { flags } from "../../db/schema/projects.ts";

/**
 * How long a `RELEASE` flag stays unchanged before it is stale: 40 days, in milliseconds. An
 * archived flag is never stale. A stale flag should be removed (docs/decisions.md, 2.11).
 */
const STALE_AFTER_MS = 40 * DAY_MS;

type Flag = Pick<typeof flags.$inferSelect, "flagType" | "archived" | "updatedAt">;

/** Returns whether a flag is stale at the time `now`, in epoch milliseconds. */
export const isStale = ({ flagType, archived, updatedAt }: Flag, now: number): boolean =>
  flagType === "RELEASE" && !archived && now - updatedAt >= STALE_AFTER_MS;

/**
 * Returns the SQL condition on the table `flags` that selects the flags for which `isStale` returns
 * true.
 */
export const whereStale = (now: number) =>
  and(
    eq(flags.flagType, "RELEASE"),
    eq(flags.archived, false),
    lte(flags.updatedAt, now - STALE_AFTER_MS),
  );
