import { z } from "@hono/zod-openapi";
import { constraintResponse, EXAMPLE_CONSTRAINT } from "../http/constraint-schema.ts";

/** Limits of decisions 4.6. */
const MAX_TOGGLES = 1000;
const MAX_CONTEXT_KEYS = 100;

export const clientRule = z
  .object({
    key: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    archived: z.literal(true).optional(),
    activation: z.object({
      rollOut: z.int().min(0).max(100),
      constraints: z.array(constraintResponse),
      segments: z.array(z.object({ name: z.string(), constraints: z.array(constraintResponse) })),
      stickiness: z.string().optional(),
    }),
  })
  .openapi("ClientRule", {
    example: {
      key: "new-checkout",
      name: "New checkout",
      enabled: true,
      activation: {
        rollOut: 50,
        constraints: [EXAMPLE_CONSTRAINT],
        segments: [{ name: "Germany and France", constraints: [EXAMPLE_CONSTRAINT] }],
      },
    },
  });

export const featuresQuery = z.object({
  since: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .optional()
    .openapi({
      type: "string",
      format: "date-time",
      description: "Only what changed at or after this time: `X-Next-Since` of the last answer",
    }),
});

export const evaluateRequest = z
  .object({
    context: z.record(z.string(), z.unknown()),
    toggles: z
      .array(z.string().max(512))
      .max(MAX_TOGGLES)
      .optional()
      .openapi({ description: "Keys of flags; without any, all flags are evaluated" }),
  })
  .refine(({ context }) => Object.keys(context).length <= MAX_CONTEXT_KEYS, {
    path: ["context"],
    message: `must have at most ${MAX_CONTEXT_KEYS} keys`,
  })
  .openapi("Evaluate", {
    example: { context: { userId: "ann", country: "DE" }, toggles: ["new-checkout"] },
  });

const reason = z.enum([
  "DISABLED",
  "TARGETING_MATCH",
  "SPLIT",
  "STATIC",
  "CONSTRAINT_MISMATCH",
  "TARGETING_KEY_MISSING",
  "FLAG_NOT_FOUND",
]);

export const evaluateResponse = z
  .object({
    evaluations: z.record(z.string(), z.object({ enabled: z.boolean(), reason })),
    revision: z.int(),
  })
  .openapi("Evaluations", {
    example: {
      evaluations: { "new-checkout": { enabled: true, reason: "SPLIT" } },
      revision: 8,
    },
  });
