import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from "drizzle-orm/sqlite-core";
import type { Constraint } from "../core/rule.ts";
import type { KeyType, Role } from "../core/permissions.ts";

/** All times are epoch milliseconds, UTC. Ids are never used twice (AUTOINCREMENT): audit names them. */
const id = () => integer("id").primaryKey({ autoIncrement: true });
const time = (name: string) => integer(name);
const flag = (name: string) => integer(name, { mode: "boolean" });
/** Counts the changes of a row that people edit: its ETag. */
const version = () => integer("version").notNull().default(1);

export type UserStatus = "INVITED" | "ACTIVE" | "DISABLED";
export type FlagType = "RELEASE" | "KILLSWITCH";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** Lower case: addresses that differ only in case are one person. */
    email: text("email").notNull().unique(),
    name: text("name").notNull(),
    role: text("role").$type<Role>().notNull(),
    status: text("status").$type<UserStatus>().notNull(),
    passwordHash: text("password_hash"),
    avatar: text("avatar"),
    locale: text("locale").notNull().default("en"),
    version: version(),
    createdAt: time("created_at").notNull(),
    lastActiveAt: time("last_active_at"),
  },
  (t) => [
    check("users_role", sql`${t.role} IN ('ADMIN', 'DEVELOPER', 'VIEWER')`),
    check("users_status", sql`${t.status} IN ('INVITED', 'ACTIVE', 'DISABLED')`),
  ],
);

/** The index of refresh families by user; the families themselves live in Durable Objects. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    userAgent: text("user_agent"),
    ip: text("ip"),
    createdAt: time("created_at").notNull(),
  },
  (t) => [index("sessions_user").on(t.userId)],
);

export type TokenPurpose = "INVITE" | "RESET";

/** Single-use links sent by mail: an invitation, or a password reset. */
export const userTokens = sqliteTable(
  "user_tokens",
  {
    /** SHA-256 of the token, base64url. */
    hash: text("hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text("purpose").$type<TokenPurpose>().notNull(),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (t) => [
    index("user_tokens_user").on(t.userId),
    check("user_tokens_purpose", sql`${t.purpose} IN ('INVITE', 'RESET')`),
  ],
);

/** A second factor; without `confirmedAt` it is being enrolled and asks nobody for anything. */
export const userMfa = sqliteTable("user_mfa", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The TOTP secret, sealed. */
  secret: text("secret").notNull(),
  confirmedAt: time("confirmed_at"),
  /** The time step of the last code that was accepted: none is accepted twice. */
  lastStep: integer("last_step").notNull().default(0),
  failedAttempts: integer("failed_attempts").notNull().default(0),
  lockedUntil: time("locked_until"),
  createdAt: time("created_at").notNull(),
});

export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => userMfa.userId, { onDelete: "cascade" }),
    /** SHA-256 of the code, base64url. */
    hash: text("hash").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
);

/** One row, number 1; without it the defaults hold. */
export const settings = sqliteTable(
  "settings",
  {
    id: integer("id").primaryKey(),
    requireMfa: flag("require_mfa").notNull().default(false),
    /** When `requireMfa` was turned on: the grace of everybody without it starts here. */
    requireMfaSince: time("require_mfa_since"),
    sessionTimeoutHours: integer("session_timeout_hours").notNull().default(720),
    version: version(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [
    check("settings_one_row", sql`${t.id} = 1`),
    check("settings_timeout", sql`${t.sessionTimeoutHours} BETWEEN 1 AND 720`),
  ],
);

export const projects = sqliteTable("projects", {
  id: id(),
  name: text("name").notNull().unique(),
  description: text("description"),
  version: version(),
  createdAt: time("created_at").notNull(),
  updatedAt: time("updated_at").notNull(),
});

const projectId = () =>
  integer("project_id")
    .notNull()
    .references(() => projects.id, { onDelete: "cascade" });

export const environments = sqliteTable(
  "environments",
  {
    id: id(),
    projectId: projectId(),
    name: text("name").notNull(),
    /** Grows by one with every change that can alter an evaluation here. */
    revision: integer("revision").notNull().default(1),
    /** When the revision was made; strictly increasing, so that it orders changes. */
    changedAt: time("changed_at").notNull(),
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [unique("environments_name").on(t.projectId, t.name)],
);

export const flags = sqliteTable(
  "flags",
  {
    id: id(),
    projectId: projectId(),
    key: text("key").notNull(),
    name: text("name").notNull(),
    description: text("description"),
    flagType: text("flag_type").$type<FlagType>().notNull(),
    archived: flag("archived").notNull().default(false),
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
    lastUsedAt: time("last_used_at"),
  },
  (t) => [
    unique("flags_key").on(t.projectId, t.key),
    index("flags_list").on(t.projectId, t.archived, t.id),
    check("flags_type", sql`${t.flagType} IN ('RELEASE', 'KILLSWITCH')`),
  ],
);

export const tags = sqliteTable(
  "tags",
  {
    id: id(),
    projectId: projectId(),
    name: text("name").notNull(),
    color: text("color").notNull(),
    version: version(),
    createdAt: time("created_at").notNull(),
  },
  (t) => [unique("tags_name").on(t.projectId, t.name)],
);

export const flagTags = sqliteTable(
  "flag_tags",
  {
    flagId: integer("flag_id")
      .notNull()
      .references(() => flags.id, { onDelete: "cascade" }),
    tagId: integer("tag_id")
      .notNull()
      .references(() => tags.id, { onDelete: "cascade" }),
    value: text("value").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.tagId, t.value] }),
    index("flag_tags_tag").on(t.tagId),
  ],
);

export const segments = sqliteTable(
  "segments",
  {
    id: id(),
    projectId: projectId(),
    name: text("name").notNull(),
    description: text("description"),
    constraints: text("constraints", { mode: "json" }).$type<readonly Constraint[]>().notNull(),
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [unique("segments_name").on(t.projectId, t.name)],
);

/** A flag without a row for an environment has the default strategy there (decisions 2.4). */
export const strategies = sqliteTable(
  "strategies",
  {
    flagId: integer("flag_id")
      .notNull()
      .references(() => flags.id, { onDelete: "cascade" }),
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environments.id, { onDelete: "cascade" }),
    enabled: flag("enabled").notNull(),
    percentage: integer("percentage").notNull(),
    constraints: text("constraints", { mode: "json" }).$type<readonly Constraint[]>().notNull(),
    stickiness: text("stickiness"),
    version: version(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.environmentId] }),
    index("strategies_environment").on(t.environmentId),
    check("strategies_percentage", sql`${t.percentage} BETWEEN 0 AND 100`),
  ],
);

export const strategySegments = sqliteTable(
  "strategy_segments",
  {
    flagId: integer("flag_id").notNull(),
    environmentId: integer("environment_id").notNull(),
    // NO ACTION, not RESTRICT: a used segment cannot go alone, but goes with its whole project.
    segmentId: integer("segment_id")
      .notNull()
      .references(() => segments.id),
    position: integer("position").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.environmentId, t.segmentId] }),
    foreignKey({
      columns: [t.flagId, t.environmentId],
      foreignColumns: [strategies.flagId, strategies.environmentId],
    }).onDelete("cascade"),
    index("strategy_segments_segment").on(t.segmentId),
  ],
);

export const contextDefinitions = sqliteTable(
  "context_definitions",
  {
    id: id(),
    projectId: projectId(),
    name: text("name").notNull(),
    contextKey: text("context_key").notNull(),
    contextType: text("context_type").notNull(),
    version: version(),
    createdAt: time("created_at").notNull(),
  },
  (t) => [unique("context_definitions_key").on(t.projectId, t.contextKey)],
);

/** The values that a dashboard offers for a context field. */
export const contextValues = sqliteTable(
  "context_values",
  {
    id: id(),
    definitionId: integer("definition_id")
      .notNull()
      .references(() => contextDefinitions.id, { onDelete: "cascade" }),
    value: text("value").notNull(),
    description: text("description"),
    version: version(),
    createdAt: time("created_at").notNull(),
  },
  (t) => [unique("context_values_value").on(t.definitionId, t.value)],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: id(),
    // NO ACTION: an environment that still has keys cannot be deleted.
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environments.id),
    name: text("name").notNull(),
    keyType: text("key_type").$type<KeyType>().notNull(),
    /** SHA-256 of the key, base64url; the key itself is never stored. */
    hash: text("hash").notNull().unique(),
    /** The last four characters of the key. */
    preview: text("preview").notNull(),
    version: version(),
    createdAt: time("created_at").notNull(),
    lastUsedAt: time("last_used_at"),
  },
  (t) => [
    index("api_keys_environment").on(t.environmentId),
    check("api_keys_type", sql`${t.keyType} IN ('SERVER', 'FRONTEND')`),
  ],
);

/** Keys that were deleted, so that their further use can be told from a typing error. */
export const revokedKeys = sqliteTable("revoked_keys", {
  hash: text("hash").primaryKey(),
  keyId: integer("key_id").notNull(),
  name: text("name").notNull(),
  projectId: integer("project_id").notNull(),
  environmentId: integer("environment_id").notNull(),
  revokedAt: time("revoked_at").notNull(),
  /** When its use was last recorded: at most once an hour. */
  reportedAt: time("reported_at"),
});

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

/** Events waiting for their hand-over to the queue; written with the change that they tell of. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    /** Becomes the `webhook-id`. */
    eventId: text("event_id").notNull().unique(),
    type: text("type").notNull(),
    projectId: integer("project_id").notNull(),
    entityId: integer("entity_id").notNull(),
    data: text("data", { mode: "json" }).$type<unknown>().notNull(),
    traceId: text("trace_id").notNull(),
    createdAt: time("created_at").notNull(),
    relayedAt: time("relayed_at"),
  },
  (t) => [
    index("outbox_waiting")
      .on(t.id)
      .where(sql`${t.relayedAt} IS NULL`),
  ],
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
