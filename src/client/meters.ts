import {
  type CacheCounters,
  cacheCounters,
  type WorkInstruments,
} from "../core/metrics/instruments.ts";
import type { Counter, Gauge, MetricsRegistry } from "../core/metrics/registry.ts";

/** What is told of an isolate's part of the client API. */
export interface EdgeMeters {
  readonly keys: CacheCounters;
  readonly rules: CacheCounters;
  /** Requests that wait for a question to the database which another one asked. */
  readonly pending: Gauge;
  readonly builds: WorkInstruments;
  readonly reports: Readonly<Record<"accepted" | "rejected" | "failed", Counter>>;
}

export function edgeMeters(metrics: MetricsRegistry): EdgeMeters {
  const report = (result: keyof EdgeMeters["reports"]) =>
    metrics.counter("usage_reports_total", { result });
  return {
    keys: cacheCounters(metrics, "keys"),
    rules: cacheCounters(metrics, "rules"),
    pending: metrics.gauge("db_client_connections", { state: "pending" }),
    builds: buildMeter(metrics),
    reports: {
      accepted: report("accepted"),
      rejected: report("rejected"),
      failed: report("failed"),
    },
  };
}

function buildMeter(metrics: MetricsRegistry): WorkInstruments {
  const failure = metrics.counter("snapshot_builds_total", { outcome: "failure" });
  return {
    seconds: metrics.histogram("snapshot_build_seconds", {}),
    success: metrics.counter("snapshot_builds_total", { outcome: "success" }),
    failure: () => failure,
  };
}
