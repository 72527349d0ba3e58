import { and, eq, lte } from "drizzle-orm";
import { DAY_MS } from "../../core/lib/time.ts";
import { flags } from "../../db/schema/projects.ts";

/**
 * A `RELEASE` flag that is not changed for 40 days is stale: it should be removed
 * (docs/decisions.md, 2.11).
 */
const STALE_AFTER_MS = 40 * DAY_MS;

type Flag = Pick<typeof flags.$inferSelect, "flagType" | "archived" | "updatedAt">;

/** Returns whether a flag is stale at `now`, in epoch milliseconds. */
export const isStale = ({ flagType, archived, updatedAt }: Flag, now: number): boolean =>
  flagType === "RELEASE" && !archived && now - updatedAt >= STALE_AFTER_MS;

/** Returns `isStale` as an SQL condition on the table `flags`. */
export const whereStale = (now: number) =>
  and(
    eq(flags.flagType, "RELEASE"),
    eq(flags.archived, false),
    lte(flags.updatedAt, now - STALE_AFTER_MS),
  );
