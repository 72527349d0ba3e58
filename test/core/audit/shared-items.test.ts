import * as fc from "fast-check";
import { expect, it } from "vitest";
import { countSharedItems } from "../../../src/core/audit/shared-items.ts";

type List = readonly unknown[];
type Item = Readonly<Record<string, unknown>>;

const isObject = (item: unknown): item is Item =>
  typeof item === "object" && item !== null && !Array.isArray(item);
const unchangedIn = (item: unknown) =>
  isObject(item) && typeof item.$unchanged === "number" ? item.$unchanged : undefined;

/**
 * Splits a shortened list at its counts of shared items, which are the items that the lists of both
 * sides have. Returns the items in each gap between shared items, and the number of shared items.
 */
function gapsOf(short: List): { gaps: Map<number, List>; count: number } {
  const gaps = new Map<number, List>();
  let count = 0;
  for (const item of short) {
    const unchanged = unchangedIn(item);
    if (unchanged === undefined) gaps.set(count, [...(gaps.get(count) ?? []), item]);
    else count += unchanged;
  }
  return { gaps, count };
}

/** Restores the full list of one side from the full list of the other side and both short lists. */
function restored(short: List, other: { short: List; full: List }): List {
  const { gaps: ownGaps, count: sharedCount } = gapsOf(short);
  const { gaps: otherGaps, count: otherCount } = gapsOf(other.short);
  expect(otherCount).toBe(sharedCount);
  const list: unknown[] = [];
  let position = 0;
  for (let n = 0; n <= sharedCount; n++) {
    const shortGap = otherGaps.get(n) ?? [];
    const fullGap = other.full.slice(position, position + shortGap.length);
    const ownGap = ownGaps.get(n) ?? [];
    list.push(
      ...ownGap.map((item, k) => restoredItem(item, { short: shortGap[k], full: fullGap[k] })),
    );
    position += shortGap.length;
    // Adds the shared item that follows the gap. No shared item follows the last gap.
    if (n < sharedCount) list.push(other.full[position]);
    position += 1;
  }
  return list;
}

/**
 * Restores the shortened lists in the fields of an item, if the list of the other side has an
 * object at the same place.
 */
function restoredItem(item: unknown, other: { short: unknown; full: unknown }): unknown {
  const { short, full } = other;
  if (!isObject(item) || !isObject(short) || !isObject(full)) return item;
  const entries = Object.entries(item).map(([field, value]) => {
    const [otherShort, otherFull] = [short[field], full[field]];
    const areLists = Array.isArray(value) && Array.isArray(otherShort) && Array.isArray(otherFull);
    return [field, areLists ? restored(value, { short: otherShort, full: otherFull }) : value];
  });
  return Object.fromEntries(entries);
}

const values = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 8 });
const item = fc.oneof(
  fc.constantFrom("x", "y", 1, 2, 3),
  fc.record({ key: fc.constantFrom("k", "l"), values }),
);
const list = fc.array(item, { maxLength: 10 });

it("countSharedItems keeps enough to restore each list from the list of the other side", () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const [b, a] = countSharedItems(before, after) as readonly [List, List];
      expect(restored(b, { short: a, full: after })).toEqual(before);
      expect(restored(a, { short: b, full: before })).toEqual(after);
    }),
    { numRuns: 2000 },
  );
});

it("countSharedItems replaces all items of equal lists by one count", () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 10 }), (same) => {
      const count = [{ $unchanged: same.length }];
      expect(countSharedItems(same, same)).toEqual([count, count]);
    }),
  );
});

it("countSharedItems does not count a list as unchanged when its items only changed places", () => {
  const [before, after] = countSharedItems(["a", "b"], ["b", "a"]);
  expect([before, after]).toEqual([
    [{ $unchanged: 1 }, "b"],
    ["b", { $unchanged: 1 }],
  ]);
});

it("countSharedItems does not count a text as equal to another item whose JSON it is", () => {
  const [before, after] = [
    ["1", '{"a":1}', '"1"', "null"],
    [1, { a: 1 }, null],
  ];
  expect(countSharedItems(before, after)).toEqual([before, after]);
});
