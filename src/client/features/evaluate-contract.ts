import { z } from "@hono/zod-openapi";
import { body, json, minRevisionHeader, sdkHeaders } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import type { RouteContract } from "../edge/route-contract.ts";
import { contextRequest } from "../edge/context-contract.ts";
import { MAX_TOGGLE_LENGTH, MAX_TOGGLES } from "./evaluate.ts";
import { FRESHNESS } from "../edge/surface.ts";

const evaluateRequest = z
  .object({
    context: contextRequest,
    toggles: z
      .array(z.string().max(MAX_TOGGLE_LENGTH))
      .max(MAX_TOGGLES)
      .optional()
      .openapi({ description: "The keys of the flags to evaluate; all flags by default" }),
  })
  .openapi("Evaluate", {
    example: { context: { userId: "ann", country: "DE" }, toggles: ["new-checkout"] },
  });

const reason = z.enum([
  "DISABLED",
  "PREREQUISITE_FAILED",
  "TARGETING_MATCH",
  "SPLIT",
  "STATIC",
  "CONSTRAINT_MISMATCH",
  "TARGETING_KEY_MISSING",
  "FLAG_NOT_FOUND",
]);

const verdict = z.object({
  enabled: z.boolean().openapi({
    description:
      "Whether the flag is on. For a flag with values: whether a rule decided, and serves another " +
      "variant than the off variant.",
  }),
  reason,
  variant: z
    .string()
    .optional()
    .openapi({
      description:
        "The key of the served variant. Missing when the flag is off and has no off variant, and for " +
        "a boolean flag that uses neither variants nor ordered rules.",
    }),
  value: z.unknown().openapi({
    description:
      "The value of the variant: any JSON value. Missing together with `variant`; the client then " +
      "uses its own default.",
  }),
  rule: z.string().optional().openapi({ description: "The id of the ordered rule that decided" }),
});

const evaluateResponse = z
  .object({ evaluations: z.record(z.string(), verdict), revision: z.int() })
  .openapi("Evaluations", {
    example: {
      evaluations: {
        "new-checkout": { enabled: true, reason: "SPLIT" },
        "checkout-layout": {
          enabled: true,
          reason: "TARGETING_MATCH",
          variant: "wide",
          value: { columns: 3 },
          rule: "k3v9x2ab",
        },
        "express-delivery": { enabled: false, reason: "PREREQUISITE_FAILED" },
      },
      revision: 8,
    },
  });

export const evaluate: RouteContract = {
  summary: "Evaluate flags for one context",
  description:
    "For clients that cannot evaluate flags themselves, and for public keys (`FRONTEND`).",
  tags: ["Client"],
  parameters: [...minRevisionHeader.parameters, ...sdkHeaders.parameters],
  request: { body: body(evaluateRequest) },
  responses: {
    200: json(evaluateResponse, "The verdicts by flag key", ...FRESHNESS),
    ...errors(400, 401, 403),
  },
};
