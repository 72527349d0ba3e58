import { z } from "@hono/zod-openapi";
import { EXPOSITION_TYPE } from "../core/metrics/exposition.ts";
import { open } from "../http/access.ts";
import { json } from "../http/contract.ts";
import { headerRefs } from "../http/headers.ts";
import { errors } from "../http/error-contract.ts";
import { Router } from "../http/router.ts";
import { gate, withToken } from "./gate.ts";
import { healthOf } from "./health.ts";
import type { ActuatorEnv } from "./ports.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const actuator = new Router<ActuatorEnv>("Operations");

actuator.use("*", gate);

actuator.endpoint(
  "GET /",
  {
    operationId: "listOperationalEndpoints",
    summary: "List the operational endpoints",
    ...withToken,
    responses: {
      200: json(schema.indexResponse, "Links to the exposed endpoints", "Cache-Control"),
      ...errors(401),
    },
  },
  (c) => {
    const base = new URL("/actuator", c.req.url).href;
    return c.json({ _links: service.links(c.var.actuator, base) }, 200);
  },
);

actuator.endpoint(
  "GET /health",
  {
    operationId: "getHealth",
    summary: "Check the health of the service",
    description: "The result is up to a second old.",
    ...open,
    responses: {
      ...errors(404),
      200: json(schema.healthResponse, "The service is healthy", "Cache-Control"),
      503: json(
        schema.healthResponse,
        "The service is unhealthy, or the database is almost full",
        "Cache-Control",
      ),
    },
  },
  async (c) => {
    const health = await healthOf(c.var.actuator);
    return c.json(health, health.status === "UP" ? 200 : 503);
  },
);

actuator.endpoint(
  "GET /info",
  {
    operationId: "getInfo",
    summary: "Read the name and version of the service",
    ...withToken,
    responses: {
      200: json(
        schema.infoResponse,
        "Name, version and deployment of the service",
        "Cache-Control",
      ),
      ...errors(401, 404),
    },
  },
  (c) => c.json(c.var.actuator.info, 200),
);

actuator.endpoint(
  "GET /metrics",
  {
    operationId: "listMetricNames",
    summary: "List the names of all metrics",
    ...withToken,
    responses: {
      200: json(schema.metricNamesResponse, "The names", "Cache-Control"),
      ...errors(401, 404),
    },
  },
  (c) => c.json({ names: service.metricNames() }, 200),
);

actuator.endpoint(
  "GET /metrics/{name}",
  {
    operationId: "getMetric",
    summary: "Read one metric, summed over all isolates",
    description: "The sums are up to 5 seconds old.",
    ...withToken,
    request: { params: schema.metricParams, query: schema.metricQuery },
    responses: {
      200: json(schema.metricResponse, "The metric", "Cache-Control"),
      ...errors(400, 401, 404),
    },
  },
  async (c) => {
    const { name } = c.req.valid("param");
    const metric = await service.getMetric(c.var.actuator, name, c.req.valid("query").tag);
    return c.json(metric, 200);
  },
);

actuator.endpoint(
  "GET /prometheus",
  {
    operationId: "exportMetrics",
    summary: "Export all metrics in the Prometheus text format, summed over all isolates",
    description: "The sums are up to 5 seconds old.",
    ...withToken,
    responses: {
      200: {
        description: "The metrics in text format 0.0.4",
        headers: headerRefs(["Cache-Control"]),
        content: {
          "text/plain": {
            schema: z.string().openapi({ example: "# TYPE cache_puts_total counter\n" }),
          },
        },
      },
      ...errors(401, 404),
    },
  },
  async (c) => {
    const text = await service.exportMetrics(c.var.actuator);
    return c.text(text, 200, { "Content-Type": EXPOSITION_TYPE });
  },
);
