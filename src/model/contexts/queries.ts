import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { contextDefinitions } from "../../db/schema/projects.ts";
import { countIf } from "../../db/counts.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";

export type ContextRow = typeof contextDefinitions.$inferSelect;

/** A context definition in a list, with the number of its values. Null if it was not counted. */
export interface ListedContext extends ContextRow {
  readonly valueCount: number | null;
}

const nextVersion = sql`${contextDefinitions.version} + 1`;

export async function findContext(db: ReadDb, id: number): Promise<ContextRow | undefined> {
  const where = eq(contextDefinitions.id, id);
  return (await db.select().from(contextDefinitions).where(where))[0];
}

const VALUE_COUNT = `SELECT count(*) FROM context_values
  WHERE definition_id = context_definitions.id`;

export function listContexts(db: ReadDb, listed: Listed, counts: boolean) {
  const columns = {
    ...getTableColumns(contextDefinitions),
    valueCount: countIf(counts, VALUE_COUNT),
  };
  return db
    .select(columns)
    .from(contextDefinitions)
    .where(isListed(contextDefinitions.projectId, listed))
    .orderBy(asc(contextDefinitions.id));
}

export const countContexts = (projectId: number) =>
  sql`SELECT count(*) FROM context_definitions WHERE project_id = ${projectId}`;

/**
 * Guard: fails if the context definition was deleted, or has another type than the one for which
 * the values were validated.
 */
export const contextHasType = (id: number, contextType: string) =>
  sql`EXISTS (SELECT 1 FROM context_definitions
    WHERE id = ${id} AND context_type = ${contextType})`;

/**
 * The statement that increments the version of a context definition. Every change of a value
 * executes this statement, because the version is the ETag of the list of values.
 */
export const incrementVersion = (id: number) =>
  write
    .update(contextDefinitions)
    .set({ version: nextVersion })
    .where(eq(contextDefinitions.id, id));
