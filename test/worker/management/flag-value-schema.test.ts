import { describe, expect, it } from "vitest";
import type { Answer, Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { newFlag, newProject, unique } from "../support/world.ts";

const path = "/api/v1/flags";
const put = (id: number, body: object) => asAdmin("PUT", `${path}/${id}`, body);

const SHOP = {
  type: "object",
  properties: { colour: { $ref: "#/$defs/colour" }, limit: { type: "integer", minimum: 1 } },
  required: ["colour"],
  additionalProperties: false,
  $defs: { colour: { type: "string", pattern: "^#[0-9a-f]{6}$" } },
};
const small = { key: "small", value: { colour: "#0000ff", limit: 1 } };
const large = { key: "large", value: { colour: "#ff0000" } };

const shopFlag = async (more: object = {}) =>
  newFlag((await newProject()).id, {
    valueType: "json",
    variants: [small, large],
    valueSchema: SHOP,
    ...more,
  });

/** The field errors of a 400: a field and its message in each line. */
const faults = (answer: Answer<Json>): string[] => {
  expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
  return answer.body.details.map((one: Record<string, string>) => `${one.field}: ${one.message}`);
};

describe("the schema of a flag's values", () => {
  it("is stored unchanged", async () => {
    const flag = await shopFlag();
    expect(flag.valueSchema).toEqual(SHOP);
    expect((await asAdmin("GET", `${path}/${flag.id}`)).body.valueSchema).toEqual(SHOP);
  });

  it("rejects variants that do not match it, each with the place inside the value", async () => {
    const flag = await shopFlag();
    const variants = [
      small,
      { key: "red", value: { colour: "red" } },
      { key: "none", value: null },
      { key: "more", value: { ...large.value, more: true } },
    ];
    expect(faults(await put(flag.id, { variants }))).toEqual([
      "variants.1.value: does not match valueSchema: /colour must match ^#[0-9a-f]{6}$",
      "variants.2.value: does not match valueSchema: the value must be of the type object",
      "variants.3.value: does not match valueSchema: /more is not allowed",
    ]);
  });

  it("must accept all present variants when it changes", async () => {
    const flag = await shopFlag();
    const properties = { ...SHOP.properties, limit: { type: "integer", minimum: 2 } };
    const valueSchema = { ...SHOP, properties };
    expect(faults(await put(flag.id, { valueSchema }))).toEqual([
      expect.stringMatching(/^variants\.0\.value: does not match valueSchema: \/limit /),
    ]);
    const both = await put(flag.id, { valueSchema, variants: [large] });
    expect(both.body).toMatchObject({ valueSchema, variants: [large] });
  });

  it("is checked when the flag is created", async () => {
    const { id: projectId } = await newProject();
    const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId };
    const values = { valueType: "number", variants: [{ key: "a", value: 7 }] };
    const answer = await asAdmin("POST", path, { ...body, ...values, valueSchema: { maximum: 5 } });
    expect(faults(answer)).toEqual([
      "variants.0.value: does not match valueSchema: the value must be at most 5",
    ]);
  });

  it("must be a schema; each fault has its place", async () => {
    const flag = await shopFlag();
    const valueSchema = {
      type: "strng",
      properties: { a: { minLength: "1" } },
      $ref: "other.json",
    };
    expect(faults(await put(flag.id, { valueSchema }))).toEqual([
      expect.stringMatching(/^valueSchema: \/type must be one of null, /),
      "valueSchema: /properties/a/minLength must be a whole number from 0",
      expect.stringMatching(/^valueSchema: \/\$ref must begin with #/),
    ]);
  });

  it.each([
    [
      "a reference to itself",
      { $ref: "#" },
      "/$ref must not lead to a schema that contains this $ref",
    ],
    [
      "a reference that doubles 20 times",
      {
        $ref: "#/$defs/s0",
        $defs: Object.fromEntries(
          Array.from({ length: 21 }, (_, n) => {
            const next = { $ref: `#/$defs/s${n + 1}` };
            return [`s${n}`, n === 20 ? {} : { allOf: [next, next] }];
          }),
        ),
      },
      "is too complex: its cost, which counts subschemas, listed values and patterns, must be at most 10000",
    ],
    [
      "a keyword that is not supported",
      { properties: { a: { patternProperties: {} } } },
      "/properties/a/patternProperties is not a supported keyword of JSON Schema; use additionalProperties",
    ],
  ])("is rejected, with the reason: %s", async (_, valueSchema, fault) => {
    const flag = await shopFlag();
    expect(faults(await put(flag.id, { valueSchema }))).toEqual([`valueSchema: ${fault}`]);
  });

  it("does not stop a change of other fields", async () => {
    const flag = await shopFlag();
    expect((await put(flag.id, { name: "Other", offVariant: "small" })).status).toBe(200);
    expect(
      (await put(flag.id, { valueSchema: null, variants: [small, { key: "a", value: 1 }] })).status,
    ).toBe(200);
  });
});
