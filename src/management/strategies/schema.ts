import { z } from "@hono/zod-openapi";
import type { StrategyField } from "../../core/strategies/strategy.ts";
import { constraintResponse, EXAMPLE_CONSTRAINT } from "../../http/constraint-schema.ts";
import { id, pathId, isoOrNull, timestamp } from "../../http/schema.ts";
import { constraintsRequest } from "../constraints.ts";
import type { StrategyRow } from "./queries.ts";

/** The maximum number of segments in a strategy (docs/decisions.md, 4.6). */
const MAX_SEGMENTS = 20;

const percentage = z.int().min(0).max(100);

/** The schemas of all fields of a strategy in a response. */
const responseFields = {
  enabled: z.boolean(),
  percentage,
  constraints: z.array(constraintResponse).readonly(),
  segmentIds: z.array(id).readonly(),
  stickiness: z.string().nullable(),
} satisfies Record<StrategyField, z.ZodType>;

/** The schemas of all fields of a strategy in a request. An omitted field keeps its value. */
const requestFields = {
  enabled: z.boolean().optional(),
  percentage: percentage.optional(),
  constraints: constraintsRequest.optional(),
  segmentIds: z
    .array(id)
    .max(MAX_SEGMENTS, `must have at most ${MAX_SEGMENTS} segments`)
    .transform((ids) => [...new Set(ids)])
    .optional(),
  stickiness: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .optional()
    .openapi({
      description:
        "The context field whose value decides who is within the percentage. With null, this is the first of " +
        "`targetingKey`, `userId` and `sessionId` that the context has.",
    }),
} satisfies Record<StrategyField, z.ZodType>;

export const EXAMPLE_STRATEGY = {
  flagId: 12,
  environmentId: 3,
  environmentName: "production",
  enabled: true,
  percentage: 50,
  constraints: [EXAMPLE_CONSTRAINT],
  segmentIds: [5],
  stickiness: null,
  version: 2,
  updatedAt: "2026-01-02T03:04:05.678Z",
};

export const strategyResponse = z
  .object({
    flagId: id,
    environmentId: id,
    environmentName: z.string(),
    ...responseFields,
    version: z.int().openapi({
      description: "The number of changes, and the `ETag`; 0 for a strategy that was never set",
    }),
    updatedAt: timestamp.nullable(),
  })
  .openapi("Strategy", { example: EXAMPLE_STRATEGY });

export const toStrategy = (row: StrategyRow): z.infer<typeof strategyResponse> => ({
  flagId: row.flagId,
  environmentId: row.environmentId,
  environmentName: row.environmentName,
  ...row.content,
  version: row.version,
  updatedAt: isoOrNull(row.updatedAt),
});

export const setStrategyRequest = z
  .object({ environmentId: id, ...requestFields })
  .openapi("SetStrategy", {
    example: {
      environmentId: 3,
      enabled: true,
      percentage: 50,
      constraints: [EXAMPLE_CONSTRAINT],
      segmentIds: [5],
    },
  });

const flagId = pathId("flagId");
const environmentId = pathId("environmentId");

export const flagParams = z.object({ flagId });
export const strategyParams = z.object({ flagId, environmentId });
