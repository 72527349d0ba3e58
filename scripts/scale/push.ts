import type { StreamKind } from "../../src/core/stream/change.ts";
import { ASSUMPTIONS, STREAM_ASSUMPTIONS } from "./assumptions.ts";
import { type Billed, billOf, totalOf } from "./bill.ts";
import { CODE, DAY_SECONDS, HOUR_SECONDS } from "./code.ts";
import { CRON_SECONDS, type DashboardLoad, dashboardLoad } from "./dashboards.ts";
import { cachedBefore } from "./edge.ts";
import { loadOf, logOf, metricsFlushes, metricsRows } from "./model.ts";
import { MESSAGES_A_REQUEST, OBJECT_IDLE_SECONDS } from "./prices.ts";
import { ROWS } from "./rows.ts";
import type { Scenario } from "./scenario.ts";
import { distinct, NO_STREAMS } from "./usage.ts";

/** The load of SDK instances that hold an event stream. Rates are per second. */
export interface PushLoad extends Billed {
  /** Instances with an open stream. The leaves have no room for the others, which poll. */
  readonly streams: number;
  readonly streamsPerLeaf: number;
  readonly streamsPerIsolate: number;
  /** Requests of SDKs: polls, usage reports, connects, and fetches after an event. */
  readonly requests: number;
  /** Requests of SDKs that fetch a change because of an event. */
  readonly fetches: number;
  readonly connects: number;
  /** Connects per second when a deploy has closed all streams. */
  readonly connectsAfterDeploy: number;
  readonly connectsToLeafAfterDeploy: number;
  readonly heartbeats: number;
  /** Last-seen marks of SDK instances that isolates send. */
  readonly marksSent: number;
  readonly keyChecks: number;
  readonly builds: number;
  /** Requests to the hubs and leaves of environments. */
  readonly streamRequests: number;
  readonly dashboards: DashboardLoad;
}

/** The rows that a hub and a leaf write for a change (core/stream/hub.ts, core/stream/leaf.ts). */
const HUB_ROWS = 1;
const LEAF_ROWS = 2;

const { pollSeconds, silentSeconds, connectsADay, streamCpuMs, callMs } = STREAM_ASSUMPTIONS;
const { pathSeconds, worstPathSeconds, fetchSeconds } = STREAM_ASSUMPTIONS;

const leavesOf = ({ environments }: Scenario) => environments * CODE.leaves;

const streamsOf = (scenario: Scenario) =>
  Math.min(scenario.instances, leavesOf(scenario) * CODE.streamsPerLeaf);

/** Returns for how long a leaf sends one event to its streams, seconds. */
const spreadOf = (scenario: Scenario) =>
  streamsOf(scenario) / leavesOf(scenario) > CODE.burst ? CODE.spreadSeconds : 0;

/** Whether clients fetch a change after its event. The other events have the changed rule. */
const fetchesChange = (kind: StreamKind) => kind === "ofrep";

/** Whether a stream marks its SDK instance as seen. OFREP clients do not name their instance. */
const marksInstances = (kind: StreamKind) => kind === "native";

/**
 * Returns how often per second a stream marks its instance because nothing has changed for
 * `streamMarkSeconds`. Changes are random (Poisson), `changeRate` per second.
 */
const idleMarks = (changeRate: number): number =>
  changeRate === 0
    ? 1 / CODE.streamMarkSeconds
    : changeRate / Math.expm1(changeRate * CODE.streamMarkSeconds);

export function pushLoad(scenario: Scenario, kind: StreamKind): PushLoad {
  const { instances, environments, flags } = scenario;
  const streams = streamsOf(scenario);
  const pollRate = streams / pollSeconds.value + (instances - streams) / scenario["poll-seconds"];
  const changeRate = scenario["changes-per-hour"] / HOUR_SECONDS;
  const events = changeRate * streams;
  const connects = (streams * connectsADay.value) / DAY_SECONDS;
  const marking = marksInstances(kind)
    ? {
        share: streams / instances,
        marks: connectsADay.value / DAY_SECONDS + idleMarks(changeRate),
      }
    : NO_STREAMS;
  const base = loadOf({ ...scenario, "poll-seconds": instances / pollRate }, marking);
  const { isolates, changes } = base;

  const connectsAfterDeploy = streams / (CODE.mostRetrySeconds - CODE.leastRetrySeconds);
  const fetches = fetchesChange(kind) ? events : 0;
  const heartbeats = streams / CODE.heartbeatSeconds;
  const dashboards = dashboardLoad(changes, flags);
  const invocations = base.invocations + fetches + connects + dashboards.requests;

  // After an event, the first fetch in an isolate checks the API key and reads KV, and the others
  // wait for it. The polls of the isolate then find the rules in memory.
  const loads = fetches > 0 ? changes * distinct(isolates, streams / environments) : 0;
  const builds = Math.max(base.builds, loads * cachedBefore(changeRate));
  const keyChecks = base.keyChecks + loads + connects;

  const flushes = metricsFlushes(isolates, invocations + heartbeats + events);
  const beats = heartbeats + events + dashboards.heartbeats + dashboards.events;
  const recentlyChanged = environments * (1 - Math.exp(-changeRate * CODE.recentSeconds));
  const streamRequests = connects + changes * (1 + CODE.leaves) + recentlyChanged / CRON_SECONDS;
  const objectRequests = streamRequests + dashboards.objectRequests;
  // The hub and the leaves of an environment, and those of the project.
  const notified = changes * 2;
  return {
    ...base,
    ...logOf(scenario, invocations),
    streams,
    streamsPerLeaf: streams / leavesOf(scenario),
    streamsPerIsolate: streams / isolates,
    requests: base.polls + base.reports + fetches + connects,
    fetches,
    connects,
    connectsAfterDeploy,
    connectsToLeafAfterDeploy: connectsAfterDeploy / leavesOf(scenario),
    heartbeats,
    invocations,
    keyChecks,
    builds,
    kvReads: Math.max(base.kvReads, loads),
    rowsRead:
      base.rowsRead +
      (keyChecks - base.keyChecks) * ROWS.keyCheck.read +
      (builds - base.builds) * flags * ROWS.build.readAFlag +
      dashboards.rowsRead,
    objectRequests: flushes + objectRequests,
    streamRequests,
    dashboards,
    objectRowsWritten:
      metricsRows(flushes) + base.usageObjectRows + notified * (HUB_ROWS + CODE.leaves * LEAF_ROWS),
    streamCpuMs: beats * streamCpuMs.value,
    activeObjects:
      (objectRequests * callMs.value) / 1000 + changes * (1 + CODE.leaves) * spreadOf(scenario),
  };
}

/**
 * Returns the total of the bill in US$ if Cloudflare also bills what its documentation says is free:
 * automatic responses, and the time of idle objects until they hibernate.
 */
export function totalIfAllIsBilled(load: PushLoad, scenario: Scenario): number {
  const { objectRequests, dashboards, activeObjects = 0 } = load;
  const heartbeats = load.heartbeats + dashboards.heartbeats;
  const streamRequests = load.streamRequests + dashboards.objectRequests;
  const objects = (scenario.environments + 1) * (1 + CODE.leaves);
  return totalOf(
    billOf({
      ...load,
      objectRequests: objectRequests + heartbeats / MESSAGES_A_REQUEST,
      activeObjects: Math.min(objects, activeObjects + streamRequests * OBJECT_IDLE_SECONDS),
    }),
  );
}

/** The seconds from a commit until a client with an open stream has the change. */
export interface PushStaleness {
  readonly median: number;
  /** The worst case while no connection and no notification is lost. */
  readonly worst: number;
  /** The worst case when the connection is cut right before the event, for example by a deploy. */
  readonly cut: number;
  /** The worst case when a notification is lost, or a connection is dead and nobody notices. */
  readonly lost: number;
}

export function pushStaleness(scenario: Scenario, kind: StreamKind): PushStaleness {
  const published = ASSUMPTIONS.publishSeconds.value;
  const spread = spreadOf(scenario);
  const [fetch, worstFetch] = fetchesChange(kind)
    ? [fetchSeconds.value, CODE.catchUpSeconds]
    : [0, 0];
  const worst = published + worstPathSeconds.value + spread + worstFetch;
  const { mostRetrySeconds } = CODE;
  return {
    median: published + pathSeconds.value + spread / 2 + fetch,
    worst,
    cut: worst + mostRetrySeconds,
    lost: worst + Math.max(CRON_SECONDS, silentSeconds.value + mostRetrySeconds),
  };
}
