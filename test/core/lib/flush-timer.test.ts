import { describe, expect, it } from "vitest";
import { FlushTimer } from "../../../src/core/lib/flush-timer.ts";

/** Time passes when a test says so. */
function clock() {
  let time = 1_000_000;
  let waiting: { readonly at: number; readonly end: () => void }[] = [];
  const left: Promise<unknown>[] = [];
  const ports = {
    now: () => time,
    wait: (ms: number) =>
      new Promise<void>((end) => {
        waiting.push({ at: time + ms, end });
      }),
    later: (work: Promise<unknown>) => {
      left.push(work);
    },
  };
  return {
    ports,
    left,
    pass: async (ms: number) => {
      time += ms;
      const due = waiting.filter(({ at }) => at <= time);
      waiting = waiting.filter(({ at }) => at > time);
      for (const { end } of due) end();
      if (due.length > 0) await Promise.all(left);
    },
    /** A request whose platform cuts short what it left to do. */
    loseWork: () => {
      waiting = [];
      left.length = 0;
    },
  };
}

describe("one flush for all", () => {
  it("comes after its time, once for however many ask for it", async () => {
    const { ports, pass, left } = clock();
    const timer = new FlushTimer();
    let flushes = 0;
    const flush = async () => {
      flushes += 1;
    };
    for (let n = 0; n < 10; n++) timer.set(ports, 5_000, flush);
    expect([left.length, timer.isSet(ports.now())]).toEqual([1, true]);
    await pass(4_999);
    expect(flushes).toBe(0);
    await pass(1);
    expect([flushes, timer.isSet(ports.now())]).toEqual([1, false]);
    timer.set(ports, 5_000, flush);
    await pass(5_000);
    expect(flushes).toBe(2);
  });

  it("is asked for again when it does not come, because its request was cut short", async () => {
    const { ports, pass, loseWork } = clock();
    const timer = new FlushTimer();
    let flushes = 0;
    const flush = async () => {
      flushes += 1;
    };
    timer.set(ports, 5_000, flush);
    loseWork();
    await pass(14_999);
    timer.set(ports, 5_000, flush);
    await pass(1);
    expect([flushes, timer.isSet(ports.now())]).toEqual([0, false]);
    timer.set(ports, 5_000, flush);
    await pass(5_000);
    expect(flushes).toBe(1);
  });
});
