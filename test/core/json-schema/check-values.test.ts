import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkValues } from "../../../src/core/json-schema/check-values.ts";

type Json = Record<string, unknown>;

/** The fault of one value: its place and its message. */
const faultOf = (schema: Json, value: unknown) => {
  const { schema: faults, values } = checkValues(schema, [value]);
  expect(faults).toEqual([]);
  const fault = values.get(0);
  return fault && [fault.at, fault.message];
};
const accepts = (schema: Json, value: unknown) => faultOf(schema, value) === undefined;

describe("a value that a schema rejects", () => {
  it.each([
    ["another type", { type: "number" }, "a", "", /"string".*"number"/],
    ["a wrong property", { properties: { a: { type: "null" } } }, { a: 1 }, "/a", /"null"/],
    [
      "a wrong item inside",
      { items: { properties: { "a/b": { maximum: 3 } } } },
      [{ "a/b": 1 }, { "a/b": 4 }],
      "/1/a~1b",
      /greater than 3/,
    ],
    ["a missing property", { required: ["b"] }, { a: 1 }, "", /required property "b"/],
    ["a property too many", { additionalProperties: false }, { a: 1 }, "/a", /^is not allowed$/],
    ["a short text", { minLength: 3 }, "🧀🧀", "", /^must have at least 3 characters$/],
    ["a long text", { maxLength: 1 }, "ab", "", /^must have at most 1 characters$/],
    ["a text of another form", { pattern: "^#[0-9a-f]{6}$" }, "#12", "", /^must match \^#/],
    ["a wrong date", { format: "date" }, "2026-02-30", "", /^must have the format date$/],
    ["a wrong name", { propertyNames: { pattern: "^a" } }, { b: 1 }, "/b", /^must match \^a$/],
    ["no alternative", { anyOf: [{ type: "string" }, { const: 1 }] }, 2, "", /any subschemas/],
    ["a value of a long list", { enum: ["x".repeat(300)] }, 1, "", /^.{200}…$/],
  ])("has the place and a message: %s", (...[, schema, value, at, message]) => {
    expect(faultOf(schema, value)).toEqual([at, expect.stringMatching(message)]);
  });

  it("has a fault of its own beside values that match", () => {
    const { values } = checkValues({ type: "number" }, [1, "a", 2, null]);
    expect([...values.keys()]).toEqual([1, 3]);
  });
});

describe("the keywords that the check implements itself", () => {
  const schema = {
    properties: { ab: { type: "number" }, __proto__: {} },
    patternProperties: { "^a": { minimum: 3 }, b$: { maximum: 5 }, "^constructor$": false },
    additionalProperties: { type: "string" },
  };
  it.each([
    [{ ab: 4 }, true],
    [{ ab: "4" }, false],
    [{ ab: 2 }, false],
    [{ ab: 6 }, false],
    [{ a: 6 }, true],
    [{ b: 6 }, false],
    [{ c: 6 }, false],
    [{ c: "6" }, true],
    [{ c: { ab: 9 } }, false],
    [JSON.parse('{"constructor": 1}'), false],
  ])("patternProperties with properties and additionalProperties: %j gives %s", (value, valid) => {
    expect(accepts(schema, value)).toBe(valid);
  });

  it("unevaluatedProperties sees the properties that a pattern matches", () => {
    const open = { allOf: [{ patternProperties: { "^x-": true } }], unevaluatedProperties: false };
    expect([accepts(open, { "x-a": 1 }), accepts(open, { a: 1 })]).toEqual([true, false]);
  });

  it("several checks of a text at one place all apply", () => {
    const text = {
      minLength: 2,
      maxLength: 20,
      pattern: "@",
      format: "email",
      allOf: [{ pattern: "a" }],
    };
    expect(["a@b.c", "x@y.z", "a", "a@", 7].map((value) => accepts(text, value))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it("a regular expression of RE2 finds its match anywhere in the text", () => {
    expect(accepts({ pattern: "b+" }, "abbc")).toBe(true);
    expect(accepts({ pattern: "\\p{Lu}" }, "abc")).toBe(false);
  });
});

describe("$ref", () => {
  const tree = {
    $id: "https://example.com/tree",
    $ref: "#/$defs/node",
    $defs: {
      node: {
        properties: { name: { $ref: "#name" }, children: { items: { $ref: "#/%24defs/node" } } },
        required: ["name"],
      },
      "a/b": { $anchor: "name", type: "string" },
    },
  };

  it("leads to a part of the schema, also in a recursive schema", () => {
    expect(accepts(tree, { name: "a", children: [{ name: "b" }] })).toBe(true);
    const inner = { name: "a", children: [{ name: "b", children: [{ name: 1 }] }] };
    expect(faultOf(tree, inner)).toEqual(["/children/0/children/0/name", expect.any(String)]);
    expect(accepts({ $ref: "#/$defs/a~1b", $defs: tree.$defs }, 1)).toBe(false);
    expect(
      accepts({ properties: { a: { $ref: "#" } }, maxProperties: 1 }, { a: { b: 1, c: 2 } }),
    ).toBe(false);
  });
});

describe("the validator", () => {
  it("has only its own formats after a check, even one that throws", () => {
    const rejects = (value: unknown) =>
      !new Validator({ format: "must match ^a$" }, "2020-12").validate(value).valid;
    checkValues({ pattern: "^a$" }, ["b"]);
    checkValues({ allOf: [{ pattern: "^a$" }, { $ref: "#" }] }, ["b"]);
    expect(rejects("b")).toBe(false);
  });

  it("gives the same result alone, for random schemas and values", () => {
    const names = fc.constantFrom("a", "b", "c");
    const scalars = fc.oneof(
      fc.integer({ min: -3, max: 5 }),
      fc.constantFrom("", "a", "ab", "🧀", true, false, null, 1.5),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        scalars,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(names, tie("value"), { maxKeys: 3 }),
      ),
    }));
    const count = fc.nat({ max: 3 });
    const type = fc.constantFrom(
      "string",
      "number",
      "integer",
      "object",
      "array",
      "null",
      "boolean",
    );
    const { schema } = fc.letrec<{ schema: boolean | Json }>((tie) => {
      const one = tie("schema");
      const list = fc.array(one, { minLength: 1, maxLength: 3 });
      const map = fc.dictionary(names, one, { maxKeys: 3 });
      const keywords = new Map<string, fc.Arbitrary<unknown>>(
        Object.entries({
          type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1 })),
          enum: fc.array(value, { maxLength: 3 }),
          const: value,
          minimum: fc.integer({ min: -2, max: 4 }),
          exclusiveMaximum: fc.integer({ min: -2, max: 4 }),
          multipleOf: fc.constantFrom(1, 2, 0.5),
          minLength: count,
          maxLength: count,
          pattern: fc.constantFrom("a", "^a", "b$", "^$"),
          minItems: count,
          maxItems: count,
          uniqueItems: fc.boolean(),
          minProperties: count,
          maxProperties: count,
          required: fc.uniqueArray(names),
          dependentRequired: fc.dictionary(names, fc.uniqueArray(names)),
          properties: map,
          patternProperties: fc.dictionary(fc.constantFrom("a", "^b", "[ac]", "."), one, {
            maxKeys: 2,
          }),
          additionalProperties: one,
          propertyNames: one,
          dependentSchemas: map,
          items: one,
          prefixItems: list,
          contains: one,
          minContains: count,
          maxContains: count,
          allOf: list,
          anyOf: list,
          oneOf: list,
          not: one,
          if: one,
          else: one,
          unevaluatedProperties: one,
          unevaluatedItems: one,
        }),
      ).set("then", one);
      const entry = fc
        .constantFrom(...keywords.keys())
        .chain((name) => fc.tuple(fc.constant(name), keywords.get(name) ?? fc.constant(true)));
      return {
        schema: fc.oneof(
          { maxDepth: 4, depthSize: "small" },
          { weight: 1, arbitrary: fc.boolean() },
          {
            weight: 6,
            arbitrary: fc.array(entry, { maxLength: 4 }).map((all) => Object.fromEntries(all)),
          },
        ),
      };
    });
    let rejected = 0;
    fc.assert(
      fc.property(schema, value, (one, instance) => {
        const alone = new Validator(structuredClone(one), "2020-12").validate(instance).valid;
        const { schema: faults, values } = checkValues(one, [instance]);
        expect(faults).toEqual([]);
        expect(values.size === 0).toBe(alone);
        if (!alone) rejected++;
      }),
      { numRuns: 1000, seed: 14 },
    );
    expect(rejected).toBeGreaterThan(200);
  });
});
