import {
  createExecutionContext,
  createScheduledController,
  evictDurableObject,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sampleKey } from "../../../src/core/metrics/registry.ts";
import { DAY_MS, startOfDay } from "../../../src/core/lib/time.ts";
import worker from "../../../src/worker.ts";
import { callWith, intercept } from "../support/call-with.ts";
import { person } from "../support/people.ts";

const OPERATIONS = sampleKey("queue_operations_total", ["usage"], "");
const COUNTING = { METRICS_FLUSH_SECONDS: "0.001" };
const shard = (n: number) => env.METRICS.getByName(`shard-${n}`);
/** Noon of the first day of a test. The clock of the metrics objects never goes back. */
let start = Date.parse("2030-01-01T12:00:00Z");
const day = (after: number) => new Date(startOfDay(start + after * DAY_MS)).toISOString();

/** Makes isolates report queue operations to a metrics object. No other test code causes any. */
const count = (to: number, amount: number) =>
  shard(to).add({
    isolate: crypto.randomUUID(),
    sequence: 1,
    counts: [[OPERATIONS, amount]],
    gauges: [],
  });

/** Runs the hourly cron. */
async function hourly(replaced: Partial<Env> = {}): Promise<void> {
  const context = createExecutionContext();
  const cron = createScheduledController({ cron: "17 * * * *" });
  await worker.scheduled(cron, { ...env, ...COUNTING, ...replaced }, context);
  await waitOnExecutionContext(context);
}

async function usage(replaced: Partial<Env> = {}) {
  const { token } = await person("ADMIN");
  const path = "/api/v1/settings/platform-usage";
  const { status, body } = await callWith({ ...COUNTING, ...replaced }, "GET", path, { token });
  expect(status).toBe(200);
  return body;
}

async function operations(replaced: Partial<Env> = {}) {
  const { counters } = await usage(replaced);
  return counters.find(({ name }: { name: string }) => name === "queueOperations");
}

/** The METRICS binding, one of whose objects does not respond. */
const broken: Partial<Env> = {
  METRICS: intercept(env.METRICS, (name) =>
    name === "getByName"
      ? (shardName: string) =>
          shardName === "shard-5"
            ? { read: () => Promise.reject(new Error("away")) }
            : env.METRICS.getByName(shardName)
      : undefined,
  ),
};

beforeEach(async () => {
  start += 200 * DAY_MS;
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  await hourly();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the usage of the platform", () => {
  it("has what was counted since the last run of the hourly job, and the same amount after the job", async () => {
    await count(2, 40);
    await count(6, 2);
    expect(await operations()).toMatchObject({ amount: 42 });
    await hourly();
    expect(await operations()).toEqual({
      name: "queueOperations",
      unit: "operations",
      amount: 42,
      included: 1_000_000,
      price: { unit: 1_000_000, usd: 0.4 },
      usd: 0,
      since: day(0),
    });
  });

  it("adds the cost beyond the included amounts to the price of the plan", async () => {
    await count(0, 3_500_000);
    await hourly();
    expect(await operations()).toMatchObject({ usd: 1 });
    expect(await usage()).toMatchObject({ days: 30, subscriptionUsd: 5, totalUsd: 6 });
  });

  it("has the requests, rows and object requests of the service itself", async () => {
    await hourly();
    const before = await usage();
    await callWith(COUNTING, "GET", "/actuator/health");
    const after = await usage();
    const amounts = (body: typeof before) =>
      Object.fromEntries(
        body.counters.map(({ name, amount }: { name: string; amount: number }) => [name, amount]),
      );
    for (const name of ["workerRequests", "d1RowsRead", "objectRequests", "objectRowsWritten"])
      expect([name, amounts(after)[name] > amounts(before)[name]]).toEqual([name, true]);
  });

  it("counts nothing twice when the job runs again, or twice at once", async () => {
    await count(1, 10);
    await Promise.all([hourly(), hourly(), hourly()]);
    await hourly();
    expect(await operations()).toMatchObject({ amount: 10 });
    await count(1, 5);
    await Promise.all([hourly(), hourly()]);
    expect(await operations()).toMatchObject({ amount: 15 });
  });

  it("counts from zero after a metrics object was reset, and keeps what it had counted", async () => {
    await count(3, 100);
    await hourly();
    await runInDurableObject(shard(3), (_, { storage }) => storage.deleteAll());
    await evictDurableObject(shard(3));
    await count(3, 7);
    expect(await operations()).toMatchObject({ amount: 107 });
    await hourly();
    expect(await operations()).toMatchObject({ amount: 107 });
  });

  it("covers 30 days, of which the last is today, and the job deletes days after 90", async () => {
    const at = (days: number) => vi.setSystemTime(start + days * DAY_MS);
    const storedDays = async () =>
      (await env.DB.prepare("SELECT DISTINCT day FROM platform_usage_days").all()).results.length;
    await count(0, 1_000);
    await hourly();
    at(10);
    await count(0, 200);
    await hourly();
    at(29);
    expect(await operations()).toMatchObject({ amount: 1_200, since: day(0) });
    at(30);
    expect(await operations()).toMatchObject({ amount: 200, since: day(10) });
    at(90);
    await hourly();
    expect(await storedDays()).toBe(3);
    at(91);
    await hourly();
    expect(await storedDays()).toBe(3);
    expect(await operations()).toMatchObject({ amount: 0 });
  });

  it("ends with the last run of the job while a metrics object is away, and loses nothing", async () => {
    await count(1, 10);
    await hourly();
    await count(1, 5);
    vi.setSystemTime(start + 1_000);
    await hourly(broken);
    expect(await usage(broken)).toMatchObject({ readAt: new Date(start).toISOString() });
    expect(await operations(broken)).toMatchObject({ amount: 10 });
    expect(await operations()).toMatchObject({ amount: 15 });
    await hourly();
    expect(await operations()).toMatchObject({ amount: 15 });
  });

  it("says that nothing is counted with METRICS_FLUSH_SECONDS = 0", async () => {
    const off = { METRICS_FLUSH_SECONDS: "0" };
    await hourly(off);
    expect(await usage(off)).toMatchObject({ counting: false });
    expect(await usage()).toMatchObject({ counting: true });
  });
});
