import { OpenAPIHono } from "@hono/zod-openapi";
import { clientApi, manifestApi, ofrep } from "./client/routes.ts";
import { mountSurfaces } from "./client/surface.ts";
import { notFound } from "./core/errors/api-error.ts";
import { registerComponents } from "./http/contract.ts";
import { allowOrigins } from "./http/cross-origin.ts";
import { errorResponse } from "./http/error-response.ts";
import {
  neverCached,
  onlyKnownMethods,
  type RecordRequest,
  recordUntraced,
  secured,
  traced,
} from "./http/middleware.ts";
import { requestOf } from "./http/request-of.ts";
import { ensureTrace } from "./http/trace.ts";
import { apiKeys } from "./management/api-keys/routes.ts";
import { serviceAccounts } from "./management/service-accounts/routes.ts";
import { tokens } from "./management/tokens/routes.ts";
import { audit } from "./management/audit/routes.ts";
import { accounts } from "./management/auth/account-routes.ts";
import { auth } from "./management/auth/routes.ts";
import { contexts } from "./management/contexts/routes.ts";
import { contextValues } from "./management/contexts/value-routes.ts";
import type { ManagementEnv } from "./management/deps.ts";
import { protection } from "./management/environments/protection-routes.ts";
import { environments } from "./management/environments/routes.ts";
import { files, fileSchemas } from "./management/files/routes.ts";
import { bulkFlags } from "./management/flags/bulk-routes.ts";
import { flagLists } from "./management/flags/list-routes.ts";
import { flags } from "./management/flags/routes.ts";
import { instances } from "./management/instances/routes.ts";
import { deliveries } from "./management/integrations/delivery-routes.ts";
import { integrations } from "./management/integrations/routes.ts";
import { insights } from "./management/insights/routes.ts";
import { mfa } from "./management/mfa/routes.ts";
import { withDeps } from "./management/middleware.ts";
import { preferences } from "./management/preferences/routes.ts";
import { changeRequests } from "./management/change-requests/routes.ts";
import { operations } from "./management/operations/routes.ts";
import { projectMembers } from "./management/projects/member-routes.ts";
import { projects } from "./management/projects/routes.ts";
import { ramps, rampStops } from "./management/ramps/routes.ts";
import { schedule } from "./management/schedule/routes.ts";
import { segments } from "./management/segments/routes.ts";
import { settings as settingsRoutes } from "./management/settings/routes.ts";
import { bulkStrategies } from "./management/strategies/bulk-routes.ts";
import { identities } from "./management/sign-on/identity-routes.ts";
import { providers } from "./management/sign-on/provider-routes.ts";
import { signOn } from "./management/sign-on/routes.ts";
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
import { assertConfigured, settings } from "./platform/settings.ts";

interface AppEnv {
  Bindings: Env;
  Variables: ManagementEnv["Variables"] & ActuatorEnv["Variables"];
}

const record: RecordRequest<AppEnv> = (c, route, status) => {
  const seconds = (Date.now() - ensureTrace(c).beganAt) / 1000;
  requestHistogram.observe(c.req.method, route, status, seconds);
  reportMetricsSoon(c.env, c.executionCtx);
};

export const app = new OpenAPIHono<AppEnv>();

// No middleware is mounted before the client API, so that a request of an SDK passes through a
// single handler.
const clientFallback = mountSurfaces<AppEnv>(app, [clientApi, ofrep, manifestApi], {
  world: (c) => {
    assertConfigured(c.env);
    return { edge, ports: clientPorts(c.env, c.executionCtx, () => requestOf(c)) };
  },
  record,
});

for (const path of ["/api/v1/*", "/v3/*", "/swagger-ui.html", "/actuator/*"])
  app.use(path, traced(record), secured, onlyKnownMethods(app));

app.use(
  "/api/v1/*",
  neverCached,
  allowOrigins<AppEnv>((c) => settings(c.env).dashboardOrigins),
  withDeps<AppEnv>((c, start) => {
    assertConfigured(c.env);
    return managementDeps(c.env, c.executionCtx, start);
  }),
);
app.route("/api/v1/auth", auth);
app.route("/api/v1/auth", accounts);
app.route("/api/v1/auth/mfa", mfa);
app.route("/api/v1/auth", preferences);
app.route("/api/v1/auth/sign-on", signOn);
app.route("/api/v1/auth/me/identities", identities);
app.route("/api/v1/users", users);
app.route("/api/v1/settings", settingsRoutes);
app.route("/api/v1/settings/identity-providers", providers);
app.route("/api/v1/projects", projects);
app.route("/api/v1/projects", projectMembers);
app.route("/api/v1/projects", files);
app.route("/api/v1/schemas", fileSchemas);
app.route("/api/v1/environments", environments);
app.route("/api/v1/environments", protection);
app.route("/api/v1/flags", flagLists);
app.route("/api/v1/operations", operations);
app.route("/api/v1/change-requests", changeRequests);
app.route("/api/v1/ramps", ramps);
app.route("/api/v1/ramp-stops", rampStops);
app.route("/api/v1/schedule", schedule);
app.route("/api/v1/flags", bulkFlags);
app.route("/api/v1/flags", bulkStrategies);
app.route("/api/v1/flags", flags);
app.route("/api/v1/flags", strategies);
app.route("/api/v1/segments", segments);
app.route("/api/v1/tags", tags);
app.route("/api/v1/contexts", contextValues);
app.route("/api/v1/contexts", contexts);
app.route("/api/v1/api-keys", apiKeys);
app.route("/api/v1/tokens", tokens);
app.route("/api/v1/service-accounts", serviceAccounts);
app.route("/api/v1/integrations", integrations);
app.route("/api/v1/integrations", deliveries);
app.route("/api/v1/audit", audit);
app.route("/api/v1", insights);
app.route("/api/v1", instances);

app.use("/actuator/*", neverCached, (c, next) => {
  c.set(
    "actuator",
    actuatorDeps(c.env, c.executionCtx, () => requestOf(c)),
  );
  return next();
});
app.route("/actuator", actuator);
app.route("/", apiDocs(app));
registerComponents(app.openAPIRegistry);

/** Matches the paths at which the dashboard has no page. A missing file must not get its HTML. */
const NO_PAGE = /^\/(?:api\/|v3\/|actuator|swagger-ui|assets\/|vendor\/)/;

/** Whether a request that neither a file nor a route matches shows the dashboard. */
const isDashboardPage = ({ method, path }: { readonly method: string; readonly path: string }) =>
  (method === "GET" || method === "HEAD") && !NO_PAGE.test(path);

const untraced = recordUntraced(record);
app.notFound(async (c) => {
  const response = await clientFallback(c);
  if (response) return response;
  if (isDashboardPage(c.req))
    return c.env.ASSETS.fetch(new Request(new URL("/", c.req.url), c.req.raw));
  return untraced(c, errorResponse(notFound("The path does not exist"), c));
});
app.onError((error, c) => untraced(c, errorResponse(error, c)));
