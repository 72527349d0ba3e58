import type { FamilyName } from "../metrics/metric-families.ts";
import { parseSampleKey } from "../metrics/registry.ts";
import * as prices from "./prices.ts";

/** What Cloudflare bills and the service counts itself. */
interface BilledCounter {
  /** What is counted. */
  readonly unit: "requests" | "rows" | "operations" | "keys";
  readonly price: prices.Price;
  /** The metric that counts it. All its time series are added up. */
  readonly family: FamilyName;
  /** The value of the first label, if only the time series with this value count. */
  readonly label?: string;
}

const KV = "edge-store";

/** The billed counters by name, in the order in which users see them. */
export const BILLED_COUNTERS = {
  workerRequests: {
    unit: "requests",
    price: prices.WORKER_REQUESTS,
    family: "worker_invocations_total",
  },
  d1RowsRead: {
    unit: "rows",
    price: prices.D1_ROWS_READ,
    family: "db_client_rows_total",
    label: "read",
  },
  d1RowsWritten: {
    unit: "rows",
    price: prices.D1_ROWS_WRITTEN,
    family: "db_client_rows_total",
    label: "written",
  },
  kvReads: { unit: "keys", price: prices.KV_READS, family: "cache_gets_total", label: KV },
  kvWrites: { unit: "keys", price: prices.KV_WRITES, family: "cache_puts_total", label: KV },
  kvDeletes: { unit: "keys", price: prices.KV_DELETES, family: "cache_evictions_total", label: KV },
  queueOperations: {
    unit: "operations",
    price: prices.QUEUE_OPERATIONS,
    family: "queue_operations_total",
  },
  objectRequests: {
    unit: "requests",
    price: prices.OBJECT_REQUESTS,
    family: "object_requests_total",
  },
  objectRowsWritten: {
    unit: "rows",
    price: prices.OBJECT_ROWS_WRITTEN,
    family: "object_rows_written_total",
  },
} as const satisfies Readonly<Record<string, BilledCounter>>;

export type CounterName = keyof typeof BILLED_COUNTERS;
export const COUNTER_NAMES = Object.keys(BILLED_COUNTERS) as readonly CounterName[];

/** Amounts by billed counter. A missing counter is 0. */
export type Amounts = Readonly<Partial<Record<CounterName, number>>>;

/** Returns the billed counters of a map from each metric sample's key to its value. */
export function countersOf(totals: ReadonlyMap<string, number>): Amounts {
  const amounts: Partial<Record<CounterName, number>> = {};
  for (const [key, n] of totals) {
    const name = counterOf(key);
    if (name) amounts[name] = (amounts[name] ?? 0) + n;
  }
  return amounts;
}

function counterOf(key: string): CounterName | undefined {
  const [family, [label]] = parseSampleKey(key);
  return COUNTER_NAMES.find((name) => {
    const counter: BilledCounter = BILLED_COUNTERS[name];
    return counter.family === family && (counter.label === undefined || counter.label === label);
  });
}

/**
 * Returns how much the billed counters have grown between two readings. A reading has the counters
 * of each metrics object, in the same order. A counter that is lower than before was reset, so all of
 * it has been counted since.
 */
export function increaseOf(before: readonly Amounts[], now: readonly Amounts[]): Amounts {
  const increase: Partial<Record<CounterName, number>> = {};
  for (const name of COUNTER_NAMES)
    increase[name] = now.reduce((sum, { [name]: value = 0 }, object) => {
      const last = before[object]?.[name] ?? 0;
      return sum + (value >= last ? value - last : value);
    }, 0);
  return increase;
}

/** Access to the service's own counters of what Cloudflare bills. */
export interface PlatformCounters {
  /** Whether the service counts. It does not while `METRICS_FLUSH_SECONDS` is 0. */
  readonly isCounting: boolean;
  /**
   * Reads the counters of each metrics object. Undefined while the service does not count, or if a
   * metrics object does not respond; the latter is a fault.
   */
  read(): Promise<readonly Amounts[] | undefined>;
}
