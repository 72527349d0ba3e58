import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Kind } from "@feature-flags/file/schema";
import { time } from "./columns.ts";
import { projectId } from "./projects.ts";

/** The managers of files that were applied to a project, each with its last apply. */
export const fileManagers = sqliteTable(
  "file_managers",
  {
    projectId: projectId(),
    name: text("name").notNull(),
    /** How often a file of the manager was applied. */
    applies: integer("applies").notNull(),
    planId: text("plan_id").notNull(),
    /** Where the file comes from, as the caller says it. */
    repository: text("repository"),
    commit: text("commit_id"),
    /** The name of the actor of the last apply. */
    appliedBy: text("applied_by").notNull(),
    appliedAt: time("applied_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.name] })],
);

/** The `environmentId` of a resource that is not a strategy: a primary key has no null. */
export const NO_ENVIRONMENT = 0;

/**
 * The fields that the file of a manager owns. The table has no foreign keys to the resources, because
 * they are in several tables; a row whose resource was deleted is ignored.
 */
export const managedFields = sqliteTable(
  "managed_fields",
  {
    projectId: projectId(),
    kind: text("kind").$type<Kind>().notNull(),
    /** The id of the resource. For a strategy, that of its flag. */
    entityId: integer("entity_id").notNull(),
    /** The id of the environment of a strategy; `NO_ENVIRONMENT` for other resources. */
    environmentId: integer("environment_id").notNull(),
    manager: text("manager").notNull(),
    /** The name or key of the resource in the file. */
    fileKey: text("file_key").notNull(),
    /** The digest of the value that was applied last, by the field. */
    fields: text("fields", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.kind, t.entityId, t.environmentId, t.manager] })],
);
