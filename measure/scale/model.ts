import { LEAVES } from "../../src/platform/objects/stream-leaves.ts";
import { SAVE_PAUSE, SHARDS } from "../../src/platform/runtime/metrics-shards.ts";
import { ASSUMPTIONS, CODE, OBJECT_GB, ROWS } from "./assumptions.ts";
import { cachedBefore, type EdgeLoad, edgeLoad, rateAfterPause } from "./edge.ts";
import type { Scenario } from "./scenario.ts";
import { distinct, type UsageLoad, usageLoad } from "./usage.ts";

/**
 * How SDKs learn of changes: by polling, over an SDK stream (`native`), or over an OFREP stream.
 */
export type Delivery = "polling" | "native" | "ofrep";

/**
 * The rows that a change writes: one in the hub and two in each leaf (core/stream/hub.ts,
 * core/stream/leaf.ts).
 */
const ROWS_OF_CHANGE = 1 + 2 * LEAVES;

/** The amounts that Cloudflare bills, per second. */
export interface Billed {
  readonly workerRequests: number;
  readonly workerCpuMs: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly kvReads: number;
  readonly kvWrites: number;
  readonly objectRequests: number;
  readonly objectRowsWritten: number;
  /** GB of memory of active Durable Objects. */
  readonly objectDuration: number;
}

/** The load of SDK instances on Cloudflare's platform, as the model computes it. Rates are per second. */
export interface Load extends EdgeLoad, UsageLoad {
  readonly streams: number;
  /** Requests of SDKs: polls, usage reports, connects, and fetches after an event. */
  readonly requests: number;
  readonly billed: Billed;
}

export function loadOf(scenario: Scenario, delivery: Delivery = "polling"): Load {
  const { instances, environments, flags } = scenario;
  const leaves = environments * LEAVES;
  // Limits the streams to the room in the leaves. The other instances poll.
  const streams = delivery === "polling" ? 0 : Math.min(instances, leaves * CODE.streamsPerLeaf);
  const { streamPollSeconds, connectsADay, streamCpuMs, callMs, cpuMs } = ASSUMPTIONS;
  const polls =
    streams / streamPollSeconds.value + (instances - streams) / scenario["poll-seconds"];
  const rare = delivery === "native" ? streams : 0;
  const reports =
    rare / scenario["stream-report-seconds"] + (instances - rare) / scenario["report-seconds"];
  const edge = edgeLoad(scenario, { polls, reports });
  const { isolates, changes } = edge;
  const changeRate = changes / environments;
  const connectRate = connectsADay.value / 86_400;
  const usage = usageLoad(scenario, edge);

  const connects = streams * connectRate;
  const events = streams * changeRate;
  // Counts fetches for OFREP clients only, because the events of SDK streams contain the changed
  // rules. The first fetch in an isolate checks the key and reads KV, and the other fetches wait
  // for it.
  const fetches = delivery === "ofrep" ? events : 0;
  const loads = fetches > 0 ? changes * distinct(isolates, streams / environments) : 0;
  const builds = Math.max(edge.builds, loads * cachedBefore(changeRate));
  const keyChecks = edge.keyChecks + loads + connects;
  const beats = streams / CODE.heartbeatSeconds + events;

  const requests = polls + reports + connects + fetches;
  const metrics =
    isolates * rateAfterPause((requests + beats) / isolates, CODE.metricsFlushSeconds);
  // Counts the hubs that the cron calls again each minute, for five minutes after a change.
  const recent = environments * (1 - Math.exp(-changeRate * 300));
  const notified = streams > 0 ? changes : 0;
  const streamCalls = streams > 0 ? connects + notified * (1 + LEAVES) + recent / 60 : 0;
  const spread = streams / leaves > CODE.burst ? CODE.spreadSeconds : 0;
  const activeObjects =
    SHARDS +
    usage.usageObjects +
    (streamCalls * callMs.value) / 1000 +
    notified * (1 + LEAVES) * spread;
  return {
    ...edge,
    ...usage,
    streams,
    requests,
    keyChecks,
    builds,
    billed: {
      workerRequests: requests,
      workerCpuMs: requests * cpuMs.value + beats * streamCpuMs.value,
      rowsRead:
        usage.usageRowsRead +
        keyChecks * ROWS.keyCheck.read +
        (builds + changes) * flags * ROWS.build.readAFlag +
        changes * ROWS.change.read,
      rowsWritten: usage.usageRowsWritten + changes * ROWS.change.written,
      kvReads: Math.max(edge.kvReads, loads),
      // Counts one write per change: the request that changes the rules writes them to KV.
      kvWrites: changes,
      objectRequests: metrics + usage.usageBatches + streamCalls,
      objectRowsWritten:
        Math.min(metrics, SHARDS / (CODE.metricsFlushSeconds * SAVE_PAUSE)) +
        usage.usageObjectRows +
        notified * ROWS_OF_CHANGE,
      objectDuration: activeObjects * OBJECT_GB,
    },
  };
}
