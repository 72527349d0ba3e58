import { type SQL, sql } from "drizzle-orm";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { ReadDb } from "../../db/database.ts";
import { fromJson, inList } from "../../db/json-list.ts";
import { MAY_APPROVE } from "../environments/protection-queries.ts";
import { hasRole, sees } from "../projects/member-queries.ts";
import { isBehind } from "./author-queries.ts";

/** Somebody who was asked to review a request. */
export interface ReviewerRow {
  readonly userId: number;
  readonly name: string;
}

/** Returns the condition that the active user `u` may review requests of a project. `project`: SQL of its id. */
const mayReviewInProject = (project: string): SQL =>
  sql.raw(`u.status = 'ACTIVE' AND (u.role = 'ADMIN'
    OR ${hasRole("ADMIN", project)} OR ${hasRole("DEVELOPER", project)}
    OR (u.role = 'DEVELOPER' AND ${sees(project)}))`);

const OF_REQUEST = sql.raw("a.request_id = change_requests.id");

/**
 * The column with the reviewers of a request, sorted by name. It leaves out those who cannot review the request
 * any more: they have left the project, or they have edited the request.
 */
export const REVIEWERS = fromJson(
  sql<readonly ReviewerRow[]>`(SELECT json_group_array(json_object('userId', id, 'name', name))
    FROM (SELECT u.id, u.name FROM change_request_reviewers a JOIN users u ON u.id = a.user_id
      WHERE ${OF_REQUEST} AND ${mayReviewInProject("change_requests.project_id")}
        AND u.id NOT IN (SELECT a.user_id FROM change_request_authors a WHERE ${OF_REQUEST})
      ORDER BY u.name, u.id))`,
);

/** Expression: whether the user was asked to review the request of a list. */
export const isAsked = (userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM change_request_reviewers a WHERE ${OF_REQUEST} AND a.user_id = ${userId})`;

/** Condition: the active user `u` is no author of the request, and may approve in all of the environments. */
export const mayReview = (requestId: number, environmentIds: readonly number[]): SQL =>
  mayReviewIn(sql`${requestId}`, inList(environmentIds));

/** Condition: a user may review a request that needs an approval in these environments. */
export const isReviewer = (userId: number, requestId: number, environmentIds: readonly number[]) =>
  sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId}
    AND ${mayReview(requestId, environmentIds)})`;

/** As `mayReview`. `environmentIds` is the right side of an IN. */
export const mayReviewIn = (requestId: SQL, environmentIds: SQL): SQL =>
  sql`u.id NOT IN (SELECT user_id FROM change_request_authors WHERE request_id = ${requestId})
    AND NOT EXISTS (SELECT 1 FROM environments e
      WHERE e.id IN ${environmentIds} AND NOT (${MAY_APPROVE}))`;

/** A request, or one that the actor will open, for which reviewers are chosen. */
export interface Asking {
  readonly projectId: number;
  /** The environments that require approvals. */
  readonly environmentIds: readonly number[];
  /** Undefined for a new request. */
  readonly requestId: number | undefined;
  readonly actor: Actor;
}

/** Condition: the user `u` may be asked to review the request. */
const canBeAsked = ({ projectId, environmentIds, requestId, actor }: Asking): SQL =>
  sql`${mayReviewInProject(String(projectId))}
    AND ${mayReview(requestId ?? 0, environmentIds)}
    AND ${requestId === undefined ? sql`u.id NOT IN (SELECT id FROM users WHERE ${isBehind(actor)})` : sql`1`}`;

/** Returns the people who may be asked to review a request, sorted by name. */
export const listCandidates = (db: ReadDb, asking: Asking): Promise<ReviewerRow[]> =>
  db
    .select({ userId: sql<number>`u.id`, name: sql<string>`u.name` })
    .from(sql`users u`)
    .where(canBeAsked(asking))
    .orderBy(sql`u.name, u.id`);

/** Condition: all of these users may be asked to review the request. */
export const allCanBeAsked = (userIds: readonly number[], asking: Asking): SQL =>
  sql`(SELECT count(*) FROM users u WHERE u.id IN ${inList(userIds)}
    AND ${canBeAsked(asking)}) = ${userIds.length}`;

/** Expression: how many reviewers, apart from these users, a request has who can still review it. */
export const countOtherReviewers = (asking: Asking, userIds: readonly number[]): SQL =>
  sql`(SELECT count(*) FROM change_request_reviewers r JOIN users u ON u.id = r.user_id
    WHERE r.request_id = ${asking.requestId} AND r.user_id NOT IN ${inList(userIds)}
      AND ${canBeAsked(asking)})`;

export const addReviewers = (requestId: SQL, userIds: readonly number[]): SQL =>
  sql`INSERT OR IGNORE INTO change_request_reviewers (request_id, user_id)
    SELECT ${requestId}, value FROM json_each(${JSON.stringify(userIds)})`;

export const removeReviewers = (requestId: number, userIds: readonly number[]): SQL =>
  sql`DELETE FROM change_request_reviewers
    WHERE request_id = ${requestId} AND user_id IN ${inList(userIds)}`;

/** The most e-mails about a new request. */
const MAX_MAILS = 100;

/** Returns the addresses of the users whose approval of a request counts, apart from those who were asked. */
export const emailsOfReviewers = (
  db: ReadDb,
  requestId: number,
  environmentIds: readonly number[],
) =>
  db
    .select({ email: sql<string>`u.email` })
    .from(sql`users u`)
    .where(
      sql`${mayReview(requestId, environmentIds)} AND u.id NOT IN
        (SELECT user_id FROM change_request_reviewers WHERE request_id = ${requestId})`,
    )
    .orderBy(sql`u.id`)
    .limit(MAX_MAILS);

/** Returns the addresses of these users. */
export const emailsOf = (db: ReadDb, userIds: readonly number[]) =>
  db
    .select({ email: sql<string>`u.email` })
    .from(sql`users u`)
    .where(sql`u.id IN ${inList(userIds)}`);
