import { describe, expect, it } from "vitest";
import { CheckBudget, checkValues } from "../../../src/core/json-schema/check-values.ts";
import { cpuRatio } from "../../support/cpu-time.ts";

/** The largest CPU time of a check, as a multiple of the reference of `cpuRatio`: about 0.4 s. */
const MAX_RATIO = 16;

/**
 * Returns schemas `s0` to `s<count>`. `s0` is `last`, and `next` makes each further schema from a
 * `$ref` to the previous one.
 */
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

/** The longest name that a schema may have. */
const NAME = "~".repeat(200);

/** Returns a schema that is `depth` schemas deep in `properties` with the longest names. */
const deep = (depth: number, schema: unknown): object => ({
  properties: { [NAME]: depth === 1 ? schema : deep(depth - 1, schema) },
});

const object = Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [`key${n}`, n]));
const list = Array.from({ length: 9000 }, (_, n) => n);

describe("a schema whose check could take minutes", () => {
  const tooCostly = /^is too complex: its cost, .* must be at most/;
  const tooMuchWork = /^must be smaller, or the values must be: cost \d+ .* × size \d+ /;

  it.each([
    ["a $ref to itself", { $ref: "#" }, 1, /contains this \$ref/],
    [
      "two that refer to each other",
      chain(1, (ref) => ref, { not: { $ref: "#/$defs/s1" } }),
      1,
      /contains this \$ref/,
    ],
    ["2^20 ways to the same schema", chain(20, (ref) => ({ allOf: [ref, ref] })), 1, tooCostly],
    [
      "schemas in a long name",
      { properties: { ["~".repeat(30_000)]: { allOf: times(10_000, {}) } } },
      1,
      /names of at most 200 characters/,
    ],
    [
      "10,000 schemas in unused $defs",
      { $defs: { a: { allOf: times(10_000, {}) } } },
      1,
      /at most 10000 subschemas/,
    ],
    ["a chain of 1,000 references", chain(1000, (ref) => ref), 1, /nested deeper than 50 schemas/],
    [
      "a long list of names, 40 times",
      chain(1, (ref) => ({ anyOf: times(40, ref) }), { required: list.slice(0, 5000).map(String) }),
      {},
      tooCostly,
    ],
    [
      "3,000 schemas for 9,000 items",
      { items: { allOf: times(3000, { minimum: 0 }) } },
      list,
      tooMuchWork,
    ],
    [
      "5,000 texts for 9,000 items",
      { items: { not: { enum: times(5000, "text") } } },
      list,
      tooMuchWork,
    ],
    [
      "3,000 schemas for 4,000 properties",
      { allOf: times(1500, { additionalProperties: true }) },
      object,
      tooMuchWork,
    ],
    [
      "2,500 short lists, compared 2,500 times",
      { items: { allOf: times(1500, { uniqueItems: true }) } },
      times(2500, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
      tooMuchWork,
    ],
    [
      "a regular expression of 1,959 instructions",
      { pattern: "\\p{L}{1,200}$" },
      "ä".repeat(30_000),
      tooMuchWork,
    ],
    [
      "the length of a long text, 3,000 times",
      { allOf: times(3000, { maxLength: 70_000 }) },
      "x".repeat(65_000),
      tooMuchWork,
    ],
  ])("is rejected before the check: %s", (_, schema, value, message) => {
    let check = checkValues(true, []);
    expect(cpuRatio(() => (check = checkValues(schema, [value])))).toBeLessThan(MAX_RATIO);
    expect(check.schema).toEqual([
      { at: expect.any(String), message: expect.stringMatching(message) },
    ]);
  });

  it("is rejected when only all values of a flag together take too long", () => {
    const schema = { items: { allOf: times(5, { minimum: 0 }) } };
    expect(checkValues(schema, [list]).schema).toEqual([]);
    expect(checkValues(schema, times(50, list)).schema).toHaveLength(1);
  });
});

describe("the faults of a schema", () => {
  it("have at most 30,000 characters together, at the longest places and with long quotations", () => {
    const { schema } = checkValues(deep(15, { allOf: times(9000, 1) }), []);
    expect(schema).toHaveLength(20);
    expect(JSON.stringify(schema).length).toBeLessThan(30_000);
    const { values } = checkValues({ additionalProperties: { const: "a".repeat(50_000) } }, [
      { ["~".repeat(60_000)]: 1 },
    ]);
    expect(JSON.stringify([...values]).length).toBeLessThan(1500);
  });
});

describe("many checks in a request", () => {
  it.each([
    ["the values", { items: { allOf: times(160, { minimum: 0 }) } }, list],
    ["the schemas", { allOf: times(9990, {}) }, 1],
    ["checks that take too long alone", { items: { allOf: times(3000, {}) } }, list],
    ["regular expressions", { pattern: "\\p{L}{1,300}$" }, ""],
    ["rejected schemas", { type: "strng", pattern: "\\p{L}{1,300}$" }, ""],
  ])("are rejected once they take too long together, because of %s", (_, schema, value) => {
    const budget = new CheckBudget();
    let last = checkValues(schema, [value], budget);
    expect(last.schema).not.toEqual([expect.objectContaining({ message: tooMany })]);
    const ratio = cpuRatio(() => {
      for (let n = 0; n < 200; n++) last = checkValues(schema, [value], budget);
    });
    expect(last.schema).toEqual([{ at: "", message: tooMany }]);
    expect(ratio).toBeLessThan(MAX_RATIO);
  });

  const tooMany = expect.stringMatching(/^takes too long to check together .* send fewer flags/);

  it("are not rejected for 200 flags with ordinary schemas", () => {
    const budget = new CheckBudget();
    const properties = { a: { type: "string", maxLength: 80 }, b: { type: "integer", minimum: 1 } };
    const schema = { type: "object", properties, required: ["a"], additionalProperties: false };
    for (let n = 0; n < 200; n++)
      expect(checkValues(schema, times(4, { a: "text", b: n + 1 }), budget)).toEqual({
        schema: [],
        values: new Map(),
      });
  });
});

describe("the slowest schemas within the limits", () => {
  it.each([
    ["schemas that accept", { items: { allOf: times(160, { minimum: 0 }) } }, list],
    [
      "schemas of different forms",
      { items: { allOf: Array.from({ length: 300 }, (_, n) => ({ [`x-${n}`]: n })) } },
      list,
    ],
    ["schemas that reject", { items: { anyOf: [...times(160, { type: "null" }), true] } }, list],
    [
      "short enums that reject",
      { items: { not: { anyOf: times(37, { enum: times(20, -1) }) } } },
      list,
    ],
    ["a long enum", { items: { not: { enum: times(800, -1) } } }, list],
    [
      "an enum of objects",
      { items: { not: { enum: times(200, { a: [1, 2, 3], b: 2 }) } } },
      times(540, { a: [1, 2, 3], b: 3 }),
    ],
    [
      "missing properties",
      { items: { anyOf: [...times(70, { required: ["abc"] }), true] } },
      times(9000, {}),
    ],
    ["properties of a large object", { allOf: times(140, { additionalProperties: true }) }, object],
    ["9,000 different items", { allOf: times(30, { uniqueItems: true }) }, list],
    [
      "different objects",
      { allOf: times(50, { uniqueItems: true }) },
      list.slice(0, 1500).map((n) => ({ n, o: [n] })),
    ],
    ["the length of a text", { allOf: times(700, { maxLength: 70_000 }) }, "x".repeat(65_000)],
    [
      "the format of a text",
      { allOf: times(450, { anyOf: [{ format: "email" }, true] }) },
      "x".repeat(32_000),
    ],
    ["a large regular expression", { pattern: "\\p{L}{1,100}$" }, "ä".repeat(15_000)],
    [
      "a regular expression with many states",
      { anyOf: [{ pattern: "(a|b)*a(a|b){60}c" }, true] },
      "abbabaaab".repeat(7000),
    ],
    [
      "3,600 names in different order",
      { allOf: times(58, { uniqueItems: true }) },
      [Object.fromEntries(Array.from({ length: 3600 }, (_, n) => [`k${(n * 7919) % 3600}`, 0]))],
    ],
    [
      "a long name in the value",
      { anyOf: [...times(700, { additionalProperties: { type: "null" } }), true] },
      { ["~".repeat(30_000)]: 1 },
    ],
    [
      "a long $ref",
      {
        items: { allOf: times(100, { $ref: "#/$defs/a" }) },
        $defs: { a: { $ref: `#${`/properties/${"%7E0".repeat(200)}`.repeat(12)}` } },
        ...deep(12, {}),
      },
      list,
    ],
    ["schemas at a place with a long pointer", deep(12, { allOf: times(9900, {}) }), 1],
    [
      "a long pattern of one instruction",
      {
        allOf: times(200, { $ref: "#/$defs/a" }),
        $defs: { a: { pattern: "(?s)".repeat(15_000) } },
      },
      "x",
    ],
    [
      "a regular expression that is slow in JavaScript",
      { not: { pattern: "^(a+)+$" } },
      `${"a".repeat(60_000)}!`,
    ],
  ])("are checked within the time limit: %s", (_, schema, value) => {
    let check = checkValues(true, []);
    expect(cpuRatio(() => (check = checkValues(schema, [value])))).toBeLessThan(MAX_RATIO);
    expect(check).toEqual({ schema: [], values: new Map() });
  });
});

describe("an ordinary schema", () => {
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
    ["numbers", { items: { type: "number", minimum: 0 }, maxItems: 20_000 }, list.slice(0, 12_000)],
    [
      "different texts",
      { items: { type: "string" }, uniqueItems: true },
      Array.from({ length: 4000 }, (_, n) => `text ${n}`),
    ],
    ["one text", { type: "string", maxLength: 70_000, pattern: "^x" }, "x".repeat(65_000)],
  ])("is checked quickly for four values of up to 64 KB: %s", (_, schema, value) => {
    expect(checkValues(schema, times(4, value))).toEqual({ schema: [], values: new Map() });
  });
});
