/**
 * Prices of the Workers Paid plan, read in November 2026 from https://developers.cloudflare.com.
 * Each block names its page. Bytes are decimal where the page uses decimal units.
 */

const MILLION = 1_000_000;
const GB = 1_000_000_000;

/** A monthly price in US$ per `unit`, beyond the included amount. */
export interface Price {
  readonly included: number;
  readonly unit: number;
  readonly usd: number;
}

/** Returns the monthly cost of an amount in US$, after the included amount. */
export const costOf = ({ included, unit, usd }: Price, amount: number): number =>
  (Math.max(0, amount - included) / unit) * usd;

/** Prices of Workers: /workers/platform/pricing/. */
export const SUBSCRIPTION_USD = 5;
export const WORKER_REQUESTS: Price = { included: 10 * MILLION, unit: MILLION, usd: 0.3 };
export const WORKER_CPU_MS: Price = { included: 30 * MILLION, unit: MILLION, usd: 0.02 };

/**
 * The price of log events: /workers/observability/logs/workers-logs/. From 1 December 2026, logs
 * cost US$ 0.25 per GB instead.
 */
export const LOG_EVENTS: Price = { included: 20 * MILLION, unit: MILLION, usd: 0.6 };

/** Prices of D1: /d1/platform/pricing/. */
export const D1_ROWS_READ: Price = { included: 25_000 * MILLION, unit: MILLION, usd: 0.001 };
export const D1_ROWS_WRITTEN: Price = { included: 50 * MILLION, unit: MILLION, usd: 1 };
export const D1_STORAGE: Price = { included: 5 * GB, unit: GB, usd: 0.75 };

/** Prices of KV: /kv/platform/pricing/. Reads that KV's cache answers are billed as well. */
export const KV_READS: Price = { included: 10 * MILLION, unit: MILLION, usd: 0.5 };
export const KV_WRITES: Price = { included: MILLION, unit: MILLION, usd: 5 };

/**
 * Prices of Queues: /queues/platform/pricing/. Writing, reading and deleting a message each cost
 * one operation per 64 KB.
 */
export const QUEUE_OPERATIONS: Price = { included: MILLION, unit: MILLION, usd: 0.4 };
export const OPERATIONS_A_MESSAGE = 3;

/** Prices of Durable Objects: /durable-objects/platform/pricing/. */
export const OBJECT_REQUESTS: Price = { included: MILLION, unit: MILLION, usd: 0.15 };
export const OBJECT_ROWS_WRITTEN: Price = { included: 50 * MILLION, unit: MILLION, usd: 1 };
export const OBJECT_STORAGE: Price = { included: 5 * GB, unit: GB, usd: 0.2 };
/** The price of GB of memory times the seconds that an object is active. */
export const OBJECT_DURATION: Price = { included: 400_000, unit: MILLION, usd: 12.5 };
export const OBJECT_GB = 0.128;
/**
 * The number of incoming WebSocket messages that are billed as one request. Outgoing messages are
 * free. The page says that automatic responses (`setWebSocketAutoResponse`) are not charged.
 */
export const MESSAGES_A_REQUEST = 20;
/**
 * How long an idle object stays in memory before it hibernates, seconds. The page says that this
 * time is not billed; an earlier version of the page billed it.
 */
export const OBJECT_IDLE_SECONDS = 10;
