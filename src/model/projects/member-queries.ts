import type { Role } from "@feature-flags/permissions/permissions";
import { and, eq, sql } from "drizzle-orm";
import { compareNames } from "../../core/lib/names.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { projectMembers, users } from "../../db/schema/people.ts";

/**
 * Returns the SQL condition that the user `u` is a member of a project with a role. `project` is the
 * SQL expression for the id of the project, `role` is any role by default.
 */
export const hasRole = (role: Role | undefined, project: string): string =>
  `EXISTS (SELECT 1 FROM project_members pm WHERE pm.project_id = ${project} AND pm.user_id = u.id
    ${role === undefined ? "" : `AND pm.role = '${role}'`})`;

/** Returns the SQL condition that the user `u` may see a project. */
export const sees = (project: string): string =>
  `(u.role = 'ADMIN' OR ${hasRole(undefined, project)}
    OR EXISTS (SELECT 1 FROM projects p WHERE p.id = ${project} AND p.visibility = 'everyone'))`;

export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

/** Returns the members of a project, sorted by name. */
export const listMembers = async (db: ReadDb, projectId: number) =>
  (await selected(db).where(eq(projectMembers.projectId, projectId))).toSorted(
    (a, b) => compareNames(a.name, b.name) || a.userId - b.userId,
  );

export async function findMember(
  db: ReadDb,
  { projectId, userId }: MemberId,
): Promise<MemberRow | undefined> {
  const [row] = await selected(db).where(
    and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId)),
  );
  return row;
}

const selected = (db: ReadDb) =>
  db
    .select({
      userId: projectMembers.userId,
      name: users.name,
      role: projectMembers.role,
      version: projectMembers.version,
      organisationRole: users.role,
    })
    .from(projectMembers)
    .innerJoin(users, eq(users.id, projectMembers.userId));

/** A user, as a member of a project. */
export interface MemberId {
  readonly projectId: number;
  readonly userId: number;
}

/** Guard: the member has this version. 0: the user is no member. */
export const hasVersion = ({ projectId, userId }: MemberId, version: number) =>
  sql`coalesce((SELECT version FROM project_members
    WHERE project_id = ${projectId} AND user_id = ${userId}), 0) = ${version}`;

/** Guard: the user exists. */
export const userExists = (id: number) =>
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${id})`;

/** Makes a user a member of a project, or gives a member another role. */
export const setMember = ({ projectId, userId, role }: MemberId & { readonly role: Role }) =>
  write
    .insert(projectMembers)
    .values({ projectId, userId, role })
    .onConflictDoUpdate({
      target: [projectMembers.projectId, projectMembers.userId],
      set: { role, version: sql`${projectMembers.version} + 1` },
    });

export const removeMember = ({ projectId, userId }: MemberId) =>
  write
    .delete(projectMembers)
    .where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId)));
