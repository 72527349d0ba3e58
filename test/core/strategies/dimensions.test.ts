import { describe, expect, it } from "vitest";
import { Dimensions } from "../../../src/core/strategies/dimensions.ts";

/** Dimensions with the same number of evenly spread borders. */
function dimensionsOf(count: number, borders: number): Dimensions {
  const dimensions = new Dimensions();
  for (let n = 0; n < count; n++)
    dimensions.add(
      `dimension ${n}`,
      Array.from({ length: borders }, (_, k) => (k + 1) * 100),
    );
  return dimensions;
}

const regionsOf = (dimensions: Dimensions) => {
  const regions: { place: number[]; share: number }[] = [];
  dimensions.forEachRegion((place, share) => {
    regions.push({ place: Object.values(place), share });
  });
  return regions;
};
const sharesOf = (dimensions: Dimensions) =>
  regionsOf(dimensions).reduce((sum, { share }) => sum + share, 0);

describe("the regions between borders", () => {
  it("are all combinations of the intervals of each dimension", () => {
    const dimensions = new Dimensions();
    expect(dimensions.add("one", [25_000])).toBe(0);
    expect(dimensions.add("other", [50_000])).toBe(1);
    expect(dimensions.add("one", [25_000, 100_000])).toBe(0);
    expect(regionsOf(dimensions)).toEqual([
      { place: [0, 0], share: 0.125 },
      { place: [0, 50_000], share: 0.125 },
      { place: [25_000, 0], share: 0.375 },
      { place: [25_000, 50_000], share: 0.375 },
    ]);
  });

  it("are one region when there are no dimensions", () => {
    expect(regionsOf(new Dimensions())).toEqual([{ place: [], share: 1 }]);
  });

  it.each([
    [2, 140],
    [2, 141],
    [13, 1],
    [100, 49],
    [1, 999],
  ])(
    "are at most 20,000, and contain all users: %i dimensions with %i borders",
    (count, borders) => {
      expect(regionsOf(dimensionsOf(count, borders)).length).toBeLessThanOrEqual(20_000);
      expect(sharesOf(dimensionsOf(count, borders))).toBeCloseTo(1, 9);
    },
  );

  it("are a sample that covers every pair of 100 dimensions evenly when there are too many regions", () => {
    const regions = regionsOf(dimensionsOf(100, 49));
    expect(regions).toEqual(regionsOf(dimensionsOf(100, 49)));
    for (let n = 1; n < 100; n++) {
      const low = regions.filter(({ place }) => (place[n] ?? 0) < 50_000);
      expect(low.length / regions.length).toBe(0.5);
      const bothLow = low.filter(({ place }) => (place[n - 1] ?? 0) < 50_000);
      expect(Math.abs(bothLow.length / regions.length - 0.25)).toBeLessThan(0.02);
    }
  });
});
