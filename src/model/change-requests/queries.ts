import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  isNull,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Verdict } from "../../core/change-requests/status.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { inList } from "../../db/json-list.ts";
import { audit } from "../../db/schema/records.ts";
import {
  changeRequestComments as comments,
  changeRequestOperations as operations,
  changeRequestReviews as reviews,
  changeRequests as requests,
} from "../../db/schema/change-requests.ts";
import { sees } from "../projects/member-queries.ts";
import { MAY_APPROVE } from "../environments/protection-queries.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";
import { isOfFlag } from "./operation-queries.ts";
import {
  isAsked,
  mayReview,
  mayReviewIn,
  REVIEWERS,
  type ReviewerRow,
} from "./reviewer-queries.ts";

/** A request with the present names of users. A name is null for other actors, and for a deleted user. */
export type RequestRow = typeof requests.$inferSelect & {
  readonly authorDisplayName: string | null;
  readonly closedByDisplayName: string | null;
  readonly reviewers: readonly ReviewerRow[];
};

const nameOf = (userId: SQLWrapper) =>
  sql<string | null>`(SELECT u.name FROM users u WHERE u.id = ${userId})`;

const ROW = {
  ...getTableColumns(requests),
  authorDisplayName: sql<string | null>`iif(${requests.authorKind} = 'user',
    ${nameOf(requests.authorId)}, NULL)`,
  closedByDisplayName: nameOf(requests.closedById),
  reviewers: REVIEWERS,
};

export interface RequestFilter {
  readonly listed: Listed;
  readonly state: RequestRow["state"] | undefined;
  /** Who has not reviewed the request yet, and may do so. Undefined: all requests. */
  readonly reviewer: Reviewer | undefined;
  /** Who has opened or edited the request. Undefined: all requests. */
  readonly authorId: number | undefined;
  /** The flag that the request changes, apart from its segments. Undefined: all requests. */
  readonly flagId: number | undefined;
}

export interface Reviewer {
  readonly userId: number;
  /** The only projects whose requests the user may review. Undefined: all. */
  readonly projectIds: readonly number[] | undefined;
  /** SQL condition: the change of the listed request needs an approval in the environment `e`. */
  readonly needsApproval: SQL;
}

/** The change of rules of the request in a list. */
export const LISTED_CHANGE = sql`${requests.ruleChange}`;

const isAuthor = (userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM change_request_authors a
    WHERE a.request_id = ${requests.id} AND a.user_id = ${userId})`;

const isToReview = ({ userId, projectIds, needsApproval }: Reviewer): SQL | undefined =>
  and(
    projectIds && sql`${requests.projectId} IN ${inList(projectIds)}`,
    sql`${requests.state} = 'open' AND NOT ${isAuthor(userId)}
      AND NOT EXISTS (SELECT 1 FROM ${reviews} WHERE ${reviews.requestId} = ${requests.id}
        AND ${reviews.userId} = ${userId} AND ${reviews.hash} = ${requests.hash})
      AND NOT EXISTS (SELECT 1 FROM environments e JOIN users u ON u.id = ${userId}
        WHERE e.project_id = ${requests.projectId} AND ${requests.ruleChange} IS NOT NULL
        AND ${needsApproval} AND NOT (${MAY_APPROVE}))`,
  );

const changesFlag = (flagId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${operations} WHERE ${operations.requestId} = ${requests.id}
    AND ${isOfFlag(flagId)})`;

/**
 * Returns a page of requests, the newest first, and how many match the filter. A list for a reviewer begins
 * with the requests that the reviewer was asked to review.
 */
export async function listRequests(
  db: ReadDb,
  { listed, state, reviewer, authorId, flagId }: RequestFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: RequestRow[]; readonly total: number }> {
  const condition = and(
    isListed(requests.projectId, listed),
    state === undefined ? undefined : eq(requests.state, state),
    reviewer && isToReview(reviewer),
    authorId === undefined ? undefined : isAuthor(authorId),
    flagId === undefined ? undefined : changesFlag(flagId),
  );
  const [items, [counted]] = await db.batch([
    db
      .select(ROW)
      .from(requests)
      .where(condition)
      .orderBy(...(reviewer ? [desc(isAsked(reviewer.userId))] : []), desc(requests.id))
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
  return (await db.select(ROW).from(requests).where(eq(requests.id, id)))[0];
}

/** Returns the ids of the newest open requests that change a flag or one of its strategies. */
export async function findOpenOfFlag(
  db: ReadDb,
  { id, projectId }: { readonly id: number; readonly projectId: number },
  limit: number,
): Promise<number[]> {
  const rows = await db
    .select({ id: requests.id })
    .from(requests)
    .where(and(eq(requests.projectId, projectId), eq(requests.state, "open"), changesFlag(id)))
    .orderBy(desc(requests.id))
    .limit(limit);
  return rows.map((row) => row.id);
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

export async function requestOfRecord(db: ReadDb, recordId: number): Promise<number> {
  const [row] = await db.select({ id: audit.entityId }).from(audit).where(eq(audit.id, recordId));
  if (!row?.id) throw new Error("The audit record must name the change request");
  return row.id;
}

interface Seen {
  readonly requestId: number;
  /** The environments that require approvals. */
  readonly environmentIds: readonly number[];
  /** Null for an API key. */
  readonly userId: number | null;
}

/**
 * Returns the conversation about a request: its reviews and comments, each in the order of time. Also
 * returns whether a user may review the request.
 */
export async function findConversation(db: ReadDb, { requestId, environmentIds, userId }: Seen) {
  const mayApprove = sql<boolean>`(${mayReview(requestId, environmentIds)})`.mapWith(Boolean);
  const [people, commented] = await db.batch([
    db
      .select({
        userId: sql<number>`u.id`,
        name: sql<string>`u.name`,
        mayApprove,
        review: {
          hash: reviews.hash,
          verdict: reviews.verdict,
          comment: reviews.comment,
          at: reviews.at,
        },
      })
      .from(sql`users u`)
      .leftJoin(reviews, sql`${reviews.requestId} = ${requestId} AND ${reviews.userId} = u.id`)
      .where(
        sql`u.id IN (SELECT user_id FROM change_request_reviews WHERE request_id = ${requestId}
          UNION SELECT ${userId})`,
      )
      .orderBy(asc(reviews.at)),
    db
      .select({
        id: comments.id,
        authorName: comments.authorName,
        authorDisplayName: nameOf(comments.authorId),
        text: comments.text,
        at: comments.at,
      })
      .from(comments)
      .where(eq(comments.requestId, requestId))
      .orderBy(asc(comments.id)),
  ]);
  return {
    reviews: people.flatMap(({ review, ...person }) =>
      review ? Object.assign(review, person) : [],
    ),
    comments: commented,
    mayReview: people.some((one) => one.userId === userId && one.mayApprove),
  };
}

/** The reviews of a request that count, and how many approvals it needs. */
interface ReviewCounts {
  readonly id: number;
  readonly required: number;
  readonly approvals: number;
  readonly rejections: number;
}

/**
 * Returns for each of these requests how many approvals it needs and has. `needsApproval` is the SQL
 * condition that the change `r.rule_change` needs an approval in the environment `e`.
 */
export function countReviews(
  db: ReadDb,
  ids: readonly number[],
  needsApproval: SQL,
): Promise<ReviewCounts[]> {
  const needing = sql`e.project_id = r.project_id AND r.rule_change IS NOT NULL
    AND ${needsApproval}`;
  const needed = sql`(SELECT value FROM json_each(n.environment_ids))`;
  const count = (verdict: Verdict) => sql<number>`(SELECT count(*) FROM change_request_reviews v
    JOIN users u ON u.id = v.user_id WHERE v.request_id = n.id AND v.hash = n.hash
    AND v.verdict = ${verdict} AND ${mayReviewIn(sql`n.id`, needed)})`;
  return db
    .select({
      id: sql<number>`n.id`,
      required: sql<number>`n.required`,
      approvals: count("approve"),
      rejections: count("reject"),
    })
    .from(
      sql`(SELECT r.id, r.hash, coalesce(max(e.required_approvals), 0) AS required,
          json_group_array(e.id) AS environment_ids
        FROM ${requests} r LEFT JOIN environments e ON ${needing}
        WHERE r.id IN ${inList(ids)} GROUP BY r.id) n`,
    );
}

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

export const setReview = (review: typeof reviews.$inferInsert) =>
  write
    .insert(reviews)
    .values(review)
    .onConflictDoUpdate({ target: [reviews.requestId, reviews.userId], set: review });

/** The statement after which no earlier review of a request counts any more. They stay visible. */
export const endReviews = (requestId: number) =>
  write.update(reviews).set({ hash: "" }).where(eq(reviews.requestId, requestId));

export const insertComment = (comment: typeof comments.$inferInsert) =>
  write.insert(comments).values(comment);

/** The statement that closes the open requests with an operation in a deleted environment. */
export const closeInEnvironment = (
  environmentId: number,
  by: { readonly name: string; readonly userId: number | null },
  now: number,
): SQL =>
  sql`UPDATE change_requests SET state = 'closed', closed_at = ${now},
      closed_by = ${by.name}, closed_by_id = ${by.userId},
      next_at = NULL, updated_at = ${now}
    WHERE state = 'open' AND id IN (SELECT request_id FROM change_request_operations
      WHERE environment_id = ${environmentId})`;
