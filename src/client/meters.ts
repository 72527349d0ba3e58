import { type CacheMeter, cacheMeter, type WorkMeter } from "../core/metrics/meters.ts";
import type { Counter, Gauge, Metrics } from "../core/metrics/registry.ts";

/** What is told of an isolate's part of the client API. */
export interface EdgeMeters {
  readonly keys: CacheMeter;
  readonly rules: CacheMeter;
  /** Requests that wait for a question to the database which another one asked. */
  readonly pending: Gauge;
  readonly builds: WorkMeter;
  readonly reports: Readonly<Record<"accepted" | "rejected" | "failed", Counter>>;
}

export function edgeMeters(metrics: Metrics): EdgeMeters {
  const report = (result: keyof EdgeMeters["reports"]) =>
    metrics.counter("usage_reports_total", { result });
  return {
    keys: cacheMeter(metrics, "keys"),
    rules: cacheMeter(metrics, "rules"),
    pending: metrics.gauge("db_client_connections", { state: "pending" }),
    builds: buildMeter(metrics),
    reports: {
      accepted: report("accepted"),
      rejected: report("rejected"),
      failed: report("failed"),
    },
  };
}

function buildMeter(metrics: Metrics): WorkMeter {
  const failure = metrics.counter("snapshot_builds_total", { outcome: "failure" });
  return {
    seconds: metrics.histogram("snapshot_build_seconds", {}),
    success: metrics.counter("snapshot_builds_total", { outcome: "success" }),
    failure: () => failure,
  };
}
