import type { UserActor } from "@feature-flags/permissions/permissions";
import type { UserRow } from "../model/auth/queries.ts";

/**
 * Returns the actor for the audit records of a request that has no access token. The actor is the
 * user whom the request is about.
 */
export const actorOf = (user: Pick<UserRow, "id" | "email" | "role">): UserActor => ({
  kind: "user",
  id: user.id,
  email: user.email,
  role: user.role,
  projectRoles: new Map(),
  hiddenProjects: new Set(),
  sessionId: undefined,
  projectId: undefined,
  mfaOverdue: false,
});
