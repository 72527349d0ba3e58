import { describe, expect, it } from "vitest";
import { TotalsStore } from "../../../src/core/metrics/totals-store.ts";
import type { MetricsBatch, Totals } from "../../../src/core/metrics/totals.ts";
import { sampleKey } from "../../../src/core/metrics/registry.ts";
import { FakeClock } from "../../support/clock.ts";

const PAUSE_MS = 1_000;
const PUTS = sampleKey("cache_puts_total", ["rules"], "");
const one = (isolate: string): MetricsBatch => ({
  isolate,
  sequence: 1,
  counts: [[PUTS, 1]],
  gauges: [],
});

/** The clock, the storage and the storage faults of a TotalsStore, controlled by the test. */
function world() {
  const clock = new FakeClock();
  let saved: string | undefined;
  const writes = { count: 0, fail: false };
  const ports = {
    now: clock.now,
    wait: clock.wait,
    load: (): Totals | undefined => {
      if (saved === undefined) return undefined;
      const [counts, isolates] = JSON.parse(saved);
      return { counts: new Map(counts), isolates: new Map(isolates) };
    },
    save: ({ counts, isolates }: Totals) => {
      writes.count += 1;
      if (writes.fail) throw new Error("the storage is full");
      saved = JSON.stringify([[...counts], [...isolates]]);
    },
  };
  return {
    writes,
    open: () => new TotalsStore(ports, PAUSE_MS),
    pass: async (ms: number) => {
      clock.advance(ms);
      await Promise.resolve();
    },
  };
}

describe("TotalsStore", () => {
  it("saves a metrics batch at once if the minimum pause since the last write has passed", async () => {
    const { open, pass, writes } = world();
    const store = open();
    const first = store.add(one("first"));
    await pass(0);
    await first;
    expect(writes.count).toBe(1);
    await pass(PAUSE_MS);
    const second = store.add(one("second"));
    await pass(0);
    await second;
    expect([writes.count, store.read().get(PUTS)]).toEqual([2, 2]);
  });

  it("saves all metrics batches that arrive during the pause with one write, and then confirms them", async () => {
    const { open, pass, writes } = world();
    const store = open();
    const first = store.add(one("first"));
    await pass(0);
    await first;
    let arrived = 0;
    const tellings = Array.from({ length: 50 }, async (_, n) => {
      await store.add(one(`isolate ${n}`));
      arrived += 1;
    });
    await pass(PAUSE_MS - 1);
    expect([writes.count, arrived]).toEqual([1, 0]);
    await pass(1);
    await Promise.all(tellings);
    expect([writes.count, arrived, store.read().get(PUTS)]).toEqual([2, 50, 51]);
  });

  it("saves pending metrics batches before it returns values", async () => {
    const { open, pass, writes } = world();
    const store = open();
    const first = store.add(one("first"));
    expect([writes.count, store.read().get(PUTS), writes.count]).toEqual([0, 1, 1]);
    await pass(PAUSE_MS);
    await first;
    // A new TotalsStore with the same storage, as after an eviction of the Durable Object.
    expect(open().read().get(PUTS)).toBe(1);
  });

  it("counts a metrics batch once, even if the batch is repeated after an eviction", async () => {
    const { open, pass } = world();
    const first = open().add(one("first"));
    await pass(0);
    await first;
    const again = open();
    await again.add(one("first"));
    expect(again.read().get(PUTS)).toBe(1);
  });

  it("forgets a metrics batch that it could not save, so that the isolate can send that batch again", async () => {
    const { open, pass, writes } = world();
    const store = open();
    const first = store.add(one("first"));
    await pass(0);
    await first;
    writes.fail = true;
    const tellings = Promise.allSettled([store.add(one("second")), store.add(one("third"))]);
    await pass(PAUSE_MS);
    expect((await tellings).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    writes.fail = false;
    expect(store.read().get(PUTS)).toBe(1);
    const again = Promise.all([store.add(one("second")), store.add(one("third"))]);
    await pass(PAUSE_MS);
    await again;
    expect(store.read().get(PUTS)).toBe(3);
  });

  it("fails a read and all pending metrics batches when the storage fails", async () => {
    const { open, pass, writes } = world();
    const store = open();
    const pending = store.add(one("first"));
    writes.fail = true;
    expect(() => store.read()).toThrow("the storage is full");
    const [, waited] = await Promise.all([pass(PAUSE_MS), Promise.allSettled([pending])]);
    expect(waited).toMatchObject([
      {
        status: "rejected",
        reason: new Error("The metric totals of the isolates could not be saved"),
      },
    ]);
    writes.fail = false;
    expect(store.read().get(PUTS)).toBeUndefined();
  });

  it("does not write to the storage for a repeated metrics batch", async () => {
    const { open, pass, writes } = world();
    const store = open();
    const first = store.add(one("first"));
    await pass(0);
    await first;
    await store.add(one("first"));
    expect(writes.count).toBe(1);
  });
});
