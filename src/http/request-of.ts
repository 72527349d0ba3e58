import type { Context, Env } from "hono";
import { ensureTrace, type TraceVariables } from "./trace.ts";

/**
 * Returns the data of a request that audit records and sessions store. The reason is cut off after
 * 500 characters, and the user agent after 300 characters.
 */
export const requestOf = <E extends Env & { Variables: TraceVariables }>(c: Context<E>) => ({
  traceId: ensureTrace(c).traceId,
  ip: c.req.header("CF-Connecting-IP"),
  reason: c.req.header("X-Change-Reason")?.slice(0, 500).toWellFormed(),
  bypass: c.req.header("X-Approval-Bypass") === "true",
  userAgent: c.req.header("User-Agent")?.slice(0, 300).toWellFormed(),
});
