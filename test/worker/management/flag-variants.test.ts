import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { flagShape } from "../support/shapes.ts";
import { newEnvironment, newFlag, newProject, setStrategy, unique } from "../support/world.ts";

const path = "/api/v1/flags";
const put = (id: number, body: object) => asAdmin("PUT", `${path}/${id}`, body);

const BLUE = { key: "blue", value: "#00f", description: "As today" };
const RED = { key: "red", value: "#f00" };
const GREEN = { key: "green", value: "#0f0" };
const LIMITS = { key: "limits", value: { max: 3, tags: ["a", null], nested: { on: true } } };
const ON = { key: "on", value: true };
const OFF = { key: "off", value: false };

/** A text whose JSON has this many bytes. */
const textOf = (bytes: number) => "x".repeat(bytes - 2);

/** Creates a string flag in a new project. Returns its id and the ids of two environments. */
async function colourFlag(variants: readonly object[] = [BLUE, RED, GREEN]) {
  const { id: projectId } = await newProject();
  const [one, two] = [await newEnvironment(projectId), await newEnvironment(projectId)];
  const flag = await newFlag(projectId, { valueType: "string", variants });
  return { projectId, flag, one, two };
}

describe("a flag with values", () => {
  it.each([
    ["string", [BLUE, RED], "red"],
    ["number", [{ key: "one", value: 1.5 }], null],
    ["json", [LIMITS, { key: "none", value: null }], "none"],
  ] as const)(
    "is created with the type %s, and read with the same fields",
    async (valueType, variants, offVariant) => {
      const { id: projectId } = await newProject();
      const body = {
        key: unique("flag"),
        name: "Colour",
        flagType: "RELEASE",
        projectId,
        valueType,
        variants,
        offVariant,
        valueSchema: { title: "A value" },
      };
      const answer = await asAdmin("POST", path, body);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({ ...flagShape, ...body });
      expect((await asAdmin("GET", `${path}/${answer.body.id}`)).body).toEqual(answer.body);
    },
  );

  it("has the same fields in every list", async () => {
    const { projectId, flag, one } = await colourFlag();
    expect(flag.offVariant).toBeNull();
    const change = { offVariant: "red", valueSchema: { maxLength: 4 } };
    const { body } = await put(flag.id, change);
    expect(body).toMatchObject({ ...change, valueType: "string", variants: [BLUE, RED, GREEN] });
    const itemOf = async (list: string) => (await asAdmin("GET", `${path}${list}`)).body.items[0];
    const { valueType, variants, offVariant, valueSchema } = body;
    const fields = { id: flag.id, valueType, variants, offVariant, valueSchema };
    for (const list of [
      `?projectId=${projectId}`,
      `/by-environment?environmentId=${one.id}`,
      `/enriched?projectId=${projectId}`,
    ])
      expect(await itemOf(list)).toMatchObject(fields);
  });

  it("keeps the fields that an update omits, and never changes its value type", async () => {
    const { flag } = await colourFlag([BLUE]);
    const changed = await put(flag.id, { variants: [RED, BLUE], offVariant: "red" });
    expect(changed.body).toMatchObject({ variants: [RED, BLUE], offVariant: "red", version: 2 });
    const schema = await put(flag.id, { valueSchema: { type: "string" }, valueType: "number" });
    const kept = { variants: [RED, BLUE], offVariant: "red", valueType: "string", version: 3 };
    expect(schema.body).toMatchObject(kept);
    const cleared = await put(flag.id, { offVariant: null, valueSchema: null });
    expect(cleared.body).toMatchObject({ offVariant: null, valueSchema: null, version: 4 });
  });

  it("keeps values with unusual keys and characters", async () => {
    const value = JSON.parse('{"__proto__": {"a": 1}, "constructor": "ä🧀\\u0000", "": []}');
    const { id: projectId } = await newProject();
    const variants = [{ key: "__proto__", value }];
    const flag = await newFlag(projectId, { valueType: "json", variants });
    expect(JSON.stringify(flag.variants)).toBe(JSON.stringify(variants));
  });
});

describe("a boolean flag", () => {
  it("accepts exactly the variants on and off", async () => {
    const { id: projectId } = await newProject();
    const flag = await newFlag(projectId, { variants: [ON, OFF], offVariant: "on" });
    expect(flag).toMatchObject({ variants: [ON, OFF], offVariant: "on" });
    expect((await put(flag.id, { variants: [ON, OFF], offVariant: null })).status).toBe(200);
  });

  it.each([
    ["other variants", { variants: [BLUE] }, ["variants"]],
    ["its variants in another order", { variants: [OFF, ON] }, ["variants"]],
    ["another value of on", { variants: [{ key: "on", value: 1 }, OFF] }, ["variants"]],
    ["a description of a variant", { variants: [{ ...ON, description: "x" }, OFF] }, ["variants"]],
    ["no variants", { variants: [] }, ["variants"]],
    ["an unknown off variant", { offVariant: "blue" }, ["offVariant"]],
    ["a schema", { valueSchema: {} }, ["valueSchema"]],
  ])("rejects %s", async (_, fields, invalid) => {
    const { id: projectId } = await newProject();
    const flag = await newFlag(projectId);
    const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId, ...fields };
    for (const answer of [await asAdmin("POST", path, body), await put(flag.id, fields)]) {
      expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
      expect(invalidFields(answer)).toEqual(invalid);
    }
  });
});

describe("variants", () => {
  const of = (...values: unknown[]) => values.map((value, n) => ({ key: `k${n}`, value }));
  it.each([
    ["no variants", "string", {}, ["variants"]],
    ["an empty list", "string", { variants: [] }, ["variants"]],
    ["51 variants", "number", { variants: of(...Array(51).keys()) }, ["variants"]],
    ["a number as a string", "number", { variants: of(1, "2") }, ["variants.1.value"]],
    ["null as a number", "number", { variants: of(null) }, ["variants.0.value"]],
    ["a boolean as a string", "string", { variants: of(true, "a", {}) }, [0, 2]],
    ["a missing value", "json", { variants: [{ key: "a" }] }, ["variants.0.value"]],
    ["a missing key", "json", { variants: [{ value: 1 }] }, ["variants.0.key"]],
    ["an empty key", "json", { variants: [{ key: "", value: 1 }] }, ["variants.0.key"]],
    ["a key with a space", "json", { variants: [{ key: "a b", value: 1 }] }, ["variants.0.key"]],
    [
      "a key of 65 characters",
      "json",
      { variants: [{ key: "k".repeat(65), value: 1 }] },
      ["variants.0.key"],
    ],
    ["the same key twice", "json", { variants: [LIMITS, BLUE, LIMITS] }, ["variants.2.key"]],
    [
      "a description of 201 characters",
      "string",
      { variants: [{ ...RED, description: "d".repeat(201) }] },
      ["variants.0.description"],
    ],
    ["an unknown off variant", "string", { variants: [RED], offVariant: "blue" }, ["offVariant"]],
    ["64 KB and 1 byte", "string", { variants: of("a", textOf(65_537)) }, ["variants.1.value"]],
    [
      "256 KB and 1 byte in all",
      "string",
      { variants: of(...Array(4).fill(textOf(65_535)), "abc") },
      ["variants"],
    ],
    ["no known value type", "date", { variants: [RED] }, ["valueType"]],
    ["a list as schema", "json", { variants: [RED], valueSchema: [] }, ["valueSchema"]],
    [
      "a schema of 64 KB and 1 byte",
      "json",
      { variants: [RED], valueSchema: { title: textOf(65_527) } },
      ["valueSchema"],
    ],
  ] as const)("are rejected with 400: %s", async (_, valueType, fields, invalid) => {
    const { id: projectId } = await newProject();
    const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId };
    const answer = await asAdmin("POST", path, { ...body, valueType, ...fields });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    const names = invalid.map((one) => (typeof one === "number" ? `variants.${one}.value` : one));
    expect(invalidFields(answer)).toEqual(names);
  });

  it("are rejected by an update, too", async () => {
    const { flag } = await colourFlag();
    const body = { variants: [BLUE, { key: "red", value: 7 }], offVariant: "green" };
    expect(invalidFields(await put(flag.id, body))).toEqual(["offVariant", "variants.1.value"]);
  });
});

it("a flag accepts values of exactly 64 KB each and 256 KB in all", async () => {
  const { id: projectId } = await newProject();
  const variants = [1, 2, 3, 4].map((n) => ({ key: `k${n}`, value: textOf(65_536) }));
  const flag = await newFlag(projectId, { valueType: "string", variants });
  expect(flag.variants).toEqual(variants);
});

describe("the off variant", () => {
  it("cannot be removed, unless the same request changes it", async () => {
    const { flag } = await colourFlag();
    await put(flag.id, { offVariant: "red" });
    const removal = await put(flag.id, { variants: [BLUE, GREEN] });
    expect(invalidFields(removal)).toEqual(["offVariant"]);
    const both = await put(flag.id, { variants: [BLUE, GREEN], offVariant: "blue" });
    expect(both.body).toMatchObject({ variants: [BLUE, GREEN], offVariant: "blue" });
  });
});

describe("a variant that a strategy serves", () => {
  const remove = (id: number) => put(id, { variants: [BLUE, GREEN] });
  const rule = (serve: object) => ({ rules: [{ serve: { variant: "blue" } }, { serve }] });

  it.each([
    ["the strategy", { serve: { variant: "red" } }],
    ["a weighted split", { serve: { weights: { blue: 99.999, red: 0.001 } } }],
    ["an ordered rule", rule({ variant: "red" })],
    ["a weighted split of an ordered rule", rule({ weights: { green: 50, red: 50 } })],
  ])("cannot be removed, and the 409 names the environments: %s", async (_, strategy) => {
    const { flag, one, two } = await colourFlag();
    await setStrategy(flag.id, { environmentId: one.id, ...strategy });
    await setStrategy(flag.id, { environmentId: two.id, serve: { variant: "green" } });
    const answer = await remove(flag.id);
    expect(outcome(answer)).toBe("409 CONFLICT");
    expect(answer.body.error).toContain(`environment ${one.name} serves red`);
    expect(answer.body.error).not.toContain(two.name);
    await setStrategy(flag.id, { environmentId: one.id, serve: { variant: "blue" }, rules: [] });
    expect((await remove(flag.id)).status).toBe(200);
  });

  it("can be removed when its weight is 0", async () => {
    const { flag, one } = await colourFlag();
    const environmentId = one.id;
    await setStrategy(flag.id, { environmentId, serve: { weights: { red: 40, blue: 60 } } });
    await setStrategy(flag.id, { environmentId, serve: { weights: { red: 0, blue: 100 } } });
    expect((await remove(flag.id)).status).toBe(200);
  });

  it("can get a new value, and not a new key (409)", async () => {
    const { flag, one } = await colourFlag([BLUE]);
    await setStrategy(flag.id, { environmentId: one.id, enabled: true });
    expect(outcome(await put(flag.id, { variants: [{ ...BLUE, key: "navy" }] }))).toBe(
      "409 CONFLICT",
    );
    const changed = await put(flag.id, { variants: [{ ...BLUE, value: "navy" }] });
    expect(changed.body.variants).toEqual([{ ...BLUE, value: "navy" }]);
  });
});

describe("the revision of each environment of the project", () => {
  it.each([
    ["variants", { variants: [BLUE, RED] }, true],
    ["the order of the variants", { variants: [RED, BLUE, GREEN] }, true],
    ["a value", { variants: [{ ...BLUE, value: "navy" }, RED, GREEN] }, true],
    ["the off variant", { offVariant: "blue" }, true],
    ["the schema", { valueSchema: { type: "string" } }, false],
    ["a description", { variants: [{ ...BLUE, description: "New" }, RED, GREEN] }, false],
  ])(
    "increases if the change alters the rule, and stays the same otherwise: %s",
    async (_, fields, alters) => {
      const { flag, one, two } = await colourFlag();
      const answer = await put(flag.id, fields);
      // The creation of the flag has made revision 2.
      const header = alters ? `3;environment=${one.id}, 3;environment=${two.id}` : null;
      expect([answer.status, answer.headers.get("X-Revision")]).toEqual([200, header]);
    },
  );
});
