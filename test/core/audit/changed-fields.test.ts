import { expect, it } from "vitest";
import { changedFields, isSame } from "../../../src/core/audit/changed-fields.ts";

it("changedFields returns the fields whose values differ, on both sides", () => {
  const before = { name: "a", enabled: true, tags: ["x"], note: null };
  const after = { name: "b", enabled: true, tags: ["x", "y"], note: null };
  expect(changedFields({ before, after })).toEqual({
    before: { name: "a", tags: ["x"] },
    after: { name: "b", tags: ["x", "y"] },
  });
});

it("changedFields returns a field that only one side has", () => {
  const sides = { before: { name: "a" }, after: { name: "a", secretChanged: true } };
  expect(changedFields(sides)).toEqual({ before: {}, after: { secretChanged: true } });
});

it("changedFields returns undefined when values differ only in the order of object keys", () => {
  const before = { rules: [{ field: "f", values: ["1"] }], unset: undefined };
  const after = { rules: [{ values: ["1"], field: "f" }] };
  expect(changedFields({ before, after })).toBeUndefined();
});

it.each([
  ["a nested value", [{ f: { v: [1, 2] } }], [{ f: { v: [1, 3] } }]],
  ["a missing field", { f: 1, g: null }, { f: 1 }],
  ["a further field", { f: 1 }, { f: 1, g: null }],
  ["another field", { f: 1 }, { g: 1 }],
  ["a shorter list", [1, 2], [1]],
  ["a list instead of an object", {}, []],
  ["null instead of an object", {}, null],
  ["a text instead of a number", 1, "1"],
])("isSame tells %s apart", (_, one, other) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([false, false]);
  expect([isSame(one, structuredClone(one)), isSame(other, structuredClone(other))]).toEqual([
    true,
    true,
  ]);
});

it("changedFields returns a list when its items have another order", () => {
  const sides = { before: { values: ["1", "2"] }, after: { values: ["2", "1"] } };
  expect(changedFields(sides)).toEqual(sides);
});
