import { z } from "@hono/zod-openapi";
import { storedConstraint } from "../http/constraint-schema.ts";

const serve = z.union([
  z.object({ variant: z.string() }),
  z.object({
    weights: z.record(z.string(), z.number()),
    slots: z.array(z.object({ from: z.number(), to: z.number(), variant: z.string() })),
  }),
]);

const activation = {
  percentage: z.int(),
  exactPercentage: z.number().nullable(),
  constraints: z.array(storedConstraint),
  segmentIds: z.array(z.int()),
  stickiness: z.string().nullable(),
  hashKey: z.string().nullable(),
  serve,
  splitKey: z.string().nullable(),
  splitStickiness: z.string().nullable(),
};

/**
 * The schema of a strategy in audit records of the action `strategy.updated` (see
 * `auditedStrategy`).
 */
export const recordedStrategy = z.object({
  enabled: z.boolean(),
  ...activation,
  rules: z.array(z.object({ id: z.string(), name: z.string().nullable(), ...activation })),
});
