import { conflict, invalid, notFound } from "../../core/errors/api-error.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import type { EventType } from "../../db/outbox.ts";
import { integrations } from "../../db/schema/events.ts";
import { isoOrNull } from "../../http/schema.ts";
import { type Call, type Reading, reads, type RequestCall, writes } from "../../access/call.ts";
import { projectExists } from "../../model/projects/queries.ts";
import { isListed } from "../../db/project-filter.ts";
import { expectAllFit } from "../../db/list-bytes.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { inScope, listedProjects, unknownProject } from "../../access/scope.ts";
import {
  changedSecrets,
  configText,
  type GivenConfig,
  isOtherOrigin,
  newSecret,
  resealed,
  seal,
} from "./config.ts";
import * as queries from "../../model/integrations/queries.ts";
import {
  type IntegrationRow,
  type IntegrationType,
  typeOf,
} from "../../model/integrations/queries.ts";

const missing = () => notFound("The integration does not exist");
const duplicate = conflict("An integration with this name exists in the project");

type Content = Pick<
  IntegrationRow,
  "name" | "enabled" | "chat" | "url" | "secret" | "headers" | "events"
>;

/**
 * How long a replaced signing secret still signs webhook requests, milliseconds: 24 hours, in which
 * the receiver can change its secret.
 */
const SECRET_OVERLAP_MS = DAY_MS;

/** Returns the fields of an integration for an audit record. Secret values are masked. */
const auditShape = ({ name, enabled, events, ...config }: Content) => ({
  name,
  enabled,
  type: typeOf(config),
  configJson: configText(config),
  eventSubscriptionsJson: JSON.stringify(events),
});

/** Throws: 400 if a chat service would get what only webhook requests have. */
function assertFits(chat: Content["chat"], config: GivenConfig | undefined): void {
  const given = (["secret", "headers"] as const).filter((name) => config?.[name] !== undefined);
  if (chat === null || given.length === 0) return;
  const message = `does not apply to the type ${chat}; remove it`;
  throw invalid(given.map((name) => ({ field: `configJson.${name}`, message })));
}

/**
 * Returns the integrations of the requested project. Without a requested project, those of the project of the
 * session or of the calling API key; without that, those of all projects. Throws: 403 if the caller is an API
 * key of another project, 400 if the integrations of all projects are too large.
 */
export async function listIntegrations(
  call: Call,
  { projectId }: { readonly projectId?: number | undefined },
): Promise<IntegrationRow[]> {
  const ctx = reads(call, "integration:read");
  const listed = listedProjects(ctx.actor, projectId);
  if (listed.projectId === undefined)
    await expectAllFit(ctx.db, integrations, {
      texts: [integrations.name, integrations.url, integrations.headers],
      where: isListed(integrations.projectId, listed),
    });
  return queries.listIntegrations(ctx.db, listed);
}

/**
 * Returns the integration with this id.
 * Throws: 404 for an unknown id, 403 if the caller is an API key of another project.
 */
export const getIntegration = (
  call: Call,
  { id }: { readonly id: number },
): Promise<IntegrationRow> => findIntegration(reads(call, "integration:read"), id);

/** Returns an integration for a verb that has checked its permission. Throws as `getIntegration`. */
export const findIntegration = async (ctx: Reading, id: number): Promise<IntegrationRow> =>
  inScope(ctx, await queries.findIntegration(ctx.db, id), missing());

/**
 * Creates an integration. Returns its row and its signing secret, which cannot be read later.
 * Throws: 400 if a chat service would get a secret or headers, 404 for an unknown project, 409 if the
 * name is in use in the project, 402 if the project's quota of integrations is used up.
 */
export async function createIntegration(
  call: Call & Pick<RequestCall, "vault">,
  input: {
    readonly name: string;
    readonly enabled: boolean;
    readonly type: IntegrationType;
    readonly configJson: GivenConfig;
    readonly eventSubscriptionsJson: readonly EventType[];
    readonly projectId: number;
  },
): Promise<{ readonly row: IntegrationRow; readonly secret: string }> {
  const { name, enabled, configJson, eventSubscriptionsJson: events, projectId } = input;
  const chat = input.type === "custom_webhook" ? null : input.type;
  const ctx = writes(call, "integration:write", { projectId });
  assertFits(chat, configJson);
  const now = ctx.now();
  const secret = configJson.secret ?? newSecret();
  const config = await seal(ctx.vault, { ...configJson, secret });
  const integration = { name, enabled, chat, events, ...config };
  await ctx.commit({
    guards: [
      { holds: projectExists(projectId), error: unknownProject() },
      { quota: "INTEGRATIONS", count: queries.countIntegrations(projectId) },
    ],
    statements: [
      queries.insertIntegration({
        ...integration,
        type: "custom_webhook",
        projectId,
        createdAt: now,
        updatedAt: now,
      }),
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

/**
 * Changes an integration. Returns its row, and its signing secret if the service generated a new
 * one, because the URL moved to another host. The replaced secret still signs webhook requests for
 * 24 hours, unless the URL moved to another host.
 * Throws: 404 for an unknown id, 400 for another type or a masked value that cannot be kept, 409 if the name is in
 * use in the project, 412 if `ifMatch` does not contain the integration's version.
 */
export async function updateIntegration(
  call: Call & Pick<RequestCall, "vault">,
  input: {
    readonly id: number;
    readonly name?: string | undefined;
    readonly enabled?: boolean | undefined;
    readonly type?: IntegrationType | undefined;
    readonly configJson?: GivenConfig | undefined;
    readonly eventSubscriptionsJson?: readonly EventType[] | undefined;
    readonly ifMatch?: readonly number[] | undefined;
  },
): Promise<{ readonly row: IntegrationRow; readonly secret?: string | undefined }> {
  const { id, ifMatch } = input;
  const ctx = reads(call, "integration:write");
  const read = () => findIntegration(ctx, id);
  const newSigningSecret = await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const { name = row.name, enabled = row.enabled, configJson } = input;
      const { chat } = row;
      if (input.type !== undefined && input.type !== typeOf(row))
        throw invalid([{ field: "type", message: "cannot change; create a new integration" }]);
      assertFits(chat, configJson);
      const { eventSubscriptionsJson: events = row.events } = input;
      const { config, generated } = configJson
        ? await resealed(ctx.vault, row, configJson)
        : { config: row, generated: undefined };
      const { url, secret, headers } = config;
      const after = { name, enabled, chat, events, url, secret, headers };
      const now = ctx.now();
      // Resets the failure times when a request enables the integration. The service disables an
      // integration after three days of failed webhook deliveries, or after a 410, and
      // `enabled: true` restarts these three days.
      const cleared = input.enabled === true && { failingSince: null, switchedOffAt: null };
      // Records the restart in the audit record. Otherwise `commit` would take the update for one
      // without a change.
      const restarts = input.enabled === true && row.failingSince !== null;
      await writes(call, "integration:write", { projectId: row.projectId }).commit({
        guards: [unchanged(integrations, row)],
        statements: [
          queries.updateIntegration(id, {
            ...after,
            ...cleared,
            ...overlapOf(row, after, now),
            updatedAt: now,
          }),
        ],
        audit: [
          {
            action: "integration.updated",
            entityType: "integration",
            entityId: id,
            projectId: row.projectId,
            before: {
              ...auditShape(row),
              ...(restarts && { failingSince: isoOrNull(row.failingSince) }),
            },
            after: {
              ...auditShape(after),
              ...changedSecrets(row, after),
              ...(restarts && { failingSince: null }),
            },
          },
        ],
        onDuplicate: duplicate,
      });
      return generated;
    },
  });
  return { row: await read(), secret: newSigningSecret };
}

/**
 * Returns how the previous signing secret changes when a secret is replaced. A receiver at another
 * origin never gets signatures of the previous secret.
 */
function overlapOf(row: IntegrationRow, after: Pick<Content, "url" | "secret">, now: number) {
  if (isOtherOrigin(row.url, after.url)) return { previousSecret: null, previousSecretUntil: null };
  if (row.secret === after.secret) return {};
  return { previousSecret: row.secret, previousSecretUntil: now + SECRET_OVERLAP_MS };
}

/**
 * Deletes an integration and its webhook deliveries.
 * Throws: 404 for an unknown id, 412 if `ifMatch` does not contain the integration's version.
 */
export async function deleteIntegration(
  call: Call,
  { id, ifMatch }: { readonly id: number; readonly ifMatch?: readonly number[] | undefined },
): Promise<void> {
  const ctx = reads(call, "integration:write");
  const read = () => findIntegration(ctx, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) =>
      writes(call, "integration:write", { projectId: row.projectId }).commit({
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
  readonly projectId: number | null;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** The start of the next month (UTC), when a new quota begins, in epoch milliseconds. */
  readonly resetsAt: number;
}

/**
 * Returns the quota of webhook deliveries of a project in the current month (UTC), and how much of
 * it is used. The project is the requested project, or else the project of the session or API key.
 * Without any of these, returns the sums over all projects that the caller may see. Throws: 404 for an unknown project, 403
 * if the caller is an API key of another project.
 */
export async function webhookLimit(
  call: Call & Pick<RequestCall, "quotas">,
  { projectId: asked }: { readonly projectId?: number | undefined },
): Promise<WebhookLimit> {
  const ctx = reads(call, "integration:read");
  const listed = listedProjects(ctx.actor, asked);
  const { projectId } = listed;
  const now = new Date(ctx.now());
  const limit = ctx.quotas.WEBHOOK_DELIVERIES;
  const found = await queries.deliveryQuota(ctx.db, { listed, now: now.getTime(), limit });
  const { projects, used, remaining } = found;
  if (projectId !== undefined && projects === 0) throw unknownProject();
  const resetsAt = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return { projectId: projectId ?? null, limit: limit * projects, used, remaining, resetsAt };
}
