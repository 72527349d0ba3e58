import type { Scope } from "@feature-flags/permissions/permissions";
import { invalid, notFound, unauthorized } from "../../core/errors/api-error.ts";
import { withCurrentPassword } from "../../workflows/sign-in/current-password.ts";
import { findUser } from "../../model/auth/queries.ts";
import { type Call, ownAccount, reads, type RequestCall } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import {
  isManageable,
  manageable,
  missing as missingAccount,
} from "../service-accounts/manageable.ts";
import {
  findServiceAccount,
  type ServiceAccountRow,
} from "../../model/service-accounts/queries.ts";
import { aboutToken, assertVisible, tokenContent, newToken } from "./new-token.ts";
import { listedUser, mayEnd, type OfUser, ownerIfOther, tellOwner } from "./of-user.ts";
import * as queries from "../../model/tokens/queries.ts";
import type { OwnerId, TokenRow } from "../../model/tokens/queries.ts";

const missing = () => notFound("The token does not exist");

/** The owner of tokens: a service account, or by default the signed-in user. */
interface OfOwner {
  readonly serviceAccountId?: number | undefined;
}

export interface NewToken extends OfOwner {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly projectIds?: readonly number[] | null | undefined;
  readonly environmentIds?: readonly number[] | null | undefined;
  readonly expiresInDays: number;
  readonly currentPassword?: string | undefined;
}

/**
 * Returns the tokens of a user or of a service account, without those that were revoked.
 * Throws: 404 for an unknown service account, 403 for one that the caller may not manage; 403 for another
 * user, unless the caller is an administrator; 400 for a request that names both.
 */
export async function listTokens(
  call: Call,
  { serviceAccountId, ...ofUser }: OfOwner & OfUser,
): Promise<TokenRow[]> {
  if (serviceAccountId !== undefined && ofUser.userId !== undefined)
    throw invalid([{ field: "userId", message: "must not be given with serviceAccountId" }]);
  const { db, userId } = listedUser(call, ofUser);
  if (serviceAccountId === undefined) return queries.listTokens(db, { userId });
  const ctx = reads(call, "service-account:read");
  manageable(ctx, await findServiceAccount(db, serviceAccountId));
  return queries.listTokens(db, { serviceAccountId });
}

/** Returns the token with which the caller calls, and its owner. Throws: 404 for a caller with a session. */
export async function currentToken(call: Call) {
  const { db, actor } = reads(call, "token:read");
  if (actor.kind !== "user" && actor.kind !== "service-account") throw missing();
  const row = actor.token && (await queries.findToken(db, actor.token.id));
  if (!row) throw missing();
  const { kind, id } = actor;
  return { row, owner: { kind, id, name: kind === "user" ? actor.email : actor.name } };
}

/**
 * Creates a token of the signed-in user or of a service account. Returns its row and the token itself, of
 * which the database stores only a hash. Throws: 400 for a wrong current password, and for projects and
 * environments that do not exist or that the owner cannot see; 402 for too many tokens; 404 for an unknown
 * service account, 403 for one that the caller may not manage; 429 after too many wrong passwords.
 */
export async function createToken(
  call: RequestCall,
  { serviceAccountId, currentPassword, ...input }: NewToken,
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  const ctx = ownAccount(call, "token:own");
  const { actor, db } = ctx;
  const account =
    serviceAccountId === undefined ? undefined : await accountOf(call, serviceAccountId);
  const { projectIds = null, environmentIds = null } = input;
  await assertVisible(call, { account, projectIds, environmentIds });
  const owner: OwnerId = account ? { serviceAccountId: account.id } : { userId: actor.id };
  const { token, hash, ...change } = await newToken(
    owner,
    { name: input.name, scopes: input.scopes, projectIds, environmentIds },
    { createdBy: actor.id, createdAt: ctx.now(), expiresInDays: input.expiresInDays },
  );
  const user = await findUser(db, actor.id);
  if (!user) throw unauthorized();
  await withCurrentPassword({ ...call, ...ctx }, { user, currentPassword }, (attempt) =>
    ctx.commit({
      guards: [...attempt.guards, ...change.guards],
      statements: [...attempt.statements, ...change.statements],
      audit: change.audit,
      onForeignKey: missingAccount(),
    }),
  );
  const created = await queries.findTokenByHash(db, hash);
  if (!created) throw missing();
  return { row: created, token };
}

/**
 * Revokes a token of a user or of a service account. Later requests with the token are
 * 401. Throws: 404 for an unknown token, and for one that the caller may not manage.
 */
export async function revokeToken(call: Call, { id }: ById): Promise<void> {
  const ctx = ownAccount(call, "token:own");
  const row = await queries.findToken(ctx.db, id);
  if (!row || !(await isRevocable(call, row))) throw missing();
  await ctx.commit({
    guards: [{ holds: queries.isUnrevoked(id), error: missing() }],
    statements: [queries.revokeToken(id, ctx.now())],
    audit: [
      {
        ...aboutToken("revoked", id),
        before: { ...tokenContent(row), ...ownerIfOther(ctx.actor, row) },
      },
    ],
  });
  tellOwner(call, row, "token");
}

/** Whether the caller may revoke a token: as its owner, or as the manager of the owner. */
async function isRevocable(call: Call, { userId, serviceAccountId }: TokenRow): Promise<boolean> {
  const { actor, db } = ownAccount(call, "token:own");
  if (serviceAccountId === null) return mayEnd(actor, userId);
  const account = await findServiceAccount(db, serviceAccountId);
  return (
    account !== undefined && isManageable({ actor, permission: "service-account:write" }, account)
  );
}

/** Returns a service account for which the caller may create tokens. Throws: 403, 404. */
async function accountOf(call: Call, id: number): Promise<ServiceAccountRow> {
  const ctx = reads(call, "service-account:write");
  return manageable(ctx, await findServiceAccount(ctx.db, id));
}
