/**
 * Limits of the Workers Paid plan, read in November 2026 from https://developers.cloudflare.com.
 * Each block names its page. Bytes are decimal where the page uses decimal units. The prices are in
 * src/core/platform-usage/prices.ts.
 */

const MILLION = 1_000_000;
const GB = 1_000_000_000;

/**
 * Above this number of log events a day, Cloudflare keeps 1 % of the events for the rest of the
 * day: /workers/observability/logs/workers-logs/.
 */
export const LOG_EVENTS_A_DAY = 5_000 * MILLION;
export const LOG_SAMPLE_BEYOND = 0.01;

/** Limits of D1: /d1/platform/limits/. */
export const D1_DATABASE_BYTES = 10 * GB;
/**
 * The most seconds of work that a database does per second. Cloudflare writes: "Each individual D1
 * database is inherently single-threaded". The same limit applies to each replica.
 */
export const D1_BUSY_SECONDS = 1;

/**
 * The number of D1 replicas: one in each of the regions ENAM, WNAM, WEUR, EEUR, APAC and OC
 * (/d1/best-practices/read-replication/).
 */
export const D1_REPLICAS = 6;

/** Limits of KV: /kv/platform/limits/. */
export const KV_WRITES_A_KEY = 1;
export const KV_VALUE_BYTES = 25 * 1024 * 1024;

/**
 * Limits of Durable Objects: /durable-objects/platform/limits/. An object is single-threaded, and
 * the page says that it takes about 1,000 requests a second.
 */
export const OBJECT_BUSY_SECONDS = 1;
export const OBJECT_REQUESTS_A_SECOND = 1_000;
export const OBJECT_BYTES = 10 * GB;
