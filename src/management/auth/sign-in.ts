import { HOUR_MS } from "../../core/lib/time.ts";
import { ApiError } from "../../core/errors/api-error.ts";
import type { UserActor } from "@feature-flags/permissions/permissions";
import { aboutUser } from "../../db/audit.ts";
import type { Rotation } from "../../core/sessions/refresh-family.ts";
import type { Guard, Statement } from "../../db/commit.ts";
import type { ManagementDeps } from "../deps.ts";
import { findSettings, type SettingsRow } from "../settings/queries.ts";
import { mfaDeadline } from "../settings/schema.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { signAccessToken } from "./jwt.ts";
import { newFamilyId, newRefreshToken } from "./refresh-token.ts";

/** The tokens of a session and whose they are. */
export interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: UserRow;
  /** When the user must have a second factor, epoch milliseconds; undefined: no need to hurry. */
  readonly mfaEnrollmentDeadline?: number | undefined;
}

export const invalidCredentials = () =>
  new ApiError("INVALID_CREDENTIALS", "Wrong e-mail or password");

/** The user as an actor of a session that is just beginning. */
export const actorOf = (user: UserRow, sessionId?: string): UserActor => ({
  kind: "user",
  id: user.id,
  email: user.email,
  role: user.role,
  sessionId,
  projectId: undefined,
  mfaOverdue: false,
});

/** Opens a refresh family; what else belongs to the sign-in is committed with it. */
export async function startSession(
  deps: ManagementDeps,
  user: UserRow,
  signIn: {
    readonly hasMfa: boolean;
    readonly guards?: readonly Guard[];
    readonly statements?: readonly Statement[];
  },
): Promise<Session> {
  const familyId = newFamilyId();
  const settings = await findSettings(deps.db);
  const { next, rotation } = await nextToken(deps, familyId, settings);
  await deps.families.open(familyId, { userId: user.id, ...rotation });
  const now = deps.now();
  const { userAgent = null, ip = null } = deps.request;
  await deps.commit(actorOf(user, familyId), {
    guards: signIn.guards ?? [],
    statements: [
      ...(signIn.statements ?? []),
      queries.insertSession({ id: familyId, userId: user.id, createdAt: now, userAgent, ip }),
      queries.touchUser(user.id, now),
    ],
    audit: aboutUser("session.started", user.id),
    onForeignKey: invalidCredentials(),
  });
  const session = await toSession(deps, { ...user, lastActiveAt: now }, familyId, next, undefined);
  const mfaEnrollmentDeadline = signIn.hasMfa ? undefined : (mfaDeadline(settings) ?? undefined);
  return { ...session, mfaEnrollmentDeadline };
}

/** For how long a session may rest, milliseconds (decisions 3.11). */
export const sessionTimeout = (settings: Pick<SettingsRow, "sessionTimeoutHours">): number =>
  settings.sessionTimeoutHours * HOUR_MS;

/** A refresh token of the family, and what its rotation writes. */
export async function nextToken(deps: ManagementDeps, familyId: string, settings: SettingsRow) {
  const { token: next, hash: nextHash } = await newRefreshToken(familyId);
  const expiresAt = deps.now() + deps.tokens.refreshTtlMs;
  const rotation: Rotation = { nextHash, expiresAt, timeoutMs: sessionTimeout(settings) };
  return { next, rotation };
}

export async function toSession(
  deps: ManagementDeps,
  user: UserRow,
  sessionId: string,
  refreshToken: string,
  projectId: number | undefined,
): Promise<Session> {
  const claims = { userId: user.id, role: user.role, sessionId, projectId };
  const accessToken = await signAccessToken(deps.tokens, claims, deps.now());
  return { accessToken, refreshToken, user };
}
