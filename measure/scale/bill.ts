import { type Price, PRICES, SUBSCRIPTION_USD } from "./assumptions.ts";
import type { Billed, Load } from "./model.ts";

const MONTH_SECONDS = 30 * 86_400;

export const LINES: Readonly<Record<keyof Billed, string>> = {
  workerRequests: "Worker requests",
  workerCpuMs: "Worker CPU",
  rowsRead: "D1 rows read",
  rowsWritten: "D1 rows written",
  kvReads: "KV reads",
  kvWrites: "KV writes",
  objectRequests: "Durable Object requests",
  objectRowsWritten: "Durable Object rows written",
  objectDuration: "Durable Object time",
};
export const LINE_NAMES = Object.keys(LINES) as (keyof Billed)[];

/** Returns the monthly cost of an amount in US$, after the included amount. */
export const costOf = ({ included, unit, usd }: Price, amount: number): number =>
  (Math.max(0, amount - included) / unit) * usd;

/** Returns the cost of one line for 30 days in US$. */
export const lineCost = ({ billed }: Load, name: keyof Billed): number =>
  costOf(PRICES[name], billed[name] * MONTH_SECONDS);

/** Returns the bill for 30 days in US$, with the subscription. */
export const totalOf = (load: Load): number =>
  LINE_NAMES.reduce((sum, name) => sum + lineCost(load, name), SUBSCRIPTION_USD);
