import { z } from "@hono/zod-openapi";
import { type Actor, allows } from "@feature-flags/permissions/permissions";
import { changedFields, type Content } from "../../core/audit/changed-fields.ts";
import { REQUEST_STATES, REQUEST_STATUSES, VERDICTS } from "../../core/change-requests/status.ts";
import { ACTOR_KINDS } from "../../db/schema/records.ts";
import { pageOf, type PageRequest, toPage } from "../../http/paging.ts";
import { id, iso, isoOrNull, timestamp } from "../../http/schema.ts";
import { REQUEST_KINDS } from "../../core/change-requests/kinds.ts";
import type { FlagOperation } from "../../model/change-requests/operation-queries.ts";
import type {
  ChangeRequest,
  ListedRequest,
  ShownOperation,
  TaggedRequest,
} from "../../workflows/change-requests/read-service.ts";

/** Describes a name that API keys do not see, as in audit records. */
const NAMES = "Null for an API key as the caller, if it is of a user";

const displayName = z.string().nullable().openapi({
  description:
    "The present name of the user. Null for others, for a deleted user, and for an API key as the caller",
});

const content = z.record(z.string(), z.unknown());

export const reviewer = z
  .object({ userId: id, name: z.string().nullable().openapi({ description: NAMES }) })
  .openapi("Reviewer", { example: { userId: 3, name: "Ben" } });

const summaryFields = {
  id,
  projectId: id,
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(REQUEST_STATES),
  hash: z.string().openapi({
    description:
      "Identifies the title, the description, and the operations with what they are based on; also the `ETag`. A " +
      "review is of one hash",
  }),
  author: z.object({
    kind: z.enum(ACTOR_KINDS),
    id: id.nullable(),
    name: z.string().nullable().openapi({ description: NAMES }),
    displayName,
  }),
  reviewers: z.array(reviewer).openapi({
    description:
      "The users who were asked to review it, sorted by name. Those who may not review it any more are left out",
  }),
  applyAt: timestamp.nullable().openapi({
    description: "When the service applies the request. Null: somebody applies it",
  }),
  latestAt: timestamp.nullable().openapi({ description: "Until when the service tries" }),
  timeZone: z.string().nullable().openapi({
    description: "The IANA time zone in which people see these times",
  }),
  dependsOn: id.nullable().openapi({
    description: "The earlier change request on whose result this one is based",
  }),
  blockedBy: z.string().nullable().openapi({
    description: "Why the service does not apply the request any more. Null: it was not refused",
  }),
  closedAt: timestamp.nullable(),
  closedBy: z.string().nullable().openapi({ description: NAMES }),
  closedByDisplayName: displayName,
  createdAt: timestamp,
  updatedAt: timestamp,
};

const SUMMARY = {
  id: 7,
  projectId: 1,
  title: "Half of the users",
  description: null,
  state: "open" as const,
  hash: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
  author: { kind: "user" as const, id: 2, name: "dev@example.com", displayName: "Dev" },
  reviewers: [{ userId: 3, name: "Ben" }],
  applyAt: null,
  latestAt: null,
  timeZone: null,
  dependsOn: null,
  blockedBy: null,
  closedAt: null,
  closedBy: null,
  closedByDisplayName: null,
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T03:04:05.678Z",
};

const status = z.enum(REQUEST_STATUSES).nullable();

const shownOperation = z.object({
  kind: z.enum(REQUEST_KINDS),
  targetId: z.int().openapi({ description: "The id of the flag or segment" }),
  targetName: z.string().nullable().openapi({
    description: "The name of the flag or segment now. Null if it does not exist any more",
  }),
  environmentId: id.nullable(),
  change: content.nullable().openapi({ description: "The input of the operation" }),
  base: content.openapi({
    description:
      "The fields that the request changes, or that have changed since, before the request",
  }),
  current: content.nullable().openapi({
    description: "The same fields now. Null if the target does not exist any more",
  }),
  after: content.openapi({ description: "The same fields after the request" }),
});

const summary = z
  .object({
    ...summaryFields,
    status: status.optional().openapi({
      description:
        "Only in lists with `status=true`: what an open request waits for. Null for a request that is not open, that " +
        "depends on an open one, or that has very large operations",
    }),
    approval: z.object({ required: z.int(), given: z.int() }).optional().openapi({
      description:
        "Only of open requests in lists with `status=true`: how many approvals the request needs, and how many it has",
    }),
    operations: z
      .array(shownOperation.pick({ kind: true, environmentId: true, base: true, after: true }))
      .optional()
      .openapi({
        description:
          "Only in lists with `flagId`: what the request does to the flag, as in the request. Very large " +
          "operations are left out",
      }),
  })
  .openapi("ChangeRequestSummary", {
    example: { ...SUMMARY, status: "needs-approval", approval: { required: 1, given: 0 } },
  });

export const pageResponse = pageOf(summary).openapi("ChangeRequestPage");

export const requestResponse = z
  .object({
    ...summaryFields,
    status: status.openapi({
      description: "What an open request waits for. Null for a request that is not open",
    }),
    approval: z
      .object({
        required: z.int(),
        environments: z.array(z.object({ id, name: z.string() })),
      })
      .openapi({ description: "The environments that require approvals, and the highest number" }),
    mayReview: z.boolean().openapi({
      description:
        "Whether the caller may review the request: a user who has not written or edited it, and who may approve in " +
        "all environments that require approvals",
    }),
    mayBypass: z.boolean().openapi({
      description:
        "Whether the caller may apply the request without the approvals that it needs (`X-Approval-Bypass`)",
    }),
    operations: z.array(shownOperation),
    reviews: z.array(
      z.object({
        userId: id,
        name: z.string().nullable().openapi({ description: NAMES }),
        verdict: z.enum(VERDICTS),
        comment: z.string().nullable(),
        counts: z.boolean().openapi({
          description:
            "Whether the review is of the request as it is now, by somebody who may approve now",
        }),
        at: timestamp,
      }),
    ),
    comments: z.array(
      z.object({
        id,
        author: z.string().nullable().openapi({ description: NAMES }),
        displayName,
        text: z.string(),
        at: timestamp,
      }),
    ),
  })
  .openapi("ChangeRequest", {
    example: {
      ...SUMMARY,
      status: "needs-approval",
      approval: { required: 1, environments: [{ id: 3, name: "production" }] },
      mayReview: true,
      mayBypass: false,
      operations: [
        {
          kind: "strategy.set",
          targetId: 12,
          targetName: "New checkout",
          environmentId: 3,
          change: { percentage: 50 },
          base: { percentage: 25 },
          current: { percentage: 25 },
          after: { percentage: 50 },
        },
      ],
      reviews: [],
      comments: [],
    },
  });

/** Returns the path of a request, for the header `Location`. */
export const pathOf = ({ id: number }: ChangeRequest): string =>
  `/api/v1/change-requests/${number}`;

const toSummary = (
  row: TaggedRequest,
  reader: Actor,
): Omit<z.infer<typeof summary>, "status" | "approval" | "operations"> => ({
  id: row.id,
  projectId: row.projectId,
  title: row.title,
  description: row.description,
  state: row.state,
  hash: row.tag,
  author: {
    kind: row.authorKind,
    id: row.authorId,
    name: row.authorKind === "user" ? named(row.authorName, reader) : row.authorName,
    displayName: named(row.authorDisplayName, reader),
  },
  reviewers: row.reviewers.map(({ userId, name }) => ({ userId, name: named(name, reader) })),
  applyAt: isoOrNull(row.applyAt),
  latestAt: isoOrNull(row.latestAt),
  timeZone: row.timeZone,
  dependsOn: row.dependsOn,
  blockedBy: row.blockedBy,
  closedAt: isoOrNull(row.closedAt),
  closedBy: named(row.closedBy, reader),
  closedByDisplayName: named(row.closedByDisplayName, reader),
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

export const toRequestPage = (
  { items, total }: { readonly items: readonly ListedRequest[]; readonly total: number },
  query: PageRequest,
  reader: Actor,
): z.infer<typeof pageResponse> => {
  const page = toPage(
    items.map(({ status: known, approval, operations, ...row }) =>
      Object.assign(
        toSummary(row, reader),
        known !== undefined && { status: known },
        approval && { approval: { ...approval } },
        operations && { operations: operations.map(toFlagOperation) },
      ),
    ),
    query,
    total,
  );
  return { ...page, items: [...page.items] };
};

/** Returns a name if the reader may see the names of users. */
const named = (name: string | null, reader: Actor): string | null =>
  allows(reader, "user:read-names") ? name : null;

export const toRequest = (
  request: ChangeRequest,
  reader: Actor,
): z.infer<typeof requestResponse> => ({
  ...toSummary(request, reader),
  status: request.status,
  approval: {
    required: request.approval.required,
    environments: request.approval.environments.map((one) => ({ ...one })),
  },
  mayReview: request.mayReview,
  mayBypass: request.mayBypass,
  operations: request.operations.map(toShownOperation),
  reviews: request.reviews.map(({ userId, name, verdict, comment: words, counts, at }) => ({
    userId,
    name: named(name, reader),
    verdict,
    comment: words,
    counts,
    at: iso(at),
  })),
  comments: request.comments.map(({ id: number, authorName, authorDisplayName, text, at }) => ({
    id: number,
    author: named(authorName, reader),
    displayName: named(authorDisplayName, reader),
    text,
    at: iso(at),
  })),
});

/** Returns the fields in which two contents differ. */
const differing = (before: Content, after: Content): string[] =>
  Object.keys(changedFields({ before, after })?.after ?? {});

const pick = (from: Content, fields: readonly string[]): Content =>
  Object.fromEntries(fields.map((field) => [field, from[field]]));

function toFlagOperation({ kind, environmentId, base, after }: FlagOperation) {
  const fields = differing(base, after);
  return { kind, environmentId, base: pick(base, fields), after: pick(after, fields) };
}

function toShownOperation(operation: ShownOperation): z.infer<typeof shownOperation> {
  const { kind, targetId, targetName, environmentId, change, base, current, after } = operation;
  const fields = [...new Set([...differing(base, after), ...differing(base, current ?? base)])];
  const picked = (from: Content) => pick(from, fields);
  return {
    kind,
    targetId,
    targetName: targetName ?? null,
    environmentId,
    change: change as Record<string, unknown> | null,
    base: picked(base),
    current: current ? picked(current) : null,
    after: picked(after),
  };
}
