import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { id, time } from "./columns.ts";
import { environments } from "./projects.ts";

/**
 * The last change of each rule (a flag in one environment), kept for 30 days. Delta responses,
 * which contain only changed rules, are built from these rows. The row of a deleted flag stays, so
 * that a delta response reports the deletion.
 */
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

/** The audit action of refused logins with e-mail addresses that no user has. */
export const COUNTED_REFUSAL = "session.refused-unknown";

/** The SQL condition for the records of `COUNTED_REFUSAL`. An upsert must repeat it literally. */
export const IS_COUNTED_REFUSAL = `action = '${COUNTED_REFUSAL}'`;

export type AuditCategory = "change" | "security";

/** What audit records are about. Records of earlier releases may have other types. */
export const ENTITY_TYPES = [
  "flag",
  "segment",
  "context",
  "context-value",
  "tag",
  "change-request",
  "ramp",
  "environment",
  "api-key",
  "integration",
  "project",
  "user",
  "service-account",
  "token",
  "identity-provider",
  "oauth-client",
  "settings",
  "shared-filter",
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const ACTOR_KINDS = ["user", "service-account", "key", "system"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/**
 * Why a change of a protected environment needed no approval: it only turned a flag off, or an
 * administrator has bypassed the approval.
 */
export const OVERRIDES = ["turn-off", "bypass"] as const;
export type Override = (typeof OVERRIDES)[number];

/**
 * The audit records. The table has no foreign keys, because a record stays when the row that the
 * record describes is deleted.
 */
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
    /** The id of the audit record that the change reverts; null for other changes. */
    revertsId: integer("reverts_id"),
    /** Null for a change that needed no approval anyway. */
    override: text("override").$type<Override>(),
    /** The id of the change request that the change has applied; null for other changes. */
    changeRequestId: integer("change_request_id"),
    /** The id of the ramp that the change belongs to; null for other changes. */
    rampId: integer("ramp_id"),
    /** The name of the actor for whom the service made a planned change; null for other changes. */
    onBehalfOf: text("on_behalf_of"),
    /** The token with which the actor has called. Null for other changes. */
    tokenId: integer("token_id"),
    tokenName: text("token_name"),
    /** The program that has called with the token, as it names itself. Null for other changes. */
    via: text("via"),
    ip: text("ip"),
    traceId: text("trace_id").notNull(),
  },
  (t) => {
    // Each index holds every column by which the list of audit records is filtered or sorted. So
    // for any filters D1 finds, sorts and counts the records in one index, without reading the
    // table.
    const rest = [t.entityType, t.environmentId, t.actorKind, t.category] as const;
    return [
      index("audit_time").on(t.at, t.id, t.projectId, t.entityId, t.actorId, t.action, ...rest),
      index("audit_project").on(t.projectId, t.at, t.id, t.entityId, t.actorId, t.action, ...rest),
      index("audit_entity").on(t.entityId, t.at, t.id, t.projectId, t.actorId, t.action, ...rest),
      index("audit_actor").on(t.actorId, t.at, t.id, t.projectId, t.entityId, t.action, ...rest),
      index("audit_action").on(t.action, t.at, t.id, t.projectId, t.entityId, t.actorId, ...rest),
      // One record for each hour and network (see `refusalStatement`).
      uniqueIndex("audit_refusals").on(t.at, t.ip).where(sql.raw(IS_COUNTED_REFUSAL)),
    ];
  },
);

/**
 * A table that is always empty. Only the first release uses it: it inserts the index of a guard that
 * fails, and the check constraint of that index rejects the row. Drop the table in a release after
 * 0.2.
 */
export const commitGuards = sqliteTable(
  "commit_guards",
  { failed: integer("failed").notNull() },
  (t) =>
    Array.from({ length: 6 }, (_, n) =>
      check(`guard_${n}`, sql`${t.failed} <> ${sql.raw(String(n))}`),
    ),
);
