import { z } from "@hono/zod-openapi";
import { REQUEST_STATES, VERDICTS } from "../../core/change-requests/status.ts";
import { MAX_PAGE_SIZE, pageQuery, sliceQuery } from "../../http/paging.ts";
import {
  booleanText,
  descriptionText,
  id,
  idsText,
  idText,
  instant,
  readableText,
} from "../../http/schema.ts";
import { requestOperation } from "../operations/schema.ts";
import { MAX_REVIEWERS } from "../../workflows/change-requests/reviewer-service.ts";
import { MAX_OPERATIONS } from "../../changes/plan/operation.ts";

/** The most characters of a title, as of the header `X-Change-Reason`. */
const MAX_TITLE = 500;
const MAX_COMMENT = 4000;
/** The most choices of a rebase: 200 operations with some fields each. */
const MAX_CHOICES = 2000;

const title = readableText(MAX_TITLE).trim().min(1, "must not be empty").openapi({
  description: "What the change is for. It becomes the reason in the audit trail",
});
const comment = readableText(MAX_COMMENT).trim().min(1, "must not be empty");

/** The most ramps of a request whose start reads usage: each makes a call and a statement. */
const MAX_COUNTING = 10;

const countsEvaluations = (operation: z.infer<typeof requestOperation>): boolean =>
  operation.kind === "ramp.start" && operation.input.minEvaluations !== undefined;

const operations = z
  .array(requestOperation)
  .min(1, "must have an operation")
  .max(MAX_OPERATIONS, `must have at most ${MAX_OPERATIONS} operations`)
  .refine((list) => list.filter(countsEvaluations).length <= MAX_COUNTING, {
    message: `must have at most ${MAX_COUNTING} ramps with minEvaluations`,
  })
  .openapi({ description: "Changes of different flags, strategies and segments of the project" });

const EXAMPLE_OPERATION = {
  kind: "strategy.set" as const,
  target: { flagKey: "new-checkout", environmentId: 3 },
  input: { percentage: 50 },
};

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

const schedule = {
  applyAt: instant.nullable().openapi({
    type: ["string", "null"],
    format: "date-time",
    description:
      "When the service applies the request: at most a year ahead, with an offset. Null: somebody applies it",
  }),
  latestAt: instant.nullable().openapi({
    type: ["string", "null"],
    format: "date-time",
    description:
      "Until when the service tries: at most 30 days after `applyAt`. Null: an hour after it",
  }),
  timeZone: z
    .string()
    .max(100, "must have at most 100 characters")
    .regex(/^[A-Za-z]/, "must be the name of a time zone, such as Europe/Berlin")
    .refine(isTimeZone, "must be the name of a time zone, such as Europe/Berlin")
    .nullable()
    .openapi({ description: "The IANA time zone in which people see these times" }),
};

const dependsOn = id.nullable().openapi({
  description:
    "The id of an earlier scheduled change request of the project. This one is based on its result, and is applied after it. " +
    "A change of it needs `operations`",
});

const reviewers = z
  .array(id)
  .max(MAX_REVIEWERS, `must have at most ${MAX_REVIEWERS} users`)
  .refine((list) => new Set(list).size === list.length, "must not have a user twice");

export const createRequest = z
  .object({
    projectId: id,
    title,
    description: descriptionText.optional(),
    operations,
    dependsOn: dependsOn.optional(),
    ...z.object(schedule).partial().shape,
    reviewers: reviewers.optional().openapi({
      description:
        "The ids of the users who are asked to review it, by e-mail. They must be users who may approve it",
    }),
  })
  .openapi("NewChangeRequest", {
    example: { projectId: 1, title: "Half of the users", operations: [EXAMPLE_OPERATION] },
  });

export const updateRequest = z
  .object({ title, description: descriptionText, operations, dependsOn, ...schedule })
  .partial()
  .openapi("UpdateChangeRequest", {
    description: "A field that is absent stays as it is, except `latestAt` with a new `applyAt`",
    example: { title: "Half of the users" },
  });

export const reviewRequest = z
  .object({ verdict: z.enum(VERDICTS), comment: comment.nullable().optional() })
  .openapi("ReviewChangeRequest", { example: { verdict: "approve", comment: "Looks right" } });

export const askRequest = z
  .object({ add: reviewers.default([]), remove: reviewers.default([]) })
  .refine(({ add, remove }) => !add.some((one) => remove.includes(one)), {
    path: ["remove"],
    message: "must not have a user of add",
  })
  .openapi("AskReviewers", {
    description:
      "The ids of the users who are asked to review the request, and of those who are not asked any more",
    example: { add: [2] },
  });

/** The most environments of a project, as an operator can raise the quota. */
const MAX_ENVIRONMENTS = 500;

export const candidatesQuery = z.object({
  projectId: idText,
  environmentIds: idsText(MAX_ENVIRONMENTS).optional().openapi({
    type: "string",
    description: "The environments that require approvals, such as `3,4`",
  }),
  requestId: idText.optional().openapi({
    description: "The request whose authors are left out. By default, the caller is left out",
  }),
  ...sliceQuery,
});

export const commentRequest = z
  .object({ text: comment })
  .openapi("NewChangeRequestComment", { example: { text: "Why half of them?" } });

export const rebaseRequest = z
  .object({
    choices: z
      .array(
        z.object({
          operation: z.int().min(0).openapi({ description: "The index of the operation" }),
          field: z.string().min(1).max(200),
          take: z.enum(["current", "request"]),
        }),
      )
      .max(MAX_CHOICES, `must have at most ${MAX_CHOICES} choices`)
      .default([])
      .openapi({ description: "The side to take for each field that both have changed" }),
  })
  .openapi("RebaseChangeRequest", {
    example: { choices: [{ operation: 0, field: "percentage", take: "request" }] },
  });

export const listQuery = z.object({
  projectId: idText.optional(),
  state: z.enum(REQUEST_STATES).optional(),
  toReview: booleanText.optional().openapi({
    description:
      "true: only open requests of others that the caller has not reviewed as they are now",
  }),
  mine: booleanText.optional().openapi({
    description:
      "true: only requests that the caller, or an API key that the caller has made, has opened or edited",
  }),
  flagId: idText.optional().openapi({
    description:
      "Only requests that change this flag, with their `operations` on it. Needs `projectId` and `state=open`",
  }),
  status: booleanText.optional().openapi({
    description: "true: with the `status` and `approval` of each open request. Needs `projectId`",
  }),
  ...pageQuery(MAX_PAGE_SIZE),
});
