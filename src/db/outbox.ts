import { type SQL, sql } from "drizzle-orm";
import type { Origin } from "./origin.ts";
import { actorName } from "./audit.ts";
import { write } from "./database.ts";
import { outbox } from "./schema/events.ts";

/** The event names of decisions 4.1: what an integration can subscribe to. */
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

/** Something that other systems may want to hear of. */
export interface DomainEvent {
  readonly type: EventType;
  readonly projectId: number;
  readonly entityId: number | SQL;
  readonly data: Readonly<Record<string, unknown>>;
}

/** 128 random bits as hex, made by SQLite so that one statement can write many events. */
const eventId = sql`lower(hex(randomblob(16)))`;

const lastSequence = (projectId: number) =>
  sql`(SELECT event_sequence FROM projects WHERE id = ${projectId})`;

/** The event, and the project's next sequence number. */
function outboxStatements(origin: Origin, now: number, event: DomainEvent) {
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

/** Events with their deliveries; `limit` is the monthly quota of deliveries. */
export const eventStatements = (
  origin: Origin,
  now: number,
  events: readonly DomainEvent[],
  limit: number,
) =>
  events.length === 0
    ? []
    : [...events.flatMap((event) => outboxStatements(origin, now, event)), ...fanOut(now, limit)];

/** One `flag.deleted` for every flag of a project that is about to go with it. */
export const projectFlagsDeletedEvents = (
  origin: Origin,
  now: number,
  projectId: number,
  limit: number,
): readonly SQL[] => [
  sql`INSERT INTO outbox (event_id, type, project_id, entity_id, sequence, actor_kind, actor_name,
      data, trace_id, created_at, fanned_out)
    SELECT ${eventId}, 'flag.deleted', project_id, id,
      ${lastSequence(projectId)} + row_number() OVER (ORDER BY id),
      ${origin.actor.kind}, ${actorName(origin.actor)},
      json_object('flag', json_object('key', key, 'name', name)), ${origin.traceId}, ${now}, 0
    FROM flags WHERE project_id = ${projectId}`,
  ...fanOut(now, limit),
];

/** The month of a quota, `2026-01`, UTC. */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** How many deliveries the month's quota still has. */
export const remainingDeliveries = (now: number, limit: number): SQL =>
  sql`max(0, ${limit} - coalesce((SELECT used FROM webhook_usage WHERE month = ${monthOf(now)}), 0))`;

/** Counts deliveries, given by a SELECT of their number, against the month's quota. */
export const countDeliveries = (now: number, count: SQL): SQL =>
  sql`INSERT INTO webhook_usage (month, used) SELECT ${monthOf(now)}, (${count}) WHERE true
    ON CONFLICT (month) DO UPDATE SET used = used + excluded.used`;

/**
 * A delivery for every new event and every integration that wants it, decided and counted in the
 * transaction of the change: those beyond the quota are held.
 */
const fanOut = (now: number, limit: number): readonly SQL[] => [
  sql`INSERT INTO webhook_deliveries (event_id, integration_id, status, due_at, created_at)
    SELECT event_id, integration_id,
      CASE WHEN n <= ${remainingDeliveries(now, limit)} THEN 'pending' ELSE 'held' END, ${now}, ${now}
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
