import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { areSlots, movedPositions, reweight, slotsOf, toSlots, weightsOf } from "../src/slots.ts";
import type { StoredSlot, Weights } from "../src/slots.ts";

const VARIANTS = ["blue", "c", "10", "2", "a.b", "z", "Green", "_"];

/** Generates weights of the first `count` variants. Some are 0, and some have three decimals. */
const weightsFor = (count: number): fc.Arbitrary<Weights> =>
  fc
    .array(fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(0, 50_000, 100_000)), {
      minLength: count - 1,
      maxLength: count - 1,
    })
    .map((cuts) => {
      const borders = [0, ...cuts.toSorted((one, other) => one - other), 100_000];
      return VARIANTS.slice(0, count).map((variant, index) => [
        variant,
        ((borders[index + 1] ?? 0) - (borders[index] ?? 0)) / 1000,
      ]);
    });

/** Generates the weights of a split of 2 to `variants` variants: at first, and after each change. */
const history = (
  changes: { readonly min: number; readonly max: number },
  variants = 8,
): fc.Arbitrary<Weights[]> =>
  fc.integer({ min: 2, max: variants }).chain((count) =>
    fc.array(weightsFor(count), {
      minLength: changes.min + 1,
      maxLength: changes.max + 1,
      size: "max",
    }),
  );

const UP_TO_20 = { min: 1, max: 20 };
const EXACTLY_20 = { min: 20, max: 20 };

/**
 * The number of changes, so few that a split of 8 variants is never compacted: each change adds at
 * most 7 slots.
 */
const UP_TO_7 = { min: 1, max: 7 };

/** Returns the slots after each entry of the history. */
function slotsOver([first = [], ...rest]: readonly Weights[]): StoredSlot[][] {
  let slots = slotsOf(first);
  return [slots, ...rest.map((weights) => (slots = reweight(slots, weights)))];
}

/** Returns the least share of users that must move: half the sum of the absolute differences. */
function leastMoves(before: Weights, after: Weights): number {
  const target = new Map(after);
  return (
    before.reduce(
      (sum, [variant, percent]) => sum + Math.abs(percent - (target.get(variant) ?? 0)),
      0,
    ) / 200
  );
}

const nonZero = (weights: Weights) =>
  weights
    .filter(([, percent]) => percent > 0)
    .map(([variant, percent]) => `${variant} ${percent.toFixed(3)}`)
    .toSorted();

describe("slotsOf", () => {
  test("gives each variant one slot, in the order of the variants", () => {
    const slots = slotsOf([
      ["b", 33.333],
      ["a", 0],
      ["c", 66.667],
    ]);
    expect(toSlots(slots)).toEqual([
      [0, 33_333, "b"],
      [33_333, 100_000, "c"],
    ]);
  });

  test.each([
    ["add up to less than 100", [["a", 99.999]]],
    [
      "contain a variant twice",
      [
        ["a", 50],
        ["a", 50],
        ["b", 50],
      ],
    ],
    [
      "contain a negative weight",
      [
        ["a", -1],
        ["b", 101],
      ],
    ],
    [
      "contain NaN",
      [
        ["a", Number.NaN],
        ["b", 100],
      ],
    ],
  ] satisfies [string, Weights][])("throws a RangeError for weights that %s", (_, weights) => {
    expect(() => slotsOf(weights)).toThrow(RangeError);
  });
});

describe("reweight", () => {
  test("gives every variant its weight, and covers every position once", () => {
    fc.assert(
      fc.property(history(UP_TO_20), (weights) => {
        for (const [index, slots] of slotsOver(weights).entries()) {
          expect(areSlots(toSlots(slots))).toBe(true);
          expect(nonZero(weightsOf(slots))).toEqual(nonZero(weights[index] ?? []));
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["2 to 8 variants and 7 changes", history(UP_TO_7)],
    ["2 to 5 variants and 20 changes", history(EXACTLY_20, 5)],
  ])("moves as few users as possible, for %s", (_, histories) => {
    fc.assert(
      fc.property(histories, (weights) => {
        const slots = slotsOver(weights);
        for (const [index, after] of slots.slice(1).entries()) {
          const least = leastMoves(weights[index] ?? [], weights[index + 1] ?? []);
          expect(movedPositions(slots[index] ?? [], after)).toBeCloseTo(least, 9);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("restores every earlier split exactly when its weights are set again in the reverse order", () => {
    fc.assert(
      fc.property(history(UP_TO_7), (weights) => {
        const slots = slotsOver(weights);
        let current = slots.at(-1) ?? [];
        for (const [index, earlier] of [...slots.slice(0, -1).entries()].toReversed()) {
          current = reweight(current, weights[index] ?? []);
          expect(current).toEqual(earlier);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("changes nothing when the weights stay the same", () => {
    fc.assert(
      fc.property(history(UP_TO_20), (weights) => {
        const slots = slotsOver(weights).at(-1) ?? [];
        expect(reweight(slots, weights.at(-1) ?? [])).toEqual(slots);
      }),
    );
  });

  test("keeps two variants in two slots after random changes", () => {
    fc.assert(
      fc.property(history(UP_TO_20, 2), (weights) => {
        fc.pre(weights[0]?.every(([, percent]) => percent > 0) ?? false);
        const slots = slotsOver(weights).at(-1) ?? [];
        expect(toSlots(slots)).toEqual(toSlots(slotsOf(weights.at(-1) ?? [])));
      }),
    );
  });

  // Leaves room for unlucky histories. The README states what 1,000 random histories cost.
  test("keeps at most 64 slots over 20 changes, and compaction moves at most 10 % of users more than necessary", () => {
    fc.assert(
      fc.property(history(EXACTLY_20), (weights) => {
        const slots = slotsOver(weights);
        for (const [index, after] of slots.slice(1).entries()) {
          const least = leastMoves(weights[index] ?? [], weights[index + 1] ?? []);
          expect(after.length).toBeLessThanOrEqual(64);
          expect(movedPositions(slots[index] ?? [], after) - least).toBeLessThan(0.1);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("keeps at most 4 slots per variant in a split of 50 variants", () => {
    const variants = Array.from({ length: 50 }, (_, index) => `v${index}`);
    const weights = (turn: number): Weights => {
      const sizes = variants.map((_, index) => 1 + ((index * 7919 + turn * 104_729) % 977));
      const sum = sizes.reduce((all, size) => all + size, 0);
      const rest = sizes.slice(1).map((size) => Math.floor((size / sum) * 100_000) / 1000);
      const first = 100 - rest.reduce((all, size) => all + size, 0);
      return [first, ...rest].map((size, index) => [variants[index] ?? "", size]);
    };
    let slots = slotsOf(weights(0));
    for (let turn = 1; turn <= 20; turn++) {
      slots = reweight(slots, weights(turn));
      expect(slots.length).toBeLessThanOrEqual(200);
    }
    expect(areSlots(toSlots(slots))).toBe(true);
  });

  test("moves 16 % of users from 34/33/33 to 50/25/25, where cumulative slots move 24 %", () => {
    const before = slotsOf([
      ["a", 34],
      ["b", 33],
      ["c", 33],
    ]);
    const weights: Weights = [
      ["a", 50],
      ["b", 25],
      ["c", 25],
    ];
    expect(movedPositions(before, reweight(before, weights))).toBeCloseTo(0.16, 9);
    expect(movedPositions(before, slotsOf(weights))).toBeCloseTo(0.24, 9);
  });
});
