import type { Role } from "@feature-flags/permissions/permissions";
import { notFound } from "../../core/errors/api-error.ts";
import type { AuditEntry } from "../../db/audit.ts";
import { projects } from "../../db/schema/projects.ts";
import { authorized, type Call, type ReadContext } from "../context.ts";
import type { ById, ByIdIfMatch } from "../input.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import * as queries from "./member-queries.ts";
import type { MemberRow } from "./member-queries.ts";
import { findProject, updateProject } from "./queries.ts";
import { inProject } from "./service.ts";

/** A member, or members, of a project. */
interface WithVersion<Members> {
  /** The version of the project, which counts the changes of its members, too. */
  readonly version: number;
  readonly members: Members;
}

type MemberOf = ByIdIfMatch & {
  /** The id of the user. `id` is the id of the project. */
  readonly userId: number;
};

const unknownUser = notFound("The user does not exist");
const noMember = notFound("The user is not a member of the project");

/** Returns the members of a project. Throws: 404 for an unknown project. */
export async function listMembers(
  call: Call,
  { id }: ById,
): Promise<WithVersion<readonly MemberRow[]>> {
  const ctx = authorized(call, "member:read");
  const { version } = inProject(ctx, await findProject(ctx.db, id));
  return { version, members: await queries.listMembers(ctx.db, id) };
}

/** Returns a project with the role that a user has there as a member. */
async function find(ctx: ReadContext, { id, userId }: MemberOf) {
  const { version } = inProject(ctx, await findProject(ctx.db, id));
  return { id, version, member: await queries.findMember(ctx.db, { projectId: id, userId }) };
}

/**
 * Makes a user a member of a project, or gives a member another role. Throws: 404 for an unknown
 * project or user, 412 if `ifMatch` does not contain the current version of the project.
 */
export async function setMember(
  call: Call,
  { role, ...target }: MemberOf & { readonly role: Role },
): Promise<WithVersion<MemberRow>> {
  const ctx = authorized(call, "member:write");
  const { id: projectId, userId, ifMatch } = target;
  const read = () => find(ctx, target);
  await optimisticUpdate({
    ifMatch,
    read,
    write: ({ member, ...project }) =>
      authorized(call, "member:write", { projectId }).commit({
        guards: [
          unchanged(projects, project),
          { holds: queries.userExists(userId), error: unknownUser },
        ],
        statements: [
          queries.setMember({ projectId, userId, role }),
          updateProject(projectId, { updatedAt: ctx.now() }),
        ],
        audit: [
          {
            ...aboutMember("project.member-set", projectId),
            before: member && { userId, role: member.role },
            after: { userId, role },
          },
        ],
      }),
  });
  const { version, member } = await read();
  if (!member) throw noMember;
  return { version, members: member };
}

/**
 * Ends the membership of a user, whose role in the organisation remains. Throws: 404 for an unknown
 * project or a user who is no member, 412 if `ifMatch` does not contain the current version of the
 * project.
 */
export async function removeMember(call: Call, target: MemberOf): Promise<void> {
  const ctx = authorized(call, "member:write");
  const { id: projectId, userId, ifMatch } = target;
  await optimisticUpdate({
    ifMatch,
    read: () => find(ctx, target),
    write: ({ member, ...project }) => {
      if (!member) throw noMember;
      return authorized(call, "member:write", { projectId }).commit({
        guards: [unchanged(projects, project)],
        statements: [
          queries.removeMember({ projectId, userId }),
          updateProject(projectId, { updatedAt: ctx.now() }),
        ],
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

const aboutMember = (action: string, projectId: number): AuditEntry => ({
  action,
  entityType: "project",
  entityId: projectId,
  projectId,
});
