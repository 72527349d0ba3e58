import { z } from "@hono/zod-openapi";
import { constraintResponse, EXAMPLE_CONSTRAINT } from "../../http/constraint-schema.ts";
import { id, pathId, isoOrNull, timestamp } from "../../http/schema.ts";
import { constraintsRequest } from "../constraints.ts";
import type { StrategyRow } from "./queries.ts";

/** Decisions 4.6. */
const MAX_SEGMENTS = 20;

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
    enabled: z.boolean(),
    percentage: z.int().min(0).max(100),
    constraints: z.array(constraintResponse),
    segmentIds: z.array(id),
    stickiness: z.string().nullable(),
    version: z.int().openapi({ description: "Counts the changes, 0: never set; the `ETag`" }),
    updatedAt: timestamp.nullable(),
  })
  .openapi("Strategy", { example: EXAMPLE_STRATEGY });

export const toStrategy = (row: StrategyRow): z.infer<typeof strategyResponse> => ({
  flagId: row.flagId,
  environmentId: row.environmentId,
  environmentName: row.environmentName,
  enabled: row.enabled,
  percentage: row.percentage,
  constraints: row.constraints.map((constraint) => ({
    ...constraint,
    values: [...constraint.values],
  })),
  segmentIds: [...row.segmentIds],
  stickiness: row.stickiness,
  version: row.version,
  updatedAt: isoOrNull(row.updatedAt),
});

/** What is left out stays as it was. */
export const setStrategyRequest = z
  .object({
    environmentId: id,
    enabled: z.boolean().optional(),
    percentage: z.int().min(0).max(100).optional(),
    constraints: constraintsRequest.optional(),
    segmentIds: z
      .array(id)
      .max(MAX_SEGMENTS, `must have at most ${MAX_SEGMENTS} segments`)
      .transform((ids) => [...new Set(ids)])
      .optional(),
    stickiness: z.string().min(1).max(200).nullable().optional().openapi({
      description:
        "The context field whose value decides the percentage; null: `targetingKey`, `userId` or `sessionId`",
    }),
  })
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
