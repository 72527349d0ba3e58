import type { Context, Env } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import { UNMATCHED_ROUTE } from "../core/metrics/request-histogram.ts";

/**
 * A cache that maps Hono's spelling of a route pattern, such as `/flags/:id`, to the spelling
 * `/flags/{id}`.
 */
const routes = new Map<string, string>();

/** Returns whether a pattern belongs to a route. A pattern with `*` belongs to middleware. */
const isRoute = (pattern: string) => pattern !== "" && !pattern.includes("*");

/**
 * Returns the pattern of the request's route, such as `/api/v1/flags/{id}`. Finds the route even if
 * middleware rejected the request before the route's handler ran. Returns `UNKNOWN` when no route matches.
 */
export function routeOf<E extends Env>(c: Context<E>): string {
  const called = routePath(c);
  const pattern = isRoute(called) ? called : firstRoute(c);
  const known = routes.get(pattern);
  if (known !== undefined) return known;
  const route = pattern.replace(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");
  routes.set(pattern, route);
  return route;
}

/**
 * Returns the pattern of the first route that matches the request, in Hono's spelling, or
 * `UNKNOWN`.
 */
const firstRoute = <E extends Env>(c: Context<E>): string =>
  matchedRoutes(c).find(({ path }) => isRoute(path))?.path ?? UNMATCHED_ROUTE;
