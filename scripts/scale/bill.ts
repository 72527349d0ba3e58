import { ASSUMPTIONS } from "./assumptions.ts";
import { CODE, MONTH_SECONDS } from "./code.ts";
import type { Load } from "./model.ts";
import * as prices from "./prices.ts";

export interface BillLine {
  readonly name: string;
  readonly usd: number;
}

/** The part of a load that Cloudflare bills. */
export interface Billed extends Pick<
  Load,
  | "invocations"
  | "keptLogEvents"
  | "rowsRead"
  | "rowsWritten"
  | "databaseBytes"
  | "kvReads"
  | "kvWrites"
  | "operations"
  | "objectRequests"
  | "objectRowsWritten"
  | "usageObjects"
  | "usageObjectBytes"
> {
  /** CPU milliseconds per second of open event streams. */
  readonly streamCpuMs?: number;
  /** How many Durable Objects of event streams are active, on average. */
  readonly activeObjects?: number;
}

type Line = readonly [name: string, price: prices.Price, monthlyAmount: (load: Billed) => number];

const rate = (of: (load: Billed) => number) => (load: Billed) => of(load) * MONTH_SECONDS;

const LINES: readonly Line[] = [
  ["Worker requests", prices.WORKER_REQUESTS, rate(({ invocations }) => invocations)],
  [
    "Worker CPU",
    prices.WORKER_CPU_MS,
    rate(({ invocations, streamCpuMs = 0 }) => invocations * ASSUMPTIONS.cpuMs.value + streamCpuMs),
  ],
  ["Worker logs", prices.LOG_EVENTS, rate(({ keptLogEvents }) => keptLogEvents)],
  ["D1 rows read", prices.D1_ROWS_READ, rate(({ rowsRead }) => rowsRead)],
  ["D1 rows written", prices.D1_ROWS_WRITTEN, rate(({ rowsWritten }) => rowsWritten)],
  ["D1 storage", prices.D1_STORAGE, ({ databaseBytes }) => databaseBytes],
  ["KV reads", prices.KV_READS, rate(({ kvReads }) => kvReads)],
  ["KV writes", prices.KV_WRITES, rate(({ kvWrites }) => kvWrites)],
  ["Queue operations", prices.QUEUE_OPERATIONS, rate(({ operations }) => operations)],
  ["Durable Objects", prices.OBJECT_REQUESTS, rate(({ objectRequests }) => objectRequests)],
  [
    "Durable Object rows",
    prices.OBJECT_ROWS_WRITTEN,
    rate(({ objectRowsWritten }) => objectRowsWritten),
  ],
  ["Durable Object storage", prices.OBJECT_STORAGE, ({ usageObjectBytes }) => usageObjectBytes],
  [
    "Durable Object time",
    prices.OBJECT_DURATION,
    rate(
      ({ usageObjects, activeObjects = 0 }) =>
        (CODE.metricsObjects + usageObjects + activeObjects) * prices.OBJECT_GB,
    ),
  ],
];

/** Returns the lines of a bill for 30 days in US$, after the included amounts. */
export const billOf = (load: Billed): readonly BillLine[] => [
  { name: "Subscription", usd: prices.SUBSCRIPTION_USD },
  ...LINES.map(([name, price, amount]) => ({ name, usd: prices.costOf(price, amount(load)) })),
];

export const totalOf = (bill: readonly BillLine[]): number =>
  bill.reduce((sum, { usd }) => sum + usd, 0);
