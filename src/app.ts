import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { methodNotAllowed } from "hono/method-not-allowed";
import { clientRoutes } from "./client/routes.ts";
import { answerUnrouted } from "./client/unrouted.ts";
import { ApiError, methodNotAllowed as refusedMethod, notFound } from "./core/errors/api-error.ts";
import { registerComponents } from "./http/contract.ts";
import { errorResponse } from "./http/error-response.ts";
import { asError } from "./core/logging/describe-error.ts";
import { secure } from "./http/security-headers.ts";
import { routeOf } from "./http/route.ts";
import { recordSpan } from "./http/span.ts";
import { announceTrace, ensureTrace } from "./http/trace.ts";
import { apiKeys } from "./management/api-keys/routes.ts";
import { audit } from "./management/audit/routes.ts";
import { identify } from "./management/auth/identify.ts";
import { accounts } from "./management/auth/account-routes.ts";
import { auth } from "./management/auth/routes.ts";
import { contexts } from "./management/contexts/routes.ts";
import { contextValues } from "./management/contexts/value-routes.ts";
import type { ManagementEnv } from "./management/deps.ts";
import { environments } from "./management/environments/routes.ts";
import { flagLists } from "./management/flags/list-routes.ts";
import { flags } from "./management/flags/routes.ts";
import { instances } from "./management/instances/routes.ts";
import { deliveries } from "./management/integrations/delivery-routes.ts";
import { integrations } from "./management/integrations/routes.ts";
import { insights } from "./management/insights/routes.ts";
import { mfa } from "./management/mfa/routes.ts";
import { projects } from "./management/projects/routes.ts";
import { segments } from "./management/segments/routes.ts";
import { settings as settingsRoom } from "./management/settings/routes.ts";
import { strategies } from "./management/strategies/routes.ts";
import { tags } from "./management/tags/routes.ts";
import { users } from "./management/users/routes.ts";
import type { ActuatorEnv } from "./operations/actuator/ports.ts";
import { actuator } from "./operations/actuator/routes.ts";
import { apiDocs } from "./operations/api-docs/routes.ts";
import { actuatorDeps } from "./platform/actuator.ts";
import { clientPorts, managementDeps } from "./platform/deps.ts";
import { edge } from "./platform/edge.ts";
import { requestHistogram } from "./platform/metrics.ts";
import { reportMetricsSoon } from "./platform/metrics-report.ts";
import { settings, SettingsError } from "./platform/settings.ts";

interface AppEnv {
  Bindings: Env;
  Variables: ManagementEnv["Variables"] & ActuatorEnv["Variables"];
}

/** Every request is counted once, when its answer is known. */
function count(c: Context<AppEnv>, route: string, status: number): void {
  const seconds = (Date.now() - ensureTrace(c).beganAt) / 1000;
  requestHistogram.observe(c.req.method, route, status, seconds);
  reportMetricsSoon(c.env, c.executionCtx);
}

const trace: MiddlewareHandler<AppEnv> = async (c, next) => {
  announceTrace(c);
  c.set("spanned", true);
  try {
    await next();
  } catch (thrown) {
    // Hono gives `onError` nothing but errors.
    c.res = errorResponse(asError(thrown), c);
  }
  recordSpan(c, "INFO", c.res.status);
  count(c, routeOf(c), c.res.status);
};

const secured: MiddlewareHandler<AppEnv> = (c, next) => {
  secure(c);
  return next();
};

/** It tells of people, and of who may do what: no cache keeps it. */
const neverCached: MiddlewareHandler<AppEnv> = (c, next) => {
  c.header("Cache-Control", "no-store");
  return next();
};

/** An answer that no `trace` stands around leaves its span, and is counted, here. */
function answered(c: Context<AppEnv>, answer: Response): Response {
  const level = c.req.path.startsWith("/api/client/") ? "DEBUG" : "INFO";
  if (c.var.spanned === true) return answer;
  recordSpan(c, level, answer.status);
  count(c, routeOf(c), answer.status);
  return answer;
}

/** A service that cannot check a token must not pretend to. Errors: 503. */
function assertConfigured(env: Env): void {
  try {
    settings(env);
  } catch (error) {
    if (error instanceof SettingsError) throw new ApiError("SERVICE_UNAVAILABLE", error.message);
    throw error;
  }
}

const managementCors = cors({
  origin: (origin, c) => (settings(c.env).dashboardOrigins.includes(origin) ? origin : null),
  exposeHeaders: [
    "ETag",
    "X-Revision",
    "X-Total-Count",
    "X-D1-Bookmark",
    "X-B3-TraceId",
    "Retry-After",
  ],
  maxAge: 600,
});

/** OPTIONS from the own origin is no preflight, but a method that no path takes. */
const onlyCrossOrigin =
  (handler: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    c.req.header("Origin") === undefined ? next() : handler(c, next);

/** What `getBookmark()` of D1 gives; anything else is not passed on. */
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** What audit records tell of the request. */
const requestOf = (c: Context<AppEnv>) => ({
  traceId: ensureTrace(c).traceId,
  ip: c.req.header("CF-Connecting-IP"),
  reason: c.req.header("X-Change-Reason")?.slice(0, 500).toWellFormed(),
  userAgent: c.req.header("User-Agent")?.slice(0, 300).toWellFormed(),
});

const withManagementDeps: MiddlewareHandler<AppEnv> = async (c, next) => {
  assertConfigured(c.env);
  const asked = c.req.header("X-D1-Bookmark");
  const known = asked !== undefined && BOOKMARK.test(asked) ? asked : undefined;
  const { origin } = new URL(c.req.url);
  const begin = (at: string | undefined) =>
    managementDeps(c.env, c.executionCtx, { request: requestOf(c), origin, bookmark: at });
  const { deps, bookmark } = begin(known);
  c.set("deps", deps);
  c.set("limits", deps.limits);
  // Who calls is always the primary's word: a replica may not have heard of a removed user.
  c.set("identify", (token) => identify(known === undefined ? deps : begin(undefined).deps, token));
  await next();
  const latest = bookmark();
  if (latest !== null) c.header("X-D1-Bookmark", latest);
};

const withActuatorDeps: MiddlewareHandler<AppEnv> = (c, next) => {
  c.set(
    "actuator",
    actuatorDeps(c.env, () => requestOf(c)),
  );
  return next();
};

const onMethodNotAllowed = (c: Context<AppEnv>, methods: string[]) =>
  errorResponse(refusedMethod(methods.join(", ")), c);

export const app = new OpenAPIHono<AppEnv>();

// Nothing stands before the client API: its routes are one handler each.
app.route(
  "/api/client",
  clientRoutes<AppEnv>(
    (c) => {
      assertConfigured(c.env);
      return { edge, ports: clientPorts(c.env, c.executionCtx, () => requestOf(c)) };
    },
    // These paths are patterns too: there is nothing to look up.
    (c, status) => count(c, c.req.path, status),
  ),
);

for (const path of ["/api/v1/*", "/v3/*", "/swagger-ui.html", "/actuator/*"])
  app.use(path, trace, secured, methodNotAllowed({ app, onMethodNotAllowed }));
app.use("/api/v1/*", neverCached);
app.use("/api/v1/*", onlyCrossOrigin(managementCors));
app.use("/api/v1/*", withManagementDeps);
app.route("/api/v1/auth", auth);
app.route("/api/v1/auth", accounts);
app.route("/api/v1/auth/mfa", mfa);
app.route("/api/v1/users", users);
app.route("/api/v1/settings", settingsRoom);
app.route("/api/v1/projects", projects);
app.route("/api/v1/environments", environments);
app.route("/api/v1/flags", flagLists);
app.route("/api/v1/flags", flags);
app.route("/api/v1/flags", strategies);
app.route("/api/v1/segments", segments);
app.route("/api/v1/tags", tags);
app.route("/api/v1/contexts", contextValues);
app.route("/api/v1/contexts", contexts);
app.route("/api/v1/api-keys", apiKeys);
app.route("/api/v1/integrations", integrations);
app.route("/api/v1/integrations", deliveries);
app.route("/api/v1/audit", audit);
app.route("/api/v1", insights);
app.route("/api/v1", instances);

app.use("/actuator/*", neverCached, withActuatorDeps);
app.route("/actuator", actuator);
app.route("/", apiDocs(app));
registerComponents(app.openAPIRegistry);

app.notFound(async (c) =>
  answered(c, (await answerUnrouted(c)) ?? errorResponse(notFound("The path"), c)),
);
app.onError((error, c) => answered(c, errorResponse(error, c)));
