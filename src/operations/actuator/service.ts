import { ApiError, notFound } from "../../core/errors/api-error.ts";
import { exposition } from "../../core/metrics/exposition.ts";
import { METRIC_FAMILIES } from "../../core/metrics/metric-families.ts";
import { isFamily } from "../../core/metrics/time-series.ts";
import { type Metric, metricOf, type Tag } from "./metric.ts";
import type { ActuatorDeps } from "./ports.ts";

interface Link {
  readonly href: string;
  readonly templated: boolean;
}

/** Returns links to the exposed operational endpoints. `base`: the URL of `/actuator`. */
export function links({ exposed }: ActuatorDeps, base: string): { self: Link } {
  const link = (path: string, templated = false): Link => ({ href: base + path, templated });
  const found = exposed.map((name) => [name, link(`/${name}`)] as const);
  const one = link("/metrics/{requiredMetricName}", true);
  return {
    self: link(""),
    ...Object.fromEntries(found),
    ...(exposed.includes("metrics") && { "metrics-requiredMetricName": one }),
  };
}

export const metricNames = (): string[] => Object.keys(METRIC_FAMILIES).toSorted();

/**
 * Returns one metric. Throws: 404 when the metric does not exist, or no series of the metric has
 * the tags; 503 when a metrics object does not respond.
 */
export async function getMetric(
  deps: ActuatorDeps,
  name: string,
  tags: readonly Tag[],
): Promise<Metric> {
  const metric = isFamily(name) ? metricOf(await totals(deps), name, tags) : undefined;
  if (!metric) throw notFound("The metric does not exist");
  return metric;
}

/**
 * Returns all metrics in the Prometheus text format. Throws: 503 when a metrics object does not
 * respond.
 */
export const exportMetrics = async (deps: ActuatorDeps): Promise<string> =>
  exposition(await totals(deps));

/**
 * Reads the metrics of all isolates. Throws: 503 when a metrics object does not respond, because a
 * sum without its part would make counters decrease and every rate in Prometheus wrong.
 */
async function totals(deps: ActuatorDeps): Promise<ReadonlyMap<string, number>> {
  try {
    return await deps.totals();
  } catch (error) {
    deps.fault("metrics", error);
    throw new ApiError(
      "SERVICE_UNAVAILABLE",
      "The metrics are unavailable at the moment; try again in 5 seconds",
      {
        headers: { "Retry-After": "5" },
      },
    );
  }
}
