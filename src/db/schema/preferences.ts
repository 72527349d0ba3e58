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
import { id, time, version } from "./columns.ts";
import { users } from "./people.ts";
import { flags, projectId, projects } from "./projects.ts";

/**
 * The kinds of preferences of a user: favourite flags, recently opened flags, saved filters of the
 * flag list, and the columns of the list.
 */
export type PreferenceKind = "favourite" | "recent" | "filter" | "columns";

/**
 * The preferences of a user in a project. Each preference is a row, so that two tabs that write at
 * the same time lose nothing.
 */
export const userPreferences = sqliteTable(
  "user_preferences",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    projectId: integer("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    kind: text("kind").$type<PreferenceKind>().notNull(),
    /** The name of a filter, or the id of a flag as text. Empty for the columns. */
    name: text("name").notNull(),
    /** The flag of a favourite or recent entry, which is deleted with the flag. */
    flagId: integer("flag_id").references(() => flags.id, { onDelete: "cascade" }),
    /** The query of a filter, or the list of columns. */
    value: text("value", { mode: "json" }).$type<string | readonly string[]>(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.projectId, t.kind, t.name] }),
    index("user_preferences_flag").on(t.flagId),
    index("user_preferences_project").on(t.projectId),
    check("user_preferences_kind", sql`${t.kind} IN ('favourite', 'recent', 'filter', 'columns')`),
  ],
);

/** The saved filters of the flag list that everybody sees who may read the project. */
export const sharedFilters = sqliteTable(
  "shared_filters",
  {
    id: id(),
    projectId: projectId(),
    name: text("name").notNull(),
    /** The URL query of the list of flags. */
    query: text("query").notNull(),
    version: version(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [unique("shared_filters_name").on(t.projectId, t.name)],
);
