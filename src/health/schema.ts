import { z } from "@hono/zod-openapi";
import { METRIC_FAMILIES } from "../core/metrics/metric-families.ts";

const link = z.object({ href: z.string(), templated: z.boolean() });
const linkExample = (path: string, templated = false) => ({
  href: `https://flags.example.com/actuator${path}`,
  templated,
});

export const indexResponse = z
  .object({
    _links: z.object({
      self: link,
      health: link.optional(),
      info: link.optional(),
      metrics: link.optional(),
      "metrics-requiredMetricName": link.optional(),
      prometheus: link.optional(),
    }),
  })
  .openapi("OperationalEndpoints", {
    example: {
      _links: {
        self: linkExample(""),
        health: linkExample("/health"),
        metrics: linkExample("/metrics"),
        "metrics-requiredMetricName": linkExample("/metrics/{requiredMetricName}", true),
      },
    },
  });

const status = z.enum(["UP", "DOWN"]);
const failing = z.object({ status, details: z.object({ error: z.string() }).optional() });

export const healthResponse = z
  .object({
    status,
    components: z.object({
      db: failing,
      diskSpace: z
        .object({
          status,
          details: z
            .object({
              total: z.int().optional(),
              used: z.int().optional(),
              free: z.int().optional(),
              error: z.string().optional(),
            })
            .optional(),
        })
        .openapi({ description: "The size of the database and its limit, in bytes" }),
      configuration: failing
        .optional()
        .openapi({ description: "Present only when a setting is invalid: says which" }),
    }),
  })
  .openapi("Health", {
    example: {
      status: "UP",
      components: {
        db: { status: "UP" },
        diskSpace: {
          status: "UP",
          details: { total: 10_000_000_000, used: 2_500_000_000, free: 7_500_000_000 },
        },
      },
    },
  });

export const infoResponse = z
  .object({
    name: z.string(),
    version: z.string(),
    deployment: z.object({ id: z.string(), tag: z.string(), timestamp: z.string() }).openapi({
      description: "The Worker version that sent this response, as Cloudflare names it",
    }),
  })
  .openapi("Info", {
    example: {
      name: "feature-flag-service",
      version: "0.1.0",
      deployment: {
        id: "db7cd8d3-4425-4fe7-8c81-01bf963b6067",
        tag: "",
        timestamp: "2026-01-02T03:04:05.678Z",
      },
    },
  });

export const metricNamesResponse = z
  .object({ names: z.array(z.string()) })
  .openapi("MetricNames", { example: { names: Object.keys(METRIC_FAMILIES).slice(0, 2) } });

const EXAMPLE_METRIC = "cache_gets_total";

export const metricParams = z.object({
  name: z.string().openapi({ param: { name: "name", in: "path" }, example: EXAMPLE_METRIC }),
});

const TAG = /^([^:]+):(.*)$/s;
const tag = z.string().regex(TAG, "must be `name:value`");

export const metricQuery = z.object({
  tag: z
    .union([tag, z.array(tag)])
    .optional()
    .transform((given = []) =>
      [given].flat().map((text) => {
        const [, name = "", value = ""] = TAG.exec(text) ?? [];
        return { tag: name, value };
      }),
    )
    .openapi({
      type: "array",
      items: { type: "string" },
      description: "Sum only the series with all these tags, each as `name:value`",
    }),
});

export const metricResponse = z
  .object({
    name: z.string(),
    description: z.string(),
    baseUnit: z.enum(["seconds"]).nullable(),
    measurements: z.array(
      z.object({ statistic: z.enum(["COUNT", "TOTAL_TIME", "VALUE"]), value: z.number() }),
    ),
    availableTags: z.array(z.object({ tag: z.string(), values: z.array(z.string()) })),
  })
  .openapi("Metric", {
    example: {
      name: EXAMPLE_METRIC,
      description: METRIC_FAMILIES[EXAMPLE_METRIC].help,
      baseUnit: null,
      measurements: [{ statistic: "COUNT", value: 1200 }],
      availableTags: [{ tag: "result", values: ["hit", "miss"] }],
    },
  });
