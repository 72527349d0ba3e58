import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env, MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { methodNotAllowed as methodNotAllowedError } from "../core/errors/api-error.ts";
import { asError } from "../core/logging/describe-error.ts";
import { errorResponse } from "./error-response.ts";
import { routeOf } from "./route.ts";
import { API_HEADERS } from "./security-headers.ts";
import { recordSpan } from "./span.ts";
import { announceTrace, type TraceVariables } from "./trace.ts";

/**
 * A function that counts a request when the status of the response is known. `route` is the pattern
 * of the request's route, such as `/api/v1/flags/{id}`, or `UNKNOWN`.
 */
export type RecordRequest<E extends Env> = (c: Context<E>, route: string, status: number) => void;

interface TracedEnv extends Env {
  Variables: TraceVariables;
}

/** Middleware that adds the trace headers to the response, records the span and counts the request. */
export const traced =
  <E extends TracedEnv>(record: RecordRequest<E>): MiddlewareHandler<E> =>
  async (c, next) => {
    announceTrace(c);
    c.set("spanned", true);
    try {
      await next();
    } catch (thrown) {
      // Converts thrown values that are no instances of Error, because Hono passes only such
      // instances to `onError`.
      c.res = errorResponse(asError(thrown), c);
    }
    recordSpan(c, "INFO", c.res.status);
    record(c, routeOf(c), c.res.status);
  };

/** Records the span and counts the request, unless the middleware `traced` has done so. */
export const recordUntraced =
  <E extends TracedEnv>(record: RecordRequest<E>) =>
  (c: Context<E>, response: Response): Response => {
    if (c.var.spanned === true) return response;
    recordSpan(c, "INFO", response.status);
    record(c, routeOf(c), response.status);
    return response;
  };

/**
 * Middleware that adds the security headers. `Cross-Origin-Resource-Policy` keeps pages of other
 * origins from embedding the response.
 */
export const secured: MiddlewareHandler = (c, next) => {
  for (const [name, value] of Object.entries(API_HEADERS)) c.header(name, value);
  c.header("Cross-Origin-Resource-Policy", "same-origin");
  return next();
};

/**
 * Middleware that forbids caches to keep the response, because responses contain data about people
 * and permissions. It also forbids proxies to compress a response with a strong ETag, because they
 * would make the ETag weak (RFC 9110 section 8.8.1).
 */
export const neverCached: MiddlewareHandler = async (c, next) => {
  c.header("Cache-Control", "no-store");
  await next();
  if (c.res.headers.get("ETag")?.startsWith('"') === true)
    c.header("Cache-Control", "no-store, no-transform");
};

/** Middleware that responds with 405 and `Allow` when the path exists, but does not support the method. */
export const onlyKnownMethods = <E extends TracedEnv>(app: OpenAPIHono<E>): MiddlewareHandler<E> =>
  methodNotAllowed({
    app,
    onMethodNotAllowed: (c: Context<E>, methods: string[]) =>
      errorResponse(methodNotAllowedError(methods.join(", ")), c),
  });
