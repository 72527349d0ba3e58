import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { MetricsBatch } from "../../../src/core/metrics/totals.ts";
import { parseSampleKey, sampleKey, SUM_PART } from "../../../src/core/metrics/registry.ts";
import type { MetricsObject } from "../../../src/platform/objects/metrics-object.ts";
import { flushSeconds } from "../../../src/platform/runtime/metrics-shards.ts";
import { outcome, tally } from "../support/outcomes.ts";
import { exported, growthOf, scrape } from "../support/scrape.ts";
import { delaysIn } from "../support/timers.ts";
import { callIn, responseWith, callWith } from "../support/call-with.ts";

const NAMES = Array.from({ length: 8 }, (_, shard) => `shard-${shard}`);
const shards = () => NAMES.map((name) => env.METRICS.getByName(name));
const COUNT = "http_server_requests_seconds_count";
const NOTHING = '{method="GET",uri="UNKNOWN",status="404"}';
const nothing = (replaced: Partial<Env> = {}) => callWith(replaced, "GET", "/api/nothing");

type Shard = Pick<MetricsObject, "add" | "read">;

/** A METRICS binding with the real metrics shards, some of whose methods are replaced. */
function disturbed(
  change: (real: DurableObjectStub<MetricsObject>, name: string) => Partial<Shard>,
): Partial<Env> {
  const getByName = (name: string): Shard => {
    const real = env.METRICS.getByName(name);
    return { add: (batch) => real.add(batch), read: () => real.read(), ...change(real, name) };
  };
  return { METRICS: { getByName } as unknown as Env["METRICS"] };
}

const lost = disturbed(() => ({ add: () => Promise.reject(new Error("the object is away")) }));
const answerLost = disturbed((real) => ({
  add: async (batch) => {
    await real.add(batch);
    throw new Error("the answer was lost");
  },
}));

describe("counted metrics", () => {
  it("arrive exactly once, also when a metrics batch or its confirmation is lost", async () => {
    const grown = await growthOf(COUNT, async () => {
      for (const world of [lost, lost, answerLost, answerLost, {}, lost, answerLost, {}])
        await nothing(world);
    });
    expect(grown[NOTHING]).toBe(8);
  });

  it("survive the eviction of every metrics shard", async () => {
    await nothing();
    const before = await scrape();
    for (const shard of shards()) await evictDurableObject(shard);
    const after = await exported();
    expect(after.get(COUNT + NOTHING)).toBe(before.get(COUNT + NOTHING));
  });

  it("are summed over all isolates and shards, and a repeated metrics batch counts once", async () => {
    const batch = (isolate: string, sequence: number): MetricsBatch => ({
      isolate,
      sequence,
      counts: [[sampleKey("cache_puts_total", ["rules"], ""), 7]],
      gauges: [[sampleKey("db_client_connections", ["active"], ""), 2]],
    });
    const active = 'db_client_connections{state="active"}';
    const before = await scrape();
    const grown = await growthOf("cache_puts_total", async () => {
      for (const [n, shard] of shards().entries()) {
        await shard.add(batch(`isolate ${n}`, 1));
        await shard.add(batch(`isolate ${n}`, 1));
      }
    });
    expect(grown).toEqual({ '{cache="rules"}': 56 });
    expect((await exported()).get(active)).toBe((before.get(active) ?? 0) + 16);
  });
});

/** Whether a sample is a bucket of the histogram with these label values. */
function isBucketOf(histogram: string, labels: readonly string[], key: string): boolean {
  const [family, values, part] = parseSampleKey(key);
  return family === histogram && values.join() === labels.join() && part !== SUM_PART;
}

describe("METRICS_FLUSH_SECONDS", () => {
  it("is the time for which an isolate collects metrics before it sends one metrics batch", async () => {
    await scrape();
    const batches: { readonly batch: MetricsBatch; readonly at: number }[] = [];
    const world = {
      METRICS_FLUSH_SECONDS: "1",
      ...disturbed((real) => ({
        add: async (batch) => {
          batches.push({ batch, at: Date.now() });
          await real.add(batch);
        },
      })),
    };
    const began = Date.now();
    const answers = [];
    for (let n = 0; n < 10; n++) answers.push(await responseWith(world, "GET", "/api/nothing"));
    const seconds = (Date.now() - began) / 1000;
    await Promise.all(answers.map(({ rest }) => rest()));
    expect((batches[0]?.at ?? 0) - began).toBeGreaterThan(990);
    expect(batches.length).toBeLessThanOrEqual(1 + Math.floor(seconds));
    const requests = batches
      .flatMap(({ batch }) => batch.counts)
      .filter(([key]) =>
        isBucketOf("http_server_requests_seconds", ["GET", "UNKNOWN", "404"], key),
      );
    expect(requests.reduce((sum, [, count]) => sum + count, 0)).toBe(10);
  });

  it.each(["", "-1", "21", "soon"])("is 5 when its value is the invalid %j", (seconds) => {
    expect(flushSeconds({ ...env, METRICS_FLUSH_SECONDS: seconds })).toBe(5);
  });
});

describe("the metrics export", () => {
  it("returns 503 when one shard fails, not an incomplete sum", async () => {
    const broken = disturbed((_, name) =>
      name === "shard-5" ? { read: () => Promise.reject(new Error("away")) } : {},
    );
    for (const path of ["prometheus", "metrics/cache_puts_total"]) {
      const answer = await callWith(broken, "GET", `/actuator/${path}`);
      expect(outcome(answer)).toBe("503 SERVICE_UNAVAILABLE");
      expect(answer.headers.get("Retry-After")).toBe("5");
    }
  });

  it("returns 503 after 5 seconds when one shard does not respond", async () => {
    const silent = disturbed((_, name) =>
      name === "shard-5" ? { read: () => new Promise(() => {}) } : {},
    );
    const { result, delays } = await delaysIn(() =>
      responseWith(silent, "GET", "/actuator/prometheus"),
    );
    expect(outcome(result.answer)).toBe("503 SERVICE_UNAVAILABLE");
    // The stream objects of earlier tests may wait 10 seconds meanwhile.
    expect(delays.filter((delay) => delay !== 10_000)).toEqual([5_000]);
  });

  it("reads each shard once for 20 requests within 5 seconds", async () => {
    let reads = 0;
    const counted = disturbed((real) => ({
      read: () => {
        reads += 1;
        return real.read();
      },
    }));
    const isolate = { ...env, ...counted };
    vi.useFakeTimers({ toFake: ["Date"] });
    const paths = ["prometheus", "metrics/cache_puts_total"];
    const ask = (n: number) => callIn(isolate, "GET", `/actuator/${paths[n % 2]}`);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n)));
    expect(tally(answers)).toEqual({ "200": 20 });
    expect(reads).toBe(NAMES.length);
    vi.setSystemTime(Date.now() + 5_000);
    await ask(0);
    expect(reads).toBe(2 * NAMES.length);
    vi.useRealTimers();
  });

  it("has the content type of the Prometheus text format", async () => {
    await nothing();
    await scrape();
    const { headers } = await callWith({}, "GET", "/actuator/prometheus");
    expect(headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  });
});
