import { type SQL, sql } from "drizzle-orm";
import type { Origin } from "./origin.ts";
import { actorName } from "./audit.ts";
import { write } from "./database.ts";
import { outbox } from "./schema/events.ts";

/** The types of webhook events that an integration can subscribe to (docs/webhooks.md). */
export const EVENT_TYPES = [
  "flag.created",
  "flag.updated",
  "flag.archived",
  "flag.unarchived",
  "flag.deleted",
  "segment.created",
  "segment.updated",
  "segment.deleted",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A webhook event about a change of a flag or a segment. Integrations subscribe to its type. */
export interface DomainEvent {
  readonly type: EventType;
  readonly projectId: number;
  readonly entityId: number | SQL;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The data that all webhook events of one commit share. */
interface Stamp {
  readonly origin: Origin;
  /** The time of the commit in epoch milliseconds. */
  readonly now: number;
  /** The quota: the number of webhook deliveries per calendar month (UTC). */
  readonly deliveryLimit: number;
}

/**
 * The SQL expression for the id of a webhook event: 128 random bits in hex. SQLite creates the id,
 * so that one statement can insert many events.
 */
const eventId = sql`lower(hex(randomblob(16)))`;

const lastSequence = (projectId: number) =>
  sql`(SELECT event_sequence FROM projects WHERE id = ${projectId})`;

/**
 * Returns the statements that increment the project's sequence number and insert a webhook event
 * with the new number.
 */
function outboxStatements({ origin, now }: Stamp, event: DomainEvent) {
  const { type, projectId, data } = event;
  return [
    sql`UPDATE projects SET event_sequence = event_sequence + 1 WHERE id = ${projectId}`,
    write.insert(outbox).values({
      eventId,
      type,
      projectId,
      entityId: sql`${event.entityId}`,
      sequence: lastSequence(projectId),
      actorKind: origin.actor.kind,
      actorName: actorName(origin.actor),
      data,
      traceId: origin.traceId,
      createdAt: now,
      fannedOut: false,
    }),
  ];
}

/** Returns the statements that insert webhook events and their deliveries. */
export const eventStatements = (stamp: Stamp, events: readonly DomainEvent[]) =>
  events.length === 0
    ? []
    : [...events.flatMap((event) => outboxStatements(stamp, event)), ...fanOut(stamp)];

/**
 * Returns the statements that insert a `flag.deleted` webhook event, with its deliveries, for every
 * flag of a project. The statements must run before the project is deleted.
 */
export const flagsDeletedStatements = (stamp: Stamp, projectId: number): readonly SQL[] => [
  sql`INSERT INTO outbox (event_id, type, project_id, entity_id, sequence, actor_kind, actor_name,
      data, trace_id, created_at, fanned_out)
    SELECT ${eventId}, 'flag.deleted', project_id, id,
      ${lastSequence(projectId)} + row_number() OVER (ORDER BY id),
      ${stamp.origin.actor.kind}, ${actorName(stamp.origin.actor)},
      json_object('flag', json_object('key', key, 'name', name)),
      ${stamp.origin.traceId}, ${stamp.now}, 0
    FROM flags WHERE project_id = ${projectId}`,
  ...fanOut(stamp),
];

/**
 * Returns the UTC month of a time in epoch milliseconds, such as `2026-01`. A webhook delivery
 * counts against the quota of this month.
 */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/**
 * Returns the SQL expression for the number of webhook deliveries that the month's quota still
 * allows.
 */
export const remainingDeliveries = (now: number, limit: number): SQL =>
  sql`max(0, ${limit} - coalesce((SELECT used FROM webhook_usage WHERE month = ${monthOf(now)}), 0))`;

/**
 * Returns the statement that counts webhook deliveries against the month's quota. `count` is a
 * SELECT of the number of these deliveries.
 */
export const countDeliveries = (now: number, count: SQL): SQL =>
  sql`INSERT INTO webhook_usage (month, used) SELECT ${monthOf(now)}, (${count}) WHERE true
    ON CONFLICT (month) DO UPDATE SET used = used + excluded.used`;

/**
 * Returns the statements that insert a webhook delivery for every new event and every enabled
 * integration that subscribes to the event's type. Deliveries above the month's quota get the
 * status `held`.
 */
const fanOut = ({ now, deliveryLimit }: Stamp): readonly SQL[] => [
  sql`INSERT INTO webhook_deliveries (event_id, integration_id, status, due_at, created_at)
    SELECT event_id, integration_id,
      CASE WHEN n <= ${remainingDeliveries(now, deliveryLimit)} THEN 'pending' ELSE 'held' END, ${now}, ${now}
    FROM (SELECT o.id AS event_id, i.id AS integration_id,
        row_number() OVER (ORDER BY o.id, i.id) AS n
      FROM outbox o JOIN integrations i ON i.project_id = o.project_id
      WHERE o.fanned_out = 0 AND i.enabled = 1 AND i.deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM json_each(i.events) WHERE value = o.type))`,
  countDeliveries(
    now,
    sql`SELECT count(*) FROM outbox o JOIN webhook_deliveries d ON d.event_id = o.id
      WHERE o.fanned_out = 0 AND d.status = 'pending'`,
  ),
  sql`UPDATE outbox SET fanned_out = 1 WHERE fanned_out = 0 RETURNING (SELECT count(*)
    FROM webhook_deliveries d WHERE d.event_id = outbox.id AND d.status = 'held') AS held`,
];
