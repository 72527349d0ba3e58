import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  unique,
} from "drizzle-orm/sqlite-core";
import type { KeyType, Role } from "@feature-flags/permissions/permissions";
import type { Constraint, Serve } from "@feature-flags/evaluation/rule";
import { type StoredRule, TEXT_FIELDS, type TextField } from "../../core/strategies/strategy.ts";
import type { FlagClients, ValueSchema, ValueType, Variant } from "../../core/flags/variants.ts";
import type { MemberAccess } from "../../core/protection/policy.ts";
import { flag, id, time, version } from "./columns.ts";

/** Who learns that a project exists: everyone who signs in, or only its members and administrators. */
export const VISIBILITIES = ["everyone", "members"] as const;
export type ProjectVisibility = (typeof VISIBILITIES)[number];

/** The default of `staleDays` of a project (docs/build/decisions.md, 2.11). */
export const DEFAULT_STALE_DAYS = 40;

export const projects = sqliteTable(
  "projects",
  {
    id: id(),
    name: text("name").notNull().unique(),
    description: text("description"),
    visibility: text("visibility").$type<ProjectVisibility>().notNull().default("everyone"),
    /**
     * The sequence number of the project's last webhook event. Receivers use the sequence numbers to
     * order events.
     */
    eventSequence: integer("event_sequence").notNull().default(0),
    /** After how many days without a change a flag of the type `RELEASE` is stale. */
    staleDays: integer("stale_days").notNull().default(DEFAULT_STALE_DAYS),
    /** The `clients` of a new flag whose request names none. */
    newFlagClients: text("new_flag_clients").$type<FlagClients>().notNull().default("all"),
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  // Each request of a user reads the private projects.
  (t) => [
    index("projects_private")
      .on(t.id)
      .where(sql`visibility = 'members'`),
  ],
);

/**
 * The ids of deleted projects that were private. Their audit records stay, and only administrators
 * may read them.
 */
export const deletedPrivateProjects = sqliteTable("deleted_private_projects", {
  id: integer("id").primaryKey(),
});

/** The column for the project of a row, with which the row is deleted. */
export const projectId = () =>
  integer("project_id")
    .notNull()
    .references(() => projects.id, { onDelete: "cascade" });

export const environments = sqliteTable(
  "environments",
  {
    id: id(),
    projectId: projectId(),
    name: text("name").notNull(),
    /** Whether customers use the environment, so that the dashboard asks before it changes. */
    production: flag("production").notNull().default(false),
    /**
     * The revision of the environment's rules. Every change that alters a rule of this environment
     * increments the revision.
     */
    revision: integer("revision").notNull().default(1),
    /**
     * The time of the environment's revision. Each revision has a later time than the one before,
     * so that the times order the changes of rules.
     */
    changedAt: time("changed_at").notNull(),
    /** The protection of the environment (`src/core/protection/policy.ts`). */
    requiredApprovals: integer("required_approvals").notNull().default(0),
    approverRole: text("approver_role").$type<Role>().notNull().default("DEVELOPER"),
    memberAccess: text("member_access").$type<MemberAccess>().notNull().default("roles"),
    requireReason: flag("require_reason").notNull().default(false),
    allowTurnOff: flag("allow_turn_off").notNull().default(true),
    allowBypass: flag("allow_bypass").notNull().default(true),
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [
    unique("environments_name").on(t.projectId, t.name),
    index("environments_changed").on(t.changedAt),
  ],
);

export type FlagType = "RELEASE" | "KILLSWITCH";

export const flags = sqliteTable(
  "flags",
  {
    id: id(),
    projectId: projectId(),
    key: text("key").notNull(),
    name: text("name").notNull(),
    description: text("description"),
    flagType: text("flag_type").$type<FlagType>().notNull(),
    /** The type of the flag's values. It never changes. */
    valueType: text("value_type").$type<ValueType>().notNull().default("boolean"),
    /** The variants; null for a boolean flag, which always has `on` and `off`. */
    variants: text("variants", { mode: "json" }).$type<readonly Variant[]>(),
    /**
     * The key of the variant that is served when the flag is off or no rule decides. Null: the flag
     * has no off variant, and clients use their own default.
     */
    offVariant: text("off_variant").default("off"),
    /** The JSON Schema that the value of every variant must match; null: any value of the type is allowed. */
    valueSchema: text("value_schema", { mode: "json" }).$type<ValueSchema>(),
    /** Which clients get the flag, in every environment. */
    clients: text("clients").$type<FlagClients>().notNull().default("all"),
    archived: flag("archived").notNull().default(false),
    /** The size of the flag in the rules of each environment, bytes (see `flagRuleBytes`). */
    ruleBytes: integer("rule_bytes").notNull().default(0),
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
    lastUsedAt: time("last_used_at"),
    /**
     * The `updatedAt` for which the service has marked the flag as stale; null: never. A later change
     * of the flag makes both times differ, and the flag can be marked again.
     */
    staleMarkedFor: time("stale_marked_for"),
  },
  (t) => [
    unique("flags_key").on(t.projectId, t.key),
    index("flags_list").on(t.projectId, t.archived, t.id),
    // The flags that are not marked as stale (`src/model/flags/stale-queries.ts`). Without this
    // index, the hourly job would read all flags.
    index("flags_not_marked")
      .on(t.projectId, t.flagType, t.archived, t.updatedAt)
      .where(sql`stale_marked_for IS NOT updated_at`),
    index("flags_rule_bytes").on(t.projectId, t.ruleBytes),
    check("flags_type", sql`${t.flagType} IN ('RELEASE', 'KILLSWITCH')`),
  ],
);

/** The prerequisites of flags. A prerequisite says that a flag requires another flag of the project. */
export const flagPrerequisites = sqliteTable(
  "flag_prerequisites",
  {
    flagId: integer("flag_id")
      .notNull()
      .references(() => flags.id, { onDelete: "cascade" }),
    // The required flag. The foreign key has NO ACTION: a required flag cannot be deleted alone,
    // but it is deleted together with its project.
    requiredFlagId: integer("required_flag_id")
      .notNull()
      .references(() => flags.id),
    position: integer("position").notNull(),
    /** The value that `enabled` must have in the verdict of the required flag. */
    enabled: flag("enabled").notNull(),
    /** The variants of which the required flag must serve one; null: any variant is accepted. */
    variants: text("variants", { mode: "json" }).$type<readonly string[]>(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.requiredFlagId] }),
    index("flag_prerequisites_required").on(t.requiredFlagId),
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

const nullableText = (field: string) =>
  text(field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const textColumns = Object.fromEntries(
  TEXT_FIELDS.map((field) => [field, nullableText(field)]),
) as Readonly<Record<TextField, ReturnType<typeof nullableText>>>;

/**
 * The strategy of each flag in each environment. A flag without a row for an environment has
 * `DEFAULT_STRATEGY` there.
 */
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
    /** The percentage with up to three decimals, whose whole part is `percentage`; null: `percentage`. */
    exactPercentage: real("exact_percentage"),
    ...textColumns,
    /** What the last rule serves; null: `on`, or the first variant of a flag that is no boolean. */
    serve: text("serve", { mode: "json" }).$type<Serve>(),
    /** The rules that are tried in order before the strategy's own fields; null: none. */
    rules: text("rules", { mode: "json" }).$type<readonly StoredRule[]>(),
    /** By how much the strategy makes the rule of the flag larger, bytes (see `strategyRuleBytes`). */
    ruleBytes: integer("rule_bytes").notNull().default(0),
    version: version(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.environmentId] }),
    index("strategies_environment").on(t.environmentId),
    // Without the strategies that add nothing.
    index("strategies_rule_bytes")
      .on(t.environmentId, t.ruleBytes)
      .where(sql`rule_bytes <> 0`),
    check("strategies_percentage", sql`${t.percentage} BETWEEN 0 AND 100`),
  ],
);

export const strategySegments = sqliteTable(
  "strategy_segments",
  {
    flagId: integer("flag_id").notNull(),
    environmentId: integer("environment_id").notNull(),
    // Uses NO ACTION, which SQLite checks only after the whole statement, unlike RESTRICT. So a
    // segment in use cannot be deleted alone, but it is deleted together with its project.
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
    index("strategy_segments_environment").on(t.environmentId, t.segmentId, t.flagId),
  ],
);

/**
 * The segments that the ordered rules of a strategy use. `strategy_segments` has only the segments
 * of the strategy's own fields.
 */
export const strategyRuleSegments = sqliteTable(
  "strategy_rule_segments",
  {
    flagId: integer("flag_id").notNull(),
    environmentId: integer("environment_id").notNull(),
    // The foreign key has NO ACTION, as in `strategy_segments`.
    segmentId: integer("segment_id")
      .notNull()
      .references(() => segments.id),
    /** The number of ordered rules of the strategy that use the segment. */
    uses: integer("uses").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.flagId, t.environmentId, t.segmentId] }),
    foreignKey({
      columns: [t.flagId, t.environmentId],
      foreignColumns: [strategies.flagId, strategies.environmentId],
    }).onDelete("cascade"),
    index("strategy_rule_segments_segment").on(t.segmentId),
    index("strategy_rule_segments_environment").on(t.environmentId, t.segmentId, t.flagId, t.uses),
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

/** The values that the dashboard suggests for a field of the evaluation context. */
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
    // The foreign key has NO ACTION: an environment that still has API keys cannot be deleted.
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environments.id),
    name: text("name").notNull(),
    keyType: text("key_type").$type<KeyType>().notNull(),
    /** Whether a SERVER key may change the strategies of its environment. */
    canWrite: flag("can_write").notNull().default(true),
    /** The SHA-256 hash of the API key in base64url. The key itself is never stored. */
    hash: text("hash").notNull().unique(),
    /** The last four characters of the API key, by which users recognise the key. */
    preview: text("preview").notNull(),
    /** The id of the user who has made the key, who may not approve what the key proposes. */
    createdBy: integer("created_by"),
    /**
     * The id of the user who has made the service account that has made the key, who may not approve
     * either. Then `createdBy` is the maker of the token of the service account.
     */
    accountCreatedBy: integer("account_created_by"),
    version: version(),
    createdAt: time("created_at").notNull(),
    lastUsedAt: time("last_used_at"),
  },
  (t) => [
    index("api_keys_environment").on(t.environmentId),
    check("api_keys_type", sql`${t.keyType} IN ('SERVER', 'FRONTEND')`),
  ],
);

/** The deleted API keys. Their hashes distinguish the use of a deleted key from the use of an unknown key. */
export const revokedKeys = sqliteTable("revoked_keys", {
  hash: text("hash").primaryKey(),
  keyId: integer("key_id").notNull(),
  name: text("name").notNull(),
  projectId: integer("project_id").notNull(),
  environmentId: integer("environment_id").notNull(),
  revokedAt: time("revoked_at").notNull(),
  /**
   * The time when a use of the deleted API key was last audited; null if never. Uses of the key are
   * audited at most once per hour.
   */
  reportedAt: time("reported_at"),
});
