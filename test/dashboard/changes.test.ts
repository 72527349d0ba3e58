import { describe, expect, it } from "vitest";
import { recordChanges } from "../../dashboard/src/shared/history/changes.ts";
import { exactPart } from "../../dashboard/src/shared/history/shortened.ts";
import type { ItemChange } from "../../dashboard/src/shared/history/field-change.ts";

const variant = (key: string, value: unknown, description?: string) => ({
  key,
  value,
  ...(description !== undefined && { description }),
});

const rule = (id: string, fields: object = {}) => ({
  id,
  name: null,
  percentage: 100,
  exactPercentage: null,
  constraints: [],
  segmentIds: [],
  serve: { variant: "on" },
  ...fields,
});

/** Returns the changed items of a list, each as its key, places and the names of its fields. */
function changedItems(field: "variants" | "rules", before: unknown[], after: unknown[]) {
  const [change] = recordChanges({ before: { [field]: before }, after: { [field]: after } });
  if (change === undefined) return [];
  if (change.kind !== "items") throw new Error(`the change has the kind ${change.kind}`);
  return change.items.map(summary);
}

const summary = ({ key, placeBefore, placeAfter, isMoved, changes }: ItemChange) => [
  key,
  `${placeBefore ?? "-"}>${placeAfter ?? "-"}${isMoved ? " moved" : ""}`,
  ...changes.map((change) => change.field),
];

describe("recordChanges, for variants,", () => {
  it("returns added, removed and changed variants, with the changed fields", () => {
    const before = [variant("red", 1), variant("green", 2), variant("blue", 3, "Sky")];
    const after = [variant("green", 2), variant("blue", 4, "Sea"), variant("grey", 5)];
    expect(changedItems("variants", before, after)).toEqual([
      ["blue", "3>2", "value", "description"],
      ["grey", "->3"],
      ["red", "1>-"],
    ]);
  });

  it("returns a variant whose value becomes null, empty text or an empty list", () => {
    for (const value of [null, "", []])
      expect(changedItems("variants", [variant("a", 1)], [variant("a", value)])).toEqual([
        ["a", "1>1", "value"],
      ]);
  });

  it("returns nothing if only the order of an object's fields differs", () => {
    const before = [variant("a", { x: 1, y: 2 })];
    expect(changedItems("variants", before, [variant("a", { y: 2, x: 1 })])).toEqual([]);
  });

  it("compares a value that only looks like a shortened part as it is", () => {
    const before = [variant("a", { $cut: null }), variant("b", { $unchanged: "5" })];
    const after = [variant("b", { $unchanged: 6, more: true }), variant("a", { $cut: {} })];
    expect(changedItems("variants", before, after)).toEqual([
      ["b", "2>1 moved", "value"],
      ["a", "1>2", "value"],
    ]);
  });
});

describe("recordChanges, for ordered rules,", () => {
  it("returns the fewest moves that explain the new order", () => {
    const order = (ids: string) => Array.from(ids, (id) => rule(id));
    expect(changedItems("rules", order("abcde"), order("eabcd"))).toEqual([["e", "5>1 moved"]]);
    expect(changedItems("rules", order("abcde"), order("bcdea"))).toEqual([["a", "1>5 moved"]]);
    expect(changedItems("rules", order("abc"), order("xabc"))).toEqual([["x", "->1"]]);
    expect(changedItems("rules", order("abc"), order("bc"))).toEqual([["a", "1>-"]]);
  });

  it("returns the changed fields of a rule, and an exact percentage as the percentage", () => {
    const before = [rule("a", { percentage: 12, exactPercentage: 12.5 }), rule("b")];
    const after = [rule("a", { percentage: 12 }), rule("b", { name: "Staff", segmentIds: [7] })];
    expect(changedItems("rules", before, after)).toEqual([
      ["a", "1>1", "percentage"],
      ["b", "2>2", "name", "segmentIds"],
    ]);
    const [change] = recordChanges({ before: { rules: before }, after: { rules: after } });
    expect(change?.kind === "items" && change.items[0]?.changes).toEqual([
      { kind: "value", field: "percentage", before: 12.5, after: 12 },
    ]);
  });

  it("returns the right places for a record that only counts unchanged rules", () => {
    const before = [{ $unchanged: 2 }, rule("moved"), { $unchanged: 3 }];
    const after = [rule("moved"), { $unchanged: 5 }];
    expect(changedItems("rules", before, after)).toEqual([["moved", "3>1 moved"]]);
    const added = [{ $unchanged: 4 }, rule("new"), { $unchanged: 1 }];
    expect(changedItems("rules", [{ $unchanged: 5 }], added)).toEqual([["new", "->5"]]);
  });

  it("returns one change of the whole field if the record is too large for the rules", () => {
    const cut = { $cut: { bytes: 40_000, items: 50, sha256: "x" } };
    expect(recordChanges({ before: { rules: cut }, after: { rules: [rule("a")] } })).toEqual([
      { kind: "json", field: "rules", before: cut, after: [rule("a")] },
    ]);
  });
});

describe("recordChanges, for what a rule serves,", () => {
  const serve = (before: object, after: object) =>
    recordChanges({ before: { serve: before }, after: { serve: after } });

  it("returns weights, with 100 % for a single variant", () => {
    const weights = { weights: { blue: 34, red: 66, grey: 0 }, slots: [] };
    expect(serve({ variant: "blue" }, weights)).toEqual([
      {
        kind: "serve",
        field: "serve",
        before: new Map([["blue", 100]]),
        after: new Map([
          ["blue", 34],
          ["red", 66],
        ]),
      },
    ]);
  });

  it("returns JSON if the record does not say what is served", () => {
    expect(serve({ weights: { blue: "x" } }, { other: 1 })).toMatchObject([{ kind: "json" }]);
  });
});

describe("exactPart", () => {
  it("returns values of users whose keys the record has escaped, and counts the parts that it omits", () => {
    const value = [{ $unchanged: 2 }, { $$unchanged: 2 }, { a: { $$$cut: "$$cut" } }];
    expect(exactPart(value)).toEqual({
      value: [{ $unchanged: 2 }, { a: { $$cut: "$$cut" } }],
      omitted: [{ kind: "unchangedItems", count: 2 }],
    });
  });
});
