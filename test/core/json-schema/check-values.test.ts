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
    ["another type", { type: "number" }, "a", "", /^must be of the type number$/],
    ["a wrong property", { properties: { a: { type: "null" } } }, { a: 1 }, "/a", /type null$/],
    [
      "a wrong item inside",
      { items: { properties: { "a/b": { maximum: 3 } } } },
      [{ "a/b": 1 }, { "a/b": 4 }],
      "/1/a~1b",
      /^must be at most 3$/,
    ],
    ["a missing property", { required: ["b"] }, { a: 1 }, "", /^must have the property "b"$/],
    ["a property too many", { additionalProperties: false }, { a: 1 }, "/a", /^is not allowed$/],
    ["a short text", { minLength: 3 }, "🧀🧀", "", /^must have at least 3 characters$/],
    ["a long text", { maxLength: 1 }, "ab", "", /^must have at most 1 characters$/],
    ["a text of another form", { pattern: "^#[0-9a-f]{6}$" }, "#12", "", /^must match \^#/],
    ["a wrong date", { format: "date" }, "2026-02-30", "", /^must have the format date$/],
    [
      "no alternative",
      { anyOf: [{ type: "string" }, { const: 1 }] },
      2,
      "",
      /^must match a schema of anyOf$/,
    ],
    ["no value of a list", { enum: ["a", 1, null] }, 2, "", /^must be one of "a", 1, null$/],
    [
      "no value of a list of 21",
      { enum: Array(21).fill(0) },
      2,
      "",
      /^must be one of 0(?:, 0){19}, …$/,
    ],
    ["a value of a long list", { enum: ["x".repeat(300)] }, 1, "", /^.{200}…$/],
  ])(
    "is reported with the place of the fault and a message: %s",
    (...[, schema, value, at, message]) => {
      expect(faultOf(schema, value)).toEqual([at, expect.stringMatching(message)]);
    },
  );

  it("is reported by itself when other values match", () => {
    const { values } = checkValues({ type: "number" }, [1, "a", 2, null]);
    expect([...values.keys()]).toEqual([1, 3]);
  });
});

describe("checkValues", () => {
  it.each([
    ["type", { type: ["integer", "null"] }, [1, null], [1.5, "1", true, [], {}]],
    ["integer", { type: "integer" }, [1, 1.0, -0], [0.1]],
    [
      "enum",
      { enum: [1, [{ a: 1, b: 2 }]] },
      [1, [{ b: 2, a: 1 }]],
      [2, [{ a: 1 }], [{ a: 1, c: 2 }]],
    ],
    ["const", { const: null }, [null], [0, {}, []]],
    ["exclusive limits", { exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2, "0"], [1, 3]],
    ["multipleOf", { multipleOf: 0.1 }, [0.3, 7, 0, -1.1], [0.35, 1e-9]],
    ["multipleOf of large numbers", { multipleOf: 3 }, [9e15], [9e15 + 1]],
    ["lengths", { minLength: 1, maxLength: 2 }, ["a", "🧀🧀", 7], ["", "abc"]],
    ["pattern", { pattern: "b+$" }, ["abb"], ["ba"]],
    [
      "items",
      { prefixItems: [true, { type: "null" }], items: false },
      [[], [1, null]],
      [
        [1, 1],
        [1, null, 1],
      ],
    ],
    ["numbers of items", { minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]],
    [
      "uniqueItems",
      { uniqueItems: true },
      [[1, "1", [1], { a: 1 }, '{"a":1}', null]],
      [
        [1, 1.0],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        [0, -0],
      ],
    ],
    [
      "numbers of properties",
      { minProperties: 1, maxProperties: 1 },
      [{ a: 1 }],
      [{}, { a: 1, b: 1 }],
    ],
    ["required", { required: ["toString"] }, [{ toString: 1 }, 7], [{}]],
    [
      "additionalProperties",
      { properties: { a: true }, additionalProperties: { type: "null" } },
      [{ a: 1, b: null }],
      [{ constructor: 1 }],
    ],
    ["anyOf", { anyOf: [{ const: 1 }, { const: 2 }] }, [1, 2], [3]],
    ["oneOf", { oneOf: [{ minimum: 1 }, { maximum: 1 }] }, [0, 2], [1]],
    ["allOf", { allOf: [{ minimum: 1 }, { maximum: 1 }] }, [1], [0, 2]],
    ["not", { not: { const: 1 } }, [2], [1]],
    ["if", JSON.parse('{"if": {"const": 1}, "then": false, "else": {"const": 2}}'), [2], [1, 3]],
    ["else", { if: { const: 1 }, else: false }, [1], [2]],
    ["a boolean", { properties: { a: false } }, [{ b: 1 }], [{ a: 1 }]],
  ])("accepts and rejects values by the keyword: %s", (_, schema, accepted, rejected) => {
    expect(accepted.map((value) => accepts(schema, value))).toEqual(accepted.map(() => true));
    expect(rejected.map((value) => accepts(schema, value))).toEqual(rejected.map(() => false));
  });

  it("checks a text by several keywords at the same place", () => {
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

  it("finds a match of a regular expression (RE2) anywhere in the text", () => {
    expect(accepts({ pattern: "b+" }, "abbc")).toBe(true);
    expect(accepts({ pattern: "\\p{Lu}" }, "abc")).toBe(false);
  });
});

describe("$ref", () => {
  const schema = {
    $id: "https://example.com/shop",
    $ref: "#/$defs/shop",
    required: ["open"],
    $defs: {
      shop: { properties: { name: { $ref: "#/%24defs/a~1b" }, other: { $ref: "#/$defs/a~1b" } } },
      "a/b": { type: "string" },
    },
  };

  it("applies the schema that it names, together with the keywords beside it", () => {
    expect(accepts(schema, { name: "a", other: "b", open: 1 })).toBe(true);
    expect(faultOf(schema, { name: 1, open: 1 })).toEqual(["/name", expect.any(String)]);
    expect(faultOf(schema, { other: 1, open: 1 })).toEqual(["/other", expect.any(String)]);
    expect(accepts(schema, { name: "a" })).toBe(false);
  });
});

describe("a check of random schemas and values", () => {
  it("gives the same result as @cfworker/json-schema", () => {
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
          properties: map,
          additionalProperties: one,
          items: one,
          prefixItems: list,
          allOf: list,
          anyOf: list,
          oneOf: list,
          not: one,
          if: one,
          else: one,
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
