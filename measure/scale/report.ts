import { table } from "../../scripts/lib/document.ts";
import { ASSUMPTIONS, SUBSCRIPTION_USD } from "./assumptions.ts";
import { LINE_NAMES, lineCost, LINES, totalOf } from "./bill.ts";
import { limitsOf } from "./limits.ts";
import { type Delivery, type Load, loadOf } from "./model.ts";
import { inWords, type Options } from "./scenario.ts";

const INSTANCES = [1e3, 1e4, 1e5, 1e6, 1e7];
const STREAM_INSTANCES = [1e3, 1e4, 1e5];
const DELIVERIES: readonly (readonly [Delivery, string])[] = [
  ["polling", "polling"],
  ["native", "SDK streams"],
  ["ofrep", "OFREP streams"],
];

const digits = (maximumSignificantDigits: number) =>
  new Intl.NumberFormat("en", { maximumSignificantDigits });
const amount = (value: number) => digits(3).format(value);
const usd = (value: number) => `$${digits(value < 10 ? 2 : 3).format(value)}`;
const percent = (value: number) => `${digits(2).format(value * 100)} %`;

type Row = readonly [name: string, show: (load: Load) => string];

const TRAFFIC: readonly Row[] = [
  ["requests/s", ({ requests }) => amount(requests)],
  ["D1 key checks/s", ({ keyChecks }) => amount(keyChecks)],
  ["D1 builds of rules/s", ({ builds }) => amount(builds)],
];

const LOAD: readonly Row[] = [
  ["isolates", ({ isolates }) => amount(isolates)],
  ["load of the busiest replica", ({ replicaBusy }) => percent(replicaBusy)],
  ["D1 rows written/s", ({ billed }) => amount(billed.rowsWritten)],
  ["usage batches/s", ({ usageBatches }) => amount(usageBatches)],
  ["load of the busiest usage object", ({ usageObjectBusy }) => percent(usageObjectBusy)],
];

const TOTAL: Row = ["**US$ per month**", (load) => `**${usd(totalOf(load))}**`];
const BILL: readonly Row[] = [
  TOTAL,
  ["Subscription", () => usd(SUBSCRIPTION_USD)],
  ...LINE_NAMES.map((name): Row => [LINES[name], (load) => usd(lineCost(load, name))]),
];

const tableOf = (
  columns: readonly (readonly [head: string, load: Load])[],
  rows: readonly Row[],
): string =>
  table(
    ["SDK instances", ...columns.map(([head]) => head)],
    rows.map(([name, show]) => [name, ...columns.map(([, load]) => show(load))]),
  );

const count = (instances: number) =>
  Number.isFinite(instances) ? Number(instances.toPrecision(3)).toLocaleString("en") : "never";

/** Returns the paragraphs of the report, in Markdown. */
export function report(options: Options): string[] {
  const polling = INSTANCES.map(
    (instances) => [count(instances), loadOf({ ...options, instances })] as const,
  );
  const streams = STREAM_INSTANCES.flatMap((instances) =>
    DELIVERIES.map(
      ([delivery, name]) =>
        [`${count(instances)}, ${name}`, loadOf({ ...options, instances }, delivery)] as const,
    ),
  );
  return [
    "### Load and monthly bill",
    `For ${inWords(options)}.`,
    tableOf(polling, [...TRAFFIC, ...LOAD, ...BILL]),
    "### Limits, by the number of polling instances that reaches them",
    table(
      ["instances", "limit of Cloudflare", "what to do"],
      limitsOf(options).map(({ instances, limit: { name, remedy } }) => [
        count(instances),
        name,
        remedy,
      ]),
    ),
    "### Event streams beside polling",
    "For the same environments, flags, changes and usage reports. An event for SDKs has the changed rules. OFREP clients fetch a bulk evaluation after each event.",
    tableOf(streams, [...TRAFFIC, TOTAL]),
    "### Assumptions",
    table(
      ["assumption", "why"],
      Object.values(ASSUMPTIONS).map(({ value, unit, why }) => [`${value} ${unit}`, why]),
    ),
  ];
}
