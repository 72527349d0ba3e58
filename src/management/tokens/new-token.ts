import { isHidden } from "@feature-flags/permissions/permissions";
import { newAccessToken } from "../../core/credentials/access-token.ts";
import { invalid } from "../../core/errors/api-error.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { Statement } from "../../db/commit.ts";
import type { Guard } from "../../db/guards.ts";
import { belowLimit } from "../../db/quota.ts";
import { iso } from "../../http/schema.ts";
import { type Call, ownAccount } from "../../access/call.ts";
import type { ServiceAccountRow } from "../../model/service-accounts/queries.ts";
import * as queries from "../../model/tokens/queries.ts";
import type { OwnerId, TokenRow } from "../../model/tokens/queries.ts";

/** The most tokens of an owner that are neither revoked nor expired. */
const MAX_TOKENS = 50;

/** What a token is called, and what it may do. */
type Content = Pick<TokenRow, "name" | "scopes" | "projectIds" | "environmentIds">;

interface TokenChange {
  readonly token: string;
  /** The hash by which the row of the token is found. */
  readonly hash: string;
  readonly guards: readonly Guard[];
  readonly statements: readonly Statement[];
  readonly audit: readonly [AuditEntry];
}

/**
 * Returns a new token, and the parts of the change that stores its hash. The guard fails with 402 if
 * the owner has too many tokens. `createdBy`: the id of the user who makes the token. `createdAt`: epoch
 * milliseconds.
 */
export async function newToken(
  owner: OwnerId,
  { name, scopes, projectIds, environmentIds }: Content,
  made: { readonly createdBy: number; readonly createdAt: number; readonly expiresInDays: number },
): Promise<TokenChange> {
  const { createdBy, createdAt, expiresInDays } = made;
  const token = newAccessToken("userId" in owner ? "ffpat" : "ffsvc");
  const hash = await sha256(token);
  const row = {
    name,
    scopes,
    projectIds,
    environmentIds,
    preview: token.slice(-4),
    expiresAt: createdAt + expiresInDays * DAY_MS,
    ...owner,
  };
  return {
    token,
    hash,
    guards: [tokensBelowLimit(owner, createdAt)],
    statements: [queries.insertToken({ ...row, hash, createdBy, createdAt })],
    audit: [{ ...aboutToken("created", queries.tokenIdByHash(hash)), after: tokenContent(row) }],
  };
}

/** Returns the guard that fails with 402 if the owner has too many tokens. `now`: epoch milliseconds. */
export const tokensBelowLimit = (owner: OwnerId, now: number) =>
  belowLimit(queries.countTokens(owner, now), MAX_TOKENS, "tokens of an owner");

interface Limits extends Pick<TokenRow, "projectIds" | "environmentIds"> {
  readonly account: ServiceAccountRow | undefined;
}

/** Throws: 400 for projects and environments that do not exist or that the owner cannot see. */
export async function assertVisible(
  call: Call,
  { account, projectIds, environmentIds }: Limits,
): Promise<void> {
  const { actor, db } = ownAccount(call, "token:own");
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

export const tokenContent = (
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

export const aboutToken = (
  what: "created" | "revoked",
  entityId: AuditEntry["entityId"],
): AuditEntry => ({
  action: `token.${what}`,
  category: "security",
  entityType: "token",
  entityId,
});
