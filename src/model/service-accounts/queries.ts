import { asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { serviceAccounts } from "../../db/schema/tokens.ts";

export type ServiceAccountRow = typeof serviceAccounts.$inferSelect;

/** Returns the service accounts of a project, or all. */
export const listServiceAccounts = (
  db: ReadDb,
  projectId: number | undefined,
): Promise<ServiceAccountRow[]> =>
  db
    .select()
    .from(serviceAccounts)
    .where(projectId === undefined ? undefined : eq(serviceAccounts.projectId, projectId))
    .orderBy(asc(serviceAccounts.id));

export async function findServiceAccount(
  db: ReadDb,
  id: number,
): Promise<ServiceAccountRow | undefined> {
  return (await db.select().from(serviceAccounts).where(eq(serviceAccounts.id, id)))[0];
}

/** Returns the newest service account that a user has made at a time with this name. */
export async function findCreated(
  db: ReadDb,
  { name, createdBy, createdAt }: Pick<ServiceAccountRow, "name" | "createdBy" | "createdAt">,
): Promise<ServiceAccountRow | undefined> {
  const rows = await db
    .select()
    .from(serviceAccounts)
    .where(sql`name = ${name} AND created_by IS ${createdBy} AND created_at = ${createdAt}`)
    .orderBy(desc(serviceAccounts.id))
    .limit(1);
  return rows[0];
}

export const countServiceAccounts: SQL = sql`SELECT count(*) FROM ${serviceAccounts}`;

/** The id of a service account that an earlier statement of the same commit has inserted. */
export const NEW_ID: SQL = sql`(SELECT max(id) FROM ${serviceAccounts})`;

export const insertServiceAccount = (row: typeof serviceAccounts.$inferInsert) =>
  write.insert(serviceAccounts).values(row);

export const updateServiceAccount = (
  id: number,
  change: Pick<ServiceAccountRow, "name" | "role">,
) =>
  write
    .update(serviceAccounts)
    .set({ ...change, version: sql`${serviceAccounts.version} + 1` })
    .where(eq(serviceAccounts.id, id));

export const deleteServiceAccount = (id: number) =>
  write.delete(serviceAccounts).where(eq(serviceAccounts.id, id));
