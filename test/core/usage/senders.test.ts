import { describe, expect, it } from "vitest";
import { MAX_MISSING, REMEMBER_SENDER_MS, Senders } from "../../../src/core/usage/senders.ts";
import { seeded } from "../../../scripts/lib/seeded.ts";

describe("the batches of an isolate", () => {
  it("are admitted only once, in any order and after any repetition", () => {
    const random = seeded(1);
    const senders = new Senders();
    const admitted: number[] = [];
    for (let n = 0; n < 2_000; n++) {
      const sequence = 1 + Math.floor(random() * 200);
      if (senders.admit("one", sequence, 1)) admitted.push(sequence);
    }
    expect(admitted.length).toBeGreaterThan(190);
    expect(new Set(admitted).size).toBe(admitted.length);
  });

  it("are counted separately for each isolate", () => {
    const senders = new Senders();
    expect([senders.admit("one", 1, 1), senders.admit("two", 1, 1)]).toEqual([true, true]);
    expect([senders.admit("one", 1, 1), senders.admit("two", 2, 1)]).toEqual([false, true]);
  });

  it("are refused as repetitions after the list of known batches was stored and read", () => {
    const senders = new Senders();
    for (const sequence of [1, 2, 5]) senders.admit("one", sequence, 1);
    const read = new Senders();
    read.addAll(JSON.parse(JSON.stringify(senders.entries())) as ReturnType<Senders["entries"]>);
    expect([1, 2, 3, 4, 5, 6].map((sequence) => read.admit("one", sequence, 1))).toEqual([
      false,
      false,
      true,
      true,
      false,
      true,
    ]);
  });

  it("are remembered for two days after the newest batch, also when an older batch arrives late", () => {
    const senders = new Senders();
    senders.admit("one", 2, 1_000);
    senders.admit("one", 1, 5);
    senders.forgetOld(1_000 + REMEMBER_SENDER_MS);
    expect(senders.admit("one", 2, 1)).toBe(false);
    senders.forgetOld(1_001 + REMEMBER_SENDER_MS);
    expect(senders.entries()).toEqual([]);
  });

  it("take little memory when they are missing, and count as arrived when they have been missing for very long", () => {
    const senders = new Senders();
    senders.admit("one", 1_000_000, 1);
    expect(JSON.stringify(senders.entries()).length).toBeLessThan(10 * MAX_MISSING);
    expect(senders.admit("one", 999_000, 1)).toBe(true);
    expect(senders.admit("one", 998_999, 1)).toBe(false);
    expect(senders.admit("one", 5, 1)).toBe(false);
  });
});
