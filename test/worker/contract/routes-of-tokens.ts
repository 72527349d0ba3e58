import { PASSWORD } from "../support/mailbox.ts";
import { headersOf, message } from "../support/mcp.ts";
import { renamed, route, type Route } from "./route.ts";

/** The routes of tokens, agents, logins on devices and service accounts. */
export const ROUTES_OF_TOKENS: readonly Route[] = [
  route("POST /api/mcp", "flag:read", {
    token: ({ agentToken }) => agentToken,
    headers: () => headersOf("tools/list"),
    body: () => message("tools/list"),
  }),
  route("GET /api/v1/tokens", "token:own"),
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
