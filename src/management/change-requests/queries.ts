import { and, asc, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { type Actor, tokenOf } from "@feature-flags/permissions/permissions";
import type { Verdict } from "../../core/change-requests/status.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { jsonChunks, jsonList } from "../../db/json-list.ts";
import { audit } from "../../db/schema/records.ts";
import {
  changeRequestComments as comments,
  changeRequestOperations as operations,
  changeRequestReviews as reviews,
  changeRequests as requests,
} from "../../db/schema/change-requests.ts";
import { sees } from "../projects/member-queries.ts";
import { MAY_APPROVE } from "../environments/protection-queries.ts";
import { isListed, type Listed } from "../listed.ts";
import type { RequestOperation } from "./current.ts";

export type RequestRow = typeof requests.$inferSelect;

export interface RequestFilter {
  readonly listed: Listed;
  readonly state: RequestRow["state"] | undefined;
  /** The user who has not reviewed the request yet, and may do so. Undefined: all requests. */
  readonly reviewer: number | undefined;
}

/** Returns a page of requests, the newest first, and how many match the filter. */
export async function listRequests(
  db: ReadDb,
  { listed, state, reviewer }: RequestFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: RequestRow[]; readonly total: number }> {
  const condition = and(
    isListed(requests.projectId, listed),
    state === undefined ? undefined : eq(requests.state, state),
    reviewer === undefined
      ? undefined
      : sql`${requests.state} = 'open' AND NOT EXISTS (SELECT 1 FROM change_request_authors a
          WHERE a.request_id = ${requests.id} AND a.user_id = ${reviewer})
        AND NOT EXISTS (SELECT 1 FROM ${reviews} WHERE ${reviews.requestId} = ${requests.id}
          AND ${reviews.userId} = ${reviewer} AND ${reviews.hash} = ${requests.hash})`,
  );
  const [items, [counted]] = await db.batch([
    db
      .select()
      .from(requests)
      .where(condition)
      .orderBy(desc(requests.id))
      .limit(limit)
      .offset(offset),
    db
      .select({ total: sql<number>`count(*)` })
      .from(requests)
      .where(condition),
  ]);
  return { items, total: counted?.total ?? 0 };
}

export async function findRequest(db: ReadDb, id: number): Promise<RequestRow | undefined> {
  return (await db.select().from(requests).where(eq(requests.id, id)))[0];
}

/**
 * Returns open requests that nobody has changed since a time and that the service will not apply, the
 * oldest first.
 */
export const findIdle = (db: ReadDb, since: number, limit: number) =>
  db
    .select({ id: requests.id })
    .from(requests)
    .where(
      and(
        eq(requests.state, "open"),
        sql`${requests.updatedAt} < ${since}`,
        isNull(requests.nextAt),
      ),
    )
    .orderBy(asc(requests.id))
    .limit(limit);

/** Returns the request that an audit record is about. */
export async function requestOfRecord(db: ReadDb, recordId: number): Promise<number> {
  const [row] = await db.select({ id: audit.entityId }).from(audit).where(eq(audit.id, recordId));
  if (!row?.id) throw new Error("The audit record must name the change request");
  return row.id;
}

export async function findOperations(db: ReadDb, requestId: number): Promise<RequestOperation[]> {
  const { requestId: _, position: __, ...columns } = getTableColumns(operations);
  const rows = await db
    .select(columns)
    .from(operations)
    .where(eq(operations.requestId, requestId))
    .orderBy(asc(operations.position));
  // The service has written the rows in this form.
  return rows as unknown as RequestOperation[];
}

/** Returns the conversation about a request: its reviews and comments, each in the order of time. */
export async function findConversation(db: ReadDb, requestId: number, environmentIds: number[]) {
  const [reviewed, commented] = await db.batch([
    db
      .select({
        userId: reviews.userId,
        name: sql<string>`u.name`,
        hash: reviews.hash,
        verdict: reviews.verdict,
        comment: reviews.comment,
        at: reviews.at,
        mayApprove: sql<boolean>`(${mayReview(requestId, environmentIds)})`.mapWith(Boolean),
      })
      .from(reviews)
      .innerJoin(sql`users u`, sql`u.id = ${reviews.userId}`)
      .where(eq(reviews.requestId, requestId))
      .orderBy(asc(reviews.at)),
    db
      .select({
        id: comments.id,
        authorName: comments.authorName,
        text: comments.text,
        at: comments.at,
      })
      .from(comments)
      .where(eq(comments.requestId, requestId))
      .orderBy(asc(comments.id)),
  ]);
  return { reviews: reviewed, comments: commented };
}

/** Condition: the active user `u` is no author of the request, and may approve in all of the environments. */
const mayReview = (requestId: number, environmentIds: readonly number[]): SQL =>
  sql`u.id NOT IN (SELECT user_id FROM change_request_authors WHERE request_id = ${requestId})
    AND NOT EXISTS (SELECT 1 FROM environments e
      WHERE e.id IN ${jsonList(environmentIds)} AND NOT (${MAY_APPROVE}))`;

/** The most e-mails about a new request. */
const MAX_MAILS = 100;

/** Returns the addresses of the users whose approval of a request counts. */
export const emailsOfReviewers = (
  db: ReadDb,
  requestId: number,
  environmentIds: readonly number[],
) =>
  db
    .select({ email: sql<string>`u.email` })
    .from(sql`users u`)
    .where(mayReview(requestId, environmentIds))
    .orderBy(sql`u.id`)
    .limit(MAX_MAILS);

/** Returns the address of the author of a request, if the user is active and may see the project. */
export const emailOfAuthor = (
  db: ReadDb,
  { authorId, projectId }: Pick<RequestRow, "authorId" | "projectId">,
) =>
  db
    .select({ email: sql<string>`u.email` })
    .from(sql`users u JOIN projects r ON r.id = ${projectId}`)
    .where(sql`u.id = ${authorId} AND u.status = 'ACTIVE' AND ${sql.raw(sees("r.id"))}`);

interface Approval {
  readonly requestId: number;
  readonly hash: string;
  readonly environmentIds: readonly number[];
  readonly required: number;
}

/** Condition: enough of those who may approve have approved the request, and none has rejected it. */
export function isApproved({ requestId, hash, environmentIds, required }: Approval): SQL {
  const count = (verdict: Verdict) => sql`(SELECT count(*) FROM change_request_reviews r
    JOIN users u ON u.id = r.user_id WHERE r.request_id = ${requestId} AND r.hash = ${hash}
    AND r.verdict = ${verdict} AND ${mayReview(requestId, environmentIds)})`;
  return sql`${count("approve")} >= ${required} AND ${count("reject")} = 0`;
}

/** Condition: the request is open, and has this hash. */
export const isOpen = (id: number, hash: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${requests} WHERE ${requests.id} = ${id}
    AND ${requests.state} = 'open' AND ${requests.hash} = ${hash})`;

/** Condition: the request is open, has this hash, and the service looks at it at this time. */
export const isPlanned = ({ id, hash }: Pick<RequestRow, "id" | "hash">, at: number): SQL =>
  sql`${isOpen(id, hash)} AND (SELECT next_at FROM ${requests} WHERE ${requests.id} = ${id}) = ${at}`;

/** The expression that makes the service look at a request now, unless it has given it up. */
export const nowIfPlanned = (now: number): SQL =>
  sql`iif(${requests.nextAt} IS NULL, NULL, ${now})`;

export const countOpen = (projectId: number): SQL =>
  sql`SELECT count(*) FROM ${requests}
    WHERE ${requests.projectId} = ${projectId} AND ${requests.state} = 'open'`;

export const countComments = (requestId: number): SQL =>
  sql`SELECT count(*) FROM ${comments} WHERE ${comments.requestId} = ${requestId}`;

/** The id of a request that an earlier statement of the same commit has inserted. */
export const NEW_ID = sql`(SELECT max(id) FROM change_requests)`;

export const insertRequest = (row: typeof requests.$inferInsert) =>
  write.insert(requests).values(row);

export const updateRequest = (id: number, change: SQLiteUpdateSetSource<typeof requests>) =>
  write.update(requests).set(change).where(eq(requests.id, id));

/** Returns the statements that add the operations of a request. */
export const insertOperations = (requestId: SQL, list: readonly RequestOperation[]): SQL[] =>
  jsonChunks(list.map((operation, position) => ({ ...operation, position }))).map(
    (chunk) => sql`INSERT INTO change_request_operations
        (request_id, position, kind, target_id, environment_id, change, base, after)
      SELECT ${requestId}, value ->> 'position', value ->> 'kind', value ->> 'targetId',
        value ->> 'environmentId', value -> 'change', value -> 'base', value -> 'after'
      FROM json_each(${chunk})`,
  );

export const deleteOperations = (requestId: number) =>
  write.delete(operations).where(eq(operations.requestId, requestId));

/**
 * Adds a user to those who may not approve, or the users who have made the API key, or the service
 * account and its token, with which the actor calls.
 */
export const addAuthor = (requestId: SQL, actor: Actor): SQL => {
  const user = actor.kind === "user" ? actor.id : null;
  const key = actor.kind === "key" ? actor.id : null;
  const account = actor.kind === "service-account" ? actor.id : null;
  return sql`INSERT OR IGNORE INTO change_request_authors (request_id, user_id)
    SELECT ${requestId}, id FROM users
    WHERE id = ${user} OR id = (SELECT created_by FROM api_keys WHERE id = ${key})
      OR id = (SELECT created_by FROM service_accounts WHERE id = ${account})
      OR id = (SELECT created_by FROM access_tokens WHERE id = ${tokenOf(actor)?.id ?? null})`;
};

export const setReview = (review: typeof reviews.$inferInsert) =>
  write
    .insert(reviews)
    .values(review)
    .onConflictDoUpdate({ target: [reviews.requestId, reviews.userId], set: review });

export const insertComment = (comment: typeof comments.$inferInsert) =>
  write.insert(comments).values(comment);

/** The statement that closes the open requests with an operation in a deleted environment. */
export const closeInEnvironment = (environmentId: number, by: string, now: number): SQL =>
  sql`UPDATE change_requests SET state = 'closed', closed_at = ${now}, closed_by = ${by},
      next_at = NULL, updated_at = ${now}
    WHERE state = 'open' AND id IN (SELECT request_id FROM change_request_operations
      WHERE environment_id = ${environmentId})`;

/** Condition: the user is no author of the request. */
export const isNoAuthor = (requestId: number, userId: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM change_request_authors
    WHERE request_id = ${requestId} AND user_id = ${userId})`;
