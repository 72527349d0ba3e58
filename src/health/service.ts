import { ApiError, notFound } from "../core/errors/api-error.ts";
import { exposition } from "../core/metrics/exposition.ts";
import { METRIC_FAMILIES } from "../core/metrics/metric-families.ts";
import { isFamily } from "../core/metrics/time-series.ts";
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
 * the tags; 503 when the metrics cannot be read.
 */
export async function getMetric(
  deps: ActuatorDeps,
  name: string,
  tags: readonly Tag[],
): Promise<Metric> {
  const metric = isFamily(name) ? metricOf(await totals(deps), name, tags) : undefined;
  if (!metric) throw notFound("The metric does not exist, or has no series with these tags");
  return metric;
}

/** Returns all metrics in the Prometheus text format. Throws: 503 when the metrics cannot be read. */
export const exportMetrics = async (deps: ActuatorDeps): Promise<string> =>
  exposition(await totals(deps));

/**
 * Returns the metrics of all isolates, which are up to 5 seconds old. Throws: 503 when a Durable Object that stores a part of the
 * metrics does not respond. A sum without this part would be too low, and counters must not
 * decrease.
 */
async function totals(deps: ActuatorDeps): Promise<ReadonlyMap<string, number>> {
  try {
    return await deps.cache.totals.get(deps, () => deps.totals());
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
