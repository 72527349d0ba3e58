import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { flag, id, time, version } from "./columns.ts";
import type { ActorKind } from "./records.ts";

/** Events that other systems may want to hear of; written with the change that they tell of. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    /** Becomes the `webhook-id`. */
    eventId: text("event_id").notNull().unique(),
    type: text("type").notNull(),
    projectId: integer("project_id").notNull(),
    entityId: integer("entity_id").notNull(),
    /** Counts the events of the project; null for a test. */
    sequence: integer("sequence"),
    actorKind: text("actor_kind").$type<ActorKind>().notNull().default("system"),
    actorName: text("actor_name").notNull().default(""),
    data: text("data", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    traceId: text("trace_id").notNull(),
    createdAt: time("created_at").notNull(),
    /** False inside the transaction only, until the deliveries are written. */
    fannedOut: flag("fanned_out").notNull().default(true),
  },
  (t) => [
    index("outbox_new")
      .on(t.id)
      .where(sql`${t.fannedOut} = 0`),
    index("outbox_time").on(t.createdAt),
  ],
);

export const integrations = sqliteTable(
  "integrations",
  {
    id: id(),
    /** No foreign key: the last events of a deleted project still go out. */
    projectId: integer("project_id").notNull(),
    name: text("name").notNull(),
    enabled: flag("enabled").notNull(),
    type: text("type").$type<"custom_webhook">().notNull(),
    url: text("url").notNull(),
    /** The signing secret, sealed. */
    secret: text("secret").notNull(),
    /** Custom headers: each value sealed. */
    headers: text("headers", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
    /** The event names it is subscribed to. */
    events: text("events", { mode: "json" }).$type<readonly string[]>().notNull(),
    lastSuccessAt: time("last_success_at"),
    /** The first failure since the last success. */
    failingSince: time("failing_since"),
    /** When the service switched it off, after days of failures; null once somebody switches it on. */
    switchedOffAt: time("switched_off_at"),
    /** Its project is gone; it lives on until the last deliveries have ended. */
    deletedAt: time("deleted_at"),
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [
    unique("integrations_name").on(t.projectId, t.name),
    check("integrations_type", sql`${t.type} IN ('custom_webhook')`),
  ],
);

/** `held`: the monthly quota is used up. `dead`: every attempt failed; it can be sent again. */
export const DELIVERY_STATUSES = ["pending", "held", "succeeded", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One event on its way to one integration. */
export const deliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: id(),
    eventId: integer("event_id")
      .notNull()
      .references(() => outbox.id, { onDelete: "cascade" }),
    integrationId: integer("integration_id")
      .notNull()
      .references(() => integrations.id, { onDelete: "cascade" }),
    status: text("status").$type<DeliveryStatus>().notNull(),
    /** Attempts begun, since it was last set on its way. */
    attempts: integer("attempts").notNull().default(0),
    /** Nobody may begin an attempt before: the next retry, or the end of a running attempt. */
    dueAt: time("due_at").notNull(),
    /** When it was handed to the queue. */
    relayedAt: time("relayed_at"),
    createdAt: time("created_at").notNull(),
    completedAt: time("completed_at"),
  },
  (t) => [
    unique("webhook_deliveries_once").on(t.eventId, t.integrationId),
    index("webhook_deliveries_list").on(t.integrationId, t.id, t.status),
    index("webhook_deliveries_new")
      .on(t.id)
      .where(sql`${t.status} = 'pending' AND ${t.relayedAt} IS NULL`),
    index("webhook_deliveries_due")
      .on(t.dueAt)
      .where(sql`${t.status} = 'pending'`),
    index("webhook_deliveries_held")
      .on(t.id)
      .where(sql`${t.status} = 'held'`),
    check(
      "webhook_deliveries_status",
      sql`${t.status} IN ('pending', 'held', 'succeeded', 'dead')`,
    ),
  ],
);

/** One call of a receiver, and what came of it. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    id: id(),
    deliveryId: integer("delivery_id")
      .notNull()
      .references(() => deliveries.id, { onDelete: "cascade" }),
    at: time("at").notNull(),
    /** The HTTP status, if an answer came. */
    status: integer("status"),
    durationMs: integer("duration_ms").notNull(),
    /** The beginning of the answer's body. */
    response: text("response"),
    /** Why it is a failure; null for a success. */
    error: text("error"),
  },
  (t) => [index("delivery_attempts_delivery").on(t.deliveryId, t.id)],
);

/** Deliveries counted against the monthly quota; the month as `2026-01`, UTC. */
export const webhookUsage = sqliteTable("webhook_usage", {
  month: text("month").primaryKey(),
  used: integer("used").notNull(),
});
