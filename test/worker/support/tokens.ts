import { env } from "cloudflare:workers";
import type { Role, Scope } from "@feature-flags/permissions/permissions";
import { newAccessToken } from "../../../src/core/credentials/access-token.ts";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { DAY_MS } from "../../../src/core/lib/time.ts";

interface TokenOf {
  readonly userId?: number;
  readonly serviceAccountId?: number;
  readonly scopes: readonly Scope[];
  readonly projectIds?: readonly number[];
  readonly environmentIds?: readonly number[];
  /** The id of the user who has made the token. Default: the owner. */
  readonly createdBy?: number;
}

/** Inserts a token that expires in 90 days. Returns its id and the token itself. */
export async function newToken({ userId, serviceAccountId, scopes, ...more }: TokenOf) {
  const token = newAccessToken(userId === undefined ? "ffsvc" : "ffpat");
  const { projectIds, environmentIds, createdBy = userId ?? 0 } = more;
  const row = await env.DB.prepare(
    `INSERT INTO access_tokens (name, hash, preview, user_id, service_account_id, scopes, project_ids,
       environment_ids, created_by, created_at, expires_at)
     VALUES ('ci', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  )
    .bind(
      await sha256(token),
      token.slice(-4),
      userId ?? null,
      serviceAccountId ?? null,
      JSON.stringify(scopes),
      projectIds ? JSON.stringify(projectIds) : null,
      environmentIds ? JSON.stringify(environmentIds) : null,
      createdBy,
      Date.now(),
      Date.now() + 90 * DAY_MS,
    )
    .first<{ id: number }>();
  if (!row) throw new Error("the token was not inserted");
  return { id: row.id, token };
}

/** Inserts a service account, of a project or with a role in the organisation. Returns its id. */
export async function newServiceAccount(
  role: Role,
  projectId: number | null,
  createdBy: number | null = null,
): Promise<number> {
  const row = await env.DB.prepare(
    `INSERT INTO service_accounts (name, role, project_id, created_by, created_at)
     VALUES (?, ?, ?, ?, ?) RETURNING id`,
  )
    .bind(`account-${crypto.randomUUID()}`, role, projectId, createdBy, Date.now())
    .first<{ id: number }>();
  if (!row) throw new Error("the service account was not inserted");
  return row.id;
}
