import { type SQL, sql } from "drizzle-orm";
import type { Origin } from "./origin.ts";
import { write } from "./database.ts";
import { outbox } from "./schema/records.ts";

/** The event names of decisions 4.1. */
export type EventType =
  | "flag.created"
  | "flag.updated"
  | "flag.archived"
  | "flag.unarchived"
  | "flag.deleted"
  | "segment.created"
  | "segment.updated"
  | "segment.deleted";

/** Something that other systems may want to hear of. */
export interface DomainEvent {
  readonly type: EventType;
  readonly projectId: number;
  readonly entityId: number | SQL;
  readonly data: Readonly<Record<string, unknown>>;
}

/** 128 random bits as hex, made by SQLite so that one statement can write many events. */
const eventId = sql`lower(hex(randomblob(16)))`;

export function outboxStatement(origin: Origin, now: number, event: DomainEvent) {
  return write.insert(outbox).values({
    eventId,
    type: event.type,
    projectId: event.projectId,
    entityId: sql`${event.entityId}`,
    data: event.data,
    traceId: origin.traceId,
    createdAt: now,
  });
}

/** One `flag.deleted` for every flag of a project that is about to go with it. */
export function projectFlagsDeletedEvents(origin: Origin, now: number, projectId: number): SQL {
  return sql`INSERT INTO outbox (event_id, type, project_id, entity_id, data, trace_id, created_at)
    SELECT ${eventId}, 'flag.deleted', project_id, id,
      json_object('flag', json_object('id', id, 'key', key, 'name', name)), ${origin.traceId}, ${now}
    FROM flags WHERE project_id = ${projectId}`;
}
