import type { Context, Env, Handler, Hono, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { TrieRouter } from "hono/router/trie-router";
import type { Permission } from "@feature-flags/permissions/permissions";
import { methodNotAllowed, notFound } from "../../core/errors/api-error.ts";
import { UNMATCHED_ROUTE } from "../../core/metrics/request-histogram.ts";
import { asError } from "../../core/logging/describe-error.ts";
import { errorResponse, type RenderError } from "../../http/error-response.ts";
import type { RecordRequest } from "../../http/middleware.ts";
import { HTTPS_ONLY, NO_SNIFFING } from "../../http/security-headers.ts";
import { recordSpan } from "../../http/span.ts";
import { announceTrace, ensureTrace, type TraceVariables } from "../../http/trace.ts";
import type { Edge, Served } from "./edge.ts";
import type { ReadMinRevision } from "./min-revision.ts";
import type { ClientPorts } from "../sources/ports.ts";

/**
 * A surface: a group of routes that SDKs call with an API key. The declaration determines the mounted routes,
 * the OpenAPI contract, 405 with `Allow`, the CORS preflight, the metric labels and the bodies of errors.
 */
export interface Surface {
  /** The path prefixes under which every route is mounted. The OpenAPI description has only the first. */
  readonly roots: readonly [string, ...string[]];
  /** The roots under which GET and HEAD requests show the dashboard, unless a route matches them. */
  readonly dashboardRoots?: readonly string[];
  readonly routes: readonly ClientRoute[];
  /** Returns the API key in the request headers; undefined: there is none. */
  readonly apiKey: (headers: Headers) => string | undefined;
  /** The response headers that scripts on pages of other origins may read. */
  readonly exposedHeaders: readonly string[];
  /** Makes the body of every error response under the path prefixes. */
  readonly errorBody: RenderError<Context>;
}

export interface ClientRoute {
  /** The name of the route in the API description. `contracts.ts` has the rest of it. */
  readonly operationId: string;
  readonly method: "get" | "post";
  /**
   * The path below the root, such as `/flags/{key}`. The metric label is this pattern, so that
   * parameter values do not create time series.
   */
  readonly path: string;
  /** The permission that the API key must have. */
  readonly permission: Permission;
  /** Reads the revision that the response must have at least. Missing: the route has no minimum. */
  readonly minRevision?: ReadMinRevision;
  /**
   * Finds the API key in another place than the headers, and its rules, as `Edge.serve` does. Returns
   * undefined when the request has the key in its headers.
   */
  readonly serve?: (c: Context, edge: Edge, ports: ClientPorts) => Promise<Served> | undefined;
  readonly respond: (call: ClientCall) => ClientResponse | Promise<ClientResponse>;
}

/** A request to a client route, after its API key was checked and its rules were loaded. */
export interface ClientCall {
  readonly c: Context;
  readonly served: Served;
  readonly edge: Edge;
  readonly ports: ClientPorts;
}

/** The response of a client route, without the headers that every route has. */
export interface ClientResponse {
  readonly status: 200 | 202 | 304;
  /**
   * The response headers. Several responses may share them, one after the other: the surface sets the
   * trace headers and copies them into the response, without an `await` in between.
   */
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream | null;
}

/** The names of the response headers that say how new the rules are and whether to revalidate them. */
export const FRESHNESS = ["X-Revision", "X-Next-Since", "Cache-Control", "Warning"] as const;

export interface ClientEnv extends Env {
  Variables: TraceVariables;
}

/** The functions that the app passes to the routes of the surfaces. */
export interface SurfaceDeps<E extends ClientEnv> {
  /** Returns the memory of the isolate and the ports of the request. */
  readonly world: (c: Context<E>) => { readonly edge: Edge; readonly ports: ClientPorts };
  readonly record: RecordRequest<E>;
}

/**
 * A function that responds to a request that no route of a surface matched. Returns undefined when
 * the path belongs to no surface, or shows the dashboard.
 */
type Fallback<E extends ClientEnv> = (c: Context<E>) => Promise<Response | undefined>;

/** How long a browser may cache a preflight response, seconds. */
const PREFLIGHT_SECONDS = 86_400;

/** Mounts the routes of the surfaces on the app. Returns a fallback for requests that match no route. */
export function mountSurfaces<E extends ClientEnv>(
  app: Hono<E>,
  surfaces: readonly Surface[],
  deps: SurfaceDeps<E>,
): Fallback<E> {
  const fallbacks = surfaces.map((surface) => mountSurface(app, surface, deps));
  return async (c) => {
    for (const fallback of fallbacks) {
      const response = await fallback(c);
      if (response) return response;
    }
    return undefined;
  };
}

function mountSurface<E extends ClientEnv>(
  app: Hono<E>,
  surface: Surface,
  deps: SurfaceDeps<E>,
): Fallback<E> {
  const crossOrigin = crossOriginHeaders(surface);
  const methodsOf = new Map<string, string[]>();
  for (const root of surface.roots)
    for (const route of surface.routes) {
      const { method } = route;
      const pattern = `${root}${route.path}`;
      // Converts the path pattern: Hono writes a path parameter as `:key`, the contract as `{key}`.
      const path = pattern.replaceAll(/\{(\w+)\}/g, ":$1");
      app.on(
        method.toUpperCase(),
        path,
        handlerOf(surface, route, { ...deps, pattern, crossOrigin }),
      );
      methodsOf.set(path, [...(methodsOf.get(path) ?? []), ...methodsIn(route)]);
    }
  return fallbackOf(surface, methodsOf, { ...deps, crossOrigin });
}

type CrossOrigin = readonly (readonly [name: string, value: string])[];

/**
 * Returns the headers of a response to a page of another origin: CORS and `HTTPS_ONLY`. Only
 * requests with `Origin`, which browsers send, get these headers, because each header costs time.
 */
const crossOriginHeaders = ({ exposedHeaders }: Surface): CrossOrigin =>
  Object.entries({
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": exposedHeaders.join(","),
    ...HTTPS_ONLY,
  });

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** Returns the HTTP methods of a route. Hono responds to HEAD with the route of GET. */
const methodsIn = ({ method }: Pick<ClientRoute, "method">): string[] =>
  method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()];

/**
 * Returns the handler of a route, which runs without middleware. The handler checks the key and
 * loads the rules (401, 403, 429, 503), then checks the rate limits of the key (429), then loads newer
 * rules if the request demands them (400), and then calls the route.
 */
function handlerOf<E extends ClientEnv>(
  { apiKey, errorBody }: Surface,
  { permission, minRevision, serve, respond }: ClientRoute,
  {
    world,
    record,
    pattern,
    crossOrigin,
  }: SurfaceDeps<E> & { readonly pattern: string; readonly crossOrigin: CrossOrigin },
): Handler<E> {
  return async (c) => {
    const trace = ensureTrace(c);
    const { headers: sent } = c.req.raw;
    let response: Response;
    try {
      const { edge, ports } = world(c);
      let served = await (serve?.(c, edge, ports) ?? edge.serve(ports, apiKey(sent), permission));
      edge.admit(ports, served.key, () => sent.get("CF-Connecting-IP"));
      edge.lastSeen.key(ports, served.key);
      const revision = minRevision?.(c, served.key.environmentId);
      if (revision !== undefined) served = await edge.atLeast(ports, served, revision);
      const { status, headers, body } = await respond({ c, served, edge, ports });
      // Sets them before the copy, because `response.headers` would make another object.
      headers.set("X-B3-TraceId", trace.traceId);
      headers.set("X-B3-SpanId", trace.spanId);
      response = new Response(body, { status, headers });
    } catch (error) {
      response = errorResponse(asError(error), c, errorBody);
    }
    if (sent.has("Origin"))
      for (const [name, value] of crossOrigin) response.headers.set(name, value);
    recordSpan(c, "DEBUG", response.status);
    record(c, pattern, response.status);
    return response;
  };
}

/**
 * Returns the handler for CORS preflights and for the errors 405 and 404. The handler runs only
 * when no route matches, so polls do not spend time on it.
 */
function fallbackOf<E extends ClientEnv>(
  { roots, dashboardRoots = [], errorBody }: Surface,
  methodsOf: ReadonlyMap<string, string[]>,
  { record, crossOrigin }: SurfaceDeps<E> & { readonly crossOrigin: CrossOrigin },
): Fallback<E> {
  const router = new TrieRouter<{
    readonly allow: string;
    readonly preflight: MiddlewareHandler;
  }>();
  for (const [path, allowMethods] of methodsOf)
    router.add("ALL", path, {
      allow: allowMethods.join(", "),
      preflight: cors({ origin: "*", allowMethods, maxAge: PREFLIGHT_SECONDS }),
    });

  return async (c) => {
    const [found] = router.match("ALL", c.req.path)[0];
    const isBelow = (root: string) => c.req.path.startsWith(`${root}/`);
    if (!found && !roots.some(isBelow)) return undefined;
    if (isRead(c.req.method) && dashboardRoots.some(isBelow)) return undefined;
    const isBrowser = c.req.raw.headers.has("Origin");
    let response: Response | undefined;
    if (found && isBrowser && c.req.method === "OPTIONS") {
      announceTrace(c);
      for (const [name, value] of Object.entries({ ...NO_SNIFFING, ...HTTPS_ONLY }))
        c.header(name, value);
      response = (await found[0].preflight(c, async () => {})) ?? undefined;
    }
    if (!response) {
      const error = found ? methodNotAllowed(found[0].allow) : notFound("The path does not exist");
      response = errorResponse(error, c, errorBody);
      if (isBrowser) for (const [name, value] of crossOrigin) response.headers.set(name, value);
    }
    recordSpan(c, "DEBUG", response.status);
    // Records all requests that match no route under the same metric label.
    record(c, UNMATCHED_ROUTE, response.status);
    return response;
  };
}
