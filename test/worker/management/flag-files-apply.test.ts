import { describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import {
  COLOURS,
  FLAG,
  CART,
  STAFF,
  type Shop,
  newShop,
  fileOf,
  plan,
  applyPlan,
  apply,
  exported,
  paths,
  flagOf,
  strategyOf,
  managersOf,
  PRODUCTION,
  inProduction,
} from "../support/files.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { wholeDatabase } from "../support/records.ts";
import { newServiceAccount, newToken } from "../support/tokens.ts";
import { inCountries, newFlag, setStrategy } from "../support/world.ts";

describe("an apply", () => {
  it("creates segments, tags, contexts, flags and strategies that refer to each other in one commit", async () => {
    const shop = await newShop();
    const file = {
      contexts: { plan: { values: ["free", { value: "pro", description: "Paid" }] } },
      tags: { checkout: { color: "#2f9e44" }, team: {} },
      segments: { staff: STAFF },
      flags: {
        cart: CART,
        colour: {
          ...FLAG,
          tags: ["checkout", { name: "team", value: "a" }],
          prerequisites: [{ flagKey: "cart" }],
          environments: {
            production: {
              enabled: true,
              rules: [{ id: "k3v9x0qa2b", segments: ["staff"], serve: { variant: "red" } }],
              percentage: 12.5,
              serve: { weights: { blue: 50, red: 25, teal: 25 } },
            },
          },
        },
      },
    };
    const done = await apply(shop, file);
    expect(outcome(done)).toBe("200");
    expect(await exported(shop)).toEqual(fileOf(shop, file));
    const { items } = (await asAdmin("GET", `/api/v1/audit?projectId=${shop.id}&limit=100`)).body;
    expect(items[0].action).toBe("project.applied");
    expect(items[0].after).toMatchObject({ manager: "file", planId: done.body.id });
    expect(new Set(items.slice(0, 9).map(({ traceId }: Json) => traceId)).size).toBe(1);
  });

  it("writes nothing the second time, also if the response of the first was lost", async () => {
    const shop = await newShop();
    const file = inProduction({
      enabled: true,
      rules: [{ percentage: 5 }],
      serve: { weights: { blue: 50, red: 50 } },
    });
    const { body } = await plan(shop, file);
    await applyPlan(shop, file, body.id);
    const before = await wholeDatabase();
    const repeated = await applyPlan(shop, file, body.id);
    expect(outcome(repeated)).toBe("200");
    expect(repeated.body.changes).toEqual([]);
    expect(await wholeDatabase()).toEqual(before);
  });

  it("does the same as single writes, in the rules and in the audit trail", async () => {
    const [one, other] = [await newShop(), await newShop()];
    const strategy = { enabled: true, percentage: 20, constraints: [inCountries("de")] };
    await apply(one, { flags: { cart: { ...CART, environments: { staging: strategy } } } });
    const cart = await newFlag(other.id, { ...CART, key: "cart" });
    await setStrategy(cart.id, { environmentId: other.staging, ...strategy });
    const actionsOf = async ({ id }: Shop) => {
      const { items } = (await asAdmin("GET", `/api/v1/audit?projectId=${id}&limit=100`)).body;
      return items
        .filter(({ entityType }: Json) => entityType === "flag")
        .map(({ action, before, after }: Json) => ({ action, before, after }));
    };
    expect(await actionsOf(one)).toEqual(await actionsOf(other));
    expect((await exported(one)).flags).toEqual((await exported(other)).flags);
  });

  it("needs If-Match, and is 412 with the id of another plan", async () => {
    const shop = await newShop();
    const body = { file: fileOf(shop, { flags: { cart: CART } }) };
    const without = await asAdmin("POST", `/api/v1/projects/${shop.id}/apply`, body);
    expect(outcome(without)).toContain("400");
    expect((await applyPlan(shop, { flags: { cart: CART } }, "other")).status).toBe(412);
  });

  it("keeps the id of a plan while unrelated flags change", async () => {
    const shop = await newShop();
    const file = inProduction({ enabled: true });
    const { body } = await plan(shop, file);
    await newFlag(shop.id);
    expect((await applyPlan(shop, file, body.id)).status).toBe(200);
  });

  it("racing applies: one of two different files is 412", async () => {
    const shop = await newShop();
    await apply(shop, inProduction({ percentage: 10 }));
    const files = [20, 30].map((percentage) => inProduction({ percentage }));
    const plans = await Promise.all(files.map((file) => plan(shop, file)));
    const done = await Promise.all(
      files.map((file, n) => applyPlan(shop, file, plans[n]?.body.id)),
    );
    expect(done.map(({ status }) => String(status)).toSorted()).toEqual(["200", "412"]);
  });

  it("changes only the strategies of the named environments", async () => {
    const shop = await newShop();
    const strategies = { staging: { percentage: 5 }, production: { percentage: 6 } };
    const file = { flags: { cart: { ...CART, environments: strategies } } };
    await apply(shop, file, { environments: ["staging"] });
    expect((await exported(shop)).flags.cart.environments).toEqual({ staging: { percentage: 5 } });
    const all = await plan(shop, file);
    expect(paths(all.body.changes)).toEqual(["/flags/cart/environments/production/percentage"]);
  });
});

describe("an apply that manages nothing", () => {
  const unmanaged = { manage: false };

  it("sets the values, and leaves the flags to the dashboard", async () => {
    const shop = await newShop();
    const done = await apply(shop, inProduction({ percentage: 10 }), unmanaged);
    expect(outcome(done)).toBe("200");
    expect((await strategyOf(shop, "colour")).percentage).toBe(10);
    expect(await managersOf(shop, "colour")).toEqual([]);
    const { items } = (await asAdmin("GET", `/api/v1/audit?projectId=${shop.id}&size=1`)).body;
    expect(items[0]).toMatchObject({ action: "project.applied", after: { planId: done.body.id } });
    const { id } = await flagOf(shop, "colour");
    await setStrategy(id, { environmentId: shop.production, percentage: 20 });
    expect(outcome(await apply(shop, inProduction({ percentage: 30 })))).toBe("200");
    expect(await managersOf(shop, "colour")).not.toEqual([]);
  });

  it("changes no owner, and reports a changed field of a file as a conflict", async () => {
    const shop = await newShop();
    await apply(shop, inProduction({ percentage: 10, enabled: true }));
    const managed = await managersOf(shop, "colour");
    const file = inProduction({ percentage: 20 });
    const path = `${PRODUCTION}/percentage`;
    const planned = await plan(shop, file, unmanaged);
    expect(planned.body.conflicts).toMatchObject([{ path, manager: "file" }]);
    const overwritten = await apply(shop, file, { ...unmanaged, overwrite: [path] });
    expect(outcome(overwritten)).toBe("200");
    expect((await strategyOf(shop, "colour")).percentage).toBe(20);
    expect(await managersOf(shop, "colour")).toEqual(managed);
  });

  it("reports the renaming of what a file manages as a conflict", async () => {
    const shop = await newShop();
    await apply(shop, { segments: { staff: STAFF } });
    const renamed = { segments: { crew: { ...STAFF, renamedFrom: "staff" } } };
    const { body } = await plan(shop, renamed, unmanaged);
    expect(paths(body.conflicts)).toEqual(["/segments/crew/constraints"]);
  });

  it("returns 400 for prune", async () => {
    const shop = await newShop();
    const answer = await plan(shop, { flags: {} }, { ...unmanaged, prune: true });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
  });
});

describe("a plan", () => {
  it("has the share of ids that move in each environment, and writes nothing", async () => {
    const shop = await newShop();
    await apply(shop, inProduction({ enabled: true, percentage: 10 }));
    const before = await wholeDatabase();
    const { body } = await plan(shop, inProduction({ enabled: true, percentage: 35 }));
    expect(body.changes).toEqual([
      { path: `${PRODUCTION}/percentage`, before: 10, after: 35, moves: 0.25 },
    ]);
    expect(body.environments).toEqual([
      { name: "production", flags: 1, maxMoves: 0.25, checks24h: 0 },
    ]);
    expect(await wholeDatabase()).toEqual(before);
  });

  it("names the flags that use a changed segment", async () => {
    const shop = await newShop();
    const file = (values: string[]) => ({
      segments: { staff: { constraints: [{ field: "email", operator: "in", values }] } },
      ...inProduction({ segments: ["staff"] }),
    });
    await apply(shop, file(["a"]));
    const { body } = await plan(shop, file(["b"]));
    expect(body.changes).toMatchObject([
      { path: "/segments/staff/constraints", moves: null, flags: ["colour"] },
    ]);
  });
});

describe("a plan of a hostile file", () => {
  const entries = (count: number, value: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`name-${n}`, value]));
  const errorOf = async (file: object) => {
    const { status, body } = await plan(await newShop(), file);
    return [status, body.details.length, body.details[0]];
  };

  it("is 400 for more entries than a project may have", async () => {
    const segments = entries(1001, {});
    expect(await errorOf({ segments })).toEqual([
      400,
      1,
      { field: "/segments", message: "must have at most 1000 entries" },
    ]);
    const environments = entries(51, {});
    expect(await errorOf({ flags: { cart: { ...CART, environments } } })).toEqual([
      400,
      1,
      { field: "/flags/cart/environments", message: "must have at most 50 entries" },
    ]);
  });

  it("names at most 100 faults, with short pointers", async () => {
    const flags = { ["k".repeat(100_000)]: entries(1000, {}) };
    const [status, count, first] = await errorOf({ flags });
    expect([status, count]).toEqual([400, 100]);
    expect(first.field.length).toBeLessThan(300);
    const tags = entries(400, { color: "red" });
    expect((await errorOf({ tags })).slice(0, 2)).toEqual([400, 100]);
  });

  it("is 400 for two names that become one", async () => {
    expect(await errorOf({ segments: { staff: {}, "staff ": {} } })).toEqual([
      400,
      1,
      { field: "/segments/staff ", message: "is the same name as an earlier one" },
    ]);
  });
});

it("a conflict names the user who made it to people, and to no service account", async () => {
  const shop = await newShop();
  const file = inProduction({ enabled: true, percentage: 10 });
  await apply(shop, file);
  const { id } = await flagOf(shop, "colour");
  await setStrategy(id, { environmentId: shop.production, percentage: 20 });
  const wanted = inProduction({ enabled: true, percentage: 30 });
  const token = await newToken({
    scopes: ["read"],
    serviceAccountId: await newServiceAccount("VIEWER", shop.id),
  });
  const seen = await call("POST", `/api/v1/projects/${shop.id}/plan`, {
    token: token.token,
    body: { file: fileOf(shop, wanted) },
  });
  expect(seen.body.conflicts[0]).toMatchObject({ by: null, at: expect.any(String) });
  const own = await plan(shop, wanted);
  expect(own.body.conflicts[0].by).toEqual(expect.any(String));
});

describe("the hard cases", () => {
  it("off at night, CI at nine: conflict", async () => {
    const shop = await newShop();
    await apply(shop, inProduction({ enabled: true, percentage: 10 }));
    const { id } = await flagOf(shop, "colour");
    await setStrategy(id, { environmentId: shop.production, enabled: false });
    const file = inProduction({ enabled: true, percentage: 20 });
    const { body } = await plan(shop, file);
    expect(body.conflicts).toMatchObject([
      { path: `${PRODUCTION}/enabled`, current: false, wanted: true, manager: null },
    ]);
    expect(body.conflicts[0].by).toMatch(/./);
    expect(body.conflicts[0].at).toMatch(/^20/);
    const refused = await applyPlan(shop, file, body.id);
    expect(outcome(refused)).toContain("409");
    expect(refused.body.details[0].field).toBe(`${PRODUCTION}/enabled`);
    expect(outcome(await apply(shop, file, { overwrite: [PRODUCTION] }))).toBe("200");
    expect((await strategyOf(shop, "colour")).enabled).toBe(true);
  });

  it("an equal change elsewhere, or a field that leaves the file: no conflict", async () => {
    const shop = await newShop();
    await apply(shop, inProduction({ enabled: true, percentage: 10 }));
    const { id } = await flagOf(shop, "colour");
    await setStrategy(id, { environmentId: shop.production, enabled: false, percentage: 20 });
    const { body } = await apply(shop, inProduction({ percentage: 20 }));
    expect(body.changes).toEqual([]);
    expect(body.released).toEqual([{ path: `${PRODUCTION}/enabled`, default: false }]);
    expect((await strategyOf(shop, "colour")).enabled).toBe(false);
    expect(
      (await plan(shop, inProduction({ enabled: true, percentage: 20 }))).body.conflicts,
    ).toEqual([]);
  });

  it("the field of another manager: conflict", async () => {
    const shop = await newShop();
    await apply(shop, { manager: "one", ...inProduction({ percentage: 10 }) });
    const file = { manager: "two", ...inProduction({ percentage: 10 }) };
    const { body } = await plan(shop, file);
    expect(body.conflicts).toContainEqual(
      expect.objectContaining({ path: `${PRODUCTION}/percentage`, manager: "one" }),
    );
    expect(outcome(await apply(shop, file, { overwrite: [""] }))).toBe("200");
    const again = await plan(shop, { manager: "one", ...inProduction({ percentage: 10 }) });
    expect(paths(again.body.conflicts)).toContain(`${PRODUCTION}/percentage`);
  });

  it("flag archived elsewhere: stays, warning", async () => {
    const shop = await newShop();
    const file = inProduction({ enabled: true });
    await apply(shop, file);
    const { id } = await flagOf(shop, "colour");
    await asAdmin("POST", `/api/v1/flags/${id}/archive`);
    const { body } = await apply(shop, file);
    expect(paths(body.warnings)).toEqual(["/flags/colour"]);
    expect((await asAdmin("GET", `/api/v1/flags/${id}`)).body.archived).toBe(true);
  });

  it("archived flag switched on: 409", async () => {
    const shop = await newShop();
    await apply(shop, inProduction({}));
    const { id } = await flagOf(shop, "colour");
    await asAdmin("POST", `/api/v1/flags/${id}/archive`);
    expect((await plan(shop, inProduction({ enabled: true }))).status).toBe(409);
  });

  it.each([
    ["other flagType", { flagType: "KILLSWITCH" }, "/flags/colour/flagType"],
    [
      "other valueType",
      { valueType: "number", variants: [{ key: "a", value: 1 }] },
      "/flags/colour/valueType",
    ],
    ["unknown environment", { environments: { prod: {} } }, "/flags/colour/environments/prod"],
    [
      "unknown segment",
      { environments: { staging: { segments: ["x"] } } },
      "/flags/colour/environments/staging/segments/0",
    ],
    [
      "unknown variant",
      { environments: { staging: { serve: { variant: "x" } } } },
      "/flags/colour/environments/staging/serve/variant",
    ],
    ["a name that is too long", { name: "x".repeat(201) }, "/flags/colour/name"],
    ["unknown field", { nmae: "x" }, "/flags/colour/nmae"],
  ])("%s: 400", async (_, change, field) => {
    const shop = await newShop();
    await apply(shop, inProduction({}));
    const { status, body } = await plan(shop, { flags: { colour: { ...FLAG, ...change } } });
    expect({ status, fields: body.details.map((one: Json) => one.field) }).toEqual({
      status: 400,
      fields: [field],
    });
  });

  it("segment renamed in dashboard: conflict", async () => {
    const shop = await newShop();
    const file = { segments: { staff: STAFF }, ...inProduction({ segments: ["staff"] }) };
    await apply(shop, file);
    const [segment] = (await asAdmin("GET", `/api/v1/segments?projectId=${shop.id}`)).body;
    await asAdmin("PUT", `/api/v1/segments/${segment.id}`, { name: "employees" });
    const { body } = await plan(shop, file);
    expect(body.conflicts).toMatchObject([
      { path: "/segments/staff", current: "employees", wanted: "staff" },
    ]);
    expect(outcome(await apply(shop, file, { overwrite: ["/segments/staff"] }))).toBe("200");
    expect(Object.keys((await exported(shop)).segments)).toEqual(["staff"]);
  });

  it("renamed in file: renamedFrom", async () => {
    const shop = await newShop();
    await apply(shop, { segments: { staff: STAFF }, ...inProduction({ segments: ["staff"] }) });
    const [segment] = (await asAdmin("GET", `/api/v1/segments?projectId=${shop.id}`)).body;
    const file = {
      segments: { employees: { ...STAFF, renamedFrom: "staff" } },
      ...inProduction({ segments: ["employees"] }),
    };
    const { body } = await apply(shop, file);
    expect(body.changes).toEqual([
      { path: "/segments/employees", before: "staff", after: "employees", moves: null },
    ]);
    expect((await asAdmin("GET", `/api/v1/segments/${segment.id}`)).body.name).toBe("employees");
    expect((await plan(shop, file)).body.changes).toEqual([]);
  });

  it("new flags in a cycle: 400", async () => {
    const shop = await newShop();
    const flags = {
      a: { ...CART, prerequisites: [{ flagKey: "b" }] },
      b: { ...CART, prerequisites: [{ flagKey: "a" }] },
    };
    const { status, body } = await plan(shop, { flags });
    expect(status).toBe(400);
    expect(body.details[0].field).toMatch(/^\/flags\/[ab]\/prerequisites\/0\/flagKey$/);
  });

  it("variant unserved and removed: valid", async () => {
    const shop = await newShop();
    await apply(shop, inProduction({ serve: { weights: { blue: 50, teal: 50 } } }));
    const variants = COLOURS.variants.slice(0, 2);
    const file = inProduction({ serve: { weights: { blue: 50, red: 50 } } }, { variants });
    expect(outcome(await apply(shop, file))).toBe("200");
    const { serve } = await strategyOf(shop, "colour");
    expect(serve.slots).toEqual([
      { from: 0, to: 50_000, variant: "blue" },
      { from: 50_000, to: 100_000, variant: "red" },
    ]);
  });

  it("empty file, prune: limit", async () => {
    const shop = await newShop();
    await apply(shop, { flags: { cart: CART, colour: FLAG } });
    const refused = await plan(shop, {}, { prune: true });
    expect(refused.body.error).toContain("pruneLimit to 2");
    const kept = await apply(shop, {});
    expect(paths(kept.body.warnings)).toEqual(["/flags/cart", "/flags/colour"]);
    const { body } = await apply(shop, {}, { prune: true, pruneLimit: 2 });
    expect(paths(body.changes)).toEqual(["/flags/cart/archived", "/flags/colour/archived"]);
    expect((await exported(shop)).flags).toBeUndefined();
  });

  it("prune of a flag of which another manager owns a part: stays, warning", async () => {
    const shop = await newShop();
    await apply(shop, { manager: "one", flags: { cart: CART } });
    const ofOther = { flagType: "KILLSWITCH", environments: { staging: { percentage: 5 } } };
    const other = { manager: "two", flags: { cart: ofOther } };
    expect(outcome(await apply(shop, other, { overwrite: ["/flags/cart/flagType"] }))).toBe("200");
    const { body } = await apply(
      shop,
      { manager: "one", flags: {} },
      { prune: true, pruneLimit: 1 },
    );
    expect(body.warnings).toContainEqual({
      path: "/flags/cart",
      message: expect.stringContaining("another manager"),
    });
    expect(await flagOf(shop, "cart")).toMatchObject({ archived: false });
  });

  it("prune in some environments: 400", async () => {
    const shop = await newShop();
    const refused = await plan(shop, {}, { prune: true, environments: ["staging"] });
    expect([outcome(refused), refused.body.details[0].field]).toEqual([
      "400 VALIDATION_ERROR",
      "prune",
    ]);
  });

  it("git revert: users return", async () => {
    const shop = await newShop();
    const serve = (blue: number) => inProduction({ serve: { weights: { blue, red: 100 - blue } } });
    await apply(shop, serve(30));
    const before = (await strategyOf(shop, "colour")).serve;
    await apply(shop, serve(70));
    await apply(shop, {}, { prune: true, pruneLimit: 1 });
    const file = inProduction(
      { serve: { weights: { blue: 30, red: 70 } } },
      { description: "Again" },
    );
    const { body } = await apply(shop, file);
    expect(paths(body.changes)).toEqual([
      "/flags/colour/archived",
      "/flags/colour/description",
      `${PRODUCTION}/serve`,
    ]);
    expect((await flagOf(shop, "colour")).archived).toBe(false);
    expect((await strategyOf(shop, "colour")).serve).toEqual(before);
  });

  it("rule moved: keeps slots", async () => {
    const shop = await newShop();
    const split = (blue: number) => ({
      name: "Split",
      serve: { weights: { blue, red: 100 - blue } },
    });
    const other = { percentage: 5, serve: { variant: "red" } };
    await apply(shop, inProduction({ rules: [split(60), other] }));
    await apply(shop, inProduction({ rules: [split(40), other] }));
    const before = (await strategyOf(shop, "colour")).rules;
    const { body } = await apply(shop, inProduction({ rules: [other, split(40)] }));
    expect(body.warnings).toEqual([]);
    expect((await strategyOf(shop, "colour")).rules).toEqual(before.toReversed());
  });

  it("rule edited, no id, name: new rule, warning", async () => {
    const shop = await newShop();
    await apply(shop, inProduction({ rules: [{ percentage: 5 }] }));
    const [before] = (await strategyOf(shop, "colour")).rules;
    const { body } = await apply(shop, inProduction({ rules: [{ percentage: 6 }] }));
    expect(paths(body.warnings)).toEqual([`${PRODUCTION}/rules/0`]);
    expect((await strategyOf(shop, "colour")).rules[0].id).not.toBe(before.id);
  });

  it("other project's file: 400", async () => {
    const [shop, other] = [await newShop(), await newShop()];
    const body = { file: fileOf(other, {}) };
    const refused = await asAdmin("POST", `/api/v1/projects/${shop.id}/plan`, body);
    expect(refused.body.details).toMatchObject([{ field: "/project" }]);
  });
});

it("lets a token that is limited to environments change only strategies there", async () => {
  const shop = await newShop();
  await apply(shop, inProduction({ percentage: 5 }));
  const serviceAccountId = await newServiceAccount("DEVELOPER", shop.id);
  const limits = { scopes: ["write"] as const, environmentIds: [shop.production] };
  const { token } = await newToken({ serviceAccountId, ...limits });
  const applied = async (file: object) => {
    const { body } = await plan(shop, file);
    const headers = { "If-Match": `"${body.id}"` };
    const path = `/api/v1/projects/${shop.id}/apply`;
    return outcome(
      await call("POST", path, { token, body: { file: fileOf(shop, file) }, headers }),
    );
  };
  expect(await applied(inProduction({ percentage: 6 }, { name: "Other" }))).toBe("403 FORBIDDEN");
  const staging = { flags: { colour: { ...FLAG, environments: { staging: { percentage: 6 } } } } };
  expect(await applied(staging)).toBe("403 FORBIDDEN");
  const other = { manager: "other", ...inProduction({ percentage: 5 }) };
  expect(await applied(other)).toBe("409 CONFLICT");
  await apply(shop, inProduction({ percentage: 5 }, { name: undefined }));
  expect(await applied({ manager: "other", flags: { colour: FLAG } })).toBe("409 CONFLICT");
  expect(await applied(inProduction({ percentage: 6 }, { name: undefined }))).toBe("200");
  expect(await applied(inProduction({ percentage: 6 }))).toBe("403 FORBIDDEN");
});

describe("the field managedBy of a flag", () => {
  it("names the fields that each file owns, in the words of the API, with the commit of its last apply", async () => {
    const shop = await newShop();
    const cart = { ...CART, environments: { production: { enabled: true, percentage: 25 } } };
    const source = { repository: "https://example.com/shop", commit: "1b2c3d4" };
    await apply(shop, { manager: "shop-repo", flags: { cart } }, source);
    const list = await asAdmin("GET", `/api/v1/flags?projectId=${shop.id}`);
    const read = async () =>
      (await asAdmin("GET", `/api/v1/flags/${list.body.items[0].id}?related=true`)).body.related;
    const ofFlag = { environmentId: null, manager: "shop-repo", fields: ["name"] };
    const fields = ["enabled", "exactPercentage"];
    const ofStrategy = { environmentId: shop.production, manager: "shop-repo", fields };
    expect((await read()).managedBy).toEqual([
      { ...ofFlag, ...source },
      { ...ofStrategy, ...source },
    ]);

    await apply(shop, { manager: "shop-repo", flags: { cart: CART } });
    const unknown = { repository: null, commit: null };
    expect((await read()).managedBy).toEqual([{ ...ofFlag, ...unknown }]);
  });
});
