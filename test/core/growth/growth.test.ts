import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { growingBlocks, WorkCounter } from "./work-counts.ts";
import type { Shape } from "./shapes.ts";

const counter = new WorkCounter();
/** The number of flags of a shape. Twice as many must take about twice the work. */
const N = 100;

let shapes: Record<string, Shape>;
beforeAll(async () => {
  await counter.start();
  ({ SHAPES: shapes } = await import("./shapes.ts"));
});
afterAll(() => counter.stop());

const NAMES = [
  "flags in a circle",
  "flags in a chain",
  "operations that create flags in a circle",
  "operations that create flags in a chain",
  "flags with other variants",
  "pruned flags that require each other",
  "restored flags",
  "renamed tags",
  "new segments",
  "conflicts that the file overwrites",
  "conflicts",
  "rules with the same content",
  "contexts with values",
  "deleted segments and flags",
  "flags that serve variants which they do not have",
];

describe("the work for a file or a list of operations grows in proportion to the number of", () => {
  it.each(NAMES)("%s", async (name) => {
    const shape = shapes[name];
    if (!shape) throw new Error(`The shape ${name} must exist`);
    // The first run loads and prepares what later runs find.
    await (
      await shape(N)
    )();
    const [once, twice] = [await shape(N), await shape(2 * N)];
    expect(growingBlocks(await counter.of(once), await counter.of(twice))).toEqual([]);
  });

  it("every shape", () => {
    expect(Object.keys(shapes).toSorted()).toEqual(NAMES.toSorted());
  });
});
