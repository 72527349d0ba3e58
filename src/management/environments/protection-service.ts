import { changedFields } from "../../core/audit/changed-fields.ts";
import { ApiError, conflict, notFound } from "../../core/errors/api-error.ts";
import {
  grantsMore,
  isWeaker,
  type Member,
  type Policy,
  policyOf,
} from "../../core/protection/policy.ts";
import type { Change } from "../../db/commit.ts";
import { environments } from "../../db/schema/projects.ts";
import { type Call, type Reading, reads, writes } from "../../access/call.ts";
import type { ById, ByIdIfMatch, ChangeOf } from "../../core/lib/input.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { inScope } from "../../access/scope.ts";
import { mailWeakening } from "../../mail/protection-mails.ts";
import * as queries from "../../model/environments/protection-queries.ts";
import type { ProtectedEnvironment } from "../../model/environments/protection-queries.ts";

const missing = notFound("The environment does not exist");
const tooFewApprovers = conflict(
  "Too few active users may approve: there must be one more than requiredApprovals, because an author never approves",
);

/** Returns the protection of an environment. Throws: 404, 403 for an API key of another project. */
export const getProtection = (call: Call, { id }: ById): Promise<ProtectedEnvironment> =>
  find(reads(call, "environment:read"), id);

const find = async (ctx: Reading, id: number): Promise<ProtectedEnvironment> =>
  inScope(ctx, await queries.findProtection(ctx.db, id), missing);

/**
 * Changes the protection of an environment. A weaker protection is mailed to all administrators. Throws: 404,
 * 412 for another version, 400 for a weaker protection without a reason, 409 if too few users may approve.
 */
export async function setProtection(
  call: Call,
  { id, ifMatch, ...change }: ByIdIfMatch & ChangeOf<Policy>,
): Promise<ProtectedEnvironment> {
  const ctx = reads(call, "protection:write");
  const read = () => find(ctx, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const before = policyOf(row);
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      const after: Policy = { ...before, ...Object.fromEntries(given) };
      const weaker = isWeaker(before, after);
      await write(call, row, {
        statements: [queries.updatePolicy(id, after, ctx.now())],
        before: { ...before },
        after: { ...after },
        weaker,
      });
    },
  });
  return read();
}

/** Returns the members of an environment. Throws: 404, 403 for an API key of another project. */
export async function getMembers(call: Call, { id }: ById): Promise<WithMembers> {
  const ctx = reads(call, "environment:read");
  const { version } = await find(ctx, id);
  return { version, members: await queries.listMembers(ctx.db, id) };
}

interface WithMembers {
  /** The version of the environment. */
  readonly version: number;
  readonly members: readonly Member[];
}

/**
 * Replaces the members of an environment. New rights of a member weaken the protection if
 * `memberAccess` is `list`. Throws: 404 for an unknown environment or user, 412 for another version,
 * 400 for a weaker protection without a reason, 409 if too few users may approve.
 */
export async function setMembers(
  call: Call,
  { id, ifMatch, members }: ByIdIfMatch & { readonly members: readonly Member[] },
): Promise<WithMembers> {
  const ctx = reads(call, "protection:write");
  const sorted = members.toSorted((a, b) => a.userId - b.userId);
  const read = async () => ({
    ...(await find(ctx, id)),
    members: await queries.listMembers(ctx.db, id),
  });
  await optimisticUpdate({
    ifMatch,
    read,
    write: async ({ members: before, ...row }) => {
      const ids = sorted.map(({ userId }) => userId);
      await write(call, row, {
        guards: [
          { holds: queries.usersExist(ids), error: notFound("One of the users does not exist") },
        ],
        statements: queries.replaceMembers(id, sorted, ctx.now()),
        before: { members: before },
        after: { members: sorted },
        weaker: row.memberAccess === "list" && grantsMore(before, sorted),
      });
    },
  });
  return read();
}

interface Write extends Pick<Change, "guards" | "statements"> {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly weaker: boolean;
}

async function write(
  call: Call,
  row: ProtectedEnvironment,
  { guards = [], statements, before, after, weaker }: Write,
): Promise<void> {
  const { id, projectId, name } = row;
  if (weaker && (call.request?.reason ?? "").trim() === "")
    throw new ApiError(
      "BAD_REQUEST",
      "The header X-Change-Reason must say why the protection becomes weaker",
    );
  const ctx = writes(call, "protection:write", { projectId, environmentId: id });
  const changed = changedFields({ before, after });
  await ctx.commit({
    guards: [unchanged(environments, row), ...guards],
    statements,
    checks: [{ holds: queries.enoughApprovers(id), error: tooFewApprovers }],
    audit: [
      {
        action: "environment.protection-updated",
        entityType: "environment",
        entityId: id,
        projectId,
        environmentId: id,
        before,
        after,
      },
    ],
    events: [
      {
        type: "environment.protection-updated",
        projectId,
        entityId: id,
        data: {
          environment: { name },
          protection: after,
          changed: Object.keys(changed?.after ?? {}),
        },
      },
    ],
  });
  if (weaker) mailWeakening(call, ctx.db, row);
}
