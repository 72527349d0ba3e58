import { codeOf } from "../support/factors.ts";
import { PASSWORD } from "../support/mailbox.ts";
import { renamed, route, type Route } from "./route.ts";

/** The routes of sessions, accounts, second factors, users and settings. */
export const ROUTES_OF_PEOPLE: readonly Route[] = [
  route("POST /api/v1/auth/login", null, { body: (k) => k.login }),
  route("POST /api/v1/auth/refresh", null, { body: ({ refreshToken }) => ({ refreshToken }) }),
  route("POST /api/v1/auth/select-project", "session:own", {
    body: ({ projectId }) => ({ projectId }),
  }),
  route("POST /api/v1/auth/logout", "session:own", { token: ({ leaving }) => leaving.token }),
  route("GET /api/v1/auth/sessions", "session:own"),
  route("DELETE /api/v1/auth/sessions/{sessionId}", "session:own", {
    ids: (k) => [k.doomed.sessionId],
  }),

  route("GET /api/v1/auth/me", "session:own"),
  route("PUT /api/v1/auth/me", "session:own", { ...renamed }),
  route("GET /api/v1/auth/me/preferences", "session:own", {
    query: ({ projectId }) => `?projectId=${projectId}`,
  }),
  route("POST /api/v1/auth/me/preferences", "session:own", {
    body: ({ projectId, flagId }) => ({ change: "addRecent", projectId, flagId }),
  }),
  route("POST /api/v1/auth/forgot-password", null, { body: ({ login: { email } }) => ({ email }) }),
  route("POST /api/v1/auth/reset-password", null, {
    body: ({ reset }) => ({ token: reset, password: PASSWORD }),
  }),
  route("POST /api/v1/auth/invitation", null, {
    body: ({ unusedInvitation }) => ({ token: unusedInvitation }),
  }),
  route("POST /api/v1/auth/accept-invite", null, {
    body: ({ invitation, unique }) => ({ token: invitation, name: unique, password: PASSWORD }),
  }),

  route("GET /api/v1/auth/mfa", "session:own"),
  route("POST /api/v1/auth/mfa/enroll", "session:own", {
    token: ({ unprotected }) => unprotected.token,
    body: () => ({ currentPassword: PASSWORD }),
  }),
  route("POST /api/v1/auth/mfa/activate", "session:own", {
    token: ({ enrolled }) => enrolled.token,
    body: ({ enrolled }) => ({ code: codeOf(enrolled.secret) }),
  }),
  route("POST /api/v1/auth/mfa/recovery-codes", "session:own", {
    token: ({ forgetful }) => forgetful.token,
    body: ({ forgetful: { code } }) => ({ currentPassword: PASSWORD, code }),
  }),
  route("POST /api/v1/auth/mfa/disable", "session:own", {
    token: ({ tired }) => tired.token,
    body: ({ tired: { code } }) => ({ currentPassword: PASSWORD, code }),
  }),
  route("POST /api/v1/auth/mfa/verify", null, {
    body: ({ firstStep: { mfaToken, code } }) => ({ mfaToken, code }),
  }),

  route("GET /api/v1/auth/passkeys", "session:own"),
  route("POST /api/v1/auth/passkeys/options", "session:own", {
    token: ({ passkeys }) => passkeys.adder,
    body: () => ({ currentPassword: PASSWORD }),
  }),
  route("POST /api/v1/auth/passkeys", "session:own", {
    token: ({ passkeys }) => passkeys.adder,
    body: ({ passkeys }) => ({ name: "Laptop", response: passkeys.added }),
  }),
  route("PUT /api/v1/auth/passkeys/{id}", "session:own", {
    token: ({ passkeys }) => passkeys.token,
    ids: ({ passkeys }) => [passkeys.id],
    ...renamed,
  }),
  route("DELETE /api/v1/auth/passkeys/{id}", "session:own", {
    token: ({ passkeys }) => passkeys.token,
    ids: ({ passkeys }) => [passkeys.doomedId],
    body: () => ({ currentPassword: PASSWORD }),
  }),
  route("POST /api/v1/auth/passkeys/sign-in/options", null, { body: () => ({}) }),
  route("POST /api/v1/auth/passkeys/sign-in", null, {
    body: ({ passkeys }) => ({ response: passkeys.used }),
  }),

  route("POST /api/v1/users/invite", "user:write", {
    body: ({ unique }) => ({ email: `${unique}@example.com`, role: "VIEWER" }),
  }),
  route("POST /api/v1/users/{id}/invite", "user:write", { ids: (k) => [k.invitedId] }),
  route("GET /api/v1/users", "user:read"),
  route("GET /api/v1/users/names", "user:read-names"),
  route("GET /api/v1/users/{id}", "user:read", { ids: (k) => [k.userId] }),
  route("PUT /api/v1/users/{id}", "user:write", { ids: (k) => [k.userId], ...renamed }),
  route("DELETE /api/v1/users/{id}", "user:write", { ids: (k) => [k.doomed.userId] }),
  route("DELETE /api/v1/users/{id}/mfa", "user:write", { ids: (k) => [k.doomed.protectedId] }),

  route("GET /api/v1/settings", "settings:read"),
  route("PUT /api/v1/settings", "settings:write", { body: () => ({ sessionTimeoutHours: 700 }) }),
  route("GET /api/v1/settings/identity-providers", "settings:read"),
  route("POST /api/v1/settings/identity-providers", "settings:write", {
    body: ({ unique }) => ({ slug: unique, name: unique, type: "github", clientId: "client" }),
  }),
  route("GET /api/v1/settings/identity-providers/{id}", "settings:read", {
    ids: (k) => [k.signOn.providerId],
  }),
  route("PUT /api/v1/settings/identity-providers/{id}", "settings:write", {
    ids: (k) => [k.signOn.providerId],
    ...renamed,
  }),
  route("DELETE /api/v1/settings/identity-providers/{id}", "settings:write", {
    ids: (k) => [k.signOn.doomedId],
  }),
  route("GET /api/v1/auth/sign-on", null),
  route("POST /api/v1/auth/sign-on/{slug}", null, {
    ids: (k) => [k.signOn.slug],
    body: () => ({}),
  }),
  route("GET /api/v1/auth/sign-on/{slug}/callback", null, { ids: (k) => [k.signOn.slug] }),
  route("POST /api/v1/auth/sign-on/complete", null, {
    body: () => ({}),
    headers: (k) => ({ Cookie: `__Host-sso-code=${k.signOn.code}` }),
  }),
  route("POST /api/v1/auth/sign-on/{slug}/assertion", null, {
    ids: (k) => [k.signOn.accessSlug],
    body: () => ({}),
    headers: (k) => ({ "Cf-Access-Jwt-Assertion": k.signOn.assertion }),
  }),
  route("POST /api/v1/auth/sign-on/{slug}/logout", null, {
    ids: (k) => [k.signOn.oidcSlug],
    body: (k) => new URLSearchParams({ logout_token: k.signOn.logoutToken }),
    headers: () => ({ "Content-Type": "application/x-www-form-urlencoded" }),
  }),
  route("GET /api/v1/auth/me/identities", "session:own"),
  route("DELETE /api/v1/auth/me/identities/{identityId}", "session:own", {
    ids: (k) => [k.signOn.identityId],
  }),
];
