import { z } from "@hono/zod-openapi";
import { type Counts, type Period, totalsOf, variantTotalsOf } from "../../core/insights/series.ts";
import { MAX_NAME } from "../../core/usage/message-types.ts";
import { firstMoment, lastMoment } from "../../http/period.ts";
import { id, idText, iso, isoOrNull, timestamp } from "../../http/schema.ts";
import type { EnvironmentInsights, FlagInsights, UsageOfFlags } from "./service.ts";

const interval = z.enum(["hour", "day"]);
const reporter = z.string().min(1).max(MAX_NAME).optional();

const period = {
  from: firstMoment.openapi({
    description:
      "Start of the period, inclusive. A date without a time means the start of that day (UTC). " +
      "Default: 24 hours before `to`, or 30 days with `interval=day`. Hours are kept for 90 days, " +
      "days for 2 years.",
  }),
  to: lastMoment.openapi({
    description:
      "End of the period, inclusive. A date without a time means the end of that day (UTC). Default: now.",
  }),
  interval: interval
    .optional()
    .openapi({ description: "Default: `hour` for periods of up to 7 days, otherwise `day`" }),
};

export const flagInsightsQuery = z.object({
  environmentId: idText
    .optional()
    .openapi({ description: "Default: all environments of the flag's project together" }),
  instanceId: reporter.openapi({
    description:
      "Count only reports of this SDK instance; kept for 48 hours. Reports with a `FRONTEND` key " +
      "have no instance",
  }),
  appName: reporter.openapi({
    description:
      "Count only reports of this application, also those with a `FRONTEND` key; kept for 30 days, " +
      "or for 48 hours with `instanceId`. " +
      "Reports without an instance keep 50 application names an environment; further ones count as " +
      "`other`",
  }),
  ...period,
});

export const environmentInsightsQuery = z.object({ environmentId: idText, ...period });

/** The most flags in one request for the usage of flags. */
const MAX_FLAGS = 200;

export const usageOfFlagsQuery = z.object({
  environmentId: idText,
  flagIds: z
    .string()
    .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/, "must be ids of flags, separated by commas")
    .transform((text) => text.split(",").map(Number))
    .pipe(z.array(id).max(MAX_FLAGS, `must have at most ${MAX_FLAGS} ids`))
    .openapi({
      type: "string",
      example: "12,13",
      description: `The ids of up to ${MAX_FLAGS} flags, separated by commas`,
    }),
  from: period.from,
  to: period.to,
});

const count = z.int().min(0);
const counts = { t: count, f: count };

/** The fields of a series. `more`: further counts in the totals and in every point. */
const seriesWith = <More extends z.ZodRawShape>(more: More) => ({
  from: timestamp,
  to: timestamp,
  interval,
  totals: z.object({ ...counts, ...more }).openapi({
    description: "How often the result was true (`t`) and false (`f`): the sums of the series",
  }),
  series: z.array(z.object({ at: timestamp, ...counts, ...more })).openapi({
    description: "One point for each hour or day (UTC) that overlaps the period; `at` is its start",
  }),
});

const EXAMPLE_SERIES = {
  from: "2026-01-02T01:30:00.000Z",
  to: "2026-01-02T02:15:00.000Z",
  interval: "hour",
  totals: { t: 1520, f: 80 },
  series: [
    { at: "2026-01-02T01:00:00.000Z", t: 1520, f: 80 },
    { at: "2026-01-02T02:00:00.000Z", t: 0, f: 0 },
  ],
};

const toCounts = ({ t, f }: Counts) => ({ t, f });
const toPeriod = (data: { readonly period: Period }) => ({
  from: iso(data.period.from),
  to: iso(data.period.to),
  interval: data.period.interval,
});

const variants = z
  .record(z.string(), count)
  .optional()
  .openapi({
    description:
      "How often each variant was served, by variant key. Only variants that were reported are " +
      "listed. Absent for a boolean flag without reported variants",
  });

export const flagInsightsResponse = z
  .object({ flagId: id, environmentId: id.nullable(), ...seriesWith({ variants }) })
  .openapi("FlagMetrics", {
    example: {
      flagId: 12,
      environmentId: 3,
      ...EXAMPLE_SERIES,
      totals: { ...EXAMPLE_SERIES.totals, variants: { blue: 900, green: 620, grey: 80 } },
      series: [
        { ...EXAMPLE_SERIES.series[0], variants: { blue: 900, green: 620, grey: 80 } },
        { ...EXAMPLE_SERIES.series[1], variants: {} },
      ],
    },
  });

export function toFlagInsights(data: FlagInsights): z.infer<typeof flagInsightsResponse> {
  const { flagId, environmentId = null, isMultivariate, series } = data;
  const sums = variantTotalsOf(series.map((point) => point.variants));
  const hasVariants = isMultivariate || Object.keys(sums).length > 0;
  return {
    flagId,
    environmentId,
    ...toPeriod(data),
    totals: { ...totalsOf(series), variants: hasVariants ? sums : undefined },
    series: series.map(({ at, t, f, variants: served }) => ({
      at: iso(at),
      t,
      f,
      variants: hasVariants ? served : undefined,
    })),
  };
}

export const usageOfFlagsResponse = z
  .object({
    environmentId: id,
    from: timestamp,
    to: timestamp,
    flags: z
      .array(
        z.object({
          flagId: id,
          t: z.array(count).openapi({ description: "How often the flag was true, per day (UTC)" }),
          f: z.array(count).openapi({ description: "How often the flag was false, per day (UTC)" }),
        }),
      )
      .openapi({ description: "The flags with evaluations in the period" }),
  })
  .openapi("UsageOfFlags", {
    example: {
      environmentId: 3,
      from: "2026-01-01T00:00:00.000Z",
      to: "2026-01-02T02:15:00.000Z",
      flags: [{ flagId: 12, t: [1520, 310], f: [80, 0] }],
    },
  });

export const toUsageOfFlags = (data: UsageOfFlags): z.infer<typeof usageOfFlagsResponse> => ({
  environmentId: data.environmentId,
  from: iso(data.period.from),
  to: iso(data.period.to),
  flags: data.flags.map(({ flagId, series }) => ({
    flagId,
    t: series.map(({ t }) => t),
    f: series.map(({ f }) => f),
  })),
});

const ofBooleanFlags = z.object(counts).openapi({
  description:
    "The part of `t` and `f` that is of boolean flags. In the rest, `t` and `f` count whether a flag " +
    "with variants was on.",
});
const EXAMPLE_BOOLEAN = { t: 1000, f: 80 };

const flag = { flagId: id, key: z.string(), name: z.string() };
const EXAMPLE_FLAG = { flagId: 12, key: "new-checkout", name: "New checkout" };
const AT = "2026-01-02T03:04:05.678Z";

export const environmentInsightsResponse = z
  .object({
    environmentId: id,
    ...seriesWith({ boolean: ofBooleanFlags }),
    reportSeconds: count.openapi({
      description:
        "How often SDKs with an open event stream report usage, seconds. The newest numbers may be " +
        "that old.",
    }),
    mostEvaluated: z
      .array(
        z.object({
          ...flag,
          ...counts,
          variants: z
            .array(z.object({ key: z.string(), n: count }))
            .nullable()
            .openapi({
              description:
                "How often each variant was served: those of the flag in its order, then those that it no " +
                "longer has. Null for a boolean flag",
            }),
        }),
      )
      .openapi({ description: "The 10 flags with the most evaluations in the period" }),
    neverEvaluated: z.array(z.object({ ...flag, createdAt: timestamp })).openapi({
      description:
        "Flags without a recorded evaluation in this environment; at most 100, oldest first",
    }),
    neverEvaluatedTotal: count,
    staleFlags: z
      .array(z.object({ ...flag, createdAt: timestamp, lastUsedAt: timestamp.nullable() }))
      .openapi({ description: "Stale flags, which should be removed; at most 100, oldest first" }),
    staleTotal: count,
  })
  .openapi("EnvironmentMetrics", {
    example: {
      environmentId: 3,
      ...EXAMPLE_SERIES,
      totals: { ...EXAMPLE_SERIES.totals, boolean: EXAMPLE_BOOLEAN },
      series: [
        { ...EXAMPLE_SERIES.series[0], boolean: EXAMPLE_BOOLEAN },
        { ...EXAMPLE_SERIES.series[1], boolean: { t: 0, f: 0 } },
      ],
      reportSeconds: 300,
      mostEvaluated: [{ ...EXAMPLE_FLAG, ...EXAMPLE_BOOLEAN, variants: null }],
      neverEvaluated: [{ flagId: 13, key: "old-search", name: "Old search", createdAt: AT }],
      neverEvaluatedTotal: 1,
      staleFlags: [{ ...EXAMPLE_FLAG, createdAt: AT, lastUsedAt: AT }],
      staleTotal: 1,
    },
  });

const toNamed = (row: {
  readonly flagId: number;
  readonly key: string;
  readonly name: string;
}) => ({
  flagId: row.flagId,
  key: row.key,
  name: row.name,
});

export const toEnvironmentInsights = (
  data: EnvironmentInsights,
): z.infer<typeof environmentInsightsResponse> => ({
  environmentId: data.environmentId,
  ...toPeriod(data),
  totals: {
    ...totalsOf(data.series),
    boolean: totalsOf(data.series.map((point) => point.boolean)),
  },
  series: data.series.map(({ at, t, f, boolean }) => ({ at: iso(at), t, f, boolean })),
  reportSeconds: data.reportSeconds,
  mostEvaluated: data.mostEvaluated.map((row) => ({
    ...toNamed(row),
    ...toCounts(row),
    variants: row.served,
  })),
  neverEvaluated: data.neverEvaluated.map((row) => ({
    ...toNamed(row),
    createdAt: iso(row.createdAt),
  })),
  neverEvaluatedTotal: data.neverEvaluated[0]?.total ?? 0,
  staleFlags: data.staleFlags.map((row) => ({
    ...toNamed(row),
    createdAt: iso(row.createdAt),
    lastUsedAt: isoOrNull(row.lastUsedAt),
  })),
  staleTotal: data.staleFlags[0]?.total ?? 0,
});
