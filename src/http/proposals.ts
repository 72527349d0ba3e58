import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Env, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { ApiError } from "../core/errors/api-error.ts";
import type { HttpVariables } from "./context.ts";
import { routeOf } from "./route.ts";

interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly request?: { readonly query?: { readonly shape?: object } };
}

/** Returns the routes whose query has `propose`, such as `PUT /api/v1/flags/{id}`. */
function proposableRoutes<E extends Env>({ openAPIRegistry }: OpenAPIHono<E>): ReadonlySet<string> {
  const names = openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== "route") return [];
    const { method, path, request } = definition.route as DescribedRoute;
    return "propose" in (request?.query?.shape ?? {}) ? [`${method.toUpperCase()} ${path}`] : [];
  });
  return new Set(names);
}

/** Middleware that tells `refuseProposals` which routes of the API can propose. */
export function withProposals<E extends Env & { Variables: HttpVariables }>(
  app: OpenAPIHono<E>,
): MiddlewareHandler<E> {
  let routes: ReadonlySet<string> | undefined;
  return (c, next) => {
    c.set("canPropose", (name: string) => (routes ??= proposableRoutes(app)).has(name));
    return next();
  };
}

/**
 * Middleware of every management route. It rejects a write that asks for a proposal with 400 if the
 * route cannot propose. Otherwise the route would ignore the query and make the change directly.
 */
export const refuseProposals = createMiddleware<{ Variables: HttpVariables }>(async (c, next) => {
  const { method } = c.req;
  const asked = c.req.query("propose");
  const isRead = method === "GET" || method === "HEAD";
  if (asked === undefined || asked === "false" || isRead) return next();
  if (c.var.canPropose?.(`${method} ${routeOf(c)}`) === false)
    throw new ApiError(
      "BAD_REQUEST",
      "This request cannot be proposed with propose=true, and was not made. To propose changes of flags, " +
        "strategies or segments, send them as operations to POST /api/v1/change-requests",
    );
  return next();
});
