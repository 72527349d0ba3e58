import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, time } from "./columns.ts";
import { environments } from "./projects.ts";

/** The last change of each rule of an environment, for deltas; outlives its flag as a tombstone. */
export const ruleChanges = sqliteTable(
  "rule_changes",
  {
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environments.id, { onDelete: "cascade" }),
    flagKey: text("flag_key").notNull(),
    flagName: text("flag_name").notNull(),
    revision: integer("revision").notNull(),
    changedAt: time("changed_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.flagKey] }),
    index("rule_changes_time").on(t.environmentId, t.changedAt),
  ],
);

export type AuditCategory = "change" | "security";

export type ActorKind = "user" | "key" | "system";

/** Refers to nothing: a record outlives what it speaks of. */
export const audit = sqliteTable(
  "audit",
  {
    id: id(),
    at: time("at").notNull(),
    category: text("category").$type<AuditCategory>().notNull(),
    action: text("action").notNull(),
    actorKind: text("actor_kind").$type<ActorKind>().notNull(),
    actorId: integer("actor_id"),
    actorName: text("actor_name").notNull(),
    entityType: text("entity_type").notNull(),
    entityId: integer("entity_id"),
    projectId: integer("project_id"),
    environmentId: integer("environment_id"),
    before: text("before", { mode: "json" }).$type<unknown>(),
    after: text("after", { mode: "json" }).$type<unknown>(),
    reason: text("reason"),
    ip: text("ip"),
    traceId: text("trace_id").notNull(),
  },
  (t) => {
    // What is asked for, the order of the list, and all that a filter can name: whatever the
    // combination, one of these finds, orders and counts the records without reading them.
    const rest = [t.entityType, t.environmentId, t.actorKind, t.category] as const;
    return [
      index("audit_time").on(t.at, t.id, t.projectId, t.entityId, t.actorId, t.action, ...rest),
      index("audit_project").on(t.projectId, t.at, t.id, t.entityId, t.actorId, t.action, ...rest),
      index("audit_entity").on(t.entityId, t.at, t.id, t.projectId, t.actorId, t.action, ...rest),
      index("audit_actor").on(t.actorId, t.at, t.id, t.projectId, t.entityId, t.action, ...rest),
      index("audit_action").on(t.action, t.at, t.id, t.projectId, t.entityId, t.actorId, ...rest),
    ];
  },
);

/** The highest number of guards in one commit. */
export const MAX_GUARDS = 6;

/**
 * Always empty. A commit inserts the number of a guard that does not hold; the constraint of that
 * number refuses it, and with it the whole batch, so a guard is checked inside the transaction.
 */
export const commitGuards = sqliteTable(
  "commit_guards",
  { failed: integer("failed").notNull() },
  (t) =>
    Array.from({ length: MAX_GUARDS }, (_, n) =>
      check(`guard_${n}`, sql`${t.failed} <> ${sql.raw(String(n))}`),
    ),
);
