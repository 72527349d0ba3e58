import { and, eq, lte } from "drizzle-orm";
import { DAY_MS } from "../../core/lib/time.ts";
import { flags } from "../../db/schema/projects.ts";

/** Decisions 2.11: a `RELEASE` flag that nobody touched for 40 days should be removed. */
const STALE_AFTER_MS = 40 * DAY_MS;

type Flag = Pick<typeof flags.$inferSelect, "flagType" | "archived" | "updatedAt">;

/** Whether a flag is stale; `now` in epoch milliseconds. */
export const isStale = ({ flagType, archived, updatedAt }: Flag, now: number): boolean =>
  flagType === "RELEASE" && !archived && now - updatedAt >= STALE_AFTER_MS;

/** The same as a condition on `flags`. */
export const whereStale = (now: number) =>
  and(
    eq(flags.flagType, "RELEASE"),
    eq(flags.archived, false),
    lte(flags.updatedAt, now - STALE_AFTER_MS),
  );
