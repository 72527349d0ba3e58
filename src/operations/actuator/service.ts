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

/** What is exposed, as links below `base`. */
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

/** Errors: 404 for what is no metric, or has no such tags; 503. */
export async function getMetric(
  deps: ActuatorDeps,
  name: string,
  tags: readonly Tag[],
): Promise<Metric> {
  const metric = isFamily(name) ? metricOf(await totals(deps), name, tags) : undefined;
  if (!metric) throw notFound("The metric");
  return metric;
}

/** All metrics in the text format. Errors: 503. */
export const exportMetrics = async (deps: ActuatorDeps): Promise<string> =>
  exposition(await totals(deps));

/** Errors: 503, as counters that fall would be worse than none. */
async function totals(deps: ActuatorDeps): Promise<ReadonlyMap<string, number>> {
  try {
    return await deps.totals();
  } catch (error) {
    deps.fault("metrics", error);
    throw new ApiError("SERVICE_UNAVAILABLE", "The metrics cannot be read at the moment", {
      headers: { "Retry-After": "5" },
    });
  }
}
