import path from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { ROOT } from "../lib/processes.ts";
import { MAX_WAIT_MS } from "../../src/client/rules/catch-up.ts";
import { DATABASE_TIMEOUT_MS, LEASE_MS, MAX_LEASE_MS } from "../../src/client/keys/leases.ts";
import { MAX_CACHE_BYTES } from "../../src/client/rules/rule-cache.ts";
import { BUILD_TIMEOUT_MS } from "../../src/client/rules/rule-loader.ts";
import { MAX_MARKS } from "../../src/client/usage/last-seen.ts";
import { HEARTBEAT_MS, RETRY_MS } from "../../src/client/stream/event-stream.ts";
import { HEARTBEATS_A_MARK } from "../../src/client/stream/instance-marks.ts";
import { MAX_DELTA_BYTES } from "../../src/core/stream/delta.ts";
import { BURST, SLICES, SPREAD_MS } from "../../src/core/stream/leaf.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/lib/time.ts";
import { MAX_INSTANCES, MIN_MARK_INTERVAL_MS } from "../../src/core/usage/message-types.ts";
import { MAX_INSTANCE_COUNTS, MAX_LIST_LENGTH } from "../../src/core/usage/usage-state.ts";
import { COMPACT_BYTES, MAX_ROW_LENGTH } from "../../src/core/usage/usage-store.ts";
import { KEEP_INSTANCE_HOURS_MS } from "../../src/core/usage/retention.ts";
import { MAX_BATCH_BYTES } from "../../src/client/usage/usage-buffer.ts";
import { RECENT_MS } from "../../src/jobs/streams/notify-recent.ts";
import { CHUNK, MAX_CHUNKS } from "../../src/jobs/sweep.ts";
import { KEEP_APPS_MS, KEEP_HOURS_MS } from "../../src/jobs/usage/sweep.ts";
import { SAVE_FLUSHES } from "../../src/platform/settings.ts";
import { CACHE_TTL_SECONDS } from "../../src/platform/bindings/edge-store.ts";
import { SHARDS, SAVE_PAUSE } from "../../src/platform/objects/metrics-shards.ts";
import { LEAVES } from "../../src/platform/objects/stream-leaves.ts";

interface Config {
  readonly queues: {
    readonly consumers: readonly {
      readonly queue: string;
      readonly max_batch_size: number;
      readonly max_batch_timeout: number;
    }[];
  };
  readonly vars: Readonly<Record<string, string>>;
  readonly observability?: {
    readonly enabled?: boolean;
    readonly head_sampling_rate?: number;
    readonly logs?: { readonly invocation_logs?: boolean };
  };
}

const file = path.join(ROOT, "wrangler.toml");
const config = readConfig({ config: file }, { hideWarnings: true }) as unknown as Config;

/** Returns the share of requests, from 0 to 1, for which Cloudflare writes an invocation log. */
function logSampling({ observability }: Config): number {
  const { enabled = false, head_sampling_rate: rate = 1, logs } = observability ?? {};
  return enabled && logs?.invocation_logs !== false ? rate : 0;
}

/**
 * Reads the batch size and the batch timeout of a queue consumer from wrangler.toml. Throws: an
 * Error when the consumer is missing.
 */
function consumerOf(queue: string) {
  const consumer = config.queues.consumers.find((one) => one.queue.endsWith(queue));
  if (!consumer) throw new Error(`wrangler.toml has no consumer of ${queue}`);
  return { batchSize: consumer.max_batch_size, batchSeconds: consumer.max_batch_timeout };
}

/** Reads a number from `[vars]` of wrangler.toml. Throws: an Error when the variable is missing or no number. */
function variable(name: string): number {
  const value = Number(config.vars[name]);
  if (!Number.isFinite(value))
    throw new Error(`wrangler.toml has no number in the variable ${name}`);
  return value;
}

/** The constants of the code and of wrangler.toml that the model uses, in seconds and bytes. */
export const CODE = {
  leaseSeconds: LEASE_MS / 1000,
  maxLeaseSeconds: MAX_LEASE_MS / 1000,
  databaseBoundSeconds: DATABASE_TIMEOUT_MS / 1000,
  buildBoundSeconds: BUILD_TIMEOUT_MS / 1000,
  cacheTtlSeconds: CACHE_TTL_SECONDS,
  ruleCacheBytes: MAX_CACHE_BYTES,
  marks: MAX_MARKS,
  markSeconds: MIN_MARK_INTERVAL_MS / 1000,
  usageFlushSeconds: variable("USAGE_FLUSH_SECONDS"),
  usageSaveSeconds: SAVE_FLUSHES * variable("USAGE_FLUSH_SECONDS"),
  usageShards: variable("USAGE_SHARDS"),
  batchBytes: MAX_BATCH_BYTES,
  rowBytes: MAX_ROW_LENGTH,
  compactBytes: COMPACT_BYTES,
  listBytes: MAX_LIST_LENGTH,
  instanceCounts: MAX_INSTANCE_COUNTS,
  instancesAnEnvironment: MAX_INSTANCES,
  webhookQueue: consumerOf("-webhooks"),
  /**
   * The most expired rows of one table that one run of the hourly sweep job deletes.
   */
  sweptRowsAnHour: CHUNK * MAX_CHUNKS,
  keptHoursOfFlags: KEEP_HOURS_MS / HOUR_MS,
  keptHoursOfApps: KEEP_APPS_MS / HOUR_MS,
  keptHoursOfInstances: KEEP_INSTANCE_HOURS_MS / HOUR_MS,
  metricsFlushSeconds: variable("METRICS_FLUSH_SECONDS"),
  metricsObjects: SHARDS,
  metricsSaveSeconds: variable("METRICS_FLUSH_SECONDS") * SAVE_PAUSE,
  webhooksAMonth: variable("QUOTA_WEBHOOK_DELIVERIES"),
  logSampling: logSampling(config),
  accessTokenSeconds: variable("SERVICE_JWT_ACCESS_TOKEN_TTL_MINUTES") * 60,
  leaves: LEAVES,
  streamsPerLeaf: variable("STREAMS_PER_LEAF"),
  heartbeatSeconds: HEARTBEAT_MS / 1000,
  /** A stream marks its SDK instance as seen this often. */
  streamMarkSeconds: (HEARTBEAT_MS / 1000) * HEARTBEATS_A_MARK,
  leastRetrySeconds: RETRY_MS.least / 1000,
  mostRetrySeconds: RETRY_MS.most / 1000,
  /** A leaf with more streams than this sends an event to them over `spreadSeconds`. */
  burst: BURST,
  spreadSeconds: (SPREAD_MS / 1000) * (1 - 1 / SLICES),
  eventBytes: MAX_DELTA_BYTES,
  /** The cron notifies the streams of a change each minute for this long. */
  recentSeconds: RECENT_MS / 1000,
  /** The longest time that a request waits for its minimum revision. */
  catchUpSeconds: MAX_WAIT_MS / 1000,
} as const;

export const MONTH_SECONDS = (30 * DAY_MS) / 1000;
export const DAY_SECONDS = DAY_MS / 1000;
export const HOUR_SECONDS = HOUR_MS / 1000;
