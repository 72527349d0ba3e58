import type { Role } from "@feature-flags/permissions/permissions";
import type { AuditEntry } from "../../db/audit.ts";
import { belowLimit } from "../../db/quota.ts";
import { serviceAccounts } from "../../db/schema/tokens.ts";
import { type Call, type Reading, reads, writes } from "../../access/call.ts";
import type { ById, ByIdIfMatch, ChangeOf } from "../../core/lib/input.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { unknownProject } from "../../access/scope.ts";
import { revokeTokens } from "../../model/tokens/queries.ts";
import { isManageable, manageable, missing } from "./manageable.ts";
import * as queries from "../../model/service-accounts/queries.ts";
import type { ServiceAccountRow } from "../../model/service-accounts/queries.ts";

/** The most service accounts of the organisation with all projects. */
const MAX_ACCOUNTS = 500;

/** Returns the service accounts of a project, or all, that the caller may manage. */
export async function listServiceAccounts(
  call: Call,
  { projectId }: { readonly projectId?: number | undefined },
): Promise<ServiceAccountRow[]> {
  const ctx = reads(call, "service-account:read");
  const rows = await queries.listServiceAccounts(ctx.db, projectId);
  return rows.filter((row) => isManageable(ctx, row));
}

/** Returns a service account. Throws: 404 for an unknown id, 403. */
export const getServiceAccount = (call: Call, { id }: ById): Promise<ServiceAccountRow> =>
  find(reads(call, "service-account:read"), id);

const find = async (ctx: Reading, id: number): Promise<ServiceAccountRow> =>
  manageable(ctx, await queries.findServiceAccount(ctx.db, id));

/**
 * Creates a service account, of one project or with a role in the organisation. Throws: 404 for an
 * unknown project, 402 if there are too many service accounts.
 */
export async function createServiceAccount(
  call: Call,
  input: {
    readonly name: string;
    readonly role: Role;
    readonly projectId: number | null;
  },
): Promise<ServiceAccountRow> {
  const { name, role, projectId } = input;
  const ctx = writes(call, "service-account:write", { projectId });
  const content = { name, role, projectId };
  const createdBy = ctx.actor.kind === "user" ? ctx.actor.id : null;
  const createdAt = ctx.now();
  await ctx.commit({
    guards: [belowLimit(queries.countServiceAccounts, MAX_ACCOUNTS, "service accounts")],
    statements: [queries.insertServiceAccount({ ...content, createdBy, createdAt })],
    audit: [{ ...aboutAccount("created", { id: queries.NEW_ID, projectId }), after: content }],
    onForeignKey: unknownProject(),
  });
  const created = await queries.findCreated(ctx.db, { name, createdBy, createdAt });
  if (!created) throw missing();
  return created;
}

/**
 * Changes the name or the role of a service account. Throws: 404 for an unknown id, 403, 412 if
 * `ifMatch` does not contain the current version.
 */
export async function updateServiceAccount(
  call: Call,
  { id, ifMatch, ...change }: ByIdIfMatch & ChangeOf<{ name: string; role: Role }>,
): Promise<ServiceAccountRow> {
  const ctx = reads(call, "service-account:write");
  const read = () => find(ctx, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const before = { name: row.name, role: row.role };
      const after = { name: change.name ?? row.name, role: change.role ?? row.role };
      return writes(call, "service-account:write", { projectId: row.projectId }).commit({
        guards: [unchanged(serviceAccounts, row)],
        statements: [queries.updateServiceAccount(id, after)],
        audit: [{ ...aboutAccount("updated", row), before, after }],
      });
    },
  });
  return read();
}

/**
 * Deletes a service account, and revokes its tokens. Throws: 404 for an unknown id, 403, 412 if
 * `ifMatch` does not contain the current version.
 */
export async function deleteServiceAccount(
  call: Call,
  { id, ifMatch }: ByIdIfMatch,
): Promise<void> {
  const ctx = reads(call, "service-account:write");
  await optimisticUpdate({
    ifMatch,
    read: () => find(ctx, id),
    write: (row) => {
      const { name, role, projectId } = row;
      return writes(call, "service-account:write", { projectId }).commit({
        guards: [unchanged(serviceAccounts, row)],
        statements: [
          revokeTokens({ serviceAccountId: id }, ctx.now()),
          queries.deleteServiceAccount(id),
        ],
        audit: [{ ...aboutAccount("deleted", row), before: { name, role, projectId } }],
      });
    },
  });
}

const aboutAccount = (
  what: "created" | "updated" | "deleted",
  { id, projectId }: { readonly id: AuditEntry["entityId"]; readonly projectId: number | null },
): AuditEntry => ({
  action: `service-account.${what}`,
  category: "security",
  entityType: "service-account",
  entityId: id,
  projectId,
});
