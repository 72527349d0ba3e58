import type { FlagsFile } from "@feature-flags/file/file";
import { describe, expect, it } from "vitest";
import { plannedItems } from "../../dashboard/src/features/files/planned-items.ts";

const FLAGS: FlagsFile = {
  version: 1,
  project: "Shop",
  flags: { cart: { name: "Cart", flagType: "RELEASE" } },
};
const change = (path: string, after: unknown, more: object = {}) => ({
  path,
  after,
  moves: null,
  ...more,
});

describe("the items of a plan", () => {
  it("have the whole strategy of a new flag, with the defaults of what the file leaves out", () => {
    const after = {
      name: "Colour",
      flagType: "RELEASE",
      valueType: "string",
      variants: [{ key: "blue", value: "blue" }],
      environments: { production: { enabled: true, percentage: 35, segments: ["staff"] } },
    };
    const { items, names } = plannedItems([change("/flags/colour", after)], FLAGS);
    expect(items).toMatchObject([
      { kind: "flag", key: "colour", name: "Colour", state: "created" },
    ]);
    const [strategy] = items[0]?.strategies ?? [];
    expect(strategy).toMatchObject({
      environment: "production",
      created: {
        enabled: true,
        exactPercentage: 35,
        constraints: [],
        rules: [],
        serve: { variant: "blue" },
        stickiness: null,
      },
    });
    expect(strategy?.created?.segmentIds.map((id) => names.of("segment", id))).toEqual(["staff"]);
  });

  it("have the changed fields of a flag and of its strategies in one item", () => {
    const place = "/flags/cart/environments/a~1b";
    const { items } = plannedItems(
      [
        change("/flags/cart/description", "New", { before: null }),
        change(`${place}/percentage`, 12.5, { before: 5, moves: 0.075 }),
        change(`${place}/rules`, [{ id: "vip", percentage: 10 }], { before: [], moves: 0.075 }),
      ],
      FLAGS,
    );
    expect(items).toMatchObject([
      {
        name: "Cart",
        state: "changed",
        before: { description: null },
        after: { description: "New" },
        strategies: [
          {
            environment: "a/b",
            created: undefined,
            before: { exactPercentage: 5, rules: [] },
            after: { exactPercentage: 12.5, rules: [{ id: "vip", exactPercentage: 10 }] },
            moves: 0.075,
          },
        ],
      },
    ]);
  });

  it("tell new, renamed and changed segments and archived flags apart", () => {
    const { items } = plannedItems(
      [
        change("/segments/new", { constraints: [] }),
        change("/segments/after", "after", { before: "before" }),
        change("/segments/used/constraints", [], { before: [], flags: ["cart"] }),
        change("/flags/cart/archived", true, { before: false }),
      ],
      FLAGS,
    );
    expect(items.map(({ key, state, usedBy }) => [key, state, usedBy])).toEqual([
      ["new", "created", undefined],
      ["after", "changed", undefined],
      ["used", "changed", ["cart"]],
      ["cart", "archived", undefined],
    ]);
    expect(items[1]).toMatchObject({ before: { name: "before" }, after: { name: "after" } });
  });
});
