import { describe, expect, it } from "vitest";
import {
  apply,
  CART,
  COLOURS,
  exported,
  FLAG,
  inProduction,
  newShop,
  plan,
  PRODUCTION,
  STAFF,
} from "../support/files.ts";
import { outcome } from "../support/outcomes.ts";

/** The status, the code and the places of the faults of a plan. */
async function faultsOf(shop: Awaited<ReturnType<typeof newShop>>, file: object, request = {}) {
  const { status, body } = await plan(shop, file, request);
  const places = (body.details ?? []).map(({ field }: { field: string }) => field);
  return [status, body.code, ...places];
}

const [BLUE, RED] = COLOURS.variants;
const serving = (serve: object) => inProduction({ enabled: true, serve });
const colour = (more: object) => ({ flags: { colour: { ...FLAG, ...more } } });
const requires = (flagKey: string, more = {}) => ({ prerequisites: [{ flagKey, ...more }] });

describe("a plan of a file that contradicts itself is 400 with the place", () => {
  const environments = (strategy: object) => ({ environments: { production: strategy } });

  it.each<[string, object, string[]]>([
    [
      "in a strategy of a new flag that serves an unknown variant",
      serving({ variant: "pink" }),
      [`${PRODUCTION}/serve/variant`],
    ],
    [
      "in a rule of a new flag that splits among unknown variants",
      inProduction({ rules: [{}, { serve: { weights: { blue: 50, "p.1": 50 } } }] }),
      [`${PRODUCTION}/rules/1/serve/weights/p.1`],
    ],
    [
      "in a new flag that requires a flag which nobody has",
      colour(requires("missing")),
      ["/flags/colour/prerequisites/0/flagKey"],
    ],
    [
      "in a new flag that requires an unknown variant",
      { flags: { cart: CART, colour: { ...FLAG, ...requires("cart", { variants: ["pink"] }) } } },
      ["/flags/colour/prerequisites/0/variants"],
    ],
    [
      "in each flag of a cycle",
      {
        flags: {
          cart: { ...CART, ...requires("colour") },
          colour: { ...FLAG, ...requires("cart") },
        },
      },
      ["/flags/cart/prerequisites/0/flagKey", "/flags/colour/prerequisites/0/flagKey"],
    ],
    [
      "in a new flag whose off variant is unknown",
      colour({ offVariant: "pink" }),
      ["/flags/colour/offVariant"],
    ],
    [
      "in a strategy of a new flag whose constraints are too large together",
      inProduction({
        rules: Array.from({ length: 3 }, () => ({
          constraints: [{ field: "id", operator: "in", values: Array(250).fill("x".repeat(500)) }],
        })),
      }),
      [`${PRODUCTION}/constraints`],
    ],
    [
      "in the values of a context of another type",
      {
        contexts: {
          age: {
            contextType: "number",
            values: ["1", "old", { value: "2 years", description: "" }],
          },
        },
      },
      ["/contexts/age/values/1", "/contexts/age/values/2/value"],
    ],
  ])("%s", async (_, file, places) => {
    const [status, code, ...found] = await faultsOf(await newShop(), file);
    expect([status, code, found]).toEqual([400, "VALIDATION_ERROR", places]);
  });

  it.each<[string, object, object, string[]]>([
    [
      "that serves a variant which the file removes",
      serving({ variant: "red" }),
      colour({ variants: [BLUE], ...environments({ serve: { variant: "red" } }) }),
      [`${PRODUCTION}/serve/variant`],
    ],
    [
      "that requires a variant which the file removes",
      {
        flags: { colour: FLAG, cart: { ...CART, ...requires("colour", { variants: ["red"] }) } },
      },
      {
        flags: {
          colour: { ...FLAG, variants: [BLUE] },
          cart: { ...CART, ...requires("colour", { variants: ["red"] }) },
        },
      },
      ["/flags/cart/prerequisites/0/variants"],
    ],
    [
      "that closes a cycle through a flag which the file lacks",
      { flags: { colour: FLAG, cart: { ...CART, ...requires("colour") } } },
      colour(requires("cart")),
      ["/flags/colour/prerequisites/0/flagKey"],
    ],
    [
      "that gives a segment two names",
      { segments: { staff: STAFF } },
      { segments: { a: { renamedFrom: "staff" }, b: { renamedFrom: "staff" } } },
      ["/segments/b/renamedFrom"],
    ],
    [
      "whose values do not fit the type that it changes",
      { contexts: { age: { values: ["old"] } } },
      { contexts: { age: { contextType: "number", values: ["old"] } } },
      ["/contexts/age/values/0"],
    ],
  ])("in a project with the flag, %s", async (_, before, file, places) => {
    const shop = await newShop();
    expect(outcome(await apply(shop, before))).toBe("200");
    const [status, code, ...found] = await faultsOf(shop, file);
    expect([status, code, found]).toEqual([400, "VALIDATION_ERROR", places]);
  });

  it("in a flag that requires a flag which prune archives", async () => {
    const shop = await newShop();
    const cart = { ...CART, ...requires("colour") };
    await apply(shop, { flags: { colour: FLAG, cart } });
    const prune = { prune: true, pruneLimit: 5 };
    expect(await faultsOf(shop, { flags: { cart } }, prune)).toEqual([
      400,
      "VALIDATION_ERROR",
      "/flags/cart/prerequisites/0/flagKey",
    ]);
  });
});

it("a plan is 409 if the project serves the variant, and not the file", async () => {
  const shop = await newShop();
  await apply(shop, serving({ variant: "red" }));
  expect(await faultsOf(shop, colour({ variants: [BLUE] }))).toEqual([
    409,
    "CONFLICT",
    "/flags/colour",
  ]);
  expect(RED?.key).toBe("red");
});

it("a file may change the type of a context together with its values", async () => {
  const shop = await newShop();
  await apply(shop, { contexts: { age: { values: ["old"] } } });
  const file = { contexts: { age: { contextType: "number", values: ["18"] } } };
  expect(outcome(await apply(shop, file))).toBe("200");
  expect((await exported(shop)).contexts.age).toMatchObject({
    contextType: "number",
    values: ["18"],
  });
});

it("the 400 for 300 flags in a cycle names 20 places, and says how many there are", async () => {
  const flags = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => {
      const prerequisites = [1, 2].map((step) => ({ flagKey: `f${(n + step) % 300}` }));
      return [`f${n}`, { name: "Flag", flagType: "RELEASE", prerequisites }];
    }),
  );
  const { status, body } = await plan(await newShop(), { flags });
  expect([status, body.details.length]).toEqual([400, 20]);
  expect(body.error).toContain("the first 20 of 600 errors");
  expect(JSON.stringify(body).length).toBeLessThan(6_000);
});
