import { describe, expect, it } from "vitest";
import { billOf, totalOf } from "../../scripts/scale/bill.ts";
import { CODE, MONTH_SECONDS } from "../../scripts/scale/code.ts";
import { LIMITS, limitsOf } from "../../scripts/scale/limits.ts";
import { loadOf } from "../../scripts/scale/model.ts";
import { pushLoad, pushStaleness, totalIfAllIsBilled } from "../../scripts/scale/push.ts";
import { RULE_BYTES } from "../../scripts/scale/rows.ts";
import { DEFAULTS, INSTANCES, readCommand } from "../../scripts/scale/scenario.ts";
import { stalenessOf } from "../../scripts/scale/staleness.ts";
import * as prices from "../../scripts/scale/prices.ts";
import { STREAM_KINDS, type StreamKind } from "../../src/core/stream/change.ts";

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

  it("has a larger database, and no more rows, when the reports have variants", () => {
    const [without, having] = [load(10_000), load(10_000, { "reported-variants": 3 })];
    expect(having.databaseBytes).toBeGreaterThan(without.databaseBytes);
    expect(having.rowsWritten).toBe(without.rowsWritten);
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
    expect(prices.costOf(prices.WORKER_REQUESTS, 15e6)).toBeCloseTo(1.5);
    expect(prices.costOf(prices.WORKER_CPU_MS, 7 * 15e6)).toBeCloseTo(1.5);
    expect(prices.costOf(prices.QUEUE_OPERATIONS, 3 * 30 * 1e6)).toBeCloseTo(35.6);
    expect(prices.costOf(prices.LOG_EVENTS, 2 * 15e6)).toBeCloseTo(6);
  });

  it("finds the smallest number of instances that reaches a limit", () => {
    const at = limitsOf(DEFAULTS)[0]?.instances ?? Number.NaN;
    const metWith = (instances: number) =>
      LIMITS.filter(({ use, limit }) => use(load(instances)) >= limit);
    expect(metWith(at - 1)).toEqual([]);
    expect(metWith(at)).toEqual([limitsOf(DEFAULTS)[0]?.limit]);
  });

  it("has usage and presence that cost a share of evaluation, and less with streams", () => {
    const monthly = (instances: number) => [
      totalOf(billOf(load(instances))),
      totalOf(billOf(pushLoad({ ...DEFAULTS, instances }, "native"))),
    ];
    const [tenThousand, aHundredThousand] = [monthly(10_000), monthly(100_000)];
    expect(tenThousand[0]).toBeLessThan(600);
    expect(tenThousand[1]).toBeLessThan(350);
    expect(aHundredThousand[0]).toBeLessThan(5_000);
    expect(aHundredThousand[1]).toBeLessThan(2_500);
    const { rowsWritten, objectRowsWritten } = load(10_000);
    expect(rowsWritten + objectRowsWritten).toBeLessThan(100);
    expect(limitsOf(DEFAULTS)[0]?.instances).toBeGreaterThan(300_000);
  });

  it("spreads the load of usage over the usage objects of a project", () => {
    const [one, ten] = [load(1_000_000), load(1_000_000, { "usage-shards": 10 })];
    expect(ten.usageObjectBusy).toBeCloseTo(one.usageObjectBusy / 10);
    expect(ten.usageObjects).toBe(10);
    // More objects than environments would be empty.
    expect(load(1_000_000, { "usage-shards": 20 }).usageObjects).toBe(10);
  });

  it("parses the command line, and rejects --flags 0 and any option in addition to --check", () => {
    const { mode, options } = readCommand(["--flags", "5000", "--report-seconds=0"]);
    expect([mode, options]).toEqual(["print", { ...DEFAULTS, flags: 5_000, "report-seconds": 0 }]);
    expect(() => readCommand(["--flags", "0"])).toThrow("--flags cannot be 0");
    expect(() => readCommand(["--check", "--flags", "1"])).toThrow("the defaults");
  });
});

describe("the scale model of event streams", () => {
  const scenario = (instances: number, changed: Partial<typeof DEFAULTS> = {}) => ({
    ...DEFAULTS,
    ...changed,
    instances,
  });
  const push = (kind: StreamKind, instances: number, changed: Partial<typeof DEFAULTS> = {}) =>
    pushLoad(scenario(instances, changed), kind);

  it("has one fetch of each OFREP client per change, and none of SDKs, whose events have the rule", () => {
    // One change per minute in each environment.
    expect(push("ofrep", 100_000).fetches).toBeCloseTo(100_000 / 60);
    expect(push("native", 100_000).fetches).toBe(0);
    expect(RULE_BYTES).toBeLessThan(CODE.eventBytes);
  });

  it("has at most one KV read, one key check and one build per isolate and change for the fetches", () => {
    const { changes, isolates } = load(100_000);
    const [sdk, ofrep] = [push("native", 100_000), push("ofrep", 100_000)];
    expect(ofrep.kvReads).toBeGreaterThan(sdk.kvReads);
    expect(ofrep.kvReads).toBeLessThanOrEqual(changes * isolates);
    expect(ofrep.builds).toBeLessThanOrEqual(ofrep.kvReads);
    const checks = ofrep.keyChecks - sdk.keyChecks;
    expect(checks).toBeGreaterThan(0);
    expect(checks).toBeLessThanOrEqual(changes * isolates);
  });

  it("polls every five minutes while the stream is open", () => {
    const { requests, connects } = push("native", 30_000, { "report-seconds": 0 });
    expect(requests - connects).toBeCloseTo(100);
  });

  it("marks an SDK instance for each change, after 200 s without one and at each connect, and an OFREP client never", () => {
    const marks = (kind: StreamKind, changes: number) =>
      push(kind, 10_000, { "report-seconds": 0, "changes-per-hour": changes });
    const [sdk, ofrep] = [marks("native", 0), marks("ofrep", 0)];
    // A minute is the least time between two marks without a change.
    const due = (rate: number) => rate / (1 + rate * 60);
    const rate = 1 / 300 + 1 / 200 + sdk.connects / 10_000;
    expect(sdk.marksSent).toBeCloseTo(10_000 * due(rate));
    expect(ofrep.marksSent).toBeCloseTo(10_000 * due(1 / 300));
    // With a change each minute, a pause of 200 s is rare.
    const changing = marks("native", 60);
    const pause = 1 / 60 / (Math.exp(200 / 60) - 1);
    const others = 1 / 300 + pause + changing.connects / 10_000;
    expect(changing.marksSent).toBeCloseTo(10_000 * (1 / 60 + due(others)));
  });

  it("lets the clients poll that find no room in the leaves of their environment", () => {
    const room = CODE.leaves * CODE.streamsPerLeaf;
    const { streams, streamsPerLeaf, requests, connects } = push("native", room + 30_000, {
      environments: 1,
      "report-seconds": 0,
    });
    expect([streams, streamsPerLeaf]).toEqual([room, CODE.streamsPerLeaf]);
    expect(requests - connects).toBeCloseTo(room / 300 + 1_000);
  });

  it("calls the hub and each leaf once per change, and the hub again each minute", () => {
    const { streamRequests, connects } = push("native", 10_000);
    const changes = 10 / 60;
    const calls = streamRequests - connects - changes * (1 + CODE.leaves);
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThanOrEqual(DEFAULTS.environments / 60);
  });

  it("bills 20 pings as one request when pings are billed", () => {
    // Without changes, and with one connect per 21,600 s and client, few objects are idle in memory.
    const one = push("native", 10_000, { "changes-per-hour": 0 });
    const pings = prices.costOf(
      { ...prices.OBJECT_REQUESTS, included: 0 },
      ((10_000 + one.dashboards.streams) / CODE.heartbeatSeconds / 20) * MONTH_SECONDS,
    );
    expect(pings).toBeCloseTo(7.8, 1);
    const idle = prices.costOf(
      { ...prices.OBJECT_DURATION, included: 0 },
      (one.connects + one.dashboards.connects) *
        prices.OBJECT_IDLE_SECONDS *
        prices.OBJECT_GB *
        MONTH_SECONDS,
    );
    const all = totalIfAllIsBilled(one, scenario(10_000));
    expect(all - totalOf(billOf(one))).toBeCloseTo(pings + idle);
  });

  it("calls the hub and the leaves of the project for each change, and fetches for each open dashboard", () => {
    const { changes } = load(1_000);
    const { streams, connects, requests, objectRequests } = push("native", 1_000).dashboards;
    // The cron calls the hub each minute, because the project changes all the time.
    expect(objectRequests - connects - changes * 5).toBeCloseTo(1 / 60);
    expect(requests - connects).toBeCloseTo(changes * streams * 5);
    expect(connects).toBeCloseTo(streams / (15 * 60));
    const none = push("native", 1_000, { "changes-per-hour": 0 }).dashboards;
    expect(none.requests).toBeCloseTo(connects);
  });

  it("costs less than polling, and for 10,000 instances and more also if pings and idle objects are billed", () => {
    for (const instances of [1_000, 10_000, 100_000])
      for (const kind of STREAM_KINDS) {
        const pushed = push(kind, instances);
        const cost =
          instances === 1_000
            ? totalOf(billOf(pushed))
            : totalIfAllIsBilled(pushed, scenario(instances));
        const isLess = cost < totalOf(billOf(load(instances)));
        expect([kind, instances, isLess]).toEqual([kind, instances, true]);
      }
  });

  it("has a change at all clients before the median client that polls has it", () => {
    for (const kind of STREAM_KINDS)
      for (const instances of [1_000, 10_000, 100_000]) {
        const { median, worst, cut, lost } = pushStaleness(scenario(instances), kind);
        expect([median, worst, cut, lost].toSorted((one, other) => one - other)).toEqual([
          median,
          worst,
          cut,
          lost,
        ]);
        expect(cut).toBeLessThan(stalenessOf(scenario(instances)).median);
      }
  });

  it("spreads an event over a second when a leaf has more than 1,000 streams", () => {
    const leaves = DEFAULTS.environments * CODE.leaves;
    const [few, many] = [1_000, 1_001].map((each) =>
      pushStaleness(scenario(each * leaves), "native"),
    );
    expect((many?.worst ?? 0) - (few?.worst ?? 0)).toBeCloseTo(CODE.spreadSeconds);
  });
});
