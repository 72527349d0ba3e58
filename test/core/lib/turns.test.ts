import { expect, it } from "vitest";
import { withoutPauses, type Pausing } from "@feature-flags/evaluation/pausing";
import { inTurns } from "../../../src/core/lib/turns.ts";

function* sum(values: readonly unknown[]): Pausing<number> {
  let steps = 0;
  for (const value of values) {
    yield value;
    steps += 1;
  }
  return steps;
}

/** How often something else runs before a computation ends. */
async function turnsOf(values: readonly unknown[]): Promise<number> {
  const state = { turns: 0, isDone: false };
  const others = (async () => {
    while (!state.isDone) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      state.turns += 1;
    }
  })();
  expect(await inTurns(sum(values))).toBe(values.length);
  state.isDone = true;
  const { turns } = state;
  await others;
  return turns;
}

it("a computation in steps has the same result at once and in turns", () => {
  expect(withoutPauses(sum(["a", "b"]))).toBe(2);
});

it("something else runs between the steps of a long computation, the more often the larger the steps are", async () => {
  expect(await turnsOf(["a"])).toBe(0);
  expect(await turnsOf(Array.from({ length: 1000 }, () => ({ a: [1, 2] })))).toBeGreaterThan(5);
  expect(await turnsOf(Array.from({ length: 10 }, () => ["x".repeat(250_000)]))).toBeGreaterThan(5);
});
