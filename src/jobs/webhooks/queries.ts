import { type SQL, sql } from "drizzle-orm";
import { inList } from "../../db/json-list.ts";
import { MAX_ATTEMPTS } from "../../core/webhooks/retry-delay.ts";
import type { ChatEvent, ChatService } from "../../core/webhooks/chat.ts";
import { CLAIM_MS, CLOCK_SKEW_MS } from "../../core/webhooks/webhook.ts";

/**
 * How long after its due time a pending delivery counts as lost, milliseconds. By then, the queue
 * has lost its message or a Worker has stopped.
 */
const OVERDUE_MS = 45_000;

/** A webhook delivery with everything that one attempt needs. */
export interface DeliveryRow extends Omit<ChatEvent, "data"> {
  readonly deliveryId: number;
  readonly attempts: number;
  readonly traceId: string;
  /** The data of the event, as JSON text. */
  readonly data: string;
  readonly integrationId: number;
  readonly integrationName: string;
  readonly url: string;
  /** The chat service that gets a message instead of a signed webhook request, if any. */
  readonly chat: ChatService | null;
  /** The signing secret of the integration, sealed (encrypted). */
  readonly secret: string;
  /** The replaced signing secret, sealed, while it still signs webhook calls; null after that. */
  readonly previousSecret: string | null;
  /** The custom headers: a JSON object of header names and sealed values. */
  readonly headers: string;
}

/**
 * The SQL condition for a delivery `d` whose integration is enabled. The service does not attempt the pending
 * deliveries of a disabled integration. `relayLost` finds them when it is enabled again.
 */
const isEnabled = sql`EXISTS (SELECT 1 FROM integrations
  WHERE id = d.integration_id AND enabled = 1)`;

/**
 * The statement that claims the deliveries that are due and returns their ids. Until a claim
 * expires, no other Worker can claim the delivery, even if the queue delivers a message twice.
 */
export const claim = (ids: readonly number[], now: number): SQL =>
  sql`UPDATE webhook_deliveries AS d SET attempts = attempts + 1, due_at = ${now + CLAIM_MS}
    WHERE id IN ${inList(ids)} AND status = 'pending' AND attempts < ${MAX_ATTEMPTS}
      AND due_at <= ${now + CLOCK_SKEW_MS} AND ${isEnabled}
    RETURNING id AS deliveryId`;

/**
 * The query for the deliveries among `ids` that are due and have no attempt left, but are not yet
 * marked dead.
 */
export const exhausted = (ids: readonly number[], now: number): SQL =>
  sql`SELECT id AS deliveryId FROM webhook_deliveries WHERE id IN ${inList(ids)}
    AND status = 'pending' AND attempts >= ${MAX_ATTEMPTS} AND due_at <= ${now + CLOCK_SKEW_MS}`;

export const describe = (ids: readonly number[], now: number): SQL =>
  sql`SELECT d.id AS deliveryId, d.attempts, o.event_id AS eventId, o.type, o.project_id AS projectId,
      o.entity_id AS entityId, o.sequence, o.actor_kind AS actorKind, o.actor_name AS actorName,
      o.data, o.reason, o.trace_id AS traceId, o.created_at AS createdAt, i.id AS integrationId,
      i.name AS integrationName, i.url, i.chat, i.secret, i.headers, p.name AS projectName,
      CASE WHEN i.previous_secret_until > ${now} THEN i.previous_secret END AS previousSecret
    FROM webhook_deliveries d JOIN outbox o ON o.id = d.event_id
      JOIN integrations i ON i.id = d.integration_id
      LEFT JOIN projects p ON p.id = o.project_id
    WHERE d.id IN ${inList(ids)}`;

export interface Attempt {
  /** When the attempt started, epoch milliseconds. */
  readonly at: number;
  /** The HTTP status of the receiver's response; null when there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
  /**
   * The first 1,000 characters of the response body, as far as they could be read; null when there
   * was no response, or when nothing of its body could be read.
   */
  readonly response: string | null;
  /** Why the attempt failed; null for a successful attempt. */
  readonly error: string | null;
  /** How long the receiver asks to wait before the next attempt, seconds; 0 if it does not ask. */
  readonly retryAfterSeconds: number;
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
 * The statements for a failed attempt. They plan the next attempt. The last statement returns since when the
 * integration has been failing, in epoch milliseconds; null when the integration is switched off.
 */
export const fail = (
  { deliveryId, integrationId, attempts }: DeliveryRow,
  now: number,
  dueAt: number,
): SQL[] => [
  sql`UPDATE webhook_deliveries SET due_at = ${dueAt}
    WHERE id = ${deliveryId} AND status = 'pending' AND attempts = ${attempts}`,
  sql`UPDATE integrations SET failing_since = coalesce(failing_since, ${now})
    WHERE id = ${integrationId} RETURNING CASE enabled WHEN 1 THEN failing_since END AS failingSince`,
];

/**
 * The statement that marks deliveries without attempts left as dead, and returns their ids. No
 * other code marks deliveries as dead.
 */
export const markDead = (ids: readonly number[], now: number): SQL =>
  sql`UPDATE webhook_deliveries SET status = 'dead', completed_at = ${now}
    WHERE id IN ${inList(ids)} AND status = 'pending' AND attempts >= ${MAX_ATTEMPTS}
    RETURNING id AS deliveryId`;

export interface WaitingRow {
  readonly deliveryId: number;
  readonly traceId: string;
}

const waiting = (condition: SQL, order: SQL, limit: number): SQL =>
  sql`SELECT d.id AS deliveryId, o.trace_id AS traceId FROM webhook_deliveries d
    JOIN outbox o ON o.id = d.event_id WHERE d.status = 'pending' AND ${isEnabled} AND ${condition}
    ORDER BY ${order} LIMIT ${limit}`;

/** The query for pending deliveries that must still be sent to the webhook queue. */
export const unrelayed = (limit: number): SQL =>
  waiting(sql`d.relayed_at IS NULL`, sql`d.id`, limit);

/**
 * The query for pending deliveries that were sent to the webhook queue and are `OVERDUE_MS` past
 * their due time.
 */
export const overdue = (now: number, limit: number): SQL =>
  waiting(sql`d.relayed_at IS NOT NULL AND d.due_at <= ${now - OVERDUE_MS}`, sql`d.due_at`, limit);

/**
 * The statement that marks deliveries as sent to the webhook queue. It moves an earlier due time to
 * `now`, because a delivery becomes overdue `OVERDUE_MS` after its due time.
 */
export const markRelayed = (ids: readonly number[], now: number): SQL =>
  sql`UPDATE webhook_deliveries SET relayed_at = ${now}, due_at = max(due_at, ${now})
    WHERE id IN ${inList(ids)} AND status = 'pending'`;
