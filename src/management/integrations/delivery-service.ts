import { conflict, notFound } from "../../core/errors/api-error.ts";
import { actorName } from "../../db/audit.ts";
import type { DeliveryStatus } from "../../db/schema/events.ts";
import { type Page, type PageRequest, toPage } from "../../http/paging.ts";
import {
  type Call,
  type Reading,
  reads,
  type RequestCall,
  writes,
  type Writing,
} from "../../access/call.ts";
import * as queries from "../../model/integrations/delivery-queries.ts";
import type {
  AttemptRow,
  DeliveryFilter,
  DeliveryRow,
} from "../../model/integrations/delivery-queries.ts";
import { integrationExists, integrationIsEnabled } from "../../model/integrations/queries.ts";
import { findIntegration } from "./service.ts";

const missing = () => notFound("The delivery does not exist");
const notEnded = conflict(
  "The delivery has not ended yet; it can be sent again after an attempt has failed",
);
const attempted = conflict("An attempt is running or starts within seconds; wait for its result");
const disabled = conflict("The integration is disabled; enable it first");
const isTest = conflict("A test delivery cannot be sent again; send a new test");

/**
 * The context of functions that read webhook deliveries. They need the current time to decide
 * whether a delivery has ended.
 */
type DeliveryContext = Reading & Pick<Writing, "now">;

/** A webhook delivery with its newest 20 attempts, newest first. */
export interface Delivery {
  readonly row: DeliveryRow;
  readonly attempts: readonly AttemptRow[];
}

/**
 * Returns one page of an integration's webhook deliveries, newest first. The number of SQL
 * statements does not depend on the page size.
 * Throws: 404 for an unknown integration, 403 if the caller is an API key of another project.
 */
export async function listDeliveries(
  call: Call,
  request: PageRequest & {
    readonly integrationId: number;
    readonly status?: DeliveryStatus | undefined;
  },
): Promise<Page<Delivery>> {
  const { integrationId, status, page, size } = request;
  const ctx = reads(call, "integration:read");
  const { enabled } = await findIntegration(ctx, integrationId);
  const statuses = status && queries.storedStatuses(status, enabled);
  const filter: DeliveryFilter = { integrationId, statuses };
  const [rows, total] = await Promise.all([
    queries.listDeliveries(ctx.db, filter, ctx.now(), {
      limit: size,
      offset: page * size,
    }),
    queries.countMatchingDeliveries(ctx.db, filter),
  ]);
  const ids = rows.map((row) => row.id);
  const attempts = await queries.attemptsAt(ctx.db, ids);
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.deliveryId);
  const items = rows.map((row) => ({ row, attempts: byDelivery.get(row.id) ?? [] }));
  return toPage(items, request, total);
}

/**
 * Sends a webhook delivery again, with the same `webhook-id`, through the queue. A delivery that
 * waits for a retry is retried now and keeps its number of attempts. A delivery that has ended
 * starts again; if the month's quota is used up, it is held.
 * Throws: 404 for an unknown integration or delivery; 409 if the delivery waits for its first
 * attempt, is being attempted, is held or is a test, or if the integration is disabled.
 */
export async function redeliver(
  call: Call & Pick<RequestCall, "quotas" | "webhooks">,
  { integrationId, deliveryId }: { readonly integrationId: number; readonly deliveryId: number },
): Promise<Delivery> {
  const ctx = reads(call, "integration:write");
  const { projectId } = await findIntegration(ctx, integrationId);
  const now = ctx.now();
  const found = await queries.findDelivery(ctx.db, integrationId, deliveryId, now);
  if (!found) throw missing();
  const { type } = found.event;
  if (type === queries.TEST_EVENT) throw isTest;
  const isRetry = found.status === "pending" && found.attempts > 0;
  await writes(call, "integration:write", { projectId }).commit({
    guards: [
      { holds: integrationExists(integrationId), error: missing() },
      { holds: integrationIsEnabled(integrationId), error: disabled },
      isRetry
        ? { holds: queries.deliveryWaitsForRetry(deliveryId, now), error: attempted }
        : { holds: queries.deliveryHasEnded(deliveryId, now), error: notEnded },
    ],
    statements: isRetry
      ? [queries.retryNow(deliveryId, now)]
      : queries.repeatDelivery({ id: deliveryId, projectId }, now, ctx.quotas.WEBHOOK_DELIVERIES),
    audit: [
      {
        action: "integration.redelivered",
        entityType: "integration",
        entityId: integrationId,
        projectId,
        after: { deliveryId, type },
      },
    ],
  });
  const delivery = await getDelivery(ctx, integrationId, deliveryId);
  ctx.webhooks.relay();
  return delivery;
}

/**
 * Sends a test delivery to the integration's receiver now. Returns the delivery with the result of its
 * attempt. Throws: 404 for an unknown integration, 409 if the integration is disabled.
 */
export async function testIntegration(
  call: Call & Pick<RequestCall, "request" | "webhooks">,
  { id }: { readonly id: number },
): Promise<Delivery> {
  const ctx = reads(call, "integration:write");
  const { projectId, name } = await findIntegration(ctx, id);
  const { actor } = ctx;
  const now = ctx.now();
  const eventId = crypto.randomUUID().replaceAll("-", "");
  const event = {
    eventId,
    projectId,
    entityId: id,
    actorKind: actor.kind,
    actorName: actorName(actor),
    data: { integration: { name } },
    reason: ctx.request.reason ?? null,
    traceId: ctx.request.traceId,
    createdAt: now,
  };
  await writes(call, "integration:write", { projectId }).commit({
    guards: [
      { holds: integrationExists(id), error: notFound("The integration does not exist") },
      { holds: integrationIsEnabled(id), error: disabled },
    ],
    statements: queries.insertTest(event, now),
    audit: [{ action: "integration.tested", entityType: "integration", entityId: id, projectId }],
  });
  const begun = await queries.findDeliveryOf(ctx.db, eventId, now);
  if (!begun) throw missing();
  await ctx.webhooks.attempt(begun.id);
  return getDelivery(ctx, id, begun.id);
}

async function getDelivery(
  ctx: DeliveryContext,
  integrationId: number,
  id: number,
): Promise<Delivery> {
  const row = await queries.findDelivery(ctx.db, integrationId, id, ctx.now());
  if (!row) throw missing();
  return { row, attempts: await queries.attemptsAt(ctx.db, [id]) };
}
