import { PASSWORD } from "../support/mailbox.ts";
import { headersOf, message } from "../support/mcp.ts";
import { codeForm, FORM } from "../support/oauth.ts";
import { renamed, route, type Route } from "./route.ts";

/** The routes of tokens, agents, logins on devices, OAuth and service accounts. */
export const ROUTES_OF_TOKENS: readonly Route[] = [
  route("POST /api/mcp", "flag:read", {
    token: ({ agentToken }) => agentToken,
    headers: () => headersOf("tools/list"),
    body: () => message("tools/list"),
  }),
  route("GET /api/v1/tokens", "token:own"),
  route("GET /api/v1/tokens/current", "token:read", { token: ({ plainToken }) => plainToken }),
  route("POST /api/v1/tokens", "token:own", {
    token: ({ maker }) => maker.token,
    body: ({ projectId }) => ({
      name: "ci",
      scopes: ["write"],
      projectIds: [projectId],
      currentPassword: PASSWORD,
    }),
  }),
  route("DELETE /api/v1/tokens/{id}", "token:own", { ids: (k) => [k.doomed.tokenId] }),
  route("POST /api/v1/auth/device", null, { body: ({ unique }) => ({ clientName: unique }) }),
  route("POST /api/v1/auth/device/token", null, {
    body: ({ device: { deviceCode } }) => ({ deviceCode }),
  }),
  route("POST /api/v1/auth/device/lookup", "token:own", {
    body: ({ device }) => ({ userCode: device.read }),
  }),
  route("POST /api/v1/auth/device/approve", "token:own", {
    token: ({ maker }) => maker.token,
    body: ({ device, projectId }) => ({
      userCode: device.approved,
      projectIds: [projectId],
      currentPassword: PASSWORD,
    }),
  }),
  route("POST /api/v1/auth/device/deny", "token:own", {
    body: ({ device }) => ({ userCode: device.denied }),
  }),
  route("GET /.well-known/oauth-protected-resource/api/mcp", null),
  route("GET /.well-known/oauth-authorization-server/api/oauth", null),
  route("POST /api/oauth/request", "token:own", { body: ({ oauth: { query } }) => ({ query }) }),
  route("POST /api/oauth/consent", "token:own", {
    body: ({ oauth: { query } }) => ({ decision: "deny", query }),
  }),
  route("POST /api/oauth/token", null, {
    body: ({ oauth: { clientId, code } }) => new URLSearchParams(codeForm(clientId, code)),
    headers: () => FORM,
  }),
  route("POST /api/oauth/revoke", null, {
    body: ({ oauth: { revoked } }) => new URLSearchParams(revoked),
    headers: () => FORM,
  }),
  route("GET /api/v1/agents", "token:own"),
  route("DELETE /api/v1/agents/{id}", "token:own", { ids: (k) => [k.oauth.doomedId] }),
  route("GET /api/v1/settings/oauth-clients", "settings:read"),
  route("POST /api/v1/settings/oauth-clients", "settings:write", {
    body: ({ unique: name }) => ({ name, redirectUris: ["https://agent.example.com/callback"] }),
  }),
  route("DELETE /api/v1/settings/oauth-clients/{id}", "settings:write", {
    ids: (k) => [k.oauth.doomedClientId],
  }),
  route("GET /api/v1/service-accounts", "service-account:read"),
  route("POST /api/v1/service-accounts", "service-account:write", {
    body: ({ unique: name, projectId }) => ({ name, role: "DEVELOPER", projectId }),
  }),
  route("GET /api/v1/service-accounts/{id}", "service-account:read", {
    ids: (k) => [k.serviceAccountId],
  }),
  route("PUT /api/v1/service-accounts/{id}", "service-account:write", {
    ids: (k) => [k.serviceAccountId],
    ...renamed,
  }),
  route("DELETE /api/v1/service-accounts/{id}", "service-account:write", {
    ids: (k) => [k.doomed.serviceAccountId],
  }),
];
