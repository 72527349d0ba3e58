import { z } from "@hono/zod-openapi";
import { STRATEGY_COLUMNS, type TextField } from "../core/strategies/strategy.ts";
import { storedConstraint } from "../http/constraint-schema.ts";

const OWN = {
  percentage: z.int(),
  exactPercentage: z.number().nullable(),
  constraints: z.array(storedConstraint),
  segmentIds: z.array(z.int()),
  serve: z.union([
    z.object({ variant: z.string() }),
    z.object({
      weights: z.record(z.string(), z.number()),
      slots: z.array(z.object({ from: z.number(), to: z.number(), variant: z.string() })),
    }),
  ]),
};

/** A record that is older than the field does not have it. */
const text = z.string().nullable().default(null);

const activation = Object.fromEntries(
  STRATEGY_COLUMNS.filter((field) => field !== "enabled" && field !== "rules").map((field) => [
    field,
    field in OWN ? OWN[field as keyof typeof OWN] : text,
  ]),
) as typeof OWN & Readonly<Record<TextField, typeof text>>;

/**
 * The schema of a strategy in audit records of the action `strategy.updated` (see
 * `auditedStrategy`).
 */
export const recordedStrategy = z.object({
  enabled: z.boolean(),
  ...activation,
  rules: z.array(z.object({ id: z.string(), name: z.string().nullable(), ...activation })),
});
