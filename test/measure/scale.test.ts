import { describe, expect, it } from "vitest";
import { LEASE_MS } from "../../src/client/keys/leases.ts";
import { PRICES } from "../../measure/scale/assumptions.ts";
import { costOf, LINE_NAMES, lineCost, totalOf } from "../../measure/scale/bill.ts";
import { LIMITS, limitsOf } from "../../measure/scale/limits.ts";
import { type Delivery, loadOf } from "../../measure/scale/model.ts";
import { DEFAULTS, readCommand } from "../../measure/scale/scenario.ts";

const INSTANCES = [1_000, 100_000, 10_000_000];

const load = (instances: number, changed: Partial<typeof DEFAULTS> = {}, delivery?: Delivery) =>
  loadOf({ ...DEFAULTS, ...changed, instances }, delivery);

describe("the scale model", () => {
  it("checks an API key at most once per request and at most once per lease time and isolate", () => {
    for (const instances of INSTANCES) {
      const { keyChecks, isolates, polls, reports } = load(instances);
      const most = (isolates * DEFAULTS.environments * 1000) / LEASE_MS;
      expect(keyChecks).toBeLessThanOrEqual(Math.min(most, polls + reports));
    }
  });

  it("computes the same prices as the examples in Cloudflare's documentation", () => {
    expect(costOf(PRICES.workerRequests, 15e6)).toBeCloseTo(1.5);
    expect(costOf(PRICES.workerCpuMs, 7 * 15e6)).toBeCloseTo(1.5);
  });

  it("never computes a lower cost for any line of the bill when the number of instances doubles", () => {
    for (const instances of INSTANCES)
      for (const name of LINE_NAMES)
        expect(lineCost(load(2 * instances), name)).toBeGreaterThanOrEqual(
          lineCost(load(instances), name),
        );
  });

  it("finds the smallest number of instances that reaches a limit", () => {
    const [first] = limitsOf(DEFAULTS);
    const metWith = (instances: number) =>
      LIMITS.filter(({ use, limit }) => use(load(instances)) >= limit);
    expect(metWith((first?.instances ?? 0) - 1)).toEqual([]);
    expect(metWith(first?.instances ?? 0)).toEqual([first?.limit]);
  });

  it("spreads the load of usage over the usage objects of a project", () => {
    const [one, ten] = [load(1_000_000), load(1_000_000, { "usage-shards": 10 })];
    expect(ten.usageObjectBusy).toBeCloseTo(one.usageObjectBusy / 10);
    // Expects at most one usage object per environment, because further objects would get no usage.
    expect(load(1_000_000, { "usage-shards": 20 }).usageObjects).toBe(10);
  });

  it("rejects the option --flags 0", () => {
    const { mode, options } = readCommand(["--flags", "5000"]);
    expect([mode, options]).toEqual(["print", { ...DEFAULTS, flags: 5_000 }]);
    expect(() => readCommand(["--flags", "0"])).toThrow("--flags must be a number above 0");
  });
});

describe("the scale model of event streams", () => {
  it("counts one fetch per change and OFREP stream, and no fetch for SDK streams", () => {
    const requests = (delivery: Delivery) => load(100_000, {}, delivery).requests;
    // Each environment has one change per minute. SDKs with a stream report every five minutes.
    const reports = 100_000 / 60 - 100_000 / 300;
    expect(requests("ofrep") - requests("native")).toBeCloseTo(100_000 / 60 + reports);
  });

  it("counts a poll every five minutes for instances with a stream, and ordinary polls for instances that find no room", () => {
    const { polls, streams } = load(130_000, {}, "native");
    expect(streams).toBe(100_000);
    expect(polls).toBeCloseTo(100_000 / 300 + 30_000 / 30);
  });

  it("computes a lower cost than for polling", () => {
    for (const instances of [1_000, 10_000, 100_000])
      for (const delivery of ["native", "ofrep"] as const)
        expect(totalOf(load(instances, {}, delivery))).toBeLessThan(totalOf(load(instances)));
  });
});
