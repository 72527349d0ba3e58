import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { EventType } from "../../db/outbox.ts";
import { integrations } from "../../db/schema/events.ts";
import type { ManagementContext, ReadContext, WriteContext } from "../context.ts";
import { projectExists } from "../projects/queries.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { assertInScope, listedProject } from "../scope.ts";
import {
  changedSecrets,
  configText,
  type GivenConfig,
  newSecret,
  resealed,
  seal,
} from "./config.ts";
import * as queries from "./queries.ts";
import type { IntegrationRow } from "./queries.ts";

const missing = () => notFound("The integration does not exist");
const duplicate = conflict("An integration with this name exists in the project");

type Content = Pick<
  IntegrationRow,
  "name" | "enabled" | "type" | "url" | "secret" | "headers" | "events"
>;
/** The content of audit records. Sealed values are masked. */
const auditShape = ({ name, enabled, type, events, ...config }: Content) => ({
  name,
  enabled,
  type,
  configJson: configText(config),
  eventSubscriptionsJson: JSON.stringify(events),
});

/** Throws: 403 for an API key of another project. */
export function listIntegrations(
  ctx: ReadContext,
  { projectId }: { readonly projectId?: number | undefined },
): Promise<IntegrationRow[]> {
  return queries.listIntegrations(ctx.db, listedProject(ctx.actor, projectId));
}

/** Throws: 404; 403 for an API key of another project. */
export async function getIntegration(
  ctx: ReadContext,
  { id }: { readonly id: number },
): Promise<IntegrationRow> {
  const integration = await queries.findIntegration(ctx.db, id);
  if (!integration) throw missing();
  assertInScope(ctx.actor, integration.projectId);
  return integration;
}

/**
 * Returns the signing secret, which no other verb returns.
 * Throws: 404 for the project, 409 for a name in use, 402 over the quota.
 */
export async function createIntegration(
  ctx: WriteContext & Pick<ManagementContext, "vault">,
  input: {
    readonly name: string;
    readonly enabled: boolean;
    readonly type: "custom_webhook";
    readonly configJson: GivenConfig;
    readonly eventSubscriptionsJson: readonly EventType[];
    readonly projectId: number;
  },
): Promise<{ readonly row: IntegrationRow; readonly secret: string }> {
  const { name, enabled, type, configJson, eventSubscriptionsJson: events, projectId } = input;
  const now = ctx.now();
  const secret = configJson.secret ?? newSecret();
  const config = await seal(ctx.vault, { ...configJson, secret });
  const integration = { name, enabled, type, events, ...config };
  await ctx.commit({
    guards: [
      { holds: projectExists(projectId), error: notFound("The project does not exist") },
      { quota: "INTEGRATIONS", count: queries.countIntegrations(projectId) },
    ],
    statements: [
      queries.insertIntegration({ ...integration, projectId, createdAt: now, updatedAt: now }),
    ],
    audit: [
      {
        action: "integration.created",
        entityType: "integration",
        entityId: queries.integrationIdByName(projectId, name),
        projectId,
        after: auditShape(integration),
      },
    ],
    onDuplicate: duplicate,
  });
  const row = await queries.findIntegrationByName(ctx.db, projectId, name);
  if (!row) throw missing();
  return { row, secret };
}

/** Throws: 404, 400 for a mask without a stored value, 409 for a name in use, 412. */
export async function updateIntegration(
  ctx: WriteContext & Pick<ManagementContext, "vault">,
  input: {
    readonly id: number;
    readonly name?: string | undefined;
    readonly enabled?: boolean | undefined;
    readonly type?: "custom_webhook" | undefined;
    readonly configJson?: GivenConfig | undefined;
    readonly eventSubscriptionsJson?: readonly EventType[] | undefined;
    readonly ifMatch?: readonly number[] | undefined;
  },
): Promise<IntegrationRow> {
  const { id, ifMatch } = input;
  const read = () => getIntegration(ctx, { id });
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const { name = row.name, enabled = row.enabled, type = row.type, configJson } = input;
      const { eventSubscriptionsJson: events = row.events } = input;
      const { url, secret, headers } = configJson
        ? await resealed(ctx.vault, row, configJson)
        : row;
      const after = { name, enabled, type, events, url, secret, headers };
      // `enabled: true` also clears the failures, so that the three days start again.
      const cleared = input.enabled === true && { failingSince: null, switchedOffAt: null };
      await ctx.commit({
        guards: [unchanged(integrations, row)],
        statements: [queries.updateIntegration(id, { ...after, ...cleared, updatedAt: ctx.now() })],
        audit: [
          {
            action: "integration.updated",
            entityType: "integration",
            entityId: id,
            projectId: row.projectId,
            before: auditShape(row),
            after: { ...auditShape(after), ...changedSecrets(configJson) },
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/** Also deletes the pending deliveries. Throws: 404, 412. */
export async function deleteIntegration(
  ctx: WriteContext,
  { id, ifMatch }: { readonly id: number; readonly ifMatch?: readonly number[] | undefined },
): Promise<void> {
  const read = () => getIntegration(ctx, { id });
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) =>
      ctx.commit({
        guards: [unchanged(integrations, row)],
        statements: [queries.deleteIntegration(id)],
        audit: [
          {
            action: "integration.deleted",
            entityType: "integration",
            entityId: id,
            projectId: row.projectId,
            before: auditShape(row),
          },
        ],
      }),
  });
}

export interface WebhookLimit {
  readonly limit: number;
  readonly used: number;
  /** Start of the next month (UTC), epoch milliseconds. */
  readonly resetsAt: number;
}

/**
 * The quota of deliveries in the current month, and how much of it is used, for the whole service.
 */
export async function webhookLimit(
  ctx: Pick<ManagementContext, "db" | "now" | "quotas">,
): Promise<WebhookLimit> {
  const now = new Date(ctx.now());
  const used = await queries.usedDeliveries(ctx.db, now.getTime());
  const resetsAt = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return { limit: ctx.quotas.WEBHOOK_DELIVERIES, used, resetsAt };
}
