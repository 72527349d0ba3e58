import { STREAM_KINDS, type StreamKind } from "../../src/core/stream/change.ts";
import { table } from "../lib/document.ts";
import { billOf, totalOf } from "./bill.ts";
import { STREAM_ASSUMPTIONS } from "./assumptions.ts";
import { CODE } from "./code.ts";
import { amount, usd } from "./format.ts";
import { type Load, loadOf } from "./model.ts";
import { MESSAGES_A_REQUEST, OBJECT_IDLE_SECONDS } from "./prices.ts";
import {
  type PushLoad,
  pushLoad,
  type PushStaleness,
  pushStaleness,
  totalIfAllIsBilled,
} from "./push.ts";
import type { Options, Scenario } from "./scenario.ts";
import { type Staleness, stalenessOf } from "./staleness.ts";

const INSTANCES = [1e3, 1e4, 1e5];
const DELIVERIES = ["polling", ...STREAM_KINDS] as const;
const NAMES = { polling: "polling", native: "SDK streams", ofrep: "OFREP streams" } as const;

/** A row: what it shows of polling, and of streams. */
type Row = readonly [
  name: string,
  polling: (scenario: Scenario) => string,
  push: (scenario: Scenario, kind: StreamKind) => string,
];

const NONE = () => "–";

const row = (
  name: string,
  polling: ((load: Load, scenario: Scenario) => number) | undefined,
  push: (load: PushLoad, scenario: Scenario) => number,
  show: (value: number) => string = amount,
): Row => [
  name,
  polling ? (scenario) => show(polling(loadOf(scenario), scenario)) : NONE,
  (scenario, kind) => show(push(pushLoad(scenario, kind), scenario)),
];

const stale = (
  name: string,
  polling: ((staleness: Staleness) => number) | undefined,
  push: (staleness: PushStaleness) => number,
): Row => [
  name,
  polling ? (scenario) => `${amount(polling(stalenessOf(scenario)))} s` : NONE,
  (scenario, kind) => `${amount(push(pushStaleness(scenario, kind)))} s`,
];

const withoutReports = (scenario: Scenario): Scenario => ({ ...scenario, "report-seconds": 0 });

const ROWS: readonly Row[] = [
  row(
    "Worker requests/s",
    ({ polls, reports }) => polls + reports,
    ({ requests }) => requests,
  ),
  row("fetches after events/s", undefined, ({ fetches }) => fetches),
  row("requests of dashboards/s", undefined, ({ dashboards }) => dashboards.requests),
  row("connects/s", undefined, ({ connects }) => connects),
  row("connects/s after a deploy", undefined, (load) => load.connectsAfterDeploy),
  row("of these, to one leaf", undefined, (load) => load.connectsToLeafAfterDeploy),
  row("heartbeats/s", undefined, ({ heartbeats }) => heartbeats),
  row("streams of a leaf", undefined, ({ streamsPerLeaf }) => streamsPerLeaf),
  row("streams of an isolate", undefined, ({ streamsPerIsolate }) => streamsPerIsolate),
  row(
    "D1 key checks/s",
    ({ keyChecks }) => keyChecks,
    ({ keyChecks }) => keyChecks,
  ),
  row(
    "D1 builds of rules/s, by isolates",
    ({ builds }) => builds,
    ({ builds }) => builds,
  ),
  row(
    "KV reads/s",
    ({ kvReads }) => kvReads,
    ({ kvReads }) => kvReads,
  ),
  row(
    "last-seen marks/s of an instance",
    ({ marksSent }, { instances }) => marksSent / instances,
    ({ marksSent }, { instances }) => marksSent / instances,
  ),
  row(
    "Durable Object requests/s",
    ({ objectRequests }) => objectRequests,
    ({ objectRequests }) => objectRequests,
  ),
  row(
    "of these, hubs and leaves of environments",
    undefined,
    ({ streamRequests }) => streamRequests,
  ),
  row(
    "of these, hub and leaves of the project",
    undefined,
    ({ dashboards }) => dashboards.objectRequests,
  ),
  row("hubs and leaves active, on average", undefined, ({ activeObjects = 0 }) => activeObjects),
  row(
    "**US$ per month**",
    (load) => totalOf(billOf(load)),
    (load) => totalOf(billOf(load)),
    usd,
  ),
  [
    "US$ per month without usage reports",
    (scenario) => usd(totalOf(billOf(loadOf(withoutReports(scenario))))),
    (scenario, kind) => usd(totalOf(billOf(pushLoad(withoutReports(scenario), kind)))),
  ],
  [
    "US$ per month if pings and idle objects are billed",
    NONE,
    (scenario, kind) => usd(totalIfAllIsBilled(pushLoad(scenario, kind), scenario)),
  ],
  stale(
    "time until an SDK sees a change, median",
    ({ median }) => median,
    ({ median }) => median,
  ),
  stale(
    "worst case",
    ({ worst }) => worst,
    ({ worst }) => worst,
  ),
  stale("worst case if the connection is cut", undefined, ({ cut }) => cut),
  stale("worst case if a notification or heartbeat is lost", undefined, ({ lost }) => lost),
];

/** Returns the table of event streams beside polling. */
export function pushTable(options: Options): string {
  const columns = INSTANCES.flatMap((instances) =>
    DELIVERIES.map((delivery) => ({ scenario: { ...options, instances }, delivery })),
  );
  return table(
    ["SDK instances"].concat(
      columns.map(
        ({ scenario: { instances }, delivery }) =>
          `${instances.toLocaleString("en")}, ${NAMES[delivery]}`,
      ),
    ),
    ROWS.map(([name, polling, push]) =>
      [name].concat(
        columns.map(({ scenario, delivery }) =>
          delivery === "polling" ? polling(scenario) : push(scenario, delivery),
        ),
      ),
    ),
  );
}

/** What the model counts for streams. */
export const BILLED = [
  "- **Worker**: a connect is one request. The CPU time of a held stream is billed, the time for which it is open is not.",
  `- **WebSocket messages**: outgoing messages are free. ${MESSAGES_A_REQUEST} incoming messages are billed as one request. The only incoming messages are pings, one every ${CODE.heartbeatSeconds} s for each stream. Cloudflare's documentation says that a ping with an automatic response is not charged. This is not verified on a bill, so one row shows the total with pings billed.`,
  `- **Durable Objects**: a change is one request to the hub and one to each of its ${CODE.leaves} leaves. The cron calls the hub again each minute for ${CODE.recentSeconds} s. An object is billed while it works. A leaf with more than ${CODE.burst.toLocaleString("en")} streams works for ${CODE.spreadSeconds} s. Cloudflare's documentation says that an idle object that can hibernate is not billed. The same row bills the ${OBJECT_IDLE_SECONDS} s until the object hibernates.`,
  `- **Fetches**: an event for SDKs has the changed rules, up to ${CODE.eventBytes / 1024} KB, so SDKs fetch nothing after a change of one flag. OFREP clients always fetch. The first fetch in an isolate checks the key and reads KV, and the others wait for it. KV's cache at a location keeps the rules of the previous change for ${CODE.cacheTtlSeconds} s. An isolate that finds them builds the newer rules from D1.`,
  "- **Dashboards** have streams of their own, with a hub and leaves for the project. Each change calls them, whether a dashboard is open or not. After an event, a dashboard fetches what it shows. The columns of polling have neither.",
  `- **Last-seen marks**: a stream of an SDK marks its instance for each event with rules, after ${CODE.streamMarkSeconds} s without one, and at a connect. So the dashboard shows how a change reaches the instances, although they poll every ${STREAM_ASSUMPTIONS.pollSeconds.value} s only. Polls and usage reports mark instances, too. OFREP clients do not name their instance, so neither their streams nor their fetches send a mark.`,
  `- **Deploys** close all streams. The clients connect again after ${CODE.leastRetrySeconds} to ${CODE.mostRetrySeconds} s. Cloudflare's documentation says that one object takes about 1,000 requests a second.`,
  `- **Room**: an environment has room for ${(CODE.leaves * CODE.streamsPerLeaf).toLocaleString("en")} streams (\`STREAMS_PER_LEAF\`). Clients beyond that poll. The model spreads the streams evenly over environments and isolates; how Cloudflare spreads them over isolates is not verified.`,
].join("\n");
