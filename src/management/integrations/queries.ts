import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { monthOf } from "../../db/outbox.ts";
import { integrations, webhookUsage } from "../../db/schema/events.ts";

export type IntegrationRow = typeof integrations.$inferSelect;

/**
 * The SQL condition that hides the integrations of deleted projects. Their rows stay until their
 * last webhook deliveries have ended.
 */
const visible = isNull(integrations.deletedAt);

export async function findIntegration(db: ReadDb, id: number): Promise<IntegrationRow | undefined> {
  const where = and(eq(integrations.id, id), visible);
  return (await db.select().from(integrations).where(where))[0];
}

export async function findIntegrationByName(db: ReadDb, projectId: number, name: string) {
  const where = and(eq(integrations.projectId, projectId), eq(integrations.name, name), visible);
  return (await db.select().from(integrations).where(where))[0];
}

/**
 * Returns the integrations of one project, or of all existing projects if `projectId` is undefined.
 */
export function listIntegrations(db: ReadDb, projectId: number | undefined) {
  const ofProject = projectId === undefined ? undefined : eq(integrations.projectId, projectId);
  return db
    .select()
    .from(integrations)
    .where(and(ofProject, visible))
    .orderBy(asc(integrations.id));
}

/**
 * Returns the number of webhook deliveries that count against the quota of the month (UTC) of
 * `now`.
 */
export async function usedDeliveries(db: ReadDb, now: number): Promise<number> {
  const where = eq(webhookUsage.month, monthOf(now));
  const [row] = await db.select({ used: webhookUsage.used }).from(webhookUsage).where(where);
  return row?.used ?? 0;
}

export const countIntegrations = (projectId: number) =>
  sql`SELECT count(*) FROM ${integrations} WHERE ${integrations.projectId} = ${projectId}`;

export const integrationIdByName = (projectId: number, name: string) =>
  sql`(SELECT id FROM integrations WHERE project_id = ${projectId} AND name = ${name})`;

export const integrationExists = (id: number) =>
  sql`EXISTS (SELECT 1 FROM integrations WHERE id = ${id} AND deleted_at IS NULL)`;

export const integrationIsEnabled = (id: number) =>
  sql`EXISTS (SELECT 1 FROM integrations WHERE id = ${id} AND enabled = 1)`;

export const insertIntegration = (integration: typeof integrations.$inferInsert) =>
  write.insert(integrations).values(integration);

export const updateIntegration = (
  id: number,
  change: Partial<Omit<IntegrationRow, "id" | "version">>,
) =>
  write
    .update(integrations)
    .set({ ...change, version: sql`${integrations.version} + 1` })
    .where(eq(integrations.id, id));

/** The statement that deletes an integration and, by a foreign key, its webhook deliveries. */
export const deleteIntegration = (id: number) =>
  write.delete(integrations).where(eq(integrations.id, id));

/**
 * The statement that hides the integrations of a project that is being deleted. Their rows stay
 * until their last webhook deliveries have ended.
 */
export const retireIntegrations = (projectId: number, now: number) =>
  write
    .update(integrations)
    .set({ deletedAt: now, version: sql`${integrations.version} + 1` })
    .where(eq(integrations.projectId, projectId));
