import { table } from "../lib/document.ts";
import { type Assumption, ASSUMPTIONS, STREAM_ASSUMPTIONS } from "./assumptions.ts";
import { billOf, totalOf } from "./bill.ts";
import { amount, percent, usd } from "./format.ts";
import { limitsOf, type Met } from "./limits.ts";
import { type Load, loadOf } from "./model.ts";
import { D1_REPLICAS } from "./platform.ts";
import { BILLED, pushTable } from "./push-report.ts";
import { INSTANCES, inWords, type Options, type Scenario } from "./scenario.ts";
import { OUTAGE_SECONDS, stalenessOf } from "./staleness.ts";

const RATES: readonly (readonly [string, (load: Load) => string])[] = [
  ["Worker requests/s", ({ polls, reports }) => amount(polls + reports)],
  ["isolates", ({ isolates }) => amount(isolates)],
  ["D1 key checks/s", ({ keyChecks }) => amount(keyChecks)],
  ["D1 key checks/s per replica", ({ keyChecks }) => amount(keyChecks / D1_REPLICAS)],
  ["D1 builds of rules/s", ({ builds, changes }) => amount(builds + changes)],
  ["load of the busiest replica", ({ replicaBusy }) => percent(replicaBusy)],
  ["D1 rows read/s", ({ rowsRead }) => amount(rowsRead)],
  ["D1 rows written/s", ({ rowsWritten }) => amount(rowsWritten)],
  ["D1 transactions of usage and webhooks/s", ({ transactions }) => amount(transactions)],
  ["load of the primary", ({ primaryBusy }) => percent(primaryBusy)],
  ["database, GB", ({ databaseBytes }) => amount(databaseBytes / 1e9)],
  ["KV reads/s", ({ kvReads }) => amount(kvReads)],
  ["KV writes/s", ({ kvWrites }) => amount(kvWrites)],
  ["usage batches/s", ({ usageBatches }) => amount(usageBatches)],
  ["load of the busiest usage object", ({ usageObjectBusy }) => percent(usageObjectBusy)],
  ["storage of the usage objects, GB", ({ usageObjectBytes }) => amount(usageObjectBytes / 1e9)],
  ["webhook messages/s", ({ webhookMessages }) => amount(webhookMessages)],
  ["queue operations/s", ({ operations }) => amount(operations)],
  ["Durable Object requests/s", ({ objectRequests }) => amount(objectRequests)],
  ["Durable Object rows written/s", ({ objectRowsWritten }) => amount(objectRowsWritten)],
];

/**
 * Returns the table of the load per second, the monthly bill and the staleness, per number of SDK
 * instances.
 */
function loadTable(options: Options): string {
  const scenarios = INSTANCES.map((instances) => ({ ...options, instances }));
  const loads = scenarios.map((each) => loadOf(each));
  const bills = loads.map(billOf);
  const names = bills[0]?.map(({ name }) => name) ?? [];
  return table(
    ["SDK instances", ...INSTANCES.map((instances) => instances.toLocaleString("en"))],
    [
      ...RATES.map(([name, show]) => [name].concat(loads.map(show))),
      ["**US$ per month**", ...bills.map((bill) => `**${usd(totalOf(bill))}**`)],
      ...names.map((name, at) => [name].concat(bills.map((bill) => usd(bill[at]?.usd ?? 0)))),
      ["time until an SDK sees a change, median", ...seconds(scenarios, "median")],
      ["time until an SDK sees a change, worst case", ...seconds(scenarios, "worst")],
      [
        `worst case if the database is down for ${OUTAGE_SECONDS} s`,
        ...seconds(scenarios, "outage"),
      ],
    ],
  );
}

const seconds = (scenarios: readonly Scenario[], of: "median" | "worst" | "outage") =>
  scenarios.map((scenario) => `${amount(stalenessOf(scenario)[of])} s`);

const limitRow = ({ limit, instances }: Met) => [
  instances === Infinity ? "never" : amount(instances),
  `${limit.name}: ${amount(limit.limit)}${limit.unit}`,
  limit.by,
  limit.remedy,
];

const assumptionTable = (assumptions: Readonly<Record<string, Assumption>>) =>
  table(
    ["assumption", "why"],
    Object.values(assumptions).map(({ value, unit, why }) => [`${value} ${unit}`, why]),
  );

/** Returns the whole result of the model as Markdown paragraphs. */
export function report(options: Options): readonly string[] {
  return [
    "### Load and monthly bill",
    `For ${inWords(options)}.`,
    loadTable(options),
    "### Limits, by the number of instances that reaches them",
    table(["instances", "limit", "set by", "what to do"], limitsOf(options).map(limitRow)),
    "### Assumptions",
    assumptionTable(ASSUMPTIONS),
    "### Event streams beside polling",
    'For the same environments, flags, changes and usage reports. "SDK": all instances have a stream ' +
      'for SDKs that evaluate flags themselves, and an event has the changed rules. "OFREP": all have ' +
      "an OFREP stream, and fetch a bulk evaluation after each event.",
    pushTable(options),
    BILLED,
    assumptionTable(STREAM_ASSUMPTIONS),
  ];
}
