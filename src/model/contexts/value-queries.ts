import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/commit.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { jsonChunks } from "../../db/json-list.ts";
import { contextDefinitions, contextValues } from "../../db/schema/projects.ts";
import { inIds } from "../../db/ids.ts";

export type ValueRow = typeof contextValues.$inferSelect;
export type ValueContent = Pick<ValueRow, "value" | "description">;

/** Returns the values of a context definition, oldest first. */
export function listValues(db: ReadDb, definitionId: number): Promise<ValueRow[]> {
  return db
    .select()
    .from(contextValues)
    .where(eq(contextValues.definitionId, definitionId))
    .orderBy(asc(contextValues.id));
}

export type ValueWithDefinition = NonNullable<Awaited<ReturnType<typeof findValue>>>;

export const findValue = (db: ReadDb, id: number) => findOne(db, eq(contextValues.id, id));

export const findValueByText = (db: ReadDb, definitionId: number, value: string) =>
  findOne(db, and(eq(contextValues.definitionId, definitionId), eq(contextValues.value, value)));

async function findOne(db: ReadDb, where: SQL | undefined) {
  const rows = await db
    .select({
      ...getTableColumns(contextValues),
      definition: {
        id: contextDefinitions.id,
        projectId: contextDefinitions.projectId,
        contextKey: contextDefinitions.contextKey,
        contextType: contextDefinitions.contextType,
      },
    })
    .from(contextValues)
    .innerJoin(contextDefinitions, eq(contextDefinitions.id, contextValues.definitionId))
    .where(where);
  return rows[0];
}

export const countValues = (definitionId: number) =>
  sql`SELECT count(*) FROM context_values WHERE definition_id = ${definitionId}`;

export const valueIdByText = (definitionId: number, value: string) =>
  sql`(SELECT id FROM context_values WHERE definition_id = ${definitionId} AND value = ${value})`;

export const insertValue = (value: typeof contextValues.$inferInsert) =>
  write.insert(contextValues).values(value);

export const updateValue = (id: number, change: ValueContent) =>
  write
    .update(contextValues)
    .set({ ...change, version: sql`${contextValues.version} + 1` })
    .where(eq(contextValues.id, id));

export const deleteValue = (id: number) =>
  write.delete(contextValues).where(eq(contextValues.id, id));

export const deleteValues = (ids: readonly number[]) =>
  write.delete(contextValues).where(inIds(contextValues.id, ids));

/**
 * Returns the statements that insert values of a context definition. If a value already exists, they
 * update the value's description.
 */
export const upsertValues = (
  definitionId: number,
  values: readonly ValueContent[],
  now: number,
): Statement[] =>
  jsonChunks(values).map(
    (chunk) => sql`INSERT INTO context_values (definition_id, value, description, created_at)
      SELECT ${definitionId}, j.value ->> 'value', j.value ->> 'description', ${now}
      FROM json_each(${chunk}) j
      WHERE true ON CONFLICT (definition_id, value) DO UPDATE SET
        description = excluded.description, version = version + 1`,
  );
