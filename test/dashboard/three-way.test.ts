import { expect, it } from "vitest";
import { threeWayRows } from "../../dashboard/src/shared/history/three-way.ts";

const rule = (id: string, percentage: number) => ({ id, name: id, percentage });

it("threeWayRows returns the fields and rules that have left the base, with the names that a rebase has for them", () => {
  const base = {
    enabled: true,
    percentage: 12,
    exactPercentage: 12.5,
    stickiness: null,
    rules: [rule("a", 1), rule("b", 2)],
  };
  const current = { ...base, enabled: false, rules: [rule("b", 2)] };
  const after = { ...base, exactPercentage: 50, rules: [rule("a", 3), rule("b", 2)] };
  expect(threeWayRows({ base, current, after })).toEqual([
    { key: "percentage", field: "percentage", base: 12.5, current: 12.5, after: 50 },
    {
      key: "rules.a",
      field: "rules",
      base: { rule: rule("a", 1), place: 1 },
      current: undefined,
      after: { rule: rule("a", 3), place: 1 },
    },
    { key: "enabled", field: "enabled", base: true, current: false, after: true },
  ]);
});
