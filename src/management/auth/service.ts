import { sha256 } from "../../core/lib/digest.ts";
import { normalizeEmail } from "../../core/lib/email.ts";
import { ApiError, notFound, unauthorized } from "../../core/errors/api-error.ts";
import type { UserActor } from "@feature-flags/permissions/permissions";
import { aboutUser } from "../../db/audit.ts";
import type { ManagementDeps } from "../deps.ts";
import { findProject, type ProjectRow } from "../projects/queries.ts";
import { findSettings } from "../settings/queries.ts";
import { bootstrapAdministrator } from "./bootstrap.ts";
import { attempt } from "./lockout.ts";
import { verifyPassword } from "./password.ts";
import * as queries from "./queries.ts";
import {
  actorOf,
  invalidCredentials,
  nextToken,
  type Session,
  sessionTimeout,
  startSession,
  toSession,
} from "./sign-in.ts";
import { signMfaToken } from "./jwt.ts";
import { familyIdOf } from "./refresh-token.ts";

/** The password was right; a second factor must follow. */
export interface FirstStep {
  readonly mfaToken: string;
}

const SYSTEM = { kind: "system", name: "sign-in" } as const;

/**
 * Errors: 401 INVALID_CREDENTIALS, 429 after too many of them; with the same work whether or not the
 * user exists.
 */
export async function login(
  deps: ManagementDeps,
  input: { readonly email: string; readonly password: string },
): Promise<Session | FirstStep> {
  const { failures } = deps.limits;
  failures.check("login");
  const email = normalizeEmail(input.email);
  return attempt(deps, email, async ({ guards, statements, fail }) => {
    let user = await queries.findUserByEmail(deps.db, email);
    if (!user && email === deps.bootstrap?.email) user = await bootstrapAdministrator(deps);
    const hash = user?.status === "ACTIVE" ? user.passwordHash : null;
    if (!(await verifyPassword(input.password, hash)) || !user) {
      failures.count("login");
      await fail(SYSTEM, "session.refused");
      throw invalidCredentials();
    }
    if (!(await queries.hasMfa(deps.db, user.id)))
      return startSession(deps, user, { hasMfa: false, guards, statements });
    await deps.commit(actorOf(user), {
      guards,
      statements: [],
      audit: aboutUser("session.first-step", user.id),
    });
    return { mfaToken: await signMfaToken(deps.tokens, user.id, deps.now()) };
  });
}

/** Errors: 401 TOKEN_REUSE (the family is revoked), 401 UNAUTHORIZED for any other useless token. */
export async function refresh(deps: ManagementDeps, refreshToken: string): Promise<Session> {
  const familyId = familyIdOf(refreshToken);
  if (familyId === undefined) throw unauthorized("The refresh token is not valid");
  // Read before the rotation: a database that fails now must not cost the caller the session.
  const [user, settings] = await Promise.all([
    queries.findSessionUser(deps.db, familyId),
    findSettings(deps.db),
  ]);
  const { next, rotation } = await nextToken(deps, familyId, settings);
  const presented = await deps.families.refresh(familyId, await sha256(refreshToken), rotation);
  if (presented.outcome === "reuse") {
    await recordReuse(deps, presented.family.userId);
    throw new ApiError("TOKEN_REUSE", "The token was used before; sign in again");
  }
  if (presented.outcome !== "rotated") throw unauthorized("The refresh token is not valid");
  if (user?.status !== "ACTIVE") {
    await deps.families.revoke(familyId);
    throw unauthorized("The session is over");
  }
  return toSession(deps, user, familyId, next, presented.family.projectId ?? undefined);
}

/** Ends the session that the access token belongs to: its whole refresh family. */
export async function logout(deps: ManagementDeps, actor: UserActor): Promise<void> {
  if (actor.sessionId !== undefined) await endSession(deps, actor, actor.sessionId);
}

/** Binds the session to a project. Errors: 404; 401 when the session is over. */
export async function selectProject(
  deps: ManagementDeps,
  actor: UserActor,
  projectId: number,
): Promise<Session & { readonly project: ProjectRow }> {
  const project = await findProject(deps.db, projectId);
  if (!project) throw notFound("The project");
  if (actor.sessionId === undefined) throw unauthorized("The token belongs to no session");
  const { next, rotation } = await nextToken(deps, actor.sessionId, await findSettings(deps.db));
  const [user, selected] = await Promise.all([
    queries.findUser(deps.db, actor.id),
    deps.families.selectProject(actor.sessionId, projectId, rotation),
  ]);
  if (!user || !selected) throw unauthorized("The session is over");
  return { ...(await toSession(deps, user, actor.sessionId, next, projectId)), project };
}

/** One of the user's own sessions; times in epoch milliseconds. */
export interface SessionInfo {
  readonly id: string;
  readonly createdAt: number;
  readonly refreshedAt: number;
  readonly expiresAt: number;
  readonly userAgent: string | null;
  readonly ip: string | null;
  /** The session of the very token that asks. */
  readonly current: boolean;
}

/** The own sessions that are alive, newest first. */
export async function listSessions(deps: ManagementDeps, actor: UserActor): Promise<SessionInfo[]> {
  const [rows, settings] = await Promise.all([
    queries.listSessions(deps.db, actor.id),
    findSettings(deps.db),
  ]);
  const timeoutMs = sessionTimeout(settings);
  const families = await Promise.all(rows.map((row) => deps.families.describe(row.id, timeoutMs)));
  return rows.flatMap((row, n) => {
    const family = families[n];
    if (!family) return [];
    const { refreshedAt, expiresAt } = family;
    const { id, createdAt, userAgent, ip } = row;
    return {
      id,
      createdAt,
      refreshedAt,
      expiresAt,
      userAgent,
      ip,
      current: id === actor.sessionId,
    };
  });
}

/** Errors: 404 for a session that is not the user's own. */
export async function revokeSession(
  deps: ManagementDeps,
  actor: UserActor,
  sessionId: string,
): Promise<void> {
  const owner = await queries.findSessionUser(deps.db, sessionId);
  if (owner?.id !== actor.id) throw notFound("The session");
  await endSession(deps, actor, sessionId);
}

async function endSession(
  deps: ManagementDeps,
  actor: UserActor,
  sessionId: string,
): Promise<void> {
  await deps.families.revoke(sessionId);
  await deps.commit(actor, {
    statements: [queries.deleteSession(sessionId)],
    audit: aboutUser("session.ended", actor.id),
  });
}

async function recordReuse(deps: ManagementDeps, userId: number): Promise<void> {
  await deps.commit(SYSTEM, {
    statements: [],
    audit: aboutUser("session.reuse", userId),
  });
}
