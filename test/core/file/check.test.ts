import { describe, expect, it } from "vitest";
import { checkFile } from "@feature-flags/file/check";

const file = (rest: object) => ({ version: 1, project: "shop", ...rest });
const flag = (rest: object) => file({ flags: { cart: { flagType: "RELEASE", ...rest } } });
const strategy = (rest: object) => flag({ environments: { staging: rest } });

const faultsOf = (value: unknown) => {
  const result = checkFile(value);
  return "faults" in result ? result.faults : [];
};

describe("the check of a file", () => {
  it("accepts the example of the documentation", () => {
    const example = file({
      manager: "shop-repo",
      contexts: { plan: { values: ["free", { value: "pro", description: "Paid" }] } },
      tags: { checkout: { color: "#2f9e44" } },
      segments: { staff: { constraints: [{ field: "email", operator: "exists" }] } },
      flags: {
        colour: {
          name: "Colour",
          flagType: "RELEASE",
          tags: ["checkout", { name: "team", value: "a" }],
          valueType: "json",
          variants: [{ key: "blue", value: { any: [1] } }],
          offVariant: null,
          valueSchema: { type: "object" },
          prerequisites: [{ flagKey: "cart" }],
          environments: {
            production: {
              percentage: 12.5,
              rules: [{ id: "k3v9x0qa2b", segments: ["staff"], serve: { variant: "blue" } }],
              serve: { weights: { blue: 100 }, slots: [[0, 100_000, "blue"]] },
            },
          },
        },
      },
    });
    expect(checkFile(example)).toEqual({ file: example });
  });

  it.each([
    ["a list", [], "", "must be an object"],
    [
      "a field that does not exist",
      flag({ nmae: "Cart" }),
      "/flags/cart/nmae",
      "is not a field; did you mean name?",
    ],
    ["a missing project", { version: 1 }, "/project", "is required"],
    ["another version", { version: 2, project: "shop" }, "/version", "must be 1"],
    [
      "a key with a slash",
      file({ flags: { "a/b~c": {} } }),
      "/flags/a~1b~0c/flagType",
      "is required",
    ],
    [
      "a value without quotes",
      strategy({ constraints: [{ field: "plan", operator: "in", values: [1] }] }),
      "/flags/cart/environments/staging/constraints/0/values/0",
      'must be a text: write "1" with quotes',
    ],
    [
      "a boolean where a text may be null",
      strategy({ hashKey: true }),
      "/flags/cart/environments/staging/hashKey",
      "must be a text or null",
    ],
    [
      "a percentage above 100",
      strategy({ percentage: 100.5 }),
      "/flags/cart/environments/staging/percentage",
      "must be between 0 and 100",
    ],
    [
      "the id of a rule with capital letters",
      strategy({ rules: [{ id: "A" }] }),
      "/flags/cart/environments/staging/rules/0/id",
      "must match ^[a-z0-9-]{1,40}$",
    ],
    [
      "a variant together with weights",
      strategy({ serve: { variant: "on", weights: { on: 100 } } }),
      "/flags/cart/environments/staging/serve",
      "must have either variant or weights",
    ],
    [
      "weights that do not add up",
      strategy({ serve: { weights: { on: 50.5, off: 50 } } }),
      "/flags/cart/environments/staging/serve/weights",
      "must add up to 100",
    ],
    [
      "slots that leave a gap",
      strategy({ serve: { weights: { on: 100 }, slots: [[0, 99_999, "on"]] } }),
      "/flags/cart/environments/staging/serve/slots",
      "must cover each position from 0 to 100000 once",
    ],
    [
      "slots that overlap",
      strategy({
        serve: {
          weights: { on: 100 },
          slots: [
            [0, 100_000, "on"],
            [5, 6, "off"],
          ],
        },
      }),
      "/flags/cart/environments/staging/serve/slots",
      "must cover each position from 0 to 100000 once",
    ],
    [
      "more than 64 slots",
      strategy({
        serve: {
          weights: { on: 50, off: 50 },
          slots: Array.from({ length: 100 }, (_, n) => [
            n * 1000,
            (n + 1) * 1000,
            n % 2 ? "on" : "off",
          ]),
        },
      }),
      "/flags/cart/environments/staging/serve/slots",
      "must have at most 64 slots",
    ],
    [
      "a slot with four items",
      strategy({ serve: { weights: { on: 100 }, slots: [[0, 100_000, "on", 1]] } }),
      "/flags/cart/environments/staging/serve/slots/0",
      "must have 3 items",
    ],
  ])("reports %s", (_, value, path, message) => {
    expect(faultsOf(value)).toEqual([{ path, message }]);
  });

  it("checks the names that all objects have, and those that a schema could lose", () => {
    const flags = JSON.parse(
      '{"toString":{"flagType":"RELEASE"},"__proto__":{"flagType":"X"}}',
    ) as object;
    expect(faultsOf(file({ flags }))).toEqual([
      { path: "/flags/__proto__/flagType", message: "must be one of RELEASE, KILLSWITCH" },
    ]);
    expect(faultsOf(JSON.parse('{"version":1,"project":"a","constructor":1}'))).toHaveLength(1);
  });

  it("refuses a list or an object that is longer than every limit, without a look at its items", () => {
    const path = "/flags/cart/environments/staging";
    const constraint = { field: "id", operator: "in", values: Array(1000).fill("a") };
    const weights = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`v${n}`, 1]));
    const tags = { flags: { cart: { flagType: "RELEASE", tags: Array(1001).fill(1) } } };
    expect(faultsOf(file(tags))).toEqual([
      { path: "/flags/cart/tags", message: "must have at most 1000 items" },
    ]);
    expect(faultsOf(strategy({ serve: { weights } }))).toEqual([
      { path: `${path}/serve/weights`, message: "must have at most 1000 entries" },
    ]);
    expect(
      faultsOf(strategy({ constraints: Array.from({ length: 100 }, () => constraint) }))[0],
    ).toMatchObject({
      path: `${path}/constraints/99/values`,
    });
  });

  it("accepts a long list in the value of a variant, which is not the file's", () => {
    const variants = [{ key: "a", value: Array(5000).fill(1) }];
    const cart = { flagType: "RELEASE", valueType: "json", variants };
    expect(faultsOf(file({ flags: { cart } }))).toEqual([]);
  });
});
