import { describe, expect, it } from "vitest";
import { readSchema } from "../../../src/core/json-schema/read-schema.ts";

/** The faults of a schema: the messages by place. */
const faultsOf = (schema: unknown): Record<string, string> => {
  const read = readSchema(schema);
  return "root" in read
    ? {}
    : Object.fromEntries(read.faults.map(({ at, message }) => [at, message]));
};

describe("a schema", () => {
  it("may contain annotations, and properties that have the names of keywords", () => {
    expect(
      faultsOf({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $id: "https://example.com/colour",
        $comment: "c",
        title: "t",
        description: "d",
        default: { type: "strng" },
        examples: [{ $ref: "https://example.com" }],
        "x-order": { type: "strng" },
        type: ["string", "null"],
        format: "anything",
        enum: [],
        const: { $ref: 1 },
        deprecated: true,
        $defs: { a: { type: "integer" } },
        allOf: [true, { $ref: "#/$defs/a" }, { $ref: "#/properties/type" }],
        properties: { $ref: { type: "string" }, type: false },
      }),
    ).toEqual({});
    expect([faultsOf(true), faultsOf({})]).toEqual([{}, {}]);
  });

  it.each([
    [{ type: "strng" }, "/type", /^must be one of null, boolean/],
    [{ type: [] }, "/type", /^must be one of/],
    [{ type: ["string", "string"] }, "/type", /^must be one of/],
    [{ enum: "a" }, "/enum", /^must be a list/],
    [{ minLength: -1 }, "/minLength", /whole number/],
    [{ maxItems: 1.5 }, "/maxItems", /whole number/],
    [{ minimum: "1" }, "/minimum", /a number/],
    [{ multipleOf: 0 }, "/multipleOf", /above 0/],
    [{ uniqueItems: 1 }, "/uniqueItems", /true or false/],
    [{ required: "a" }, "/required", /list of different texts/],
    [{ required: ["a", "a"] }, "/required", /list of different texts/],
    [{ properties: [] }, "/properties", /object of schemas/],
    [{ properties: { a: 1 } }, "/properties/a", /must be a schema/],
    [{ properties: { "a/b": { items: [] } } }, "/properties/a~1b/items", /must be a schema/],
    [{ allOf: [] }, "/allOf", /at least one schema/],
    [{ anyOf: [{}, null] }, "/anyOf/1", /must be a schema/],
    [{ not: { type: 7 } }, "/not/type", /one of/],
    [{ $defs: { unused: { type: "x" } } }, "/$defs/unused/type", /one of/],
    [{ pattern: "(" }, "/pattern", /RE2/],
    [{ pattern: "(?=a)" }, "/pattern", /RE2/],
    [{ pattern: "(a)\\1" }, "/pattern", /RE2/],
    [{ pattern: "\\pL{1000}" }, "/pattern", /smaller/],
    [{ $schema: "http://json-schema.org/draft-07/schema#" }, "/$schema", /2020-12/],
    [{ $ref: "https://example.com/schema" }, "/$ref", /must begin with #/],
    [{ $ref: "other.json#/a" }, "/$ref", /must begin with #/],
    [{ $ref: "#/$defs/missing" }, "/$ref", /must lead to a schema/],
    [{ $ref: "#%" }, "/$ref", /must begin with #/],
    [{ $ref: "#/title", title: "a" }, "/$ref", /must lead to a schema/],
    [{ $ref: "#/uniqueItems", uniqueItems: true }, "/$ref", /must lead to a schema/],
    [{ $ref: "#/const/a", const: { a: {} } }, "/$ref", /must lead to a schema/],
    [{ $ref: "#/allOf/00", allOf: [{}] }, "/$ref", /must lead to a schema/],
    [{ $ref: "#/allOf/length", allOf: [{}] }, "/$ref", /must lead to a schema/],
    [{ $ref: "#/allOf", allOf: [{}] }, "/$ref", /must lead to a schema/],
    [{ $ref: "#/$defs/toString", $defs: { a: {} } }, "/$ref", /must lead to a schema/],
    [{ $ref: "#/$defs/~2", $defs: { "~2": {} } }, "/$ref", /must lead to a schema/],
    [{ items: { $id: "a" } }, "/items/$id", /only at the root/],
    [{ minLenght: 1 }, "/minLenght", /^is not a supported keyword of JSON Schema$/],
    [{ items: { contains: {} } }, "/items/contains", /not a supported keyword/],
    [{ propertyNames: { pattern: "(" } }, "/propertyNames", /additionalProperties/],
    [{ dependencies: {} }, "/dependencies", /use if and then/],
    [{ definitions: {} }, "/definitions", /use \$defs/],
    [{ constructor: 1 }, "/constructor", /not a supported keyword/],
    [{ $ref: "#" }, "/$ref", /contains this \$ref/],
    [{ properties: { a: { $ref: "#" } } }, "/properties/a/$ref", /contains this \$ref/],
    [
      {
        $ref: "#/$defs/a",
        $defs: { a: { items: { $ref: "#/$defs/b" } }, b: { not: { $ref: "#/$defs/a" } } },
      },
      "/$defs/b/not/$ref",
      /contains this \$ref/,
    ],
  ])("is rejected with the place of the fault: %j", (schema, at, message) => {
    expect(faultsOf(schema)).toEqual({ [at]: expect.stringMatching(message) });
  });

  it("is rejected with all its faults at once", () => {
    const schema = { type: "strng", minLength: "3", properties: { a: { pattern: "[" } } };
    expect(Object.keys(faultsOf(schema))).toEqual(["/type", "/minLength", "/properties/a/pattern"]);
  });

  it("is rejected with at most 20 faults", () => {
    expect(Object.keys(faultsOf({ allOf: Array.from({ length: 30 }, () => 1) }))).toHaveLength(20);
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`a${n}`, { $ref: "#/x" }]),
    );
    expect(Object.keys(faultsOf({ $defs }))).toHaveLength(20);
  });

  it("may have names of 200 characters in properties and $defs, and no longer ones", () => {
    const [long, longer] = ["~".repeat(200), "~".repeat(201)];
    const $ref = `#/$defs/${"~0".repeat(200)}`;
    expect(faultsOf({ properties: { [long]: { $ref } }, $defs: { [long]: {} } })).toEqual({});
    expect(
      faultsOf({ properties: { [longer]: true }, not: { $defs: { [longer]: true } } }),
    ).toEqual({
      "/properties": expect.stringMatching(/at most 200 characters/),
      "/not/$defs": expect.stringMatching(/at most 200 characters/),
    });
  });

  it("may have 10,000 subschemas, and no more, also in unused $defs", () => {
    const defs = (length: number) => ({ $defs: { a: { allOf: Array(length).fill(true) } } });
    expect(faultsOf(defs(9998))).toEqual({});
    expect(faultsOf(defs(9999))).toEqual({ "": expect.stringMatching(/at most 10000 subschemas/) });
  });
});
