import { asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Member, Policy } from "../../core/protection/policy.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { inList } from "../../db/json-list.ts";
import { environmentMembers, users } from "../../db/schema/people.ts";
import { environments } from "../../db/schema/projects.ts";
import { hasRole, sees } from "../projects/member-queries.ts";
import type { EnvironmentRow } from "./queries.ts";

/** The most e-mails that one change sends. */
const MAX_MAILS = 100;

const OF_ENVIRONMENT = "e.project_id";

/** The SQL condition that the user `u` may approve changes in the environment `e`. */
export const MAY_APPROVE = sql.raw(`u.status = 'ACTIVE'
  AND (u.role = 'ADMIN' OR ${hasRole("ADMIN", OF_ENVIRONMENT)}
    OR (e.approver_role = 'DEVELOPER'
      AND (${hasRole("DEVELOPER", OF_ENVIRONMENT)} OR (u.role = 'DEVELOPER' AND ${sees(OF_ENVIRONMENT)}))
      AND (e.member_access = 'roles' OR EXISTS (SELECT 1 FROM environment_members m
        WHERE m.environment_id = e.id AND m.user_id = u.id AND m.can_approve = 1))))`);

/** The number of users who may approve changes in the environment `e`. */
const APPROVERS = sql`(SELECT count(*) FROM users u WHERE ${MAY_APPROVE})`;

export interface ProtectedEnvironment extends EnvironmentRow {
  /** The number of active users who may approve changes. */
  readonly eligibleApprovers: number;
}

export async function findProtection(
  db: ReadDb,
  id: number,
): Promise<ProtectedEnvironment | undefined> {
  const eligibleApprovers = sql<number>`(SELECT ${APPROVERS} FROM environments e WHERE e.id = ${id})`;
  const [row] = await db
    .select({ ...getTableColumns(environments), eligibleApprovers })
    .from(environments)
    .where(eq(environments.id, id));
  return row;
}

export const listMembers = (db: ReadDb, environmentId: number): Promise<Member[]> =>
  db
    .select({
      userId: environmentMembers.userId,
      canWrite: environmentMembers.canWrite,
      canApprove: environmentMembers.canApprove,
    })
    .from(environmentMembers)
    .where(eq(environmentMembers.environmentId, environmentId))
    .orderBy(asc(environmentMembers.userId));

/** Condition: besides the author, there are as many users who may approve as the environment requires. */
export const enoughApprovers = (id: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM environments e
    WHERE e.id = ${id} AND e.required_approvals > 0 AND e.required_approvals >= ${APPROVERS})`;

export const updatePolicy = (id: number, policy: Policy, updatedAt: number) =>
  write
    .update(environments)
    .set({ ...policy, updatedAt, version: sql`${environments.version} + 1` })
    .where(eq(environments.id, id));

/** Condition: all of these users exist. */
export const usersExist = (ids: readonly number[]): SQL =>
  sql`(SELECT count(*) FROM ${users} WHERE id IN ${inList(ids)}) = ${ids.length}`;

export const replaceMembers = (id: number, members: readonly Member[], updatedAt: number) => [
  write.delete(environmentMembers).where(eq(environmentMembers.environmentId, id)),
  sql`INSERT INTO environment_members (environment_id, user_id, can_write, can_approve)
    SELECT ${id}, value ->> 'userId', value ->> 'canWrite', value ->> 'canApprove'
    FROM json_each(${JSON.stringify(members)})`,
  write
    .update(environments)
    .set({ updatedAt, version: sql`${environments.version} + 1` })
    .where(eq(environments.id, id)),
];

/** Condition: the environment is not protected. */
export const isUnprotected = (id: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${environments}
    WHERE ${environments.id} = ${id} AND ${environments.requiredApprovals} > 0)`;

/** Condition: no environment of the project is protected. */
export const hasNoProtected = (projectId: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${environments}
    WHERE ${environments.projectId} = ${projectId} AND ${environments.requiredApprovals} > 0)`;

/** Returns the addresses of the users who may approve in one of the environments. */
export const emailsOfApprovers = (db: ReadDb, environmentIds: readonly number[]) =>
  db
    .select({ email: sql<string>`u.email` })
    .from(sql`users u`)
    .where(
      sql`EXISTS (SELECT 1 FROM environments e
        WHERE e.id IN ${inList(environmentIds)} AND ${MAY_APPROVE})`,
    )
    .orderBy(sql`u.id`)
    .limit(MAX_MAILS);

/** Returns the addresses of the active administrators. */
export const emailsOfAdministrators = (db: ReadDb) =>
  db
    .select({ email: users.email })
    .from(users)
    .where(sql`${users.role} = 'ADMIN' AND ${users.status} = 'ACTIVE'`)
    .orderBy(asc(users.id))
    .limit(MAX_MAILS);
