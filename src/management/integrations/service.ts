import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { EventType } from "../../db/outbox.ts";
import { integrations } from "../../db/schema/events.ts";
import type { ManagementDeps } from "../deps.ts";
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

const missing = () => notFound("The integration");
const duplicate = conflict("An integration with this name exists in the project");

type Content = Pick<
  IntegrationRow,
  "name" | "enabled" | "type" | "url" | "secret" | "headers" | "events"
>;
/** For the trail: everything that is sealed is masked. */
const onRecord = ({ name, enabled, type, events, ...config }: Content) => ({
  name,
  enabled,
  type,
  configJson: configText(config),
  eventSubscriptionsJson: JSON.stringify(events),
});

/** Errors: 403 for a key of another project. */
export function listIntegrations(
  deps: ManagementDeps,
  actor: Actor,
  projectId: number | undefined,
): Promise<IntegrationRow[]> {
  return queries.listIntegrations(deps.db, listedProject(actor, projectId));
}

/** Errors: 404, 403 for a key of another project. */
export async function getIntegration(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
): Promise<IntegrationRow> {
  const integration = await queries.findIntegration(deps.db, id);
  if (!integration) throw missing();
  assertInScope(actor, integration.projectId);
  return integration;
}

/**
 * Answers the signing secret, for the only time.
 * Errors: 404 for the project, 409 for a name in use, 402 over the quota.
 */
export async function createIntegration(
  deps: ManagementDeps,
  actor: Actor,
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
  const now = deps.now();
  const secret = configJson.secret ?? newSecret();
  const config = await seal(deps.vault, { ...configJson, secret });
  const integration = { name, enabled, type, events, ...config };
  const count = queries.countIntegrations(projectId);
  await deps.commit(actor, {
    guards: [
      { holds: projectExists(projectId), error: notFound("The project") },
      { quota: "INTEGRATIONS", count: count },
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
        after: onRecord(integration),
      },
    ],
    onDuplicate: duplicate,
  });
  const row = await queries.findIntegrationByName(deps.db, projectId, name);
  if (!row) throw missing();
  return { row, secret };
}

/** Errors: 404, 400 for a mask of what is not stored, 409 for a name in use, 412. */
export async function updateIntegration(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  input: {
    readonly name?: string | undefined;
    readonly enabled?: boolean | undefined;
    readonly type?: "custom_webhook" | undefined;
    readonly configJson?: GivenConfig | undefined;
    readonly eventSubscriptionsJson?: readonly EventType[] | undefined;
  },
  ifMatch: readonly number[] | undefined,
): Promise<IntegrationRow> {
  const read = () => getIntegration(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const { name = row.name, enabled = row.enabled, type = row.type, configJson } = input;
      const { eventSubscriptionsJson: events = row.events } = input;
      const { url, secret, headers } = configJson
        ? await resealed(deps.vault, row, configJson)
        : row;
      const after = { name, enabled, type, events, url, secret, headers };
      // Whoever says that it is on gives it a new start.
      const forgiven = input.enabled === true && { failingSince: null, switchedOffAt: null };
      await deps.commit(actor, {
        guards: [unchanged(integrations, row)],
        statements: [
          queries.updateIntegration(id, { ...after, ...forgiven, updatedAt: deps.now() }),
        ],
        audit: [
          {
            action: "integration.updated",
            entityType: "integration",
            entityId: id,
            projectId: row.projectId,
            before: onRecord(row),
            after: { ...onRecord(after), ...changedSecrets(configJson) },
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/** Nothing is sent any more: what was on its way goes with it. Errors: 404, 412. */
export async function deleteIntegration(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  ifMatch: readonly number[] | undefined,
): Promise<void> {
  const read = () => getIntegration(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) =>
      deps.commit(actor, {
        guards: [unchanged(integrations, row)],
        statements: [queries.deleteIntegration(id)],
        audit: [
          {
            action: "integration.deleted",
            entityType: "integration",
            entityId: id,
            projectId: row.projectId,
            before: onRecord(row),
          },
        ],
      }),
  });
}

export interface WebhookLimit {
  readonly limit: number;
  readonly used: number;
  /** Epoch milliseconds: the first moment of the next month, UTC. */
  readonly resetsAt: number;
}

/** The quota of deliveries this month, of the whole service. */
export async function webhookLimit(deps: ManagementDeps): Promise<WebhookLimit> {
  const now = new Date(deps.now());
  const used = await queries.usedDeliveries(deps.db, now.getTime());
  const resetsAt = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return { limit: deps.quotas.WEBHOOK_DELIVERIES, used, resetsAt };
}
