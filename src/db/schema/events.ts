import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { flag, id, time, version } from "./columns.ts";
import type { ActorKind } from "./records.ts";

/**
 * The events that are sent to integrations. `commit` writes an event in the same transaction as the
 * change.
 */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    /** The value of the header `webhook-id` in the deliveries of the event. */
    eventId: text("event_id").notNull().unique(),
    type: text("type").notNull(),
    projectId: integer("project_id").notNull(),
    entityId: integer("entity_id").notNull(),
    /** The number of the event within its project; null for a test event. */
    sequence: integer("sequence"),
    actorKind: text("actor_kind").$type<ActorKind>().notNull().default("system"),
    actorName: text("actor_name").notNull().default(""),
    data: text("data", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    traceId: text("trace_id").notNull(),
    createdAt: time("created_at").notNull(),
    /**
     * Whether the event's deliveries are inserted. It is false only inside the transaction of the
     * change.
     */
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
    /**
     * The column has no foreign key, because the last events of a deleted project are still
     * delivered.
     */
    projectId: integer("project_id").notNull(),
    name: text("name").notNull(),
    enabled: flag("enabled").notNull(),
    type: text("type").$type<"custom_webhook">().notNull(),
    url: text("url").notNull(),
    /** The signing secret, encrypted. */
    secret: text("secret").notNull(),
    /** Custom headers by name. Each value is encrypted. */
    headers: text("headers", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
    /** The event types that the integration subscribes to. */
    events: text("events", { mode: "json" }).$type<readonly string[]>().notNull(),
    lastSuccessAt: time("last_success_at"),
    /** The time of the first failed delivery since the last success. */
    failingSince: time("failing_since"),
    /**
     * The time when the service disabled the integration after 3 days of failures; null after a
     * user enabled it again.
     */
    switchedOffAt: time("switched_off_at"),
    /**
     * The time when the integration's project was deleted. The row stays until the last deliveries
     * have ended.
     */
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

/**
 * The status of a delivery. `held`: the monthly quota is used up. `dead`: every attempt failed, and
 * a user can redeliver it.
 */
export const DELIVERY_STATUSES = ["pending", "held", "succeeded", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The delivery of one event to one integration. */
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
    /** The number of attempts started since the delivery was created or redelivered. */
    attempts: integer("attempts").notNull().default(0),
    /**
     * The earliest time of the next attempt: the time of the retry, or the timeout of a running
     * attempt.
     */
    dueAt: time("due_at").notNull(),
    /** The time when the queue accepted the delivery; null before. */
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

/** One attempt of a delivery, and its result. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    id: id(),
    deliveryId: integer("delivery_id")
      .notNull()
      .references(() => deliveries.id, { onDelete: "cascade" }),
    at: time("at").notNull(),
    /** The HTTP status of the response; null if the receiver did not respond. */
    status: integer("status"),
    durationMs: integer("duration_ms").notNull(),
    /** The beginning of the receiver's response body. */
    response: text("response"),
    /** The reason why the attempt failed; null for a success. */
    error: text("error"),
  },
  (t) => [index("delivery_attempts_delivery").on(t.deliveryId, t.id)],
);

/** The number of deliveries that count against the quota of a UTC month, such as `2026-01`. */
export const webhookUsage = sqliteTable("webhook_usage", {
  month: text("month").primaryKey(),
  used: integer("used").notNull(),
});
