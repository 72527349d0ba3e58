import { describe, expect, it } from "vitest";
import { billOf, costOf } from "../../scripts/scale/bill.ts";
import { CODE } from "../../scripts/scale/code.ts";
import { LIMITS, limitsOf, metAt } from "../../scripts/scale/limits.ts";
import { loadOf } from "../../scripts/scale/model.ts";
import * as platform from "../../scripts/scale/platform.ts";
import { DEFAULTS, INSTANCES, readCommand } from "../../scripts/scale/scenario.ts";

const load = (instances: number, changed: Partial<typeof DEFAULTS> = {}) =>
  loadOf({ ...DEFAULTS, ...changed, instances });

describe("the scale model", () => {
  it("computes 333,333 polls and 166,667 reports per second for ten million instances", () => {
    const { polls, reports } = load(10_000_000);
    expect(polls).toBeCloseTo(333_333.3, 0);
    expect(reports).toBeCloseTo(166_666.7, 0);
  });

  it("assumes that an isolate checks an API key at most once per request and at most once per lease time", () => {
    for (const instances of INSTANCES) {
      const { keyChecks, isolates, polls, reports } = load(instances);
      const keys = DEFAULTS.environments * DEFAULTS.keys;
      expect(keyChecks).toBeLessThanOrEqual((isolates * keys) / CODE.leaseSeconds);
      expect(keyChecks).toBeLessThanOrEqual(polls + reports);
    }
    // With a key lease of one second, 300 isolates with 10 API keys each make at most 3,000 key
    // checks per second. With 5.6 requests per isolate, key and second, they make 5.6 / 6.6 of
    // these checks.
    expect(load(1_000_000, { "isolates-per-location": 1 }).keyChecks).toBeCloseTo(2_830, -1);
  });

  it("has no KV reads, no KV writes and no builds of the rules without changes", () => {
    const { kvReads, kvWrites, builds } = load(100_000, { "changes-per-hour": 0 });
    expect([kvReads, kvWrites, builds]).toEqual([0, 0, 0]);
  });

  it("has more rows and a larger database when the reports have variants", () => {
    const [without, having] = [load(10_000), load(10_000, { "reported-variants": 3 })];
    for (const part of ["rowsRead", "rowsWritten", "databaseBytes"] as const)
      expect([part, having[part] > without[part]]).toEqual([part, true]);
  });

  it("limits webhook deliveries to the monthly quota when 50 integrations would need more", () => {
    const { deliveries } = load(1_000, { integrations: 50 });
    expect(deliveries * 30 * 86_400).toBeCloseTo(CODE.webhooksAMonth);
  });

  it("has no cheaper line in the bill when the number of instances doubles", () => {
    for (const instances of INSTANCES) {
      const larger = billOf(load(2 * instances));
      const cheaper = billOf(load(instances)).filter(
        ({ usd }, at) => (larger[at]?.usd ?? Number.NaN) < usd,
      );
      expect(cheaper).toEqual([]);
    }
  });

  it("computes the same prices as the examples in Cloudflare's documentation", () => {
    expect(costOf(platform.WORKER_REQUESTS, 15e6)).toBeCloseTo(1.5);
    expect(costOf(platform.WORKER_CPU_MS, 7 * 15e6)).toBeCloseTo(1.5);
    expect(costOf(platform.QUEUE_OPERATIONS, 3 * 30 * 1e6)).toBeCloseTo(35.6);
    expect(costOf(platform.LOG_EVENTS, 2 * 15e6)).toBeCloseTo(6);
  });

  it("finds the smallest number of instances that reaches a limit", () => {
    const at = limitsOf(DEFAULTS)[0]?.instances ?? Number.NaN;
    const metWith = (instances: number) =>
      LIMITS.filter(({ use, limit }) => use(load(instances)) >= limit);
    expect(metWith(at - 1)).toEqual([]);
    expect(metWith(at)).toEqual([limitsOf(DEFAULTS)[0]?.limit]);
  });

  it("reaches the queue's limit of 5,000 messages per second below 300,000 instances", () => {
    const queue = limitsOf(DEFAULTS).find(({ limit }) => limit.name.startsWith("Queues"))?.limit;
    if (!queue) throw new Error("no limit");
    const at = metAt(queue, DEFAULTS);
    expect(at).toBeLessThan(300_000);
    expect(at).toBeGreaterThan(280_000);
    expect(metAt(queue, { ...DEFAULTS, "report-seconds": 3_600 })).toBeGreaterThan(10 * at);
  });

  it("parses the command line, and rejects --flags 0 and any option in addition to --check", () => {
    const { mode, options } = readCommand(["--flags", "5000", "--report-seconds=0"]);
    expect([mode, options]).toEqual(["print", { ...DEFAULTS, flags: 5_000, "report-seconds": 0 }]);
    expect(() => readCommand(["--flags", "0"])).toThrow("--flags cannot be 0");
    expect(() => readCommand(["--check", "--flags", "1"])).toThrow("the defaults");
  });
});
