import type { Pausing } from "@feature-flags/evaluation/pausing";
import { type SQL, sql } from "drizzle-orm";
import { jsonChunkSteps } from "./json-list.ts";
import type { Origin } from "./origin.ts";
import { actorName } from "./audit.ts";

/** The types of webhook events that an integration can subscribe to (docs/use/webhooks.md). */
export const EVENT_TYPES = [
  "flag.created",
  "flag.updated",
  "flag.archived",
  "flag.unarchived",
  "flag.stale",
  "flag.deleted",
  "segment.created",
  "segment.updated",
  "segment.deleted",
  "environment.protection-updated",
  "change-request.opened",
  "change-request.review-requested",
  "change-request.reviewed",
  "change-request.applied",
  "change-request.outdated",
  "change-request.blocked",
  "change-request.closed",
  "ramp.started",
  "ramp.stepped",
  "ramp.paused",
  "ramp.resumed",
  "ramp.aborted",
  "ramp.stopped",
  "ramp.completed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A webhook event about a change of a flag or a segment. Integrations subscribe to its type. */
export interface DomainEvent {
  readonly type: EventType;
  readonly projectId: number;
  readonly entityId: number | SQL;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The data that all webhook events, and all records of a deletion, of one commit share. */
export interface Stamp {
  readonly origin: Origin;
  /** The time of the commit in epoch milliseconds. */
  readonly now: number;
  /** The quota: the number of webhook deliveries per project and calendar month (UTC). */
  readonly deliveryLimit: number;
}

/**
 * The SQL expression for the id of a webhook event: 128 random bits in hex. SQLite creates the id,
 * so that one statement can insert many events.
 */
const eventId = sql`lower(hex(randomblob(16)))`;

const lastSequence = (projectId: number) =>
  sql`(SELECT event_sequence FROM projects WHERE id = ${projectId})`;

/** The SQL condition that an enabled integration `i` gets events of the type. */
const subscribes = (type: SQL) => sql`i.enabled = 1 AND i.deleted_at IS NULL
  AND EXISTS (SELECT 1 FROM json_each(i.events) WHERE value = ${type})`;

/** The SQL condition that an enabled integration of the project gets events of the type. */
const hasSubscriber = (projectId: number, type: SQL) =>
  sql`EXISTS (SELECT 1 FROM integrations i
    WHERE i.project_id = ${projectId} AND ${subscribes(type)})`;

const EVENT_COLUMNS = sql.raw(
  "event_id, type, project_id, entity_id, sequence, actor_kind, actor_name, data, reason, trace_id, created_at, fanned_out",
);

/**
 * Returns the statements that increment the project's sequence number and insert a webhook event with the new
 * number. An event that no integration gets is not stored, because it can contain a whole strategy.
 */
function outboxStatements({ origin, now }: Stamp, event: DomainEvent): readonly SQL[] {
  const { type, projectId, data } = event;
  return [
    sql`UPDATE projects SET event_sequence = event_sequence + 1 WHERE id = ${projectId}`,
    sql`INSERT INTO outbox (${EVENT_COLUMNS})
      SELECT ${eventId}, ${type}, ${projectId}, ${event.entityId}, ${lastSequence(projectId)},
        ${origin.actor.kind}, ${actorName(origin.actor)}, ${JSON.stringify(data)},
        ${origin.reason ?? null}, ${origin.traceId}, ${now}, 0
      WHERE ${hasSubscriber(projectId, sql`${type}`)}`,
  ];
}

/** An event whose entity exists before the transaction. */
interface PlainEvent extends DomainEvent {
  readonly entityId: number;
}

/**
 * Whether one statement can insert all events: all are of one project, and their entity ids are no
 * SQL expressions.
 */
const arePlain = (events: readonly DomainEvent[]): events is readonly PlainEvent[] =>
  events.every(
    ({ projectId, entityId }) => projectId === events[0]?.projectId && typeof entityId === "number",
  );

/**
 * Does the same as `outboxStatements` for many events of one project. The number of statements
 * depends on the size of the events, and not on how many there are.
 */
function* manyOutboxStatements(
  { origin, now }: Stamp,
  projectId: number,
  events: readonly PlainEvent[],
): Pausing<readonly SQL[]> {
  const numbered = events.map(({ type, entityId, data }, n) => ({
    n: n + 1,
    type,
    entityId,
    data,
  }));
  const chunks = yield* jsonChunkSteps(numbered);
  return [
    ...chunks.map(
      (chunk) => sql`INSERT INTO outbox (${EVENT_COLUMNS})
        SELECT ${eventId}, new.value ->> 'type', ${projectId}, new.value ->> 'entityId',
          ${lastSequence(projectId)} + (new.value ->> 'n'), ${origin.actor.kind},
          ${actorName(origin.actor)}, new.value -> 'data',
          ${origin.reason ?? null}, ${origin.traceId}, ${now}, 0
        FROM json_each(${chunk}) new
        WHERE ${hasSubscriber(projectId, sql`new.value ->> 'type'`)} ORDER BY new.key`,
    ),
    sql`UPDATE projects SET event_sequence = event_sequence + ${events.length}
      WHERE id = ${projectId}`,
  ];
}

/** Returns the statements that insert webhook events and their deliveries. */
export function* eventStatements(
  stamp: Stamp,
  events: readonly DomainEvent[],
): Pausing<readonly SQL[]> {
  const [first, second] = events;
  if (!first) return [];
  const inserts =
    second !== undefined && arePlain(events)
      ? yield* manyOutboxStatements(stamp, first.projectId, events)
      : events.flatMap((event) => outboxStatements(stamp, event));
  return [...inserts, ...fanOut(stamp)];
}

/**
 * Returns the statements that insert a `flag.deleted` webhook event, with its deliveries, for every flag of a
 * project, if an integration gets these events. The statements must run before the project is deleted.
 */
export const flagsDeletedStatements = (stamp: Stamp, projectId: number): readonly SQL[] => [
  sql`INSERT INTO outbox (${EVENT_COLUMNS})
    SELECT ${eventId}, 'flag.deleted', project_id, id,
      ${lastSequence(projectId)} + row_number() OVER (ORDER BY id),
      ${stamp.origin.actor.kind}, ${actorName(stamp.origin.actor)},
      json_object('flag', json_object('key', key, 'name', name)),
      ${stamp.origin.reason ?? null}, ${stamp.origin.traceId}, ${stamp.now}, 0
    FROM flags WHERE project_id = ${projectId} AND ${hasSubscriber(projectId, sql`'flag.deleted'`)}`,
  ...fanOut(stamp),
];

/**
 * Returns the UTC month of a time in epoch milliseconds, such as `2026-01`. A webhook delivery
 * counts against the quota of this month.
 */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/**
 * Returns the SQL expression for the number of webhook deliveries that the month's quota of a
 * project still allows. `projectId` is an SQL expression.
 */
export const remainingDeliveries = (now: number, limit: number, projectId: SQL): SQL =>
  sql`max(0, ${limit} - coalesce((SELECT used FROM webhook_project_usage
    WHERE project_id = ${projectId} AND month = ${monthOf(now)}), 0))`;

/**
 * Returns the statement that counts webhook deliveries against the month's quotas. `counts` is a
 * SELECT of `project_id` and `n`, the number of these deliveries in that project.
 */
export const countDeliveries = (now: number, counts: SQL): SQL =>
  sql`INSERT INTO webhook_project_usage (project_id, month, used)
    SELECT project_id, ${monthOf(now)}, n FROM (${counts}) WHERE true
    ON CONFLICT (project_id, month) DO UPDATE SET used = used + excluded.used`;

/**
 * Returns the statements that insert a webhook delivery for every new event and every enabled
 * integration that subscribes to the event's type. Deliveries above the month's quota of their
 * project get the status `held`.
 */
const fanOut = ({ now, deliveryLimit }: Stamp): readonly SQL[] => [
  sql`INSERT INTO webhook_deliveries (event_id, integration_id, status, due_at, created_at)
    SELECT event_id, integration_id,
      CASE WHEN n <= ${remainingDeliveries(now, deliveryLimit, sql`new.project_id`)}
        THEN 'pending' ELSE 'held' END, ${now}, ${now}
    FROM (SELECT o.id AS event_id, i.id AS integration_id, o.project_id,
        row_number() OVER (PARTITION BY o.project_id ORDER BY o.id, i.id) AS n
      FROM outbox o JOIN integrations i ON i.project_id = o.project_id
      WHERE o.fanned_out = 0 AND ${subscribes(sql`o.type`)}) AS new`,
  countDeliveries(
    now,
    sql`SELECT o.project_id, count(*) AS n FROM outbox o
      JOIN webhook_deliveries d ON d.event_id = o.id
      WHERE o.fanned_out = 0 AND d.status = 'pending' GROUP BY o.project_id`,
  ),
  sql`UPDATE outbox SET fanned_out = 1 WHERE fanned_out = 0 RETURNING (SELECT count(*)
    FROM webhook_deliveries d WHERE d.event_id = outbox.id AND d.status = 'held') AS held`,
];
