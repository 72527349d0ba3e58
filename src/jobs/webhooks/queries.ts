import { type SQL, sql } from "drizzle-orm";
import { jsonList } from "../../db/json-list.ts";
import { MAX_ATTEMPTS, type WebhookEvent } from "../../core/webhooks/webhook.ts";

/** How far the clocks of two machines may be apart. */
const CLOCK_SKEW_MS = 1_000;

/** An attempt ends within its timeout; after this long it counts as lost with its Worker. */
const CLAIM_MS = 20_000;

/** What is this long overdue was lost by the queue, or with a Worker that ended half-way. */
const OVERDUE_MS = 45_000;

/** A delivery with all that one attempt needs. */
export interface DeliveryRow extends Omit<WebhookEvent, "data"> {
  readonly deliveryId: number;
  readonly attempts: number;
  readonly traceId: string;
  /** JSON. */
  readonly data: string;
  readonly integrationId: number;
  readonly integrationName: string;
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
  /** JSON of names and sealed values. */
  readonly headers: string;
  /** 1: its integration may be called. */
  readonly callable: 0 | 1;
}

/**
 * Begins an attempt for those that are due, and answers their ids: whoever gets an id is alone with
 * it until the claim runs out, whatever the queue delivers twice.
 */
export const claim = (ids: readonly number[], now: number): SQL =>
  sql`UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = ${now + CLAIM_MS}
    WHERE id IN ${jsonList(ids)} AND status = 'pending' AND attempts < ${MAX_ATTEMPTS}
      AND due_at <= ${now + CLOCK_SKEW_MS}
    RETURNING id AS deliveryId`;

/** Of these, those whose last attempt failed but which nobody has declared dead. */
export const exhausted = (ids: readonly number[], now: number): SQL =>
  sql`SELECT id AS deliveryId FROM webhook_deliveries WHERE id IN ${jsonList(ids)}
    AND status = 'pending' AND attempts >= ${MAX_ATTEMPTS} AND due_at <= ${now + CLOCK_SKEW_MS}`;

export const describe = (ids: readonly number[]): SQL =>
  sql`SELECT d.id AS deliveryId, d.attempts, o.event_id AS eventId, o.type, o.project_id AS projectId,
      o.entity_id AS entityId, o.sequence, o.actor_kind AS actorKind, o.actor_name AS actorName,
      o.data, o.trace_id AS traceId, o.created_at AS createdAt, i.id AS integrationId,
      i.name AS integrationName, i.url, i.secret, i.headers,
      i.enabled = 1 OR i.deleted_at IS NOT NULL AS callable
    FROM webhook_deliveries d JOIN outbox o ON o.id = d.event_id
      JOIN integrations i ON i.id = d.integration_id
    WHERE d.id IN ${jsonList(ids)}`;

export interface Attempt {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The beginning of the answer's body. */
  readonly response: string | null;
  /** Why it failed; null for a success. */
  readonly error: string | null;
}

export const insertAttempt = (deliveryId: number, attempt: Attempt): SQL =>
  sql`INSERT INTO delivery_attempts (delivery_id, at, status, duration_ms, response, error)
    SELECT ${deliveryId}, ${attempt.at}, ${attempt.status}, ${attempt.durationMs},
      ${attempt.response}, ${attempt.error}
    WHERE EXISTS (SELECT 1 FROM webhook_deliveries WHERE id = ${deliveryId})`;

export const succeed = ({ deliveryId, integrationId }: DeliveryRow, now: number): SQL[] => [
  sql`UPDATE webhook_deliveries SET status = 'succeeded', completed_at = ${now} WHERE id = ${deliveryId}`,
  sql`UPDATE integrations SET last_success_at = ${now}, failing_since = NULL WHERE id = ${integrationId}`,
];

/**
 * `last`: no further attempt is made. The last statement answers since when the integration has been
 * failing, if it is switched on.
 */
export const fail = (
  { deliveryId, integrationId, attempts }: DeliveryRow,
  now: number,
  dueAt: number,
  last: boolean,
): SQL[] => [
  sql`UPDATE webhook_deliveries SET due_at = ${dueAt}, attempts = ${last ? MAX_ATTEMPTS : attempts}
    WHERE id = ${deliveryId} AND status = 'pending' AND attempts = ${attempts}`,
  sql`UPDATE integrations SET failing_since = coalesce(failing_since, ${now})
    WHERE id = ${integrationId} RETURNING CASE enabled WHEN 1 THEN failing_since END AS failingSince`,
];

/** The one place that declares a delivery dead; answers the ids of those that it did. */
export const markDead = (ids: readonly number[], now: number): SQL =>
  sql`UPDATE webhook_deliveries SET status = 'dead', completed_at = ${now}
    WHERE id IN ${jsonList(ids)} AND status = 'pending' AND attempts >= ${MAX_ATTEMPTS}
    RETURNING id AS deliveryId`;

export interface WaitingRow {
  readonly deliveryId: number;
  readonly traceId: string;
}

const waiting = (condition: SQL, order: SQL, limit: number): SQL =>
  sql`SELECT d.id AS deliveryId, o.trace_id AS traceId FROM webhook_deliveries d
    JOIN outbox o ON o.id = d.event_id WHERE d.status = 'pending' AND ${condition}
    ORDER BY ${order} LIMIT ${limit}`;

/** Those that no queue has heard of. */
export const unrelayed = (limit: number): SQL =>
  waiting(sql`d.relayed_at IS NULL`, sql`d.id`, limit);

export const overdue = (now: number, limit: number): SQL =>
  waiting(sql`d.relayed_at IS NOT NULL AND d.due_at <= ${now - OVERDUE_MS}`, sql`d.due_at`, limit);

/** Handed to the queue, and overdue again only after a while. */
export const markRelayed = (ids: readonly number[], now: number): SQL =>
  sql`UPDATE webhook_deliveries SET relayed_at = ${now}, due_at = max(due_at, ${now})
    WHERE id IN ${jsonList(ids)} AND status = 'pending'`;
