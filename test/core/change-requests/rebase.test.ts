import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rebase } from "../../../src/core/change-requests/rebase.ts";

const noChoice = () => undefined;
const rule = (id: string, name = id) => ({ id, name });
const rules = (...list: readonly object[]) => ({ rules: list });

describe("the rebase of a change request", () => {
  it("takes a field that only the request has changed", () => {
    const [base, current, after] = [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 3, b: 1 },
    ];
    expect(rebase({ base, current, after }, noChoice)).toEqual({ change: { a: 3 }, conflicts: [] });
  });

  it("leaves a field out that has the wanted value already", () => {
    const contents = { base: { a: 1 }, current: { a: 2 }, after: { a: 2 } };
    expect(rebase(contents, noChoice)).toEqual({ change: {}, conflicts: [] });
  });

  it("names a field that both have changed, and takes the chosen side", () => {
    const contents = { base: { a: 1 }, current: { a: 2 }, after: { a: 3 } };
    expect(rebase(contents, noChoice).conflicts).toEqual(["a"]);
    expect(rebase(contents, () => "request")).toEqual({ change: { a: 3 }, conflicts: [] });
    expect(rebase(contents, () => "current")).toEqual({ change: {}, conflicts: [] });
  });

  it("merges rules by their ids: each side's new, changed and deleted rules", () => {
    const base = rules(rule("a"), rule("b"), rule("c"));
    const current = rules(rule("x"), rule("a", "theirs"), rule("b"));
    const after = rules(rule("a"), rule("y"), rule("b", "ours"), rule("c"));
    expect(rebase({ base, current, after }, noChoice)).toEqual({
      change: rules(rule("x"), rule("a", "theirs"), rule("y"), rule("b", "ours")),
      conflicts: [],
    });
  });

  it("names a rule that one side has changed and the other deleted", () => {
    const contents = {
      base: rules(rule("a"), rule("b")),
      current: rules(rule("a")),
      after: rules(rule("a", "new"), rule("b", "ours")),
    };
    expect(rebase(contents, noChoice).conflicts).toEqual(["rules.b"]);
    const both = (take: "current" | "request") => rebase(contents, () => take).change;
    expect(both("current")).toEqual(rules(rule("a", "new")));
    expect(both("request")).toEqual(rules(rule("a", "new"), rule("b", "ours")));
  });

  it("on a content that has not changed is the request itself, for any rules", () => {
    const list = fc
      .uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"))
      .chain((ids) =>
        fc.tuple(...ids.map((id) => fc.constantFrom("x", "y").map((name) => rule(id, name)))),
      );
    fc.assert(
      fc.property(list, list, (before, wanted) => {
        const [base, after] = [rules(...before), rules(...wanted)];
        const { change, conflicts } = rebase({ base, current: base, after }, noChoice);
        expect(conflicts).toEqual([]);
        expect({ ...base, ...change }).toEqual(after);
      }),
    );
  });

  it("keeps what only others have changed, for any rules", () => {
    const list = fc
      .uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"))
      .map((ids) => ids.map((id) => rule(id)));
    fc.assert(
      fc.property(list, list, (before, now) => {
        const [base, current] = [rules(...before), rules(...now)];
        const after = { ...base, percentage: 5 };
        expect(rebase({ base, current, after }, noChoice).change).toEqual({ percentage: 5 });
      }),
    );
  });
});
