import { array, assert, nat, property } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bordersOf,
  evenShares,
  toShares,
  toWeights,
  WHOLE,
  withBorder,
  withShare,
} from "../../dashboard/src/features/flag-page/weights.ts";

const shares = array(nat(WHOLE), { minLength: 1, maxLength: 7 })
  .map((borders) => borders.concat(WHOLE).toSorted((a, b) => a - b))
  .map((borders) => borders.map((border, index) => border - (borders[index - 1] ?? 0)));

const isWhole = (result: readonly number[]) =>
  result.reduce((all, share) => all + share, 0) === WHOLE && result.every((share) => share >= 0);

describe("the shares of a weighted split", () => {
  it("add up to 100 % whichever share or border changes", () => {
    assert(
      property(shares, nat(), nat(WHOLE), (before, at, to) => {
        const byShare = withShare(before, at % before.length, to);
        const byBorder = withBorder(before, at % (before.length - 1), to);
        expect(byShare[at % before.length]).toBe(to);
        expect([byShare, byBorder].every(isWhole)).toBe(true);
      }),
    );
  });

  it("stay as entered when all of them are entered from top to bottom", () => {
    assert(
      property(shares, shares, (before, wanted) => {
        const list = wanted.slice(0, before.length - 1);
        let result: readonly number[] = before;
        for (const [index, share] of list.entries()) result = withShare(result, index, share);
        expect(result.slice(0, list.length)).toEqual(list);
      }),
    );
  });
});

describe("withShare", () => {
  it("takes the difference from the variants after it, in proportion to their shares", () => {
    expect(withShare([40_000, 40_000, 20_000], 0, 70_000)).toEqual([70_000, 20_000, 10_000]);
    expect(withShare([40_000, 40_000, 20_000], 1, 10_000)).toEqual([40_000, 10_000, 50_000]);
  });

  it("takes the difference from the variants before it when those after it have nothing left", () => {
    expect(withShare([40_000, 40_000, 20_000], 2, 60_000)).toEqual([20_000, 20_000, 60_000]);
    expect(withShare([40_000, 40_000, 20_000], 1, 80_000)).toEqual([20_000, 80_000, 0]);
  });

  it("gives the difference to the next variant when all variants after it are at 0", () => {
    expect(withShare([WHOLE, 0, 0], 0, 90_000)).toEqual([90_000, 10_000, 0]);
  });
});

describe("withBorder", () => {
  it("changes only the two variants at the border", () => {
    expect(withBorder([40_000, 40_000, 20_000], 0, 50_000)).toEqual([50_000, 30_000, 20_000]);
  });

  it("pushes the next border when a variant has nothing left", () => {
    expect(withBorder([40_000, 40_000, 20_000], 0, 90_000)).toEqual([90_000, 0, 10_000]);
    expect(withBorder([40_000, 40_000, 20_000], 1, 10_000)).toEqual([10_000, 0, 90_000]);
  });

  it("has its border at the position that it was moved to", () => {
    expect(bordersOf(withBorder([40_000, 40_000, 20_000], 1, 33_333))).toEqual([33_333, 33_333]);
  });
});

it("equal shares differ by at most a thousandth of a percent", () => {
  expect(evenShares(3)).toEqual([33_334, 33_333, 33_333]);
  expect(evenShares(4)).toEqual([25_000, 25_000, 25_000, 25_000]);
});

it("weights keep three decimals, and leave out variants with 0 %", () => {
  const variants = ["blue", "green", "red"];
  const weights = { blue: 33.334, red: 66.666 };
  expect(toShares(variants, weights)).toEqual([33_334, 0, 66_666]);
  expect(toWeights(variants, toShares(variants, weights))).toEqual(weights);
});
