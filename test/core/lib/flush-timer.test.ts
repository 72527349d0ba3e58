import { describe, expect, it } from "vitest";
import { FlushTimer } from "../../../src/core/lib/flush-timer.ts";
import { FakeClock } from "../../support/clock.ts";

/** The ports of a simulated isolate, and the work that its requests do after their responses. */
function requests() {
  const clock = new FakeClock();
  const left: Promise<unknown>[] = [];
  const ports = {
    now: clock.now,
    wait: clock.wait,
    later: (work: Promise<unknown>) => {
      left.push(work);
    },
  };
  return {
    ports,
    left,
    pass: async (ms: number) => {
      if (clock.advance(ms) > 0) await Promise.all(left);
    },
    /** Cancels all work after responses, as Cloudflare may do. */
    loseWork: () => {
      clock.dropTimers();
      left.length = 0;
    },
  };
}

describe("FlushTimer", () => {
  it("flushes once after the delay, even when it is set ten times", async () => {
    const { ports, pass, left } = requests();
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

  it("can be set again 10 seconds after a flush was due but did not run", async () => {
    const { ports, pass, loseWork } = requests();
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
