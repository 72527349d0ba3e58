import { ASSUMPTIONS } from "./assumptions.ts";
import { CODE, MONTH_SECONDS } from "./code.ts";
import type { Load } from "./model.ts";
import * as platform from "./platform.ts";

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
> {
  /** CPU milliseconds per second of open event streams. */
  readonly streamCpuMs?: number;
  /** How many Durable Objects of event streams are active, on average. */
  readonly activeObjects?: number;
}

type Line = readonly [name: string, price: platform.Price, monthlyAmount: (load: Billed) => number];

const rate = (of: (load: Billed) => number) => (load: Billed) => of(load) * MONTH_SECONDS;

const LINES: readonly Line[] = [
  ["Worker requests", platform.WORKER_REQUESTS, rate(({ invocations }) => invocations)],
  [
    "Worker CPU",
    platform.WORKER_CPU_MS,
    rate(({ invocations, streamCpuMs = 0 }) => invocations * ASSUMPTIONS.cpuMs.value + streamCpuMs),
  ],
  ["Worker logs", platform.LOG_EVENTS, rate(({ keptLogEvents }) => keptLogEvents)],
  ["D1 rows read", platform.D1_ROWS_READ, rate(({ rowsRead }) => rowsRead)],
  ["D1 rows written", platform.D1_ROWS_WRITTEN, rate(({ rowsWritten }) => rowsWritten)],
  ["D1 storage", platform.D1_STORAGE, ({ databaseBytes }) => databaseBytes],
  ["KV reads", platform.KV_READS, rate(({ kvReads }) => kvReads)],
  ["KV writes", platform.KV_WRITES, rate(({ kvWrites }) => kvWrites)],
  ["Queue operations", platform.QUEUE_OPERATIONS, rate(({ operations }) => operations)],
  ["Durable Objects", platform.OBJECT_REQUESTS, rate(({ objectRequests }) => objectRequests)],
  [
    "Durable Object rows",
    platform.OBJECT_ROWS_WRITTEN,
    rate(({ objectRowsWritten }) => objectRowsWritten),
  ],
  [
    "Durable Object time",
    platform.OBJECT_DURATION,
    rate(({ activeObjects = 0 }) => (CODE.metricsObjects + activeObjects) * platform.OBJECT_GB),
  ],
];

/** Returns the monthly cost of an amount in US$, after the included amount. */
export const costOf = ({ included, unit, usd }: platform.Price, amount: number) =>
  (Math.max(0, amount - included) / unit) * usd;

/** Returns the lines of a bill for 30 days in US$, after the included amounts. */
export const billOf = (load: Billed): readonly BillLine[] => [
  { name: "Subscription", usd: platform.SUBSCRIPTION_USD },
  ...LINES.map(([name, price, amount]) => ({ name, usd: costOf(price, amount(load)) })),
];

export const totalOf = (bill: readonly BillLine[]): number =>
  bill.reduce((sum, { usd }) => sum + usd, 0);
