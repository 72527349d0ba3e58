import { asc, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { inList, jsonChunks } from "../../db/json-list.ts";
import {
  changeRequestOperations as operations,
  changeRequests as requests,
} from "../../db/schema/change-requests.ts";
import type { RequestOperation } from "./operations.ts";

/** Condition: an operation changes a flag or one of its strategies. */
export const isOfFlag = (flagId: number): SQL =>
  sql`${operations.targetId} = ${flagId} AND ${operations.kind} <> 'segment.update'`;

export async function findOperations(db: ReadDb, requestId: number): Promise<RequestOperation[]> {
  const { requestId: _, position: __, ...columns } = getTableColumns(operations);
  return db
    .select(columns)
    .from(operations)
    .where(eq(operations.requestId, requestId))
    .orderBy(asc(operations.position));
}

export type ListedOperation = Omit<RequestOperation, "change" | "base"> & {
  readonly requestId: number;
};

/**
 * Returns the operations of requests, the newest request first. Leaves out the operations of a request
 * that depends on an open one, and those of requests after the first `maxBytes` of contents.
 */
export async function findOperationsOf(
  db: ReadDb,
  ids: readonly number[],
  maxBytes: number,
): Promise<ListedOperation[]> {
  const { requestId, position, kind, targetId, environmentId, basis, after } =
    getTableColumns(operations);
  const sizes = sql`(SELECT o.request_id,
      sum(sum(octet_length(o.after))) OVER (ORDER BY o.request_id DESC) AS total
    FROM ${operations} o JOIN ${requests} r ON r.id = o.request_id
    LEFT JOIN ${requests} earlier ON earlier.id = r.depends_on AND earlier.state = 'open'
    WHERE o.request_id IN ${inList(ids)} AND earlier.id IS NULL GROUP BY o.request_id) sizes`;
  return db
    .select({ requestId, kind, targetId, environmentId, basis, after })
    .from(operations)
    .innerJoin(sizes, sql`sizes.request_id = ${requestId} AND sizes.total <= ${maxBytes}`)
    .orderBy(desc(requestId), asc(position));
}

/** What a request does to one flag. */
export type FlagOperation = Omit<RequestOperation, "change" | "basis"> & {
  readonly requestId: number;
};

/**
 * Returns what requests do to a flag, the newest request first. Leaves out operations after the first
 * `maxBytes` of contents.
 */
export function findOperationsOfFlag(
  db: ReadDb,
  {
    ids,
    flagId,
    maxBytes,
  }: { readonly ids: readonly number[]; readonly flagId: number; readonly maxBytes: number },
): Promise<FlagOperation[]> {
  const { requestId, position, kind, targetId, environmentId, base, after } =
    getTableColumns(operations);
  const sizes = sql`(SELECT request_id, position, sum(octet_length(base) + octet_length(after))
      OVER (ORDER BY request_id DESC, position) AS total
    FROM ${operations} WHERE request_id IN ${inList(ids)} AND ${isOfFlag(flagId)}) sizes`;
  return db
    .select({ requestId, kind, targetId, environmentId, base, after })
    .from(operations)
    .innerJoin(
      sizes,
      sql`sizes.request_id = ${requestId} AND sizes.position = ${position}
        AND sizes.total <= ${maxBytes}`,
    )
    .orderBy(desc(requestId), asc(position));
}

export const insertOperations = (requestId: SQL, list: readonly RequestOperation[]): SQL[] =>
  jsonChunks(list.map((operation, position) => ({ ...operation, position }))).map(
    (chunk) => sql`INSERT INTO change_request_operations
        (request_id, position, kind, target_id, environment_id, change, base, basis, after)
      SELECT ${requestId}, value ->> 'position', value ->> 'kind', value ->> 'targetId',
        value ->> 'environmentId', value -> 'change', value -> 'base', value ->> 'basis',
        value -> 'after'
      FROM json_each(${chunk})`,
  );

export const deleteOperations = (requestId: number) =>
  write.delete(operations).where(eq(operations.requestId, requestId));
