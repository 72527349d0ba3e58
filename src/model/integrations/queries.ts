import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { CHAT_SERVICES } from "../../core/webhooks/chat.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { monthOf } from "../../db/outbox.ts";
import { integrations, webhookProjectUsage } from "../../db/schema/events.ts";
import { projects } from "../../db/schema/projects.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";

export type IntegrationRow = typeof integrations.$inferSelect;

export const INTEGRATION_TYPES = ["custom_webhook", ...CHAT_SERVICES] as const;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

export const typeOf = ({ chat }: Pick<IntegrationRow, "chat">): IntegrationType =>
  chat ?? "custom_webhook";

/**
 * The SQL condition that hides the integrations of deleted projects. The row of a hidden
 * integration stays until its last webhook delivery has ended.
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

export const listIntegrations = (db: ReadDb, listed: Listed) =>
  db
    .select()
    .from(integrations)
    .where(and(isListed(integrations.projectId, listed), visible))
    .orderBy(asc(integrations.id));

/**
 * Returns the number of projects, how many of their webhook deliveries count against the quotas of
 * the current month (UTC), and how many the quotas still allow. Considers only the listed projects.
 * @param now the current time
 * @param limit the monthly quota of each project
 */
export async function deliveryQuota(
  db: ReadDb,
  { listed, now, limit }: { listed: Listed; now: number; limit: number },
) {
  const used = sql`coalesce(${webhookProjectUsage.used}, 0)`;
  const [row] = await db
    .select({
      projects: sql<number>`count(*)`,
      used: sql<number>`coalesce(sum(${used}), 0)`,
      remaining: sql<number>`coalesce(sum(max(0, ${limit} - ${used})), 0)`,
    })
    .from(projects)
    .leftJoin(
      webhookProjectUsage,
      and(
        eq(webhookProjectUsage.projectId, projects.id),
        eq(webhookProjectUsage.month, monthOf(now)),
      ),
    )
    .where(isListed(projects.id, listed));
  return row ?? { projects: 0, used: 0, remaining: 0 };
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

/**
 * The statement that deletes an integration. A foreign key deletes the integration's webhook deliveries too.
 */
export const deleteIntegration = (id: number) =>
  write.delete(integrations).where(eq(integrations.id, id));

/**
 * The statement that hides the integrations of a project that is being deleted. The row of a hidden
 * integration stays until its last webhook delivery has ended.
 */
export const retireIntegrations = (projectId: number, now: number) =>
  write
    .update(integrations)
    .set({ deletedAt: now, version: sql`${integrations.version} + 1` })
    .where(eq(integrations.projectId, projectId));
