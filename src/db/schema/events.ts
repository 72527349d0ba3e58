import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from "drizzle-orm/sqlite-core";
import { flag, id, time, version } from "./columns.ts";
import type { ChatService } from "../../core/webhooks/chat.ts";
import type { ActorKind } from "./records.ts";

/** The webhook events. `commit` writes an event in the same transaction as the change that it describes. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    /** The value of the header `webhook-id` in all deliveries of the webhook event. */
    eventId: text("event_id").notNull().unique(),
    type: text("type").notNull(),
    projectId: integer("project_id").notNull(),
    entityId: integer("entity_id").notNull(),
    /**
     * The number of the webhook event within its project, by which receivers order events; null for
     * a test event.
     */
    sequence: integer("sequence"),
    actorKind: text("actor_kind").$type<ActorKind>().notNull().default("system"),
    actorName: text("actor_name").notNull().default(""),
    data: text("data", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    reason: text("reason"),
    traceId: text("trace_id").notNull(),
    createdAt: time("created_at").notNull(),
    /**
     * Whether the webhook deliveries of the event have been inserted. The value is false only
     * between two statements of the transaction that writes the event.
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
     * The id of the integration's project. The column has no foreign key, because the integration
     * of a deleted project stays until its last webhook deliveries have ended.
     */
    projectId: integer("project_id").notNull(),
    name: text("name").notNull(),
    enabled: flag("enabled").notNull(),
    type: text("type").$type<"custom_webhook">().notNull(),
    /** The chat service whose messages the integration sends; null: signed webhook requests. */
    chat: text("chat").$type<ChatService>(),
    url: text("url").notNull(),
    /** The secret that signs webhook requests, encrypted. */
    secret: text("secret").notNull(),
    /**
     * The secret before the last replacement, encrypted. It signs webhook requests too until
     * `previousSecretUntil`. Null if there is none, or if it has expired.
     */
    previousSecret: text("previous_secret"),
    previousSecretUntil: time("previous_secret_until"),
    /** The custom headers of webhook requests, by header name. Each value is encrypted. */
    headers: text("headers", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
    /** The types of webhook events that the integration subscribes to. */
    events: text("events", { mode: "json" }).$type<readonly string[]>().notNull(),
    lastSuccessAt: time("last_success_at"),
    /**
     * The time of the first failed delivery attempt since the last success, or since a user enabled
     * the integration; null if no attempt has failed since then.
     */
    failingSince: time("failing_since"),
    /**
     * The time when the service disabled the integration: webhook deliveries had failed for 3 days
     * without a success, or the receiver responded with 410. The value is null if this never
     * happened, or if a user has enabled the integration since then.
     */
    switchedOffAt: time("switched_off_at"),
    /**
     * The time when the project of the integration was deleted; null while the project exists. The
     * row stays until the last webhook deliveries have ended.
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
 * The statuses of a webhook delivery. `held`: the month's quota was used up. `dead`: no attempt is
 * left, and a user can request a redelivery.
 */
export const DELIVERY_STATUSES = ["pending", "held", "succeeded", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The webhook deliveries. Each delivers one event to one integration. */
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
    /**
     * The number of attempts that are used up. A redelivery starts again at 0. A test delivery starts
     * with only one attempt left.
     */
    attempts: integer("attempts").notNull().default(0),
    /**
     * The earliest time of the next attempt: the time of a retry, or the time when the claim of a
     * running attempt expires.
     */
    dueAt: time("due_at").notNull(),
    /**
     * The time when the relay job last sent the delivery to the webhook queue; null while the
     * delivery waits for this job. A test delivery skips the queue and has its creation time here.
     */
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

/** The attempts of webhook deliveries, each with its result. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    id: id(),
    deliveryId: integer("delivery_id")
      .notNull()
      .references(() => deliveries.id, { onDelete: "cascade" }),
    at: time("at").notNull(),
    /** The HTTP status of the receiver's response; null if the receiver did not respond. */
    status: integer("status"),
    durationMs: integer("duration_ms").notNull(),
    /** The first 1,000 characters of the receiver's response body; null if none could be read. */
    response: text("response"),
    /** The reason why the attempt failed; null if the attempt succeeded. */
    error: text("error"),
  },
  (t) => [index("delivery_attempts_delivery").on(t.deliveryId, t.id)],
);

/**
 * The number of webhook deliveries of each project that count against its quota of a UTC month,
 * such as `2026-01`. The column `project_id` has no foreign key, because the last webhook
 * deliveries of a deleted project count too.
 */
export const webhookProjectUsage = sqliteTable(
  "webhook_project_usage",
  {
    projectId: integer("project_id").notNull(),
    month: text("month").notNull(),
    used: integer("used").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.month] })],
);
