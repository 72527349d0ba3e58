import {
  type CacheCounters,
  cacheCounters,
  type WorkInstruments,
} from "../../core/metrics/instruments.ts";
import type { StreamLabel } from "../../core/metrics/metric-families.ts";
import type { Counter, Gauge, MetricsRegistry } from "../../core/metrics/registry.ts";
import type { StreamKind } from "../../core/stream/change.ts";

/** The counters, gauge and histogram that the client API writes to the Prometheus export. */
export interface EdgeMetrics {
  readonly keys: CacheCounters;
  readonly rules: CacheCounters;
  /**
   * The number of requests that wait while another request of the isolate checks the same key or
   * loads the same rules.
   */
  readonly pending: Gauge;
  /** The duration and the outcome of building a snapshot from the database. */
  readonly builds: WorkInstruments;
  /** The counters of usage reports, by their result. */
  readonly reports: Readonly<Record<"accepted" | "rejected" | "failed", Counter>>;
  readonly streams: Readonly<Record<StreamKind, StreamMetrics>>;
}

/** The counters and the gauge of the event streams of one kind. */
export interface StreamMetrics {
  readonly open: Gauge;
  /** The requests to open a stream, by their outcome. */
  readonly connects: Readonly<Record<"opened" | "resumed" | "full" | "unavailable", Counter>>;
  /** The events that were written to streams. */
  readonly events: Counter;
  readonly heartbeats: Counter;
}

/** Returns the metrics of the client API; they are recorded in the given registry. */
export function edgeMetrics(metrics: MetricsRegistry): EdgeMetrics {
  const report = (result: keyof EdgeMetrics["reports"]) =>
    metrics.counter("usage_reports_total", { result });
  return {
    keys: cacheCounters(metrics, "keys"),
    rules: cacheCounters(metrics, "rules"),
    pending: metrics.gauge("db_client_connections", { state: "pending" }),
    builds: buildMetrics(metrics),
    reports: {
      accepted: report("accepted"),
      rejected: report("rejected"),
      failed: report("failed"),
    },
    streams: { native: streamMetrics(metrics, "native"), ofrep: streamMetrics(metrics, "ofrep") },
  };
}

/** Returns the metrics of the event streams of one kind; they are recorded in the given registry. */
export function streamMetrics(metrics: MetricsRegistry, kind: StreamLabel): StreamMetrics {
  const connect = (outcome: keyof StreamMetrics["connects"]) =>
    metrics.counter("stream_connects_total", { kind, outcome });
  return {
    open: metrics.gauge("stream_connections", { kind }),
    connects: {
      opened: connect("opened"),
      resumed: connect("resumed"),
      full: connect("full"),
      unavailable: connect("unavailable"),
    },
    events: metrics.counter("stream_events_total", { kind }),
    heartbeats: metrics.counter("stream_heartbeats_total", { kind }),
  };
}

function buildMetrics(metrics: MetricsRegistry): WorkInstruments {
  const failure = metrics.counter("snapshot_builds_total", { outcome: "failure" });
  return {
    seconds: metrics.histogram("snapshot_build_seconds", {}),
    success: metrics.counter("snapshot_builds_total", { outcome: "success" }),
    failure: () => failure,
  };
}
