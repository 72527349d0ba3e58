import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Actor } from "@feature-flags/permissions/permissions";
import { type ReadDb, write } from "../../db/database.ts";
import { jsonChunks } from "../../db/json-list.ts";
import {
  changeRequestFields as fields,
  changeRequests as requests,
  type FileApply,
} from "../../db/schema/change-requests.ts";
import { isBehind } from "./author-queries.ts";
import { NEW_ID } from "./queries.ts";

/** What the file of a plan owns and releases of one resource (see `changeRequestFields`). */
export type PlannedFields = Omit<typeof fields.$inferSelect, "requestId">;

/** The plan of a file that a change request carries out. */
export interface PlanOfFile {
  readonly fileApply: FileApply;
  readonly fields: readonly PlannedFields[];
}

const isOfPlan = (projectId: number, planId: string): SQL | undefined =>
  and(eq(requests.projectId, projectId), eq(requests.state, "open"), eq(requests.planId, planId));

/** Returns the id of the open request of a project for a plan. */
export async function findByPlan(
  db: ReadDb,
  projectId: number,
  planId: string,
): Promise<number | undefined> {
  const rows = await db
    .select({ id: requests.id })
    .from(requests)
    .where(isOfPlan(projectId, planId))
    .limit(1);
  return rows[0]?.id;
}

/** Condition: the project has no open request for the plan. */
export const hasNoRequest = (projectId: number, planId: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${requests} WHERE ${isOfPlan(projectId, planId)})`;

export async function findFields(db: ReadDb, requestId: number): Promise<PlannedFields[]> {
  const { requestId: _, ...columns } = getTableColumns(fields);
  return db.select(columns).from(fields).where(eq(fields.requestId, requestId));
}

/** Returns the statements that add the fields of a request that the same commit inserts. */
export const insertFields = (rows: readonly PlannedFields[]): SQL[] =>
  jsonChunks(rows).map(
    (chunk) => sql`INSERT INTO change_request_fields
        (request_id, kind, entity_id, environment_id, file_key, owned, released, taken)
      SELECT ${NEW_ID}, value ->> 'kind', value ->> 'entityId', value ->> 'environmentId',
        value ->> 'fileKey', value -> 'owned', value -> 'released', value -> 'taken'
      FROM json_each(${chunk})`,
  );

export const deleteFields = (requestId: number) =>
  write.delete(fields).where(eq(fields.requestId, requestId));

/** Returns how many authors a request has, and how many more with the users behind an actor. */
export async function countAuthors(
  db: ReadDb,
  requestId: number,
  actor: Actor,
): Promise<{ readonly authors: number; readonly others: number }> {
  const isAuthor = sql`id IN (SELECT user_id FROM change_request_authors WHERE request_id = ${requestId})`;
  const [row] = await db
    .select({
      authors: sql<number>`coalesce(sum(${isAuthor}), 0)`,
      others: sql<number>`coalesce(sum(NOT ${isAuthor}), 0)`,
    })
    .from(sql`users`)
    .where(sql`${isAuthor} OR ${isBehind(actor)}`);
  return row ?? { authors: 0, others: 0 };
}
