import { z } from "@hono/zod-openapi";
import { type Counts, type Period, type Point, totalsOf } from "../../core/insights/series.ts";
import { MAX_NAME } from "../../core/usage/message-types.ts";
import { firstMoment, lastMoment } from "../../http/period.ts";
import { id, idText, iso, isoOrNull, timestamp } from "../../http/schema.ts";
import type { EnvironmentMetrics, FlagMetrics } from "./service.ts";

const interval = z.enum(["hour", "day"]);
const reporter = z.string().min(1).max(MAX_NAME).optional();

const period = {
  from: firstMoment.openapi({
    description:
      "The first moment, inclusive; a plain date is its start, UTC. Without it 24 hours before " +
      "`to`, or 30 days by the day. Hours are kept 90 days, days 2 years.",
  }),
  to: lastMoment.openapi({
    description: "The last moment, inclusive; a plain date is its end, UTC. Without it now.",
  }),
  interval: interval
    .optional()
    .openapi({ description: "Without it `hour` for up to 7 days, else `day`" }),
};

export const flagMetricsQuery = z.object({
  environmentId: idText
    .optional()
    .openapi({ description: "Without it all environments of the flag's project together" }),
  instanceId: reporter.openapi({
    description: "Only what this SDK instance reported; kept 7 days",
  }),
  appName: reporter.openapi({
    description: "Only what instances of this application reported; kept 7 days",
  }),
  ...period,
});

export const metricsQuery = z.object({ environmentId: idText, ...period });

const count = z.int().min(0);
const counts = { t: count, f: count };

const series = {
  from: timestamp,
  to: timestamp,
  interval,
  totals: z.object(counts).openapi({ description: "How often true and false: sums of the series" }),
  series: z.array(z.object({ at: timestamp, ...counts })).openapi({
    description: "A point for each whole hour or day, UTC, that the period touches; `at` begins it",
  }),
};

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
const toSeries = (told: { readonly period: Period; readonly series: readonly Point[] }) => ({
  from: iso(told.period.from),
  to: iso(told.period.to),
  interval: told.period.interval,
  totals: toCounts(totalsOf(told.series)),
  series: told.series.map(({ at, t, f }) => ({ at: iso(at), t, f })),
});

export const flagMetricsResponse = z
  .object({ flagId: id, environmentId: id.nullable(), ...series })
  .openapi("FlagMetrics", { example: { flagId: 12, environmentId: 3, ...EXAMPLE_SERIES } });

export const toFlagMetrics = (metrics: FlagMetrics): z.infer<typeof flagMetricsResponse> => ({
  flagId: metrics.flagId,
  environmentId: metrics.environmentId ?? null,
  ...toSeries(metrics),
});

const flag = { flagId: id, key: z.string(), name: z.string() };
const EXAMPLE_FLAG = { flagId: 12, key: "new-checkout", name: "New checkout" };
const AT = "2026-01-02T03:04:05.678Z";

export const metricsResponse = z
  .object({
    environmentId: id,
    ...series,
    mostEvaluated: z
      .array(z.object({ ...flag, ...counts }))
      .openapi({ description: "The 10 most often evaluated flags of the period" }),
    neverEvaluated: z.array(z.object({ ...flag, createdAt: timestamp })).openapi({
      description: "Flags never evaluated here, as far as is remembered; 100, oldest first",
    }),
    neverEvaluatedTotal: count,
    staleFlags: z
      .array(z.object({ ...flag, createdAt: timestamp, lastUsedAt: timestamp.nullable() }))
      .openapi({ description: "Flags that should be removed; 100, oldest first" }),
    staleTotal: count,
  })
  .openapi("EnvironmentMetrics", {
    example: {
      environmentId: 3,
      ...EXAMPLE_SERIES,
      mostEvaluated: [{ ...EXAMPLE_FLAG, ...EXAMPLE_SERIES.totals }],
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

export const toMetrics = (metrics: EnvironmentMetrics): z.infer<typeof metricsResponse> => ({
  environmentId: metrics.environmentId,
  ...toSeries(metrics),
  mostEvaluated: metrics.mostEvaluated.map((row) => ({ ...toNamed(row), ...toCounts(row) })),
  neverEvaluated: metrics.neverEvaluated.map((row) => ({
    ...toNamed(row),
    createdAt: iso(row.createdAt),
  })),
  neverEvaluatedTotal: metrics.neverEvaluated[0]?.total ?? 0,
  staleFlags: metrics.staleFlags.map((row) => ({
    ...toNamed(row),
    createdAt: iso(row.createdAt),
    lastUsedAt: isoOrNull(row.lastUsedAt),
  })),
  staleTotal: metrics.staleFlags[0]?.total ?? 0,
});
