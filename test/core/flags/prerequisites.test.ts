import { describe, expect, it } from "vitest";
import { cycleErrors, cycleOf, type Requirements } from "../../../src/core/flags/prerequisites.ts";

/** The requirements that a text names: in "a-b b-c", a requires b, and b requires c. */
function requirements(text: string): Requirements {
  const map = new Map<string, string[]>();
  for (const [from = "", to = ""] of text.split(" ").map((edge) => edge.split("-")))
    map.set(from, [...(map.get(from) ?? []), to]);
  return map;
}

describe("a cycle that new prerequisites of flag 'a' close", () => {
  it.each([
    ["b-a", "b", "a b a"],
    ["b-c c-a", "b", "a b c a"],
    ["b-c c-d d-a x-a", "b", "a b c d a"],
    ["b-x b-c c-x c-a", "b", "a b c a"],
    ["b-c c-b c-a", "b", "a b c a"],
    ["", "a", "a a"],
  ])("is found with the requirements %s when 'a' requires %s: %s", (edges, required, cycle) => {
    expect(cycleOf(requirements(edges), "a", required)?.join(" ")).toBe(cycle);
  });

  it.each([
    ["no flag requires 'a'", "b-c c-d"],
    ["another flag requires 'a'", "x-a b-c"],
    ["two ways lead to the same flag", "b-c b-d c-e d-e"],
    ["other flags have a cycle", "b-c c-d d-b"],
  ])("does not exist when %s", (_, edges) => {
    expect(cycleOf(requirements(edges), "a", "b")).toBeUndefined();
  });

  it("is found among 10,000 flags", () => {
    const chain = new Map(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, [`f${n + 1}`]]));
    expect(cycleOf(chain, "f10000", "f0")).toHaveLength(10_002);
  });

  it("is reported as a field error at each prerequisite that closes a cycle", () => {
    const prerequisites = ["x", "b", "c"].map((flagKey) => ({ flagKey, enabled: true }));
    expect(cycleErrors("a", prerequisites, requirements("b-c c-a"))).toEqual([
      {
        field: "prerequisites.1.flagKey",
        message: "requires this flag, directly or through other flags: a → b → c → a",
      },
      {
        field: "prerequisites.2.flagKey",
        message: "requires this flag, directly or through other flags: a → c → a",
      },
    ]);
  });
});
