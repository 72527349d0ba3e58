import { isHidden, type Scope } from "@feature-flags/permissions/permissions";
import { newAccessToken } from "../../core/credentials/access-token.ts";
import { invalid, notFound, unauthorized } from "../../core/errors/api-error.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import type { AuditEntry } from "../../db/audit.ts";
import { belowLimit } from "../../db/quota.ts";
import { iso } from "../../http/schema.ts";
import { withCurrentPassword } from "../auth/current-password.ts";
import { findUser } from "../auth/queries.ts";
import { authorized, type Call, type ManagementCall } from "../context.ts";
import type { ById } from "../input.ts";
import {
  isManageable,
  manageable,
  missing as missingAccount,
} from "../service-accounts/manageable.ts";
import { findServiceAccount, type ServiceAccountRow } from "../service-accounts/queries.ts";
import * as queries from "./queries.ts";
import type { OwnerId, TokenRow } from "./queries.ts";

/** The most tokens of an owner that are neither revoked nor expired. */
const MAX_TOKENS = 50;

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
 * Returns the tokens of the signed-in user, or of a service account, without those that were revoked.
 * Throws: 404 for an unknown service account, 403 for one that the caller may not manage.
 */
export async function listTokens(call: Call, { serviceAccountId }: OfOwner): Promise<TokenRow[]> {
  const { db, actor } = authorized(call, "token:own");
  if (serviceAccountId === undefined) return queries.listTokens(db, { userId: actor.id });
  const ctx = authorized(call, "service-account:read");
  manageable(ctx, await findServiceAccount(db, serviceAccountId));
  return queries.listTokens(db, { serviceAccountId });
}

/**
 * Creates a token of the signed-in user or of a service account. Returns its row and the token itself,
 * of which the database stores only a hash.
 * Throws: 400 for a wrong current password, and for projects and environments that do not exist or that
 * the owner cannot see; 402 for too many tokens; 404 for an unknown service account, 403 for one that
 * the caller may not manage; 429 after too many wrong passwords.
 */
export async function createToken(
  call: ManagementCall,
  { serviceAccountId, currentPassword, ...input }: NewToken,
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  const ctx = authorized(call, "token:own");
  const { actor, db } = ctx;
  const account =
    serviceAccountId === undefined ? undefined : await accountOf(call, serviceAccountId);
  const { projectIds = null, environmentIds = null } = input;
  await assertVisible(call, { account, projectIds, environmentIds });
  const owner: OwnerId = account ? { serviceAccountId: account.id } : { userId: actor.id };
  const token = newAccessToken(account ? "ffsvc" : "ffpat");
  const hash = await sha256(token);
  const createdAt = ctx.now();
  const row = {
    name: input.name,
    scopes: input.scopes,
    projectIds,
    environmentIds,
    preview: token.slice(-4),
    expiresAt: createdAt + input.expiresInDays * DAY_MS,
    ...owner,
  };
  const user = await findUser(db, actor.id);
  if (!user) throw unauthorized();
  await withCurrentPassword({ ...call, ...ctx }, { user, currentPassword }, (attempt) =>
    ctx.commit({
      guards: [
        ...attempt.guards,
        belowLimit(queries.countTokens(owner, createdAt), MAX_TOKENS, "tokens of an owner"),
      ],
      statements: [
        ...attempt.statements,
        queries.insertToken({ ...row, hash, createdBy: actor.id, createdAt }),
      ],
      audit: [{ ...aboutToken("created", queries.tokenIdByHash(hash)), after: contentOf(row) }],
      onForeignKey: missingAccount(),
    }),
  );
  const created = await queries.findTokenByHash(db, hash);
  if (!created) throw missing();
  return { row: created, token };
}

/**
 * Revokes a token of the signed-in user, or of a service account. Later requests with the token are
 * 401. Throws: 404 for an unknown token, and for one that the caller may not manage.
 */
export async function revokeToken(call: Call, { id }: ById): Promise<void> {
  const ctx = authorized(call, "token:own");
  const row = await queries.findToken(ctx.db, id);
  if (!row || !(await isOwn(call, row))) throw missing();
  await ctx.commit({
    guards: [{ holds: queries.isUnrevoked(id), error: missing() }],
    statements: [queries.revokeToken(id, ctx.now())],
    audit: [{ ...aboutToken("revoked", id), before: contentOf(row) }],
  });
}

/** Whether a token belongs to the signed-in user, or to a service account that they may manage. */
async function isOwn(call: Call, { userId, serviceAccountId }: TokenRow): Promise<boolean> {
  const { actor, db } = authorized(call, "token:own");
  if (serviceAccountId === null) return userId === actor.id;
  const account = await findServiceAccount(db, serviceAccountId);
  return (
    account !== undefined && isManageable({ actor, permission: "service-account:write" }, account)
  );
}

/** Returns a service account for which the caller may create tokens. Throws: 403, 404. */
async function accountOf(call: Call, id: number): Promise<ServiceAccountRow> {
  const ctx = authorized(call, "service-account:write");
  return manageable(ctx, await findServiceAccount(ctx.db, id));
}

interface Limits extends Pick<TokenRow, "projectIds" | "environmentIds"> {
  readonly account: ServiceAccountRow | undefined;
}

/** Throws: 400 for projects and environments that do not exist or that the owner cannot see. */
async function assertVisible(
  call: Call,
  { account, projectIds, environmentIds }: Limits,
): Promise<void> {
  const { actor, db } = authorized(call, "token:own");
  const own = account?.projectId ?? undefined;
  const isVisible = (id: number) => !isHidden(actor, id) && (own === undefined || own === id);
  if (projectIds) {
    const found = await queries.existingProjects(db, projectIds);
    if (found.filter(({ id }) => isVisible(id)).length < projectIds.length)
      throw invalid([{ field: "projectIds", message: "must be projects that the owner can see" }]);
  }
  if (environmentIds) {
    const found = await queries.existingEnvironments(db, environmentIds);
    const isCovered = (id: number) => isVisible(id) && (projectIds?.includes(id) ?? true);
    if (found.filter(({ projectId }) => isCovered(projectId)).length < environmentIds.length)
      throw invalid([
        { field: "environmentIds", message: "must be environments of the projects of the token" },
      ]);
  }
}

const contentOf = (
  row: Pick<TokenRow, "name" | "scopes" | "projectIds" | "environmentIds" | "expiresAt"> &
    Partial<Pick<TokenRow, "serviceAccountId">>,
) => ({
  name: row.name,
  scopes: row.scopes,
  projectIds: row.projectIds,
  environmentIds: row.environmentIds,
  serviceAccountId: row.serviceAccountId ?? null,
  expiresAt: iso(row.expiresAt),
});

const aboutToken = (what: "created" | "revoked", entityId: AuditEntry["entityId"]): AuditEntry => ({
  action: `token.${what}`,
  category: "security",
  entityType: "token",
  entityId,
});
