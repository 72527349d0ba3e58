import { z } from "@hono/zod-openapi";
import type { ServeInput } from "../../core/strategies/serve.ts";
import { isObject } from "../../core/lib/is-object.ts";
import { TEXT_FIELDS } from "../../core/strategies/strategy.ts";
import { strategyView } from "../../core/strategies/view.ts";
import { constraintResponse, EXAMPLE_CONSTRAINT } from "../../http/constraint-schema.ts";
import {
  booleanText,
  exactText,
  id,
  isoOrNull,
  keyText,
  pathId,
  timestamp,
} from "../../http/schema.ts";
import { constraintsRequest } from "../shared/constraint-request.ts";
import { proposeQuery } from "../shared/propose-query.ts";
import type { StrategyRow } from "../../model/strategies/queries.ts";

/**
 * The limits of a strategy (docs/use/api.md, Limits). MAX_SEGMENTS applies to the strategy itself,
 * and to each of its ordered rules. The lengths of names are in characters.
 */
const MAX_SEGMENTS = 20;
export const MAX_RULES = 50;
const MAX_RULE_NAME = 100;
const MAX_FIELD = 200;
const MAX_HASH_KEY = 128;

const percentage = z.int().min(0).max(100);

/** The schema of a percentage with up to three decimals. */
export const exactPercentage = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => Math.round(value * 1000) / 1000 === value, "must have at most three decimals");

/** Whether weights add up to 100. Counts in thousandths, because sums of decimals are inexact. */
const addUpTo100 = (weights: Weights): boolean =>
  Object.values(weights).reduce((sum, weight) => sum + Math.round(weight * 1000), 0) === 100_000;

type Weights = Readonly<Record<string, number>>;

const messagesOf = (weight: unknown): string[] =>
  exactPercentage.safeParse(weight).error?.issues.map(({ message }) => message) ?? [];

/**
 * The schema of the weights of a split. Does not use `z.record`, which ignores the key `__proto__`.
 * A variant can have this key.
 */
const weights = z
  .custom<Weights>(isObject, "must be an object with the percentage of each variant")
  .superRefine((given, c) => {
    const errors = Object.entries(given).flatMap(([variant, weight]) =>
      messagesOf(weight).map((message) => ({ path: [variant], message })),
    );
    for (const error of errors) c.addIssue({ code: "custom", ...error });
    if (errors.length === 0 && !addUpTo100(given)) c.addIssue("must add up to 100");
  })
  .openapi({
    type: "object",
    additionalProperties: { type: "number", minimum: 0, maximum: 100 },
    description: "The percentage of each variant. A variant that is left out has 0",
  });

/** The schema of what a rule serves. Exactly one of the two fields must be given. */
const serve = z
  .object({
    variant: z.string().optional(),
    weights: weights.optional(),
  })
  .transform((given, c): ServeInput => {
    const { variant, weights: split } = given;
    if (split === undefined && variant !== undefined) return { variant };
    if (split !== undefined && variant === undefined) return { weights: split };
    c.addIssue("must have either variant or weights");
    return z.NEVER;
  })
  .openapi("NewServe", { example: { weights: { blue: 33.333, red: 66.667 } } });

/** A border between positions of ids in a weighted split. */
const position = z.int().min(0).max(100_000);

const EXAMPLE_SERVE = {
  weights: { blue: 33.333, red: 66.667 },
  slots: [
    { from: 0, to: 33_333, variant: "blue" },
    { from: 100_000, to: 33_333, variant: "red" },
  ],
};

/** The schema of what a rule serves in a response. */
const served = z
  .union([
    z.object({ variant: z.string() }),
    z.object({
      weights: z.record(z.string(), z.number()).openapi({
        description: "The percentage of each variant that has more than 0",
      }),
      slots: z
        .array(z.object({ from: position, to: position, variant: z.string() }))
        .readonly()
        .openapi({
          description:
            "The positions of each variant, which lie between `from` and `to`. The variant received those " +
            "next to `from` first, and gives back those next to `to` first; `from` can be the higher one",
        }),
    }),
  ])
  .openapi("Serve", { example: EXAMPLE_SERVE });

/** Returns the schema of the segments of a strategy or rule. A segment may occur twice. */
export function segmentList<T extends z.ZodType>(segment: T) {
  return z
    .array(segment)
    .max(MAX_SEGMENTS, `must have at most ${MAX_SEGMENTS} segments`)
    .transform((list) => [...new Set(list)])
    .optional();
}

/** The schemas of a text that null replaces by a default. `max`: the most characters. */
const text = (max: number, description: string) => ({
  response: z.string().nullable(),
  request: exactText.min(1).max(max).nullable().optional().openapi({ description }),
});

/** The fields that a strategy and each of its ordered rules have in a response and in a request. */
const FIELDS = {
  percentage: {
    response: percentage.openapi({
      description: "The whole part of `exactPercentage`. SDKs without decimals use it",
    }),
    request: percentage.optional(),
  },
  exactPercentage: {
    response: z.number(),
    request: exactPercentage.optional().openapi({
      description:
        "The percentage with up to three decimals. Sets `percentage`, too; if both are given, " +
        "`percentage` must be its whole part",
    }),
  },
  constraints: {
    response: z.array(constraintResponse).readonly(),
    request: constraintsRequest.optional(),
  },
  segmentIds: { response: z.array(id).readonly(), request: segmentList(id) },
  stickiness: text(
    MAX_FIELD,
    "The context field whose value decides who is within the percentage. With null, this is the first of " +
      "`targetingKey`, `userId` and `sessionId` that the context has.",
  ),
  hashKey: text(
    MAX_HASH_KEY,
    "Replaces the flag key in the hash of the roll-out. It keeps the users of an import",
  ),
  serve: { response: served, request: serve.optional() },
  splitKey: text(MAX_HASH_KEY, "Replaces the flag key in the hash of the weighted split"),
  splitStickiness: text(
    MAX_FIELD,
    "The context field that the weighted split hashes. With null, `stickiness`",
  ),
};

/** Returns the schemas of the fields in one direction. */
const schemasOf = <D extends "request" | "response">(direction: D) =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([name, schemas]) => [name, schemas[direction]]),
  ) as { [F in keyof typeof FIELDS]: (typeof FIELDS)[F][D] };

const responseFields = schemasOf("response");
export const activationFields = schemasOf("request");

const ruleResponse = z
  .object({ id: z.string(), name: z.string().nullable(), ...responseFields })
  .openapi("StrategyRule");

interface Percentages {
  readonly percentage?: number | undefined;
  readonly exactPercentage?: number | undefined;
}

/** Rejects a request that gives both percentages if they do not agree. */
export const checkPercentages = (given: Percentages, c: z.RefinementCtx): void => {
  const { percentage: whole, exactPercentage: exact } = given;
  if (whole === undefined || exact === undefined || Math.floor(exact) === whole) return;
  const message = "must have percentage as its whole part";
  c.addIssue({ code: "custom", path: ["exactPercentage"], message });
};

/** The schemas of the fields that only an ordered rule has in a request. */
export const ruleFields = {
  id: z.string().optional().openapi({
    description: "The id of a rule of the strategy. The server assigns the id of a new rule",
  }),
  name: keyText.trim().min(1).max(MAX_RULE_NAME).nullable().optional(),
};

/** Returns the schemas of the fields that change a strategy. `rule`: the name of the schema of a rule. */
export function strategyFields<S extends z.ZodType>(segmentIds: S, rule?: string) {
  const fields = { ...activationFields, segmentIds };
  const ruleRequest = z.object({ ...ruleFields, ...fields }).superRefine(checkPercentages);
  return {
    enabled: z.boolean().optional(),
    ...fields,
    rules: z
      .array(rule === undefined ? ruleRequest : ruleRequest.openapi(rule))
      .max(MAX_RULES, `must have at most ${MAX_RULES} rules`)
      .optional()
      .openapi({ description: "Replaces all ordered rules" }),
  };
}

/** An ordered rule in the examples. */
const EXAMPLE_RULE = {
  name: "Staff",
  exactPercentage: 12.5,
  constraints: [EXAMPLE_CONSTRAINT],
  segmentIds: [],
  serve: { variant: "blue" },
};

const DEFAULTS_OF_EXAMPLES = Object.fromEntries(TEXT_FIELDS.map((field) => [field, null]));

export const EXAMPLE_STRATEGY = {
  flagId: 12,
  environmentId: 3,
  environmentName: "production",
  enabled: true,
  percentage: 50,
  exactPercentage: 50,
  constraints: [EXAMPLE_CONSTRAINT],
  segmentIds: [5],
  ...DEFAULTS_OF_EXAMPLES,
  serve: EXAMPLE_SERVE,
  rules: [{ id: "k3v9x0qa2b", percentage: 12, ...EXAMPLE_RULE, ...DEFAULTS_OF_EXAMPLES }],
  version: 2,
  updatedAt: "2026-01-02T03:04:05.678Z",
};

export const strategyResponse = z
  .object({
    flagId: id,
    environmentId: id,
    environmentName: z.string(),
    enabled: z.boolean(),
    ...responseFields,
    rules: z.array(ruleResponse).readonly().openapi({
      description: "The rules that are tried in order before the strategy's own fields",
    }),
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
  ...strategyView(row.content, row.flag.variants),
  version: row.version,
  updatedAt: isoOrNull(row.updatedAt),
});

export const setStrategyResponse = z
  .object({
    ...strategyResponse.shape,
    moves: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .openapi({
        description:
          "Only with `dryRun=true`: the share of users who get another variant, 0 to 1. An upper bound if " +
          "rules have constraints or segments. Ignores the prerequisites of the flag",
      }),
  })
  .openapi("SetStrategyResult", { example: { ...EXAMPLE_STRATEGY, moves: 0.16 } });

export const setStrategyQuery = z.object({
  dryRun: booleanText.optional().openapi({
    description:
      "true: check the change, return the strategy as it would be with `moves`, and write nothing. " +
      "`version`, `updatedAt` and `ETag` are those of the current strategy",
  }),
  ...proposeQuery,
});

export const setStrategyRequest = z
  .object({ environmentId: id, ...strategyFields(activationFields.segmentIds, "NewStrategyRule") })
  .superRefine(checkPercentages)
  .openapi("SetStrategy", {
    example: {
      environmentId: 3,
      enabled: true,
      percentage: 50,
      constraints: [EXAMPLE_CONSTRAINT],
      segmentIds: [5],
      serve: { weights: { blue: 33.333, red: 66.667 } },
      rules: [EXAMPLE_RULE],
    },
  });

const flagId = pathId("flagId");
const environmentId = pathId("environmentId");

export const flagParams = z.object({ flagId });
export const strategyParams = z.object({ flagId, environmentId });
