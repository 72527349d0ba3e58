import { describe, expect, it } from "vitest";
import { faultLabel } from "../../../src/core/metrics/metric-families.ts";
import { trackInProgress, recordWork } from "../../../src/core/metrics/instruments.ts";
import { sampleKey, MetricsRegistry } from "../../../src/core/metrics/registry.ts";
import { UNMATCHED_ROUTE, RequestHistogram } from "../../../src/core/metrics/request-histogram.ts";
import { FakeClock } from "../../support/clock.ts";

const puts = (cache: string) => sampleKey("cache_puts_total", [cache], "");
const query = (part: string) => sampleKey("db_client_query_seconds", [], part);

describe("the metrics registry of an isolate", () => {
  it("returns each count only once, with the metric's name and labels", () => {
    const metrics = new MetricsRegistry();
    const rules = metrics.counter("cache_puts_total", { cache: "rules" });
    rules.add();
    rules.add(2);
    metrics.counter("cache_puts_total", { cache: "keys" }).add();
    expect(metrics.take()).toEqual([
      [puts("rules"), 3],
      [puts("keys"), 1],
    ]);
    expect(metrics.take()).toEqual([]);
    rules.add();
    expect(metrics.take()).toEqual([[puts("rules"), 1]]);
  });

  it("returns the same counter for the same labels in another order", () => {
    const metrics = new MetricsRegistry();
    const one = metrics.counter("cache_gets_total", { cache: "keys", result: "hit" });
    expect(metrics.counter("cache_gets_total", { result: "hit", cache: "keys" })).toBe(one);
    one.add();
    expect(metrics.take()).toEqual([[sampleKey("cache_gets_total", ["keys", "hit"], ""), 1]]);
  });

  it("counts an observed value in the first bucket whose upper bound is not lower than the value", () => {
    const metrics = new MetricsRegistry();
    const histogram = metrics.histogram("db_client_query_seconds", {});
    for (const seconds of [0, 0.001, 0.0010001, 2.5, 2.6]) histogram.observe(seconds);
    const [sum, ...counts] = metrics.take();
    expect(sum?.[0]).toBe(query("sum"));
    expect(sum?.[1]).toBeCloseTo(5.1020001);
    expect(counts).toEqual([
      [query("0.001"), 2],
      [query("0.0025"), 1],
      [query("2.5"), 1],
      [query("+Inf"), 1],
    ]);
    expect(metrics.take()).toEqual([]);
  });

  it("counts a negative duration or NaN as a duration of zero", () => {
    const metrics = new MetricsRegistry();
    const histogram = metrics.histogram("db_client_query_seconds", {});
    histogram.observe(-5);
    histogram.observe(Number.NaN);
    expect(metrics.take()).toEqual([[query("0.001"), 2]]);
  });

  it("returns only gauges that are not zero, and keeps gauges out of the counts", () => {
    const metrics = new MetricsRegistry();
    const active = metrics.gauge("db_client_connections", { state: "active" });
    active.add(2);
    active.add(-1);
    expect(metrics.gauges()).toEqual([[sampleKey("db_client_connections", ["active"], ""), 1]]);
    active.add(-1);
    expect([metrics.gauges(), metrics.take()]).toEqual([[], []]);
  });
});

describe("measured work", () => {
  const meterOf = (metrics: MetricsRegistry) => ({
    seconds: metrics.histogram("snapshot_build_seconds", {}),
    success: metrics.counter("snapshot_builds_total", { outcome: "success" }),
    failure: () => metrics.counter("snapshot_builds_total", { outcome: "failure" }),
  });
  const build = (part: string) => sampleKey("snapshot_build_seconds", [], part);
  const builds = (outcome: string) => sampleKey("snapshot_builds_total", [outcome], "");

  it("is counted as a success with its duration when it succeeds", async () => {
    const metrics = new MetricsRegistry();
    const clock = new FakeClock();
    const work = async () => {
      clock.advance(300);
      return "result";
    };
    expect(await recordWork(meterOf(metrics), clock.now, work)).toBe("result");
    expect(new Map(metrics.take())).toEqual(
      new Map([
        [build("sum"), 0.3],
        [build("0.5"), 1],
        [builds("success"), 1],
      ]),
    );
  });

  it("is counted as a failure when it throws, and the caller gets its error", async () => {
    const metrics = new MetricsRegistry();
    const error = new Error("no");
    const work = recordWork(meterOf(metrics), new FakeClock().now, () => Promise.reject(error));
    await expect(work).rejects.toBe(error);
    expect(new Map(metrics.take()).get(builds("failure"))).toBe(1);
  });

  it("raises its gauge by 1 until the work succeeds or fails", async () => {
    const metrics = new MetricsRegistry();
    const gauge = metrics.gauge("db_client_connections", { state: "pending" });
    const seen = await trackInProgress(gauge, async () => gauge.value);
    await trackInProgress(gauge, () => Promise.reject(new Error("no"))).catch(() => {});
    expect([seen, gauge.value]).toEqual([1, 0]);
  });
});

describe("RequestHistogram", () => {
  const names = (metrics: MetricsRegistry) =>
    metrics.take().flatMap(([key, n]) => {
      const [, values, part] = JSON.parse(key) as [string, string[], string];
      return part === "sum" ? [] : [`${values.join(" ")} ${part}: ${n}`];
    });

  it("counts requests by method, route and status", () => {
    const metrics = new MetricsRegistry();
    const meter = new RequestHistogram(metrics);
    for (const seconds of [0.02, 0.02, 3]) meter.observe("GET", "/a/{id}", 200, seconds);
    meter.observe("GET", "/a/{id}", 404, 0);
    meter.observe("PUT", "/a/{id}", 200, 0);
    meter.observe("GET", UNMATCHED_ROUTE, 404, 0);
    expect(names(metrics)).toEqual([
      "GET /a/{id} 200 0.025: 2",
      "GET /a/{id} 200 5: 1",
      "GET /a/{id} 404 0.005: 1",
      "PUT /a/{id} 200 0.005: 1",
      "GET UNKNOWN 404 0.005: 1",
    ]);
  });

  it("counts requests with 1,000 unknown methods in one series", () => {
    const metrics = new MetricsRegistry();
    const meter = new RequestHistogram(metrics);
    for (let n = 0; n < 1_000; n++) meter.observe(`M${n}`, "/a", 405, 0);
    expect(names(metrics)).toEqual(["OTHER /a 405 0.005: 1000"]);
  });
});

it("faultLabel removes the id after the kind of a fault, and returns other for an unknown kind", () => {
  expect(["delivery 17", "delivery 18", "key check", "something new"].map(faultLabel)).toEqual([
    "delivery",
    "delivery",
    "key check",
    "other",
  ]);
});
