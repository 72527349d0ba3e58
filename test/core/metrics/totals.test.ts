import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BatchSender } from "../../../src/core/metrics/batch-sender.ts";
import {
  addBatch,
  type MetricsBatch,
  GAUGE_MS,
  emptyTotals,
  REMEMBER_MS,
  sumSamples,
  currentValues,
} from "../../../src/core/metrics/totals.ts";
import { sampleKey, MetricsRegistry } from "../../../src/core/metrics/registry.ts";

const PUTS = sampleKey("cache_puts_total", ["rules"], "");
const ACTIVE = sampleKey("db_client_connections", ["active"], "");
const NOW = 1_000_000_000;

const batch = (sequence: number, n: number, more: Partial<MetricsBatch> = {}): MetricsBatch => ({
  isolate: "one",
  sequence,
  counts: [[PUTS, n]],
  gauges: [],
  ...more,
});

describe("the metrics totals of a shard", () => {
  it("add up the metrics batches of all isolates", () => {
    const totals = emptyTotals();
    addBatch(totals, batch(1, 2), NOW);
    addBatch(totals, batch(2, 3), NOW);
    addBatch(totals, batch(1, 5, { isolate: "two" }), NOW);
    expect(currentValues(totals, NOW).get(PUTS)).toBe(10);
  });

  it("count a repeated or late metrics batch once", () => {
    const totals = emptyTotals();
    expect(addBatch(totals, batch(1, 2), NOW)).toBe(true);
    expect(addBatch(totals, batch(1, 2), NOW)).toBe(false);
    addBatch(totals, batch(2, 3), NOW);
    expect(addBatch(totals, batch(1, 2), NOW + REMEMBER_MS)).toBe(false);
    expect(currentValues(totals, NOW).get(PUTS)).toBe(5);
  });

  it("forget an isolate that sent no batch for more than REMEMBER_MS milliseconds, but keep its counts", () => {
    const totals = emptyTotals();
    addBatch(totals, batch(1, 2), NOW);
    addBatch(totals, batch(1, 3, { isolate: "two" }), NOW + REMEMBER_MS + 1);
    expect([...totals.isolates.keys()]).toEqual(["two"]);
    expect(currentValues(totals, NOW).get(PUTS)).toBe(5);
  });

  it("include the last gauge values of each isolate for GAUGE_MS milliseconds", () => {
    const totals = emptyTotals();
    const showing = (n: number) => ({ gauges: [[ACTIVE, n]] as const });
    addBatch(totals, batch(1, 1, showing(4)), NOW);
    addBatch(totals, batch(2, 1, showing(3)), NOW + 1);
    addBatch(totals, batch(1, 1, { isolate: "two", ...showing(2) }), NOW + 10_000);
    const activeAt = (now: number) => currentValues(totals, now).get(ACTIVE);
    expect(activeAt(NOW + 10_000)).toBe(5);
    expect(activeAt(NOW + GAUGE_MS)).toBe(5);
    expect(activeAt(NOW + GAUGE_MS + 1)).toBe(2);
    expect(activeAt(NOW + GAUGE_MS + 10_000)).toBe(undefined);
  });

  it("are added up with the totals of other shards", () => {
    expect(sumSamples([[[PUTS, 1]], new Map([[PUTS, 2]])])).toEqual(new Map([[PUTS, 3]]));
  });
});

describe("the BatchSender of an isolate", () => {
  const isolate = (name = "one") => {
    const metrics = new MetricsRegistry();
    const counter = metrics.counter("cache_puts_total", { cache: "rules" });
    return { metrics, counter, batches: new BatchSender(metrics, name) };
  };

  it("returns no batch when nothing was counted", () => {
    const { batches } = isolate();
    expect([batches.next(NOW), batches.isUnconfirmed]).toEqual([undefined, false]);
  });

  it("uses the next sequence number after a confirmation", () => {
    const { batches, counter } = isolate();
    counter.add();
    const first = batches.next(NOW);
    expect(first).toEqual(batch(1, 1));
    if (first) batches.confirm(first);
    expect(batches.next(NOW)).toBeUndefined();
    counter.add(4);
    expect(batches.next(NOW)).toEqual(batch(2, 4));
  });

  it("repeats an unconfirmed batch unchanged", () => {
    const { batches, counter } = isolate();
    counter.add();
    const first = batches.next(NOW);
    counter.add(2);
    expect([batches.isUnconfirmed, batches.next(NOW + 5_000)]).toEqual([true, first]);
    if (first) batches.confirm(first);
    expect(batches.next(NOW)).toEqual(batch(2, 2));
  });

  it("drops an old unconfirmed batch, because the totals could count this batch twice", () => {
    const { batches, counter } = isolate();
    counter.add();
    batches.next(NOW);
    counter.add(2);
    expect(batches.next(NOW + REMEMBER_MS)).toEqual(batch(2, 2));
  });

  it("sends gauges only together with counts", () => {
    const { metrics, batches, counter } = isolate();
    metrics.gauge("db_client_connections", { state: "active" }).add(2);
    expect(batches.next(NOW)).toBeUndefined();
    counter.add();
    expect(batches.next(NOW)).toEqual(batch(1, 1, { gauges: [[ACTIVE, 2]] }));
  });

  it("leads to totals that never decrease, never exceed the true count and are exact in the end, even if batches or confirmations are lost", () => {
    const telling = fc.constantFrom("arrives", "is lost", "arrives, but the confirmation is lost");
    const step = fc.record({ of: fc.nat(2), count: fc.nat(3), telling });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const isolates = ["a", "b", "c"].map((name) => isolate(name));
        let totals = emptyTotals();
        let happened = 0;
        let last = 0;
        const tell = (of: number, how: string) => {
          const { batches } = isolates[of] ?? isolate();
          const next = batches.next(NOW);
          if (!next || how === "is lost") return;
          addBatch(totals, next, NOW);
          // Copies the totals as Durable Object storage does, to simulate an eviction.
          totals = structuredClone(totals);
          if (how === "arrives") batches.confirm(next);
        };
        for (const { of, count, telling: how } of steps) {
          isolates[of]?.counter.add(count);
          happened += count;
          tell(of, how);
          const sum = currentValues(totals, NOW).get(PUTS) ?? 0;
          expect(sum).toBeGreaterThanOrEqual(last);
          expect(sum).toBeLessThanOrEqual(happened);
          last = sum;
        }
        // Each isolate first repeats its unconfirmed batch, and then sends its newer counts.
        for (const of of [0, 0, 1, 1, 2, 2]) tell(of, "arrives");
        expect(currentValues(totals, NOW).get(PUTS) ?? 0).toBe(happened);
      }),
      { numRuns: 500, seed: 20_261_120 },
    );
  });
});
