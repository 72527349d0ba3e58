import { PASSWORD } from "../support/mailbox.ts";
import { renamed, route, type Route } from "./route.ts";

/** The routes of tokens and service accounts. */
export const ROUTES_OF_TOKENS: readonly Route[] = [
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
