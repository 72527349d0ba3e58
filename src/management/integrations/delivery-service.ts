import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import { actorName } from "../../db/audit.ts";
import { type Page, type PageRequest, toPage } from "../../http/paging.ts";
import type { ManagementDeps } from "../deps.ts";
import * as queries from "./delivery-queries.ts";
import type { AttemptRow, DeliveryFilter, DeliveryRow } from "./delivery-queries.ts";
import { integrationExists, integrationIsEnabled } from "./queries.ts";
import { getIntegration } from "./service.ts";

const missing = () => notFound("The delivery");
const underWay = conflict("The delivery has not ended yet");
const disabled = conflict("The integration is disabled");
const noRepetition = conflict("A test is not sent again; make another one");

/** A delivery with its attempts, newest first. */
export interface Delivery {
  readonly row: DeliveryRow;
  readonly attempts: readonly AttemptRow[];
}

/** Newest first, in a fixed number of statements. Errors: 404, 403 for a key of another project. */
export async function listDeliveries(
  deps: ManagementDeps,
  actor: Actor,
  request: DeliveryFilter & PageRequest,
): Promise<Page<Delivery>> {
  const { integrationId, page, size } = request;
  await getIntegration(deps, actor, integrationId);
  const [rows, total] = await Promise.all([
    queries.listDeliveries(deps.db, request, deps.now(), {
      limit: size,
      offset: page * size,
    }),
    queries.countMatchingDeliveries(deps.db, request),
  ]);
  const ids = rows.map((row) => row.id);
  const attempts = await queries.attemptsAt(deps.db, ids);
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.deliveryId);
  const items = rows.map((row) => ({ row, attempts: byDelivery.get(row.id) ?? [] }));
  return toPage(items, request, total);
}

/** Sends the same event once more, under its `webhook-id`. Errors: 404, 409 for one that has not ended. */
export async function redeliver(
  deps: ManagementDeps,
  actor: Actor,
  integrationId: number,
  deliveryId: number,
): Promise<Delivery> {
  const { projectId } = await getIntegration(deps, actor, integrationId);
  const now = deps.now();
  const ended = await queries.findDelivery(deps.db, integrationId, deliveryId, now);
  if (!ended) throw missing();
  const { type } = ended.event;
  if (type === queries.TEST_EVENT) throw noRepetition;
  await deps.commit(actor, {
    guards: [
      { holds: integrationExists(integrationId), error: missing() },
      { holds: integrationIsEnabled(integrationId), error: disabled },
      { holds: queries.deliveryHasEnded(deliveryId, now), error: underWay },
    ],
    statements: queries.repeatDelivery(deliveryId, now, deps.quotas.WEBHOOK_DELIVERIES),
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
  const delivery = await getDelivery(deps, integrationId, deliveryId);
  deps.webhooks.relay();
  return delivery;
}

/** Sends a test now and answers what came of it. Errors: 404, 409 when it is disabled. */
export async function testIntegration(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
): Promise<Delivery> {
  const { projectId, name } = await getIntegration(deps, actor, id);
  const now = deps.now();
  const eventId = crypto.randomUUID().replaceAll("-", "");
  const event = {
    eventId,
    projectId,
    entityId: id,
    actorKind: actor.kind,
    actorName: actorName(actor),
    data: { integration: { name } },
    traceId: deps.request.traceId,
    createdAt: now,
  };
  await deps.commit(actor, {
    guards: [
      { holds: integrationExists(id), error: notFound("The integration") },
      { holds: integrationIsEnabled(id), error: disabled },
    ],
    statements: queries.insertTest(event, now),
    audit: [{ action: "integration.tested", entityType: "integration", entityId: id, projectId }],
  });
  const begun = await queries.findDeliveryOf(deps.db, eventId, now);
  if (!begun) throw missing();
  await deps.webhooks.attempt(begun.id);
  return getDelivery(deps, id, begun.id);
}

async function getDelivery(
  deps: ManagementDeps,
  integrationId: number,
  id: number,
): Promise<Delivery> {
  const row = await queries.findDelivery(deps.db, integrationId, id, deps.now());
  if (!row) throw missing();
  return { row, attempts: await queries.attemptsAt(deps.db, [id]) };
}
