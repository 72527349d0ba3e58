import { inCountries } from "../support/world.ts";
import type { Known } from "./known.ts";
import type { Route } from "./route.ts";

/**
 * What a write route does in a protected environment. `restricted`: it needs an approval. `turn-off`:
 * it turns off a flag. `exempt`: it changes no verdict. `elsewhere`: it changes no rules at all.
 */
export type Effect = "restricted" | "turn-off" | "exempt" | "elsewhere";

interface Protected extends Partial<Pick<Route, "ids" | "body">> {
  readonly effect: Effect;
}

const restricted = (call: Omit<Protected, "effect"> = {}): Protected => ({
  effect: "restricted",
  ...call,
});
const exempt: Protected = { effect: "exempt" };
const elsewhere: Protected = { effect: "elsewhere" };

/**
 * Every write route of the management API, with the call that shows its effect, if that is another
 * than in `ROUTES`. protected.test.ts fails while a route is missing here.
 */
export const PROTECTED: Readonly<Record<string, Protected>> = {
  "POST /api/v1/flags": exempt,
  "PUT /api/v1/flags/{id}": restricted({
    body: (k: Known) => ({
      prerequisites: [{ flagKey: k.otherFlagKey, enabled: true }],
    }),
  }),
  "POST /api/v1/flags/{id}/archive": restricted(),
  "POST /api/v1/flags/{id}/unarchive": restricted({ ids: (k) => [k.reverted.flagId] }),
  "POST /api/v1/flags/{id}/clone": restricted(),
  "POST /api/v1/flags/{id}/revert": exempt,
  "DELETE /api/v1/flags/{id}": exempt,
  "POST /api/v1/operations": restricted(),
  "POST /api/v1/change-requests/{id}/apply": restricted(),
  // Another route archives the flag of `ROUTES`.
  "POST /api/v1/ramps": restricted({
    body: (k) => ({
      flagId: k.otherFlagId,
      environmentId: k.environmentId,
      steps: [{ exactPercentage: 20, holdMinutes: null }],
    }),
  }),
  "POST /api/v1/ramps/{id}/advance": restricted(),
  // It restores what was there before the ramp.
  "POST /api/v1/ramps/{id}/abort": exempt,
  "POST /api/v1/flags/bulk": restricted({
    body: (k) => ({ projectId: k.projectId, action: "archive", flags: [{ id: k.flagId }] }),
  }),
  "POST /api/v1/flags/bulk/strategies": restricted(),
  "POST /api/v1/flags/bulk/strategies/copy": restricted(),
  "POST /api/v1/flags/bulk/strategies/revert": restricted(),
  "PUT /api/v1/flags/{flagId}/strategies": restricted({
    body: (k) => ({ environmentId: k.environmentId, percentage: 7 }),
  }),
  "POST /api/v1/flags/{flagId}/strategies/revert": { effect: "turn-off" },
  "POST /api/v1/projects/{id}/apply": exempt,
  "POST /api/v1/segments": exempt,
  "PUT /api/v1/segments/{id}": restricted({
    body: () => ({ constraints: [inCountries("de")] }),
  }),
  "POST /api/v1/segments/{id}/revert": exempt,
  "DELETE /api/v1/segments/{id}": exempt,
  ...Object.fromEntries(
    [
      "POST /api/v1/auth/login",
      "POST /api/v1/auth/refresh",
      "POST /api/v1/auth/select-project",
      "POST /api/v1/auth/logout",
      "DELETE /api/v1/auth/sessions/{sessionId}",
      "PUT /api/v1/auth/me",
      "POST /api/v1/auth/me/preferences",
      "POST /api/v1/auth/forgot-password",
      "POST /api/v1/auth/reset-password",
      "POST /api/v1/auth/invitation",
      "POST /api/v1/auth/accept-invite",
      "POST /api/v1/auth/mfa/enroll",
      "POST /api/v1/auth/mfa/activate",
      "POST /api/v1/auth/mfa/recovery-codes",
      "POST /api/v1/auth/mfa/disable",
      "POST /api/v1/auth/mfa/verify",
      "POST /api/v1/auth/passkeys/options",
      "POST /api/v1/auth/passkeys",
      "PUT /api/v1/auth/passkeys/{id}",
      "DELETE /api/v1/auth/passkeys/{id}",
      "POST /api/v1/auth/passkeys/sign-in/options",
      "POST /api/v1/auth/passkeys/sign-in",
      "POST /api/v1/users/invite",
      "POST /api/v1/users/{id}/invite",
      "PUT /api/v1/users/{id}",
      "DELETE /api/v1/users/{id}",
      "DELETE /api/v1/users/{id}/mfa",
      "PUT /api/v1/settings",
      "POST /api/v1/auth/sign-on/{slug}",
      "POST /api/v1/auth/sign-on/complete",
      "POST /api/v1/auth/sign-on/{slug}/assertion",
      "POST /api/v1/auth/sign-on/{slug}/logout",
      "DELETE /api/v1/auth/me/identities/{identityId}",
      "POST /api/v1/settings/identity-providers",
      "PUT /api/v1/settings/identity-providers/{id}",
      "DELETE /api/v1/settings/identity-providers/{id}",
      "POST /api/v1/projects",
      "PUT /api/v1/projects/{id}",
      "PUT /api/v1/projects/{id}/members/{userId}",
      "DELETE /api/v1/projects/{id}/members/{userId}",
      "DELETE /api/v1/projects/{id}",
      "POST /api/v1/projects/{id}/plan",
      "POST /api/v1/environments",
      "PUT /api/v1/environments/{id}",
      "PUT /api/v1/environments/{id}/protection",
      "PUT /api/v1/environments/{id}/members",
      "DELETE /api/v1/environments/{id}",
      "POST /api/v1/change-requests",
      "PUT /api/v1/change-requests/{id}",
      "POST /api/v1/change-requests/{id}/rebase",
      "POST /api/v1/change-requests/{id}/reviewers",
      "POST /api/v1/change-requests/{id}/reviews",
      "POST /api/v1/change-requests/{id}/comments",
      "POST /api/v1/change-requests/{id}/close",
      "POST /api/v1/ramps/{id}/pause",
      "POST /api/v1/ramps/{id}/resume",
      "POST /api/v1/ramps/{id}/stop-url",
      "POST /api/v1/ramp-stops/{token}",
      "POST /api/v1/tags",
      "PUT /api/v1/tags/{id}",
      "DELETE /api/v1/tags/{id}",
      "POST /api/v1/shared-filters",
      "PUT /api/v1/shared-filters/{id}",
      "DELETE /api/v1/shared-filters/{id}",
      "POST /api/v1/contexts",
      "PUT /api/v1/contexts/{definitionId}",
      "DELETE /api/v1/contexts/{definitionId}",
      "POST /api/v1/contexts/{definitionId}/values",
      "PUT /api/v1/contexts/{definitionId}/values",
      "PUT /api/v1/contexts/values/{valueId}",
      "DELETE /api/v1/contexts/values/{valueId}",
      "POST /api/v1/auth/device",
      "POST /api/v1/auth/device/token",
      "POST /api/v1/auth/device/lookup",
      "POST /api/v1/auth/device/approve",
      "POST /api/v1/auth/device/deny",
      "DELETE /api/v1/agents/{id}",
      "POST /api/v1/settings/oauth-clients",
      "DELETE /api/v1/settings/oauth-clients/{id}",
      "POST /api/v1/tokens",
      "DELETE /api/v1/tokens/{id}",
      "POST /api/v1/service-accounts",
      "PUT /api/v1/service-accounts/{id}",
      "DELETE /api/v1/service-accounts/{id}",
      "POST /api/v1/api-keys",
      "PUT /api/v1/api-keys/{id}",
      "DELETE /api/v1/api-keys/{id}",
      "POST /api/v1/integrations",
      "PUT /api/v1/integrations/{id}",
      "DELETE /api/v1/integrations/{id}",
      "POST /api/v1/integrations/{id}/deliveries/{deliveryId}/redeliver",
      "POST /api/v1/integrations/{id}/test",
    ].map((name) => [name, elsewhere]),
  ),
};
