import { z } from "@hono/zod-openapi";
import { id } from "../../http/schema.ts";
import { entityType } from "../audit/schema.ts";
import { createContextRequest, updateContextRequest } from "../contexts/schema.ts";
import { cloneFlagRequest, createFlagRequest, updateFlagRequest } from "../flags/schema.ts";
import { createSegmentRequest, updateSegmentRequest } from "../segments/schema.ts";
import { rampFields } from "../ramps/schema.ts";
import { checkPercentages, segmentList, strategyFields } from "../strategies/schema.ts";
import { createTagRequest, updateTagRequest } from "../tags/schema.ts";
import { MAX_OPERATIONS, type Operation } from "../../changes/plan/operation.ts";
import type { OperationsResult } from "./service.ts";

/**
 * The most operations that read all values of a context: deletions, and changes of the type. A
 * context has up to 1,000 values of up to 2,500 characters, and an isolate has 128 MB.
 */
const MAX_CONTEXT_READS = 10;

/**
 * The most environments in which one request sets strategies. The rules of an environment have up to 8 MB.
 */
const MAX_ENVIRONMENTS = 10;

const ifMatch = z.int().min(0).optional().openapi({
  description: "If given, the target must have this version, else 412",
});

const flagTarget = z
  .union([z.object({ flagId: id }), z.object({ flagKey: z.string().min(1).max(128) })], {
    error: "must have flagId or flagKey",
  })
  .openapi("FlagTarget", {
    description:
      "A flag by its id, or by its key, also that of a flag which an earlier operation creates",
  });
const byId = z.object({ id });

const segmentRef = z.union([id, z.string().min(1).max(255)], {
  error: "must be the id or the name of a segment",
});
const segmentIds = segmentList(segmentRef).openapi({
  description:
    "Each segment by its id or its name, also that of a segment which an earlier operation creates",
});

const strategyInput = z
  .object(strategyFields(segmentIds))
  .superRefine(checkPercentages)
  .openapi("StrategyInput");

const strategyTarget = z
  .union([
    z.object({ flagId: id, environmentId: id }),
    z.object({ flagKey: z.string().min(1).max(128), environmentId: id }),
  ])
  .openapi("StrategyTarget", {
    description: "A flag by its id or its key, and an environment of the project",
  });

/** Returns the schema of a kind of operation. */
const kind = <K extends string, S extends z.ZodRawShape>(name: K, fields: S) =>
  z.object({ kind: z.literal(name), ...fields });

/** The schema of an operation of a change request. It changes or clones a resource that exists. */
export const requestOperation = z
  .discriminatedUnion(
    "kind",
    [
      kind("strategy.set", { target: strategyTarget, input: strategyInput }),
      kind("flag.update", { target: flagTarget, input: updateFlagRequest }),
      kind("flag.archive", { target: flagTarget }),
      kind("flag.unarchive", { target: flagTarget }),
      kind("flag.clone", { target: flagTarget, input: cloneFlagRequest }),
      kind("segment.update", { target: byId, input: updateSegmentRequest }),
      kind("ramp.start", { target: strategyTarget, input: z.object(rampFields) }),
    ],
    {
      error:
        "must be strategy.set, flag.update, flag.archive, flag.unarchive, flag.clone, segment.update or ramp.start",
    },
  )
  .openapi("RequestOperation");

const operation = z
  .discriminatedUnion(
    "kind",
    [
      kind("flag.create", { input: createFlagRequest.omit({ projectId: true }) }),
      kind("flag.update", { target: flagTarget, ifMatch, input: updateFlagRequest }),
      kind("flag.archive", { target: flagTarget, ifMatch }),
      kind("flag.unarchive", { target: flagTarget, ifMatch }),
      kind("flag.delete", { target: flagTarget, ifMatch }),
      kind("strategy.set", { target: strategyTarget, ifMatch, input: strategyInput }),
      kind("segment.create", { input: createSegmentRequest.omit({ projectId: true }) }),
      kind("segment.update", { target: byId, ifMatch, input: updateSegmentRequest }),
      kind("segment.delete", { target: byId, ifMatch }),
      kind("tag.create", { input: createTagRequest.omit({ projectId: true }) }),
      kind("tag.update", { target: byId, ifMatch, input: updateTagRequest }),
      kind("tag.delete", { target: byId, ifMatch }),
      kind("context.create", { input: createContextRequest.omit({ projectId: true }) }),
      kind("context.update", { target: byId, ifMatch, input: updateContextRequest }),
      kind("context.delete", { target: byId, ifMatch }),
    ],
    { error: "must be a kind of operation, such as flag.create or strategy.set" },
  )
  .openapi("Operation", {
    example: { kind: "flag.archive", target: { flagKey: "new-checkout" }, ifMatch: 3 },
  });

type RequestedOperation = z.infer<typeof operation> | z.infer<typeof requestOperation>;

const readsValues = (one: RequestedOperation): boolean =>
  one.kind === "context.delete" ||
  (one.kind === "context.update" && one.input.contextType !== undefined);

const environmentsOf = (list: readonly RequestedOperation[]): ReadonlySet<number> =>
  new Set(list.flatMap((one) => (one.kind === "strategy.set" ? one.target.environmentId : [])));

const EXAMPLE = {
  projectId: 1,
  operations: [
    { kind: "segment.create", input: { name: "Beta testers", constraints: [] } },
    { kind: "flag.create", input: { key: "new-search", name: "New search", flagType: "RELEASE" } },
    {
      kind: "strategy.set",
      target: { flagKey: "new-search", environmentId: 3 },
      input: { enabled: true, percentage: 50, segmentIds: ["Beta testers"] },
    },
  ],
};

export const operationsRequest = z
  .object({
    projectId: id,
    operations: z
      .array(operation)
      .min(1, "must have an operation")
      .max(MAX_OPERATIONS, `must have at most ${MAX_OPERATIONS} operations`)
      .refine((list) => list.filter(readsValues).length <= MAX_CONTEXT_READS, {
        message: `must delete, or change the type of, at most ${MAX_CONTEXT_READS} contexts`,
      })
      .refine((list) => environmentsOf(list).size <= MAX_ENVIRONMENTS, {
        message: `must set strategies in at most ${MAX_ENVIRONMENTS} environments`,
      }),
    dryRun: z.boolean().default(false).openapi({
      description: "true: check the operations, return the plan, and write nothing",
    }),
  })
  .openapi("RunOperations", { example: EXAMPLE });

/** Returns an operation in a project as the planner takes it. */
export const toOperation = (projectId: number, requested: RequestedOperation): Operation =>
  "target" in requested ? toTargeted(requested) : { ...requested, target: { projectId } };

/** Returns an operation on a resource that exists. */
export function toTargeted(
  requested: Extract<RequestedOperation, { readonly target: unknown }>,
): Operation {
  const version = "ifMatch" in requested ? requested.ifMatch : undefined;
  const wanted = { ifMatch: version === undefined ? undefined : [version] };
  switch (requested.kind) {
    case "strategy.set":
    case "ramp.start": {
      const { environmentId, ...flag } = requested.target;
      return { ...requested, target: { flag, environmentId }, ...wanted };
    }
    case "flag.archive":
    case "flag.unarchive":
    case "flag.delete":
    case "segment.delete":
    case "tag.delete":
    case "context.delete":
      return { ...requested, input: undefined, ...wanted };
    default:
      return { ...requested, ...wanted };
  }
}

const content = z.record(z.string(), z.unknown()).nullable();

export const operationsResponse = z
  .object({
    planId: z.string().openapi({
      description:
        "Identifies what the operations do. It is the same for the same operations while nothing that they refer to changes",
    }),
    changes: z
      .array(
        z.object({
          operation: z.int().openapi({ description: "The index of the operation" }),
          action: z.string().openapi({ description: "The action of the audit record" }),
          entityType,
          entityId: z
            .int()
            .openapi({ description: "In a dry run, the id that a new row would get" }),
          environmentId: id.nullable(),
          before: content.openapi({ description: "The fields that differ. Null for a new row" }),
          after: content.openapi({ description: "Null for a deleted row" }),
        }),
      )
      .openapi({
        description: "What each operation changes. None for an operation that changes nothing",
      }),
    moves: z
      .array(z.object({ flagId: z.int(), environmentId: id, share: z.number().min(0).max(1) }))
      .openapi({
        description:
          "Only in a dry run: for each changed strategy, the share of users who get another variant. An " +
          "upper bound if rules have constraints or segments",
      }),
  })
  .openapi("OperationsResult", {
    example: {
      planId: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
      changes: [
        {
          operation: 0,
          action: "flag.archived",
          entityType: "flag",
          entityId: 12,
          environmentId: null,
          before: { archived: false },
          after: { archived: true },
        },
      ],
      moves: [],
    },
  });

export const toOperationsResult = ({ planId, changes, moves }: OperationsResult) => ({
  planId,
  changes: changes.map((change) => ({ ...change })),
  moves: moves.map((move) => ({ ...move })),
});
