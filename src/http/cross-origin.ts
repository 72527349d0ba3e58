import type { Context, Env, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/** The response headers that the dashboard can read when it runs on another origin. */
const EXPOSED_HEADERS = [
  "ETag",
  "X-Revision",
  "X-Total-Count",
  "X-D1-Bookmark",
  "X-B3-TraceId",
  "Retry-After",
];

/** How long a browser may cache a preflight response, seconds. */
const PREFLIGHT_SECONDS = 600;

/** CORS middleware for the origins that `originsOf` returns. `originsOf` is called for each request. */
export function allowOrigins<E extends Env>(
  originsOf: (c: Context<E>) => readonly string[],
): MiddlewareHandler<E> {
  const handle = cors({
    origin: (origin, c: Context<E>) => (originsOf(c).includes(origin) ? origin : null),
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
  // Passes on an OPTIONS request without `Origin`, which is not a preflight. Its response is 405,
  // because no path supports OPTIONS.
  return (c, next) => (c.req.header("Origin") === undefined ? next() : handle(c, next));
}

/** CORS middleware for routes that browsers of every origin may call, without credentials. */
export const anyOrigin: MiddlewareHandler = (c, next) =>
  c.req.header("Origin") === undefined
    ? next()
    : cors({ origin: "*", allowMethods: ["GET", "POST"], maxAge: PREFLIGHT_SECONDS })(c, next);
