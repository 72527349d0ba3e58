import type { Role } from "@feature-flags/permissions/permissions";
import type { AuditAction } from "../../core/audit/actions.ts";
import { notFound } from "../../core/errors/api-error.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { ConditionGuard } from "../../db/guards.ts";
import { type Call, type Reading, reads, writes } from "../../access/call.ts";
import type { ById, ByIdIfMatch } from "../../core/lib/input.ts";
import { optimisticUpdate, staleRow } from "../../model/optimistic-update.ts";
import { unknownProject } from "../../access/scope.ts";
import * as queries from "../../model/projects/member-queries.ts";
import type { MemberRow } from "../../model/projects/member-queries.ts";
import { findProject } from "../../model/projects/queries.ts";
import { inProject } from "./service.ts";

type MemberOf = ByIdIfMatch & {
  /** The id of the user. `id` is the id of the project. */
  readonly userId: number;
};

const unknownUser = notFound("The user does not exist");
const noMember = notFound("The user is not a member of the project");

/** Returns the members of a project. Throws: 404 for an unknown project. */
export async function listMembers(call: Call, { id }: ById): Promise<MemberRow[]> {
  const ctx = reads(call, "member:read");
  inProject(ctx, await findProject(ctx.db, id));
  return queries.listMembers(ctx.db, id);
}

/** Returns the role that a user has in a project as a member. Version 0: the user is no member. */
async function find(ctx: Reading, { id, userId }: MemberOf) {
  inProject(ctx, await findProject(ctx.db, id));
  const member = await queries.findMember(ctx.db, { projectId: id, userId });
  return { member, version: member?.version ?? 0 };
}

/** Returns the guard for an `optimisticUpdate`. Fails if the member has changed since it was read. */
const unchanged = (id: queries.MemberId, version: number): ConditionGuard => ({
  holds: queries.hasVersion(id, version),
  error: staleRow,
});

/**
 * Makes a user a member of a project, or gives a member another role. Throws: 404 for an unknown
 * project or user, 412 if `ifMatch` does not contain the current version of the member.
 */
export async function setMember(
  call: Call,
  { role, ...target }: MemberOf & { readonly role: Role },
): Promise<MemberRow> {
  const ctx = reads(call, "member:write");
  const { id: projectId, userId, ifMatch } = target;
  const read = () => find(ctx, target);
  await optimisticUpdate({
    ifMatch,
    read,
    write: ({ member, version }) =>
      writes(call, "member:write", { projectId }).commit({
        guards: [
          { holds: queries.userExists(userId), error: unknownUser },
          unchanged({ projectId, userId }, version),
        ],
        statements: [queries.setMember({ projectId, userId, role })],
        audit: [
          {
            ...aboutMember("project.member-set", projectId),
            before: member && { userId, role: member.role },
            after: { userId, role },
          },
        ],
        onForeignKey: unknownProject(),
      }),
  });
  const { member } = await read();
  if (!member) throw noMember;
  return member;
}

/**
 * Ends the membership of a user, whose role in the organisation remains. Throws: 404 for an unknown project
 * or a user who is no member, 412 if `ifMatch` does not contain the current version of the member.
 */
export async function removeMember(call: Call, target: MemberOf): Promise<void> {
  const ctx = reads(call, "member:write");
  const { id: projectId, userId, ifMatch } = target;
  await optimisticUpdate({
    ifMatch,
    read: () => find(ctx, target),
    write: ({ member, version }) => {
      if (!member) throw noMember;
      return writes(call, "member:write", { projectId }).commit({
        guards: [unchanged({ projectId, userId }, version)],
        statements: [queries.removeMember({ projectId, userId })],
        audit: [
          {
            ...aboutMember("project.member-removed", projectId),
            before: { userId, role: member.role },
          },
        ],
        hides: { projectId, userId },
      });
    },
  });
}

const aboutMember = (action: AuditAction, projectId: number): AuditEntry => ({
  action,
  entityType: "project",
  entityId: projectId,
  projectId,
});
