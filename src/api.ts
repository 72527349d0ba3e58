import { OpenAPIHono } from "@hono/zod-openapi";
import { CONTRACTS, describeSurfaces } from "./client/contracts.ts";
import { SURFACES } from "./client/routes.ts";
import { notFound } from "./core/errors/api-error.ts";
import { MCP_PATH } from "./core/oauth/endpoints.ts";
import { registerComponents } from "./http/contract.ts";
import { allowOrigins, anyOrigin } from "./http/cross-origin.ts";
import { errorResponse } from "./http/error-response.ts";
import {
  neverCached,
  onlyKnownMethods,
  recordUntraced,
  secured,
  traced,
} from "./http/middleware.ts";
import { withProposals } from "./http/proposals.ts";
import { requestOf } from "./http/request-of.ts";
import { apiKeys } from "./management/api-keys/routes.ts";
import { serviceAccounts } from "./management/service-accounts/routes.ts";
import { tokens } from "./management/tokens/routes.ts";
import { audit } from "./management/audit/routes.ts";
import { accounts } from "./management/auth/account-routes.ts";
import { auth } from "./management/auth/routes.ts";
import { contexts } from "./management/contexts/routes.ts";
import { contextValues } from "./management/contexts/value-routes.ts";
import type { ManagementEnv } from "./access/deps.ts";
import { deviceLogins } from "./management/device-logins/routes.ts";
import { protection } from "./management/environments/protection-routes.ts";
import { environments } from "./management/environments/routes.ts";
import { files, fileSchemas } from "./management/files/routes.ts";
import { bulkFlags } from "./management/flags/bulk-routes.ts";
import { flagLists } from "./management/flags/list-routes.ts";
import { flags } from "./management/flags/routes.ts";
import { instances } from "./management/instances/routes.ts";
import { unleash } from "./management/unleash/routes.ts";
import { deliveries } from "./management/integrations/delivery-routes.ts";
import { integrations } from "./management/integrations/routes.ts";
import { insights } from "./management/insights/routes.ts";
import { mfa } from "./management/mfa/routes.ts";
import { withDeps } from "./management/middleware.ts";
import { agents } from "./management/oauth/agent-routes.ts";
import { oauthClients } from "./management/oauth/client-routes.ts";
import { consent } from "./management/oauth/consent-routes.ts";
import { oauthMetadata } from "./management/oauth/metadata-routes.ts";
import { oauthTokens } from "./management/oauth/token-routes.ts";
import { passkeys } from "./management/passkeys/routes.ts";
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
import { sharedFilters } from "./management/shared-filters/routes.ts";
import { tags } from "./management/tags/routes.ts";
import { users } from "./management/users/routes.ts";
import type { McpEnv } from "./mcp/session/ports.ts";
import { mcp } from "./mcp/routes.ts";
import type { ActuatorEnv } from "./health/ports.ts";
import { actuator } from "./health/routes.ts";
import { apiDocs } from "./api-docs/routes.ts";
import { actuatorDeps } from "./platform/actuator.ts";
import { managementDeps } from "./platform/deps.ts";
import { mcpPorts } from "./platform/mcp.ts";
import { recordRequest } from "./record-request.ts";
import { assertConfigured, settings } from "./platform/runtime/settings.ts";
import { signOnSettings } from "./platform/sign-on.ts";

interface ApiEnv {
  Bindings: Env;
  Variables: ManagementEnv["Variables"] & ActuatorEnv["Variables"] & McpEnv["Variables"];
}

/**
 * The management API, the endpoints for health and metrics, the pages of the dashboard, and the
 * description of all routes, those of the client API included.
 */
export const api = new OpenAPIHono<ApiEnv>();

describeSurfaces(api.openAPIRegistry, SURFACES, CONTRACTS);

const TRACED = ["/api/v1/*", MCP_PATH, "/api/oauth/*", "/.well-known/*", "/v3/*", "/actuator/*"];
for (const path of [...TRACED, "/swagger-ui.html"])
  api.use(path, traced(recordRequest), secured, onlyKnownMethods(api));

const ofDashboard = allowOrigins<ApiEnv>((c) => settings(c.env).dashboardOrigins);
const managed = withDeps<ApiEnv>((c, start) => {
  assertConfigured(c.env);
  assertConfigured(c.env, signOnSettings);
  return managementDeps(c.env, c.executionCtx, start);
});
api.use("/api/v1/*", neverCached, ofDashboard, managed, withProposals(api));
for (const path of ["/api/oauth/request", "/api/oauth/consent"]) api.use(path, ofDashboard);
// Clients of every origin, because these routes use no cookies and no session.
for (const path of ["/api/oauth/token", "/api/oauth/revoke", "/.well-known/oauth-*"])
  api.use(path, anyOrigin);
for (const path of ["/api/oauth/*", "/.well-known/oauth-*"]) api.use(path, neverCached, managed);
api.route("/api/v1/auth", auth);
api.route("/api/v1/auth", accounts);
api.route("/api/v1/auth/mfa", mfa);
api.route("/api/v1/auth/passkeys", passkeys);
api.route("/api/v1/auth", preferences);
api.route("/api/v1/auth/device", deviceLogins);
api.route("/api/v1/auth/sign-on", signOn);
api.route("/api/v1/auth/me/identities", identities);
api.route("/api/v1/users", users);
api.route("/api/v1/settings", settingsRoutes);
api.route("/api/v1/settings/identity-providers", providers);
api.route("/api/v1/projects", projects);
api.route("/api/v1/projects", projectMembers);
api.route("/api/v1/projects", files);
api.route("/api/v1/schemas", fileSchemas);
api.route("/api/v1/environments", environments);
api.route("/api/v1/environments", protection);
api.route("/api/v1/environments", unleash);
api.route("/api/v1/flags", flagLists);
api.route("/api/v1/operations", operations);
api.route("/api/v1/change-requests", changeRequests);
api.route("/api/v1/ramps", ramps);
api.route("/api/v1/ramp-stops", rampStops);
api.route("/api/v1/schedule", schedule);
api.route("/api/v1/flags", bulkFlags);
api.route("/api/v1/flags", bulkStrategies);
api.route("/api/v1/flags", flags);
api.route("/api/v1/flags", strategies);
api.route("/api/v1/segments", segments);
api.route("/api/v1/tags", tags);
api.route("/api/v1/shared-filters", sharedFilters);
api.route("/api/v1/contexts", contextValues);
api.route("/api/v1/contexts", contexts);
api.route("/api/v1/api-keys", apiKeys);
api.route("/api/v1/tokens", tokens);
api.route("/api/v1/service-accounts", serviceAccounts);
api.route("/api/v1/agents", agents);
api.route("/api/v1/settings/oauth-clients", oauthClients);
api.route("/api/oauth", consent);
api.route("/api/oauth", oauthTokens);
api.route("/", oauthMetadata);
api.route("/api/v1/integrations", integrations);
api.route("/api/v1/integrations", deliveries);
api.route("/api/v1/audit", audit);
api.route("/api/v1", insights);
api.route("/api/v1", instances);

api.use(MCP_PATH, neverCached, managed, (c, next) => {
  const { url } = c.req;
  c.set("mcp", mcpPorts(c.env, c.executionCtx, { request: requestOf(c), url }));
  return next();
});
api.route(MCP_PATH, mcp);

api.use("/actuator/*", neverCached, (c, next) => {
  c.set(
    "actuator",
    actuatorDeps(c.env, c.executionCtx, () => requestOf(c)),
  );
  return next();
});
api.route("/actuator", actuator);
api.route("/", apiDocs(api));
registerComponents(api.openAPIRegistry);

/** Matches the paths at which the dashboard has no page. A missing file must not get its HTML. */
const NO_PAGE = /^\/(?:api\/|\.well-known\/|v3\/|actuator|swagger-ui|assets\/|vendor\/)/;

/** Whether a request that neither a file nor a route matches shows the dashboard. */
const isDashboardPage = ({ method, path }: { readonly method: string; readonly path: string }) =>
  (method === "GET" || method === "HEAD") && !NO_PAGE.test(path);

const untraced = recordUntraced(recordRequest);
api.notFound(async (c) => {
  if (isDashboardPage(c.req))
    return c.env.ASSETS.fetch(new Request(new URL("/", c.req.url), c.req.raw));
  return untraced(c, errorResponse(notFound("The path does not exist"), c));
});
api.onError((error, c) => untraced(c, errorResponse(error, c)));
