import { expect, it } from "vitest";
import { changedFields } from "../../../src/core/audit/changed-fields.ts";

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

it("changedFields returns a list when its items have another order", () => {
  const sides = { before: { values: ["1", "2"] }, after: { values: ["2", "1"] } };
  expect(changedFields(sides)).toEqual(sides);
});
