import { and, desc, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { MAX_ATTEMPTS } from "../../core/webhooks/retry-delay.ts";
import { CLAIM_MS, CLOCK_SKEW_MS } from "../../core/webhooks/webhook.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { countDeliveries, remainingDeliveries } from "../../db/outbox.ts";
import {
  deliveries,
  deliveryAttempts,
  type DeliveryStatus,
  outbox,
} from "../../db/schema/events.ts";
import { inIds } from "../../db/ids.ts";

/** The webhook event type of a test delivery. Integrations cannot subscribe to it. */
export const TEST_EVENT = "integration.test";

/** The maximum number of attempts that a response shows for each webhook delivery: the newest ones. */
const SHOWN_ATTEMPTS = 20;

/**
 * The SQL condition for a webhook delivery that has used all attempts, but whose status the
 * dead-letter consumer has not yet set to `dead`. The condition is false until `due_at`, because
 * the last attempt may still be running.
 */
const isExhausted = (now: number) => sql`(${deliveries.status} = 'pending'
  AND ${deliveries.attempts} >= ${MAX_ATTEMPTS} AND ${deliveries.dueAt} <= ${now})`;

/**
 * The SQL condition for a webhook delivery whose integration is disabled. Such a delivery is stored
 * as pending or held, but the service does not attempt it until the integration is enabled again.
 */
const isPaused = sql`(${deliveries.status} IN ('pending', 'held') AND EXISTS (SELECT 1
  FROM integrations i WHERE i.id = ${deliveries.integrationId} AND i.enabled = 0))`;

/** Why a webhook delivery is held: the integration is disabled, or the month's quota is used up. */
export const HELD_REASONS = ["disabled", "quota"] as const;

const columns = (now: number) => ({
  id: deliveries.id,
  status: sql<DeliveryStatus>`CASE WHEN ${isExhausted(now)} THEN 'dead' WHEN ${isPaused} THEN 'held'
    ELSE ${deliveries.status} END`,
  heldReason: sql<(typeof HELD_REASONS)[number] | null>`CASE WHEN ${isExhausted(now)} THEN NULL
    WHEN ${isPaused} THEN 'disabled' WHEN ${deliveries.status} = 'held' THEN 'quota' END`,
  attempts: deliveries.attempts,
  dueAt: deliveries.dueAt,
  createdAt: deliveries.createdAt,
  completedAt: sql<
    number | null
  >`CASE WHEN ${isExhausted(now)} THEN ${deliveries.dueAt} ELSE ${deliveries.completedAt} END`,
  event: {
    eventId: outbox.eventId,
    type: outbox.type,
    projectId: outbox.projectId,
    entityId: outbox.entityId,
    sequence: outbox.sequence,
    actorKind: outbox.actorKind,
    actorName: outbox.actorName,
    data: outbox.data,
    reason: outbox.reason,
    createdAt: outbox.createdAt,
  },
});

const selectDeliveries = (db: ReadDb, now: number) =>
  db.select(columns(now)).from(deliveries).innerJoin(outbox, eq(outbox.id, deliveries.eventId));

export type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number];

export interface DeliveryFilter {
  readonly integrationId: number;
  /** The stored statuses of the webhook deliveries; undefined for all. */
  readonly statuses?: DeliveryStatus[] | undefined;
}

/**
 * Returns the stored statuses of the webhook deliveries that the API shows with `status`. While an
 * integration is disabled, the API shows its pending deliveries as held.
 */
export function storedStatuses(status: DeliveryStatus, isEnabled: boolean): DeliveryStatus[] {
  if (isEnabled || status === "succeeded" || status === "dead") return [status];
  return status === "held" ? ["held", "pending"] : [];
}

const matching = ({ integrationId, statuses }: DeliveryFilter): SQL | undefined =>
  and(
    eq(deliveries.integrationId, integrationId),
    statuses === undefined ? undefined : inArray(deliveries.status, statuses),
  );

/**
 * Returns one page of webhook deliveries, newest first. The subquery finds the ids of the page from
 * an index alone, so that D1 reads table rows only for this page (see `listAudit`).
 */
export function listDeliveries(
  db: ReadDb,
  filter: DeliveryFilter,
  now: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const ids = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(matching(filter))
    .orderBy(desc(deliveries.id))
    .limit(limit)
    .offset(offset);
  return selectDeliveries(db, now).where(inArray(deliveries.id, ids)).orderBy(desc(deliveries.id));
}

export async function countMatchingDeliveries(db: ReadDb, filter: DeliveryFilter): Promise<number> {
  const counted = db.select({ count: sql<number>`count(*)` }).from(deliveries);
  return (await counted.where(matching(filter)))[0]?.count ?? 0;
}

export async function findDelivery(db: ReadDb, integrationId: number, id: number, now: number) {
  const where = and(eq(deliveries.integrationId, integrationId), eq(deliveries.id, id));
  return (await selectDeliveries(db, now).where(where))[0];
}

export async function findDeliveryOf(db: ReadDb, eventId: string, now: number) {
  return (await selectDeliveries(db, now).where(eq(outbox.eventId, eventId)))[0];
}

export type AttemptRow = Omit<typeof deliveryAttempts.$inferSelect, "id">;

/** Returns the newest 20 attempts at each of the given webhook deliveries, newest first. */
export function attemptsAt(db: ReadDb, deliveryIds: readonly number[]): Promise<AttemptRow[]> {
  const { id, deliveryId, at, status, durationMs, response, error } = deliveryAttempts;
  const place = sql<number>`row_number() OVER (PARTITION BY ${deliveryId} ORDER BY ${id} DESC)`;
  const numbered = db
    .select({ deliveryId, at, status, durationMs, response, error, place: place.as("place") })
    .from(deliveryAttempts)
    .where(inIds(deliveryId, deliveryIds))
    .as("numbered");
  return db
    .select()
    .from(numbered)
    .where(lte(numbered.place, SHOWN_ATTEMPTS))
    .orderBy(sql`${numbered.place}`);
}

/**
 * Guard: fails if the webhook delivery has not ended. The service makes no more attempts at an
 * ended delivery, unless a user sends it again.
 */
export const deliveryHasEnded = (id: number, now: number) =>
  sql`EXISTS (SELECT 1 FROM ${deliveries} WHERE ${deliveries.id} = ${id}
    AND (${deliveries.status} IN ('succeeded', 'dead') OR ${isExhausted(now)}))`;

/**
 * Guard: fails if the webhook delivery does not wait for a retry, or an attempt is running. A claim
 * moves the due time to at most `CLAIM_MS` from now, so a later due time belongs to a retry.
 */
export const deliveryWaitsForRetry = (id: number, now: number) =>
  sql`EXISTS (SELECT 1 FROM ${deliveries} WHERE ${deliveries.id} = ${id}
    AND ${deliveries.status} = 'pending' AND ${deliveries.attempts} > 0
    AND ${deliveries.dueAt} > ${now + CLAIM_MS + CLOCK_SKEW_MS})`;

/** The statement that makes the next attempt of a waiting webhook delivery due now. */
export const retryNow = (id: number, now: number) =>
  sql`UPDATE webhook_deliveries SET due_at = ${now}, relayed_at = NULL WHERE id = ${id}`;

/**
 * The statements that make a webhook delivery pending again and count it against the month's quota
 * `limit` of its project. If the quota is used up, they hold the delivery until the next month
 * instead.
 */
export const repeatDelivery = (
  { id, projectId }: { readonly id: number; readonly projectId: number },
  now: number,
  limit: number,
) => [
  sql`UPDATE webhook_deliveries SET attempts = 0, due_at = ${now}, relayed_at = NULL, completed_at = NULL,
    status = CASE WHEN ${remainingDeliveries(now, limit, sql`${projectId}`)} > 0 THEN 'pending' ELSE 'held' END
    WHERE id = ${id} RETURNING status = 'held' AS held`,
  countDeliveries(
    now,
    sql`SELECT ${projectId} AS project_id, count(*) AS n FROM webhook_deliveries
      WHERE id = ${id} AND status = 'pending'`,
  ),
];

/**
 * The statements that insert a test event and its webhook delivery. The delivery has only one
 * attempt left, so it is never retried. The delivery is marked as queued, so that `relay` does not
 * send it to the queue, because the request makes the attempt itself.
 */
export const insertTest = (
  event: Omit<typeof outbox.$inferInsert, "type" | "sequence" | "fannedOut">,
  now: number,
) => [
  write.insert(outbox).values({ ...event, type: TEST_EVENT, sequence: null, fannedOut: true }),
  sql`INSERT INTO webhook_deliveries
      (event_id, integration_id, status, attempts, due_at, relayed_at, created_at)
    SELECT id, entity_id, 'pending', ${MAX_ATTEMPTS - 1}, ${now}, ${now}, ${now}
    FROM outbox WHERE event_id = ${event.eventId}`,
];
