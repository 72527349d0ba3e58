import { expect, it } from "vitest";
import { namedFlags } from "../../dashboard/src/features/comparison/named-flags.ts";

const flags = (count: number) => Array.from({ length: count }, (_, n) => ({ flag: { id: n + 1 } }));

it("the dialog of a copy names all of eight flags", () => {
  const moves = new Map([[1, 0.5]]);
  expect(namedFlags(flags(8), moves)).toEqual({ named: flags(8), more: 0, most: 0 });
});

it("the dialog of a copy counts the flags after the eighth, with the greatest share of users among them", () => {
  const moves = new Map([
    [1, 0.9],
    [9, 0.125],
    [10, 0.4],
  ]);
  expect(namedFlags(flags(11), moves)).toEqual({ named: flags(8), more: 3, most: 0.4 });
});

it("the dialog of a copy states no share for the further flags until the shares have loaded", () => {
  expect(namedFlags(flags(9), undefined)).toMatchObject({ more: 1, most: 0 });
});
