import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Kind } from "@feature-flags/file/schema";
import type { Content } from "../../core/audit/changed-fields.ts";
import type { RequestKind } from "../../core/change-requests/kinds.ts";
import type { RequestState, Verdict } from "../../core/change-requests/status.ts";
import { id, time } from "./columns.ts";
import type { RuleChange } from "../../core/protection/rule-change.ts";
import { users } from "./people.ts";
import { projectId } from "./projects.ts";
import type { ActorKind } from "./records.ts";

/** The apply of a file that has opened a change request. */
export interface FileApply {
  readonly manager: string;
  /** False: the file manages nothing. */
  readonly manages?: false;
  readonly planId: string;
  /** Where the file comes from, as the caller says it. */
  readonly repository?: string | undefined;
  readonly commit?: string | undefined;
}

/** The change requests: operations that others review before they are applied. */
export const changeRequests = sqliteTable(
  "change_requests",
  {
    id: id(),
    projectId: projectId(),
    title: text("title").notNull(),
    description: text("description"),
    state: text("state").$type<RequestState>().notNull().default("open"),
    /** Identifies the operations with what they are based on (`hashOf`). Callers see `tagOf`. */
    hash: text("hash").notNull(),
    /** What the operations do to verdicts. Null: nothing. */
    ruleChange: text("rule_change", { mode: "json" }).$type<RuleChange>(),
    authorKind: text("author_kind").$type<ActorKind>().notNull(),
    /** The id of the user or API key that has opened the request. */
    authorId: integer("author_id"),
    authorName: text("author_name").notNull(),
    /** When the service applies the request. Null: somebody applies it. */
    applyAt: time("apply_at"),
    /** Until when the service tries. Null without `applyAt`. */
    latestAt: time("latest_at"),
    /** The time zone in which the dashboard shows `applyAt`, such as `Europe/Berlin`. */
    timeZone: text("time_zone"),
    /** The earlier request on whose result this one is based. Null: on the present state. */
    dependsOn: integer("depends_on"),
    /** The plan of a file whose operations the request has. Null: other operations. */
    planId: text("plan_id"),
    /** The apply of a file from which the request comes. It stays when the operations are edited. */
    fileApply: text("file_apply", { mode: "json" }).$type<FileApply>(),
    /** When the service looks at the request next. Null: it has nothing to do. */
    nextAt: time("next_at"),
    /**
     * The actor in whose name the service applies the request: who has changed its operations or its
     * times last.
     */
    schedulerKind: text("scheduler_kind").$type<ActorKind>(),
    schedulerId: integer("scheduler_id"),
    /** Why the service does not try any more. Null: it was not refused. */
    blockedBy: text("blocked_by"),
    /** Null while the request is open. */
    closedAt: time("closed_at"),
    /** Who has applied or closed the request. Null while it is open. */
    closedBy: text("closed_by"),
    /** The id of `closedBy`. Null while it is open, and if it is no user. */
    closedById: integer("closed_by_id"),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (t) => [
    index("change_requests_project").on(t.projectId, t.state, t.id),
    index("change_requests_idle").on(t.state, t.updatedAt),
    index("change_requests_due")
      .on(t.nextAt, t.projectId)
      .where(sql`next_at IS NOT NULL`),
  ],
);

const requestId = () =>
  integer("request_id")
    .notNull()
    .references(() => changeRequests.id, { onDelete: "cascade" });

/** The operations of a change request, in order. An operation changes one resource. */
export const changeRequestOperations = sqliteTable(
  "change_request_operations",
  {
    requestId: requestId(),
    position: integer("position").notNull(),
    kind: text("kind").$type<RequestKind>().notNull(),
    /** The flag or segment. No foreign key: a request whose target is deleted is blocked. */
    targetId: integer("target_id").notNull(),
    /** Only of a strategy. */
    environmentId: integer("environment_id"),
    /** What the author has asked for: the body of the direct change. */
    change: text("change", { mode: "json" }).$type<unknown>(),
    /** The content of the target before the change. */
    base: text("base", { mode: "json" }).$type<Content>().notNull(),
    /** The digest of what the operation is based on (`basisDigest`). Null: an earlier release has stored it. */
    basis: text("basis"),
    /** The content of the target after the change. */
    after: text("after", { mode: "json" }).$type<Content>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.requestId, t.position] }),
    index("change_request_operations_environment").on(t.environmentId),
    // Has all columns that the marks of a list of flags need.
    index("change_request_operations_target").on(t.targetId, t.kind, t.requestId),
  ],
);

/**
 * What the file of a plan owns and releases when its change request is applied: one row for each
 * resource, with what differs from `managed_fields` at the time of the plan.
 */
export const changeRequestFields = sqliteTable(
  "change_request_fields",
  {
    requestId: requestId(),
    kind: text("kind").$type<Kind>().notNull(),
    /** The id of the resource. For a strategy, that of its flag. */
    entityId: integer("entity_id").notNull(),
    /** The id of the environment of a strategy; `NO_ENVIRONMENT` for other resources. */
    environmentId: integer("environment_id").notNull(),
    /** The name or key of the resource in the file. */
    fileKey: text("file_key").notNull(),
    /** The digest of each value that the file has, by the field. */
    owned: text("owned", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
    /** The recorded digest of each field that the file does not name any more. */
    released: text("released", { mode: "json" })
      .$type<Readonly<Record<string, string>>>()
      .notNull(),
    /** The fields that the plan takes from other managers. */
    taken: text("taken", { mode: "json" }).$type<readonly string[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.requestId, t.kind, t.entityId, t.environmentId] })],
);

/** The users who may not approve a request: its author, its editors, and who has made the API key. */
export const changeRequestAuthors = sqliteTable(
  "change_request_authors",
  {
    requestId: requestId(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.requestId, t.userId] }),
    index("change_request_authors_user").on(t.userId),
  ],
);

/** The last review of each user. It counts while the request has the same hash; none has an empty one. */
export const changeRequestReviews = sqliteTable(
  "change_request_reviews",
  {
    requestId: requestId(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    hash: text("hash").notNull(),
    verdict: text("verdict").$type<Verdict>().notNull(),
    comment: text("comment"),
    at: time("at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.requestId, t.userId] }),
    index("change_request_reviews_user").on(t.userId),
  ],
);

/** The people who were asked to review a request. They stay when they have reviewed it. */
export const changeRequestReviewers = sqliteTable(
  "change_request_reviewers",
  {
    requestId: requestId(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.requestId, t.userId] }),
    index("change_request_reviewers_user").on(t.userId),
  ],
);

export const changeRequestComments = sqliteTable(
  "change_request_comments",
  {
    id: id(),
    requestId: requestId(),
    /** The name of the user or API key. It stays when the user is deleted. */
    authorName: text("author_name").notNull(),
    /** The id of the user. Null for other authors. */
    authorId: integer("author_id"),
    text: text("text").notNull(),
    at: time("at").notNull(),
  },
  (t) => [index("change_request_comments_request").on(t.requestId)],
);
