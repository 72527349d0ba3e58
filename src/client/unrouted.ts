import type { Context } from "hono";
import { cors } from "hono/cors";
import { methodNotAllowed } from "../core/errors/api-error.ts";
import { HTTPS_ONLY, NO_SNIFFING } from "../http/security-headers.ts";
import { announceTrace, type TraceVariables } from "../http/trace.ts";

const ALLOWED: ReadonlyMap<string, string> = new Map([
  ["/api/client/features", "GET, HEAD"],
  ["/api/client/evaluate", "POST"],
  ["/api/client/metrics", "POST"],
]);

/** A browser remembers for a day that it may call. */
const preflight = cors({ origin: "*", maxAge: 86_400 });

/**
 * The client API's answer where no route took the request: to a preflight of any origin (decisions
 * 5.5), or 405. Undefined for a path that is not its own. It stands behind the routes and not, as
 * middleware, before them, because a poll must not pay for it.
 */
export async function answerUnrouted<E extends { Variables: TraceVariables }>(
  c: Context<E>,
): Promise<Response | undefined> {
  const allow = ALLOWED.get(c.req.path);
  if (allow === undefined) return undefined;
  if (c.req.method === "OPTIONS" && c.req.raw.headers.has("Origin")) {
    announceTrace(c);
    for (const [name, value] of Object.entries({ ...NO_SNIFFING, ...HTTPS_ONLY }))
      c.header(name, value);
    const answer = await preflight(c, async () => {});
    if (answer) return answer;
  }
  throw methodNotAllowed(allow);
}
