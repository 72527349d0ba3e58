import { and, desc, eq, sql } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { type PreferenceKind, userPreferences } from "../../db/schema/preferences.ts";
import { flags } from "../../db/schema/projects.ts";
import { type Unaudited, unaudited } from "../../db/unaudited.ts";

/** The preferences of one user in one project. */
export interface PreferencesOf {
  readonly userId: number;
  readonly projectId: number;
}

/** An entry of the preferences. Entries of the same kind differ by `name`. */
export interface Entry {
  readonly kind: PreferenceKind;
  readonly name: string;
  readonly flagId?: number;
  readonly value?: string | readonly string[];
}

/** The greatest number of entries of each kind, for one user and project. */
export const MAX_ENTRIES: Readonly<Record<PreferenceKind, number>> = {
  favourite: 200,
  recent: 20,
  filter: 50,
  columns: 1,
};

export type EntryRow = Awaited<ReturnType<typeof findEntries>>[number];

/** Returns the entries, newest first, with the names of their flags. */
export const findEntries = (db: ReadDb, { userId, projectId }: PreferencesOf) =>
  db
    .select({
      kind: userPreferences.kind,
      name: userPreferences.name,
      value: userPreferences.value,
      flagId: userPreferences.flagId,
      flagName: sql<string | null>`${flags.name}`.as("flag_name"),
      flagKey: sql<string | null>`${flags.key}`.as("flag_key"),
    })
    .from(userPreferences)
    .leftJoin(flags, eq(flags.id, userPreferences.flagId))
    .where(and(eq(userPreferences.userId, userId), eq(userPreferences.projectId, projectId)))
    .orderBy(desc(userPreferences.updatedAt), desc(sql`user_preferences.rowid`));

const isOf = ({ userId, projectId }: PreferencesOf, kind: PreferenceKind) =>
  sql`user_id = ${userId} AND project_id = ${projectId} AND kind = ${kind}`;

/**
 * Returns the statements that insert an entry, or replace the entry of the same name. A new
 * `recent` entry takes the place of the oldest one. The statements insert nothing if the kind has
 * as many entries as its limit allows, or if the user, the project or the flag does not exist.
 */
export function insertEntry(of: PreferencesOf, entry: Entry, now: number): Unaudited[] {
  const { kind, name, flagId = null, value } = entry;
  const others = sql`FROM user_preferences WHERE ${isOf(of, kind)} AND name <> ${name}`;
  const insert = unaudited(sql`INSERT INTO user_preferences
      (user_id, project_id, kind, name, flag_id, value, updated_at)
    SELECT u.id, p.id, ${kind}, ${name}, ${flagId},
      ${value === undefined ? null : JSON.stringify(value)}, ${now}
    FROM users u, projects p WHERE u.id = ${of.userId} AND p.id = ${of.projectId}
      AND (SELECT count(*) ${others}) < ${MAX_ENTRIES[kind]}
      AND (${flagId} IS NULL OR EXISTS
        (SELECT 1 FROM flags f WHERE f.id = ${flagId} AND f.project_id = p.id))
    ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`);
  if (kind !== "recent") return [insert];
  return [
    unaudited(sql`DELETE FROM user_preferences WHERE rowid IN (SELECT rowid ${others}
      ORDER BY updated_at DESC, rowid DESC LIMIT -1 OFFSET ${MAX_ENTRIES.recent - 1})`),
    insert,
  ];
}

/** Returns the statement that renames a saved filter, unless a different filter has the new name. */
export const renameFilter = (
  of: PreferencesOf,
  { name, newName }: { readonly name: string; readonly newName: string },
): Unaudited =>
  unaudited(sql`UPDATE user_preferences SET name = ${newName}
    WHERE ${isOf(of, "filter")} AND name = ${name} AND NOT EXISTS
      (SELECT 1 FROM user_preferences WHERE ${isOf(of, "filter")} AND name = ${newName})`);

export const deleteEntry = (
  of: PreferencesOf,
  { kind, name }: Pick<Entry, "kind" | "name">,
): Unaudited =>
  unaudited(sql`DELETE FROM user_preferences WHERE ${isOf(of, kind)} AND name = ${name}`);
