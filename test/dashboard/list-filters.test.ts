import { expect, it } from "vitest";
import { typeFilter } from "../../dashboard/src/features/contexts/type-filter.ts";
import { filterItems } from "../../dashboard/src/shared/list/filter-items.ts";
import { usesFilter } from "../../dashboard/src/shared/list/uses-filter.ts";
import { t } from "./support/english.ts";

const segments = [
  { name: "two", flagCount: 2 },
  { name: "none", flagCount: 0 },
  { name: "unknown" },
];
const namesOf = (chosen: object) =>
  filterItems(segments, [usesFilter(t)], { ...chosen }).left.map(({ name }) => name);

it("the list of segments shows those that flags use, those that no flag uses, or all", () => {
  expect(namesOf({ use: "used" })).toEqual(["two"]);
  expect(namesOf({ use: "unused" })).toEqual(["none", "unknown"]);
  expect(namesOf({})).toEqual(["two", "none", "unknown"]);
});

it("the list of contexts shows those of the chosen type", () => {
  const contexts = [{ contextType: "string" }, { contextType: "semver" }];
  expect(filterItems(contexts, [typeFilter(t)], { type: "semver" })).toEqual({
    left: [{ contextType: "semver" }],
    values: ["semver"],
  });
});

it("a list ignores a value in the address that its filter does not offer", () => {
  expect(filterItems(segments, [usesFilter(t)], { use: "sometimes", other: "used" })).toEqual({
    left: segments,
    values: [undefined],
  });
});

it("a list shows only items that match all of its filters", () => {
  const items = [
    { contextType: "string", flagCount: 1 },
    { contextType: "string", flagCount: 0 },
    { contextType: "semver", flagCount: 1 },
  ];
  const chosen = { type: "string", use: "used" };
  expect(filterItems(items, [typeFilter(t), usesFilter(t)], chosen).left).toEqual([items[0]]);
});
