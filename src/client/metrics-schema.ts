import { z } from "@hono/zod-openapi";
import { name } from "../http/schema.ts";

/** Limits of decisions 4.6; a count beyond a billion is a mistake of the SDK. */
const MAX_EVALUATIONS = 10_000;
const MAX_COUNT = 1_000_000_000;

/** A body of 10,000 faults needs no answer of 10,000 lines. */
const MAX_FAULTS = 100;

type Evaluations = Readonly<Record<string, { readonly t: number; readonly f: number }>>;

interface Issue {
  readonly path: string[];
  readonly message: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCount = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;

/** By hand, as a schema of records passes over `__proto__`, and takes thrice the time. */
function errorsOfEvaluations(value: unknown): Issue[] {
  if (!isObject(value)) return [{ path: [], message: "must be an object" }];
  const entries = Object.entries(value);
  if (entries.length > MAX_EVALUATIONS)
    return [{ path: [], message: `must have at most ${MAX_EVALUATIONS} entries` }];
  const issues: Issue[] = [];
  for (const [key, counts] of entries) {
    if (!isObject(counts)) issues.push({ path: [key], message: "must be an object" });
    else
      for (const field of ["t", "f"])
        if (!isCount(counts[field]))
          issues.push({
            path: [key, field],
            message: `must be a whole number from 0 to ${MAX_COUNT}`,
          });
    if (issues.length >= MAX_FAULTS) break;
  }
  return issues;
}

const count = { type: "integer", minimum: 0, maximum: MAX_COUNT } as const;

const evaluations = z
  .custom<Evaluations>()
  .superRefine((value, context) => {
    for (const issue of errorsOfEvaluations(value)) context.addIssue({ code: "custom", ...issue });
  })
  .openapi({
    type: "object",
    maxProperties: MAX_EVALUATIONS,
    additionalProperties: {
      type: "object",
      properties: { t: count, f: count },
      required: ["t", "f"],
    },
    description: "By flag key, how often it was true and false",
  });

export const metricsRequest = z
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
      evaluations: { "new-checkout": { t: 120, f: 80 } },
      appName: "web-shop",
      instanceId: "web-shop-7f9c",
      sdkVersion: "node:2.1.0",
      revision: 8,
    },
  });

export const metricsResponse = z
  .object({
    accepted: z.int().openapi({ description: "Entries that are counted" }),
    ignored: z.int().openapi({ description: "Entries of unknown flags" }),
  })
  .openapi("MetricsAccepted", { example: { accepted: 1, ignored: 0 } });
