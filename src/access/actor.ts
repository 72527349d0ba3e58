import type { UserActor } from "@feature-flags/permissions/permissions";
import type { UserRow } from "../model/auth/queries.ts";

/** A user whom a request is about, with the session or the token that the request proves, if any. */
export type SignedUser = Pick<UserRow, "id" | "email" | "role"> &
  Partial<Pick<UserActor, "sessionId" | "token">>;

/**
 * Returns the actor for the audit records of a request that has no access token. The actor is the
 * user whom the request is about.
 */
export const actorOf = ({ id, email, role, sessionId, token }: SignedUser): UserActor => ({
  kind: "user",
  id,
  email,
  role,
  projectRoles: new Map(),
  hiddenProjects: new Set(),
  sessionId,
  projectId: undefined,
  mfaOverdue: false,
  ...(token && { token }),
});
