import { z } from "@hono/zod-openapi";
import { BILL_DAYS } from "../../core/platform-usage/bill.ts";
import { BILLED_COUNTERS, COUNTER_NAMES } from "../../core/platform-usage/counters.ts";
import { SUBSCRIPTION_USD } from "../../core/platform-usage/prices.ts";
import { isoOrNull, timestamp } from "../../http/schema.ts";
import type { PlatformUsage } from "./service.ts";

const UNITS = [...new Set(Object.values(BILLED_COUNTERS).map(({ unit }) => unit))];

const amount = z.int().min(0);
const usd = z.number().min(0);

const line = z.object({
  name: z.enum(COUNTER_NAMES),
  unit: z.enum(UNITS),
  amount: amount.openapi({ description: "The amount of the period" }),
  included: amount.openapi({
    description: "The amount that the Workers Paid plan includes a month",
  }),
  price: z
    .object({ unit: amount, usd })
    .openapi({ description: "The price in US$ of each `unit` beyond the included amount" }),
  usd: usd.openapi({ description: "The cost of the amount beyond the included amount, in US$" }),
  since: timestamp.nullable().openapi({
    description: "The first day of the period with an amount, UTC; null before the first",
  }),
});

export const platformUsageResponse = z
  .object({
    counting: z.boolean().openapi({
      description: "Whether the service counts; false while `METRICS_FLUSH_SECONDS` is 0",
    }),
    days: z
      .int()
      .openapi({ description: "The length of the period in UTC days; the last is today" }),
    readAt: timestamp.nullable().openapi({
      description:
        "When the counters were read. While a metrics object does not respond, this is the last hour",
    }),
    subscriptionUsd: usd.openapi({ description: "The monthly price of the plan in US$" }),
    totalUsd: usd.openapi({
      description:
        "The price of the plan and of all counters in US$. Cloudflare also bills CPU time, storage, " +
        "logs and the time of Durable Objects, which the service does not count",
    }),
    counters: z.array(line),
  })
  .openapi("PlatformUsage", {
    example: {
      counting: true,
      days: BILL_DAYS,
      readAt: "2026-01-02T03:04:05.678Z",
      subscriptionUsd: SUBSCRIPTION_USD,
      totalUsd: 6.5,
      counters: [
        {
          name: "workerRequests",
          unit: "requests",
          amount: 15_000_000,
          included: 10_000_000,
          price: { unit: 1_000_000, usd: 0.3 },
          usd: 1.5,
          since: "2025-12-04T00:00:00.000Z",
        },
      ],
    },
  });

export const toPlatformUsage = ({
  isCounting,
  readAt,
  lines,
}: PlatformUsage): z.infer<typeof platformUsageResponse> => ({
  counting: isCounting,
  days: BILL_DAYS,
  readAt: isoOrNull(readAt ?? null),
  subscriptionUsd: SUBSCRIPTION_USD,
  totalUsd: lines.reduce((sum, { usd: cost }) => sum + cost, SUBSCRIPTION_USD),
  counters: lines.map(({ price: { included, ...price }, since, ...rest }) => ({
    ...rest,
    included,
    price,
    since: isoOrNull(since ?? null),
  })),
});
