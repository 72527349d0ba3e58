import * as fc from "fast-check";
import murmurhash from "murmurhash";
import { describe, expect, test } from "vitest";
import { bucket, rollOutHash } from "../src/bucket.ts";
import { compileRule, evaluateRule } from "../src/evaluate.ts";
import { position, rollOutPosition } from "../src/position.ts";
import type { ClientRule } from "../src/rule.ts";
import { slotsOf, toSlots } from "../src/slots.ts";

const anyHash = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  fc.constantFrom(0, 99, 100, 0xffffffff, 0xffffffff - 95, 4_294_967_200),
);
const buckets = fc.constantFrom(100, 1000);
const SPLIT_SEED = 86_028_157;

const rolledOut = (activation: Partial<ClientRule["activation"]>): ClientRule => ({
  key: "f",
  name: "f",
  enabled: true,
  activation: { rollOut: 0, constraints: [], segments: [], ...activation },
});

describe("position", () => {
  test("is a whole number from 0 to 99,999, inside the hash's bucket", () => {
    fc.assert(
      fc.property(anyHash, buckets, (hashed, count) => {
        const found = position(hashed, count);
        expect(Number.isInteger(found)).toBe(true);
        expect(Math.floor(found / (100_000 / count))).toBe(hashed % count);
      }),
      { numRuns: 2000 },
    );
  });

  test("rises with the hash between the borders of a bucket", () => {
    fc.assert(
      fc.property(anyHash, anyHash, buckets, (one, other, count) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const inBucket = high - ((high - low) % count);
        fc.pre(inBucket % count === low % count);
        expect(position(inBucket, count)).toBeGreaterThanOrEqual(position(low, count));
      }),
    );
  });

  test("is below a whole percentage exactly when the bucket is at most the percentage", () => {
    fc.assert(
      fc.property(anyHash, fc.integer({ min: 0, max: 100 }), (hashed, percentage) => {
        expect(rollOutPosition(hashed) < percentage * 1000).toBe((hashed % 100) + 1 <= percentage);
      }),
      { numRuns: 5000 },
    );
  });

  test("spreads hashes evenly over all positions", () => {
    const counts = Array.from({ length: 1000 }, () => 0);
    const total = 1_000_000;
    for (let index = 0; index < total; index++) {
      const part = Math.floor(rollOutPosition(rollOutHash("spread").of(String(index))) / 100);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    const expected = total / counts.length;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // Uses the 99.9 % quantile of the chi-square distribution with 999 degrees of freedom.
    expect(chiSquare).toBeLessThan(1142.8);
  });
});

describe("an exact roll-out", () => {
  const thousandths = fc.integer({ min: 0, max: 100_000 });

  test("includes an id exactly when its position is below the percentage", () => {
    fc.assert(
      fc.property(thousandths, fc.string({ minLength: 1 }), (limit, targetingKey) => {
        const rule = rolledOut({ rollOut: Math.floor(limit / 1000), exactRollOut: limit / 1000 });
        const at = rollOutPosition(rollOutHash("f").of(targetingKey));
        expect(evaluateRule(compileRule(rule), { targetingKey }).enabled).toBe(at < limit);
      }),
      { numRuns: 2000 },
    );
  });

  test("includes every id that the roll-out of the next lower whole percentage includes", () => {
    fc.assert(
      fc.property(thousandths, fc.string({ minLength: 1 }), (limit, targetingKey) => {
        const rollOut = Math.floor(limit / 1000);
        const whole = compileRule(rolledOut({ rollOut }));
        const exact = compileRule(rolledOut({ rollOut, exactRollOut: limit / 1000 }));
        const isOn = evaluateRule(whole, { targetingKey }).enabled;
        expect(evaluateRule(exact, { targetingKey }).enabled || !isOn).toBe(true);
      }),
    );
  });

  test("returns the same verdict objects as a roll-out of whole per cents", () => {
    const context = { targetingKey: "123" };
    const whole = evaluateRule(compileRule(rolledOut({ rollOut: 50 })), context);
    const exact = rolledOut({ rollOut: 50, exactRollOut: 50.5, hashKey: "g" });
    const other = evaluateRule(compileRule(exact), { targetingKey: "1" });
    expect(Object.keys(other)).toEqual(["enabled", "reason"]);
    expect(evaluateRule(compileRule(rolledOut({ rollOut: 50, exactRollOut: 50 })), context)).toBe(
      whole,
    );
  });
});

describe("a flag imported from Unleash", () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `user-${(index * 7919).toString(36)}`);
  const utf8 = (text: string) => new Uint8Array(Buffer.from(text, "utf8"));

  /**
   * Returns `murmur3(groupId:id, seed) % buckets + 1` with the hash of the package `murmurhash`.
   */
  const normalized = (groupId: string, id: string, count: number, seed: number): number =>
    (murmurhash.v3(utf8(`${groupId}:${id}`), seed) % count) + 1;

  /** Returns the first variant at which the sum of the weights reaches the normalized hash. */
  function variantAt(weights: readonly (readonly [string, number])[], target: number): string {
    let sum = 0;
    for (const [variant, weight] of weights) {
      sum += weight;
      if (weight > 0 && sum >= target) return variant;
    }
    throw new Error("the weights do not add up to 1,000");
  }

  test.each([1, 37, 50, 99])("keeps the same ids in a roll-out of %d %%", (percentage) => {
    const rule = compileRule(rolledOut({ rollOut: percentage, hashKey: "group-1" }));
    for (const targetingKey of ids)
      expect(evaluateRule(rule, { targetingKey }).enabled).toBe(
        normalized("group-1", targetingKey, 100, 0) <= percentage,
      );
    expect(ids.filter((id) => bucket("group-1", id) <= percentage).length).toBeGreaterThan(0);
  });

  test.each([
    [
      "two halves",
      [
        ["a", 500],
        ["b", 500],
      ],
    ],
    [
      "thirds",
      [
        ["a", 334],
        ["b", 333],
        ["c", 333],
      ],
    ],
    [
      "a small and an empty variant",
      [
        ["a", 1],
        ["b", 0],
        ["c", 998],
        ["d", 1],
      ],
    ],
    ["a hundred variants", Array.from({ length: 100 }, (_, index) => [`v${index}`, 10])],
  ] as [string, [string, number][]][])("keeps the variant of every id, for %s", (_, weights) => {
    const stored = slotsOf(weights.map(([variant, weight]) => [variant, weight / 10]));
    const variants = Object.fromEntries(weights.map(([variant]) => [variant, variant]));
    const rule = compileRule({
      ...rolledOut({ rollOut: 100, slots: toSlots(stored), splitKey: "group-1" }),
      type: "string",
      variants,
    });
    for (const targetingKey of ids)
      expect(evaluateRule(rule, { targetingKey }).variant).toBe(
        variantAt(weights, normalized("group-1", targetingKey, 1000, SPLIT_SEED)),
      );
  });
});
