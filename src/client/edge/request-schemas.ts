import { z } from "@hono/zod-openapi";
import { MAX_VARIANTS, VARIANT_KEY } from "../../core/flags/variants.ts";
import { name } from "../../http/schema.ts";
import {
  type Evaluations,
  evaluationIssues,
  MAX_COUNT,
  MAX_EVALUATIONS,
} from "../usage/reported-counts.ts";

const count = { type: "integer", minimum: 0, maximum: MAX_COUNT } as const;

/** The schema of the evaluations in a usage report. */
export const evaluations = z
  .custom<Evaluations>()
  .superRefine((value, context) => {
    for (const issue of evaluationIssues(value)) context.addIssue({ code: "custom", ...issue });
  })
  .openapi({
    type: "object",
    maxProperties: MAX_EVALUATIONS,
    additionalProperties: {
      type: "object",
      properties: {
        t: count,
        f: count,
        v: {
          type: "object",
          maxProperties: MAX_VARIANTS,
          propertyNames: { pattern: VARIANT_KEY.source },
          additionalProperties: count,
          description: "How often each variant was served, by variant key",
        },
      },
      required: ["t", "f"],
    },
    description:
      "By flag key: how often the flag was true (`t`) and false (`f`), and optionally how often each " +
      "variant was served (`v`)",
  });

export const reportRequest = z
  .object({
    evaluations,
    appName: name.optional(),
    instanceId: name.optional(),
    sdkVersion: name.optional(),
    revision: z
      .int()
      .min(0)
      .optional()
      .openapi({ description: "The revision of the rules that the instance evaluates" }),
  })
  .openapi("Metrics", {
    example: {
      evaluations: {
        "new-checkout": { t: 120, f: 80 },
        "button-colour": { t: 150, f: 50, v: { blue: 90, green: 60, grey: 50 } },
      },
      appName: "web-shop",
      instanceId: "web-shop-7f9c",
      sdkVersion: "node:2.1.0",
      revision: 8,
    },
  });

const environmentId = z.int().positive();

/** How the caller of a service binding describes itself. */
const caller = z.object({
  appName: name.optional(),
  instanceId: name,
  sdkVersion: name.optional(),
});

/** The schema of a request for rules through a service binding. */
export const rulesRequest = z.object({
  environment: environmentId.optional(),
  etag: z.string().optional(),
  since: z.iso.datetime().optional(),
  minRevision: z.int().min(0).optional(),
  caller: caller.optional(),
});

export const bindingReport = z.object({
  environment: environmentId.optional(),
  evaluations,
  caller: caller.optional(),
  revision: z.int().min(0).optional(),
});
