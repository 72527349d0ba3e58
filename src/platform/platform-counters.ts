import { countersOf, type PlatformCounters } from "../core/platform-usage/counters.ts";
import { readMetricShards } from "./metrics-report.ts";
import { flushSeconds } from "./objects/metrics-shards.ts";

/** Returns the counters of what Cloudflare bills, which are in the metrics objects. */
export function platformCounters(
  env: Env,
  fault: (what: string, error: unknown) => void,
): PlatformCounters {
  const isCounting = flushSeconds(env) > 0;
  return {
    isCounting,
    read: async () => {
      if (!isCounting) return undefined;
      try {
        return (await readMetricShards(env)).map(countersOf);
      } catch (error) {
        fault("metrics", error);
        return undefined;
      }
    },
  };
}
