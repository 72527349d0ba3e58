import { describe, expect, it } from "vitest";
import { checkValues } from "../../../src/core/json-schema/check-values.ts";

/** Each of these checks would run for minutes, or without end, if its work had no limit. */

const TOO_MUCH = [
  { at: "", message: "needs too much work to check the values; simplify the schema" },
];

/** Schemas `s0` to `s<count>`, each made from the `$ref` to the one before. The first is `last`. */
const chain = (count: number, next: (ref: object) => object, last: object = {}) => ({
  $ref: `#/$defs/s${count}`,
  $defs: Object.fromEntries(
    Array.from({ length: count + 1 }, (_, n) => [
      `s${n}`,
      n === 0 ? last : next({ $ref: `#/$defs/s${n - 1}` }),
    ]),
  ),
});

const times = <T>(length: number, value: T): T[] => Array.from({ length }, () => value);

/** An object nested this deep, whose innermost value is `inner`. */
const nested = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : { a: nested(levels - 1, inner) };

const object = Object.fromEntries(Array.from({ length: 7000 }, (_, n) => [`key${n}`, n]));
const list = Array.from({ length: 15_000 }, (_, n) => n);

describe("a schema that needs too much work has a fault:", () => {
  it.each([
    ["a $ref to itself", { $ref: "#" }, 1],
    ["two that refer to each other", chain(1, (ref) => ref, { not: { $ref: "#/$defs/s1" } }), 1],
    ["2^40 ways to the same schema", chain(40, (ref) => ({ allOf: [ref, ref] })), 1],
    ["2^40 ways that all fail", chain(40, (ref) => ({ anyOf: [ref, ref] }), { type: "null" }), 1],
    [
      "2^30 ways through a nested value",
      { allOf: [{ properties: { a: { $ref: "#" } } }, { properties: { a: { $ref: "#" } } }] },
      nested(30, 1),
    ],
    [
      "a chain of 1,000 references to 7,000 keys",
      chain(1000, (ref) => ({ ...ref, maxProperties: 9999 })),
      object,
    ],
    [
      "a long list of schemas for 15,000 items",
      { items: { allOf: times(3000, { minimum: 0 }) } },
      list,
    ],
    [
      "a long list of texts for 15,000 items",
      { items: { not: { enum: times(5000, "text") } } },
      list,
    ],
    ["15,000 different items", { uniqueItems: true }, list],
    [
      "80 wide items that differ only at their end, 40 times",
      { allOf: times(40, { uniqueItems: true }) },
      Array.from({ length: 80 }, (_, n) => ({
        ...Object.fromEntries(list.slice(0, 80).map((key) => [`key${key}`, 1])),
        last: n,
      })),
    ],
    [
      "60 long texts that differ only at their end, 500 times",
      { allOf: times(500, { uniqueItems: true }) },
      Array.from({ length: 60 }, (_, n) => `${"x".repeat(1000)}${n + 10}`),
    ],
    [
      "2,500 short lists, 2,500 times each",
      { items: { allOf: times(2500, { uniqueItems: true }) } },
      times(2500, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ],
    [
      "a regular expression of 1,959 instructions",
      { pattern: "\\p{L}{1,200}$" },
      "ä".repeat(30_000),
    ],
    ["a pattern of names", { patternProperties: { "\\p{L}{1,200}$": true } }, object],
    [
      "the length of a long text, 3,000 times",
      { allOf: Array.from({ length: 3000 }, (_, n) => ({ maxLength: 70_000 + n })) },
      "x".repeat(65_000),
    ],
  ] as const)("%s", (_, schema, value) => {
    expect(checkValues(schema, [value])).toEqual({ schema: TOO_MUCH, values: new Map() });
  });

  it("the values of a flag share the limit", () => {
    const schema = { items: { allOf: times(5, { minimum: 0 }) } };
    expect(checkValues(schema, [list]).schema).toEqual([]);
    expect(checkValues(schema, times(50, list)).schema).toEqual(TOO_MUCH);
  });
});

describe("a schema whose regular expression is slow in JavaScript", () => {
  it("is checked in linear time", () => {
    const schema = { pattern: "^(a+)+$" };
    expect(checkValues(schema, [`${"a".repeat(5000)}!`]).values.size).toBe(1);
    const names = { patternProperties: { "^(a+)+$": false } };
    expect(checkValues(names, [{ [`${"a".repeat(5000)}!`]: 1 }]).values.size).toBe(0);
  });
});

describe("an ordinary schema is checked for four values of up to 64 KB:", () => {
  const address = {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1, maxLength: 80 },
      country: { enum: ["DE", "AT", "CH"] },
      port: { type: "integer", minimum: 1, maximum: 65_535 },
      color: { type: "string", pattern: "^#[0-9a-f]{6}$" },
    },
    required: ["name", "country"],
    additionalProperties: false,
  };
  const one = { name: "A place", country: "DE", port: 443, color: "#00ff7f" };

  it.each([
    [
      "a list of objects",
      { items: { $ref: "#/$defs/address" }, $defs: { address } },
      times(900, one),
    ],
    [
      "an object of objects",
      { additionalProperties: address },
      Object.fromEntries(Array.from({ length: 800 }, (_, n) => [`key${n}`, one])),
    ],
    [
      "objects whose names match a pattern",
      { patternProperties: { "^key[0-9]+$": address }, additionalProperties: false },
      Object.fromEntries(Array.from({ length: 800 }, (_, n) => [`key${n}`, one])),
    ],
    ["numbers", { items: { type: "number", minimum: 0 }, maxItems: 20_000 }, list.slice(0, 12_000)],
    [
      "different texts",
      { items: { type: "string" }, uniqueItems: true },
      Array.from({ length: 400 }, (_, n) => `text ${n}`),
    ],
    ["one text", { type: "string", maxLength: 70_000, pattern: "^x" }, "x".repeat(65_000)],
  ] as const)("%s", (_, schema, value) => {
    expect(checkValues(schema, times(4, value))).toEqual({ schema: [], values: new Map() });
  });

  it("700 different texts, in one of the values", () => {
    const texts = Array.from({ length: 700 }, (_, n) => `text ${n}`);
    const result = checkValues({ uniqueItems: true }, [texts, [], [], []]);
    expect(result).toEqual({ schema: [], values: new Map() });
  });
});
