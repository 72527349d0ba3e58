import type { Context, Env } from "hono";
import { ensureTrace, type TraceVariables } from "./trace.ts";

/**
 * Returns the data of a request that an audit record contains. The reason and the user agent are
 * cut off after 500 and 300 characters.
 */
export const requestOf = <E extends Env & { Variables: TraceVariables }>(c: Context<E>) => ({
  traceId: ensureTrace(c).traceId,
  ip: c.req.header("CF-Connecting-IP"),
  reason: c.req.header("X-Change-Reason")?.slice(0, 500).toWellFormed(),
  userAgent: c.req.header("User-Agent")?.slice(0, 300).toWellFormed(),
});
