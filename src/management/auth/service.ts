import { sha256 } from "../../core/digest.ts";
import { ApiError, notFound, unauthorized } from "../../core/errors.ts";
import type { UserActor } from "../../core/permissions.ts";
import type { Rotation } from "../../core/refresh-family.ts";
import { log } from "../../http/log.ts";
import type { ManagementDeps } from "../deps.ts";
import { findProject } from "../projects/queries.ts";
import { hashPassword, passwordFault, verifyPassword } from "./password.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { familyOf, newFamilyId, newRefreshToken, signAccessToken } from "./tokens.ts";

/** The tokens of a session and whose they are. */
export interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: UserRow;
}

/** Errors: 401 INVALID_CREDENTIALS, in the same time whether or not the user exists. */
export async function login(
  deps: ManagementDeps,
  input: { readonly email: string; readonly password: string },
): Promise<Session> {
  const email = queries.normalizeEmail(input.email);
  let user = await queries.findUserByEmail(deps.db, email);
  if (!user && email === deps.bootstrap?.email) user = await bootstrapAdministrator(deps);
  const hash = user?.status === "ACTIVE" ? user.passwordHash : null;
  if (!(await verifyPassword(input.password, hash)) || !user)
    throw new ApiError("INVALID_CREDENTIALS", "Wrong e-mail or password");
  return startSession(deps, user);
}

/** Errors: 401 TOKEN_REUSE (the family is revoked), 401 UNAUTHORIZED for any other useless token. */
export async function refresh(deps: ManagementDeps, refreshToken: string): Promise<Session> {
  const familyId = familyOf(refreshToken);
  if (familyId === undefined) throw unauthorized("The refresh token is not valid");
  // Read before the rotation: a database that fails now must not cost the caller the session.
  const user = await queries.findSessionUser(deps.db, familyId);
  const { next, rotation } = await nextToken(deps, familyId);
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
  if (actor.sessionId === undefined) return;
  await deps.families.revoke(actor.sessionId);
  await deps.commit(actor, {
    statements: [queries.deleteSession(actor.sessionId)],
    audit: [
      { action: "session.ended", category: "security", entityType: "user", entityId: actor.id },
    ],
  });
}

/** Binds the session to a project. Errors: 404; 401 when the session is over. */
export async function selectProject(deps: ManagementDeps, actor: UserActor, projectId: number) {
  const project = await findProject(deps.db, projectId);
  if (!project) throw notFound("The project");
  if (actor.sessionId === undefined) throw unauthorized("The token belongs to no session");
  const { next, rotation } = await nextToken(deps, actor.sessionId);
  const [user, selected] = await Promise.all([
    queries.findUser(deps.db, actor.id),
    deps.families.selectProject(actor.sessionId, projectId, rotation),
  ]);
  if (!user || !selected) throw unauthorized("The session is over");
  return { ...(await toSession(deps, user, actor.sessionId, next, projectId)), project };
}

export async function me(deps: ManagementDeps, actor: UserActor): Promise<UserRow> {
  const user = await queries.findUser(deps.db, actor.id);
  if (!user) throw unauthorized();
  return user;
}

async function startSession(deps: ManagementDeps, user: UserRow): Promise<Session> {
  const familyId = newFamilyId();
  const { next, rotation } = await nextToken(deps, familyId);
  await deps.families.open(familyId, { userId: user.id, ...rotation });
  const now = deps.now();
  await deps.commit(
    {
      kind: "user",
      id: user.id,
      email: user.email,
      role: user.role,
      sessionId: familyId,
      projectId: undefined,
    },
    {
      statements: [
        queries.insertSession({ id: familyId, userId: user.id, createdAt: now }),
        queries.touchUser(user.id, now),
      ],
      audit: [
        { action: "session.started", category: "security", entityType: "user", entityId: user.id },
      ],
      onForeignKey: new ApiError("INVALID_CREDENTIALS", "Wrong e-mail or password"),
    },
  );
  return toSession(deps, { ...user, lastActiveAt: now }, familyId, next, undefined);
}

/** Creates the first administrator, if there is none yet (decisions 3.10). */
async function bootstrapAdministrator(deps: ManagementDeps): Promise<UserRow | undefined> {
  const { bootstrap } = deps;
  if (!bootstrap) return undefined;
  const fault = passwordFault(bootstrap.password, bootstrap.email);
  if (fault !== undefined) {
    log("ERROR", "auth", `BOOTSTRAP_ADMIN_PASSWORD ${fault}`, { traceId: deps.request.traceId });
    return undefined;
  }
  const now = deps.now();
  const { email } = bootstrap;
  const exists = new ApiError("CONFLICT", "There is an administrator already");
  const passwordHash = await hashPassword(bootstrap.password);
  try {
    await deps.commit(
      { kind: "system", name: "bootstrap" },
      {
        guards: [{ holds: queries.noAdministrator, otherwise: exists }],
        statements: [
          queries.insertUser({
            email,
            name: email.split("@")[0] ?? email,
            role: "ADMIN",
            status: "ACTIVE",
            passwordHash,
            createdAt: now,
          }),
        ],
        audit: [
          {
            action: "user.created",
            category: "security",
            entityType: "user",
            entityId: null,
            after: { email, role: "ADMIN" },
          },
        ],
        onDuplicate: exists,
      },
    );
  } catch (error) {
    // Another request was first, or somebody else is administrator: the look-up below decides.
    if (error !== exists) throw error;
  }
  return queries.findUserByEmail(deps.db, email);
}

async function recordReuse(deps: ManagementDeps, userId: number): Promise<void> {
  await deps.commit(
    { kind: "system", name: "refresh" },
    {
      statements: [],
      audit: [
        { action: "session.reuse", category: "security", entityType: "user", entityId: userId },
      ],
    },
  );
}

async function nextToken(deps: ManagementDeps, familyId: string) {
  const next = await newRefreshToken(familyId);
  const rotation: Rotation = {
    nextHash: next.hash,
    expiresAt: deps.now() + deps.tokens.refreshTtlMs,
  };
  return { next: next.token, rotation };
}

async function toSession(
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
