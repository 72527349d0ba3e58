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
import type { KeyType } from "@feature-flags/permissions/permissions";
import type { Constraint } from "@feature-flags/evaluation/rule";
import { flag, id, time, version } from "./columns.ts";

export const projects = sqliteTable("projects", {
  id: id(),
  name: text("name").notNull().unique(),
  description: text("description"),
  /**
   * The sequence number of the project's last webhook event. Receivers use the sequence numbers to
   * order events.
   */
  eventSequence: integer("event_sequence").notNull().default(0),
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
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [unique("environments_name").on(t.projectId, t.name)],
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
    // NO ACTION checks the foreign key only after the whole statement, unlike RESTRICT. So a
    // segment in use cannot be deleted, but its whole project can.
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
    /** The SHA-256 hash of the API key in base64url. The key itself is never stored. */
    hash: text("hash").notNull().unique(),
    /** The last four characters of the API key, by which users recognise the key. */
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

/**
 * The deleted API keys. Their hashes distinguish the use of a deleted key from the use of an
 * unknown key.
 */
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
