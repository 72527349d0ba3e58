import { describe, expect, it } from "vitest";
import { withoutPauses } from "@feature-flags/evaluation/pausing";
import {
  cycleErrors,
  cycleOf,
  cyclesOf,
  type Requirements,
} from "../../../src/core/flags/prerequisites.ts";

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

  it("is not searched among more than 500 flags", () => {
    const cycle = (length: number) =>
      new Map(Array.from({ length }, (_, n) => [`f${n}`, [`f${(n + 1) % length}`]]));
    expect(cycleOf(cycle(500), "f0", "f1")).toHaveLength(501);
    expect(cycleOf(cycle(502), "f0", "f1")).toBeUndefined();
  });
});

/** The errors of prerequisites of the flag 'a', with its requirements among the others. */
function errorsOf(required: string, edges: string, isNamed = true) {
  const keys = required.split(" ");
  const all = new Map([...requirements(edges), ["a", keys]]);
  const prerequisites = keys.map((flagKey) => ({ flagKey, enabled: true }));
  const cycles = withoutPauses(cyclesOf(all));
  return cycleErrors("a", prerequisites, { requirements: all, cycles, isNamed });
}

describe("the errors of the prerequisites of flag 'a'", () => {
  const message = "requires this flag, directly or through other flags";

  it("name each prerequisite that closes a cycle, and the flags of the cycle", () => {
    expect(errorsOf("x b c", "b-c c-a")).toEqual([
      { field: "prerequisites.1.flagKey", message: `${message}: a → b → c → a` },
      { field: "prerequisites.2.flagKey", message: `${message}: a → c → a` },
    ]);
  });

  it("leave out the middle of a cycle of more than nine flags", () => {
    const chain = Array.from({ length: 19 }, (_, n) => `f${n}-f${n + 1}`).join(" ");
    const text = errorsOf("f0", `${chain} f19-a`)[0]?.message;
    expect(text).toBe(`${message}: a → f0 → f1 → f2 → f3 → f4 → f5 → f6 → f7 → 12 more → a`);
  });

  it("name no flags if the caller asks for none", () => {
    expect(errorsOf("b", "b-a", false)).toEqual([{ field: "prerequisites.0.flagKey", message }]);
  });

  it.each([
    ["other flags require each other", "b", "b-c c-b"],
    ["two ways lead to the same flag", "b c", "b-d c-d d-e"],
    ["a flag in a cycle requires 'a' only", "x", "b-c c-b c-a"],
  ])("are none when %s", (_, required, edges) => {
    expect(errorsOf(required, edges)).toEqual([]);
  });
});

describe("the cycles among flags", () => {
  it("are the same as those that a search from each prerequisite finds", () => {
    const random = (seed: number) => () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let seed = 1; seed <= 200; seed++) {
      const next = random(seed);
      const edges = Array.from({ length: 12 }, () =>
        [next(), next()].map((n) => Math.floor(n * 9)),
      );
      const graph = requirements(edges.map((edge) => edge.join("-")).join(" "));
      const cycles = withoutPauses(cyclesOf(graph));
      for (const [from, required] of graph)
        for (const to of required) {
          const isClosed = cycles.has(from) && cycles.get(from) === cycles.get(to);
          expect(isClosed, `${from}-${to}`).toBe(cycleOf(graph, from, to) !== undefined);
        }
    }
  });

  it("are found in a chain of 20,000 flags without a stack overflow", () => {
    const chain = (last: string) =>
      new Map(
        Array.from({ length: 20_000 }, (_, n) => [`f${n}`, [n < 19_999 ? `f${n + 1}` : last]]),
      );
    expect(withoutPauses(cyclesOf(chain("other"))).size).toBe(0);
    expect(withoutPauses(cyclesOf(chain("f5"))).size).toBe(19_995);
  });
});
