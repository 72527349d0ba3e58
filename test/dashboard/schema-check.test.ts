import { expect, it } from "vitest";
import { schemaCheck } from "../../dashboard/src/shared/json/schema-check.ts";

const slow = "^(a+)+$";

it("leaves every `pattern` of a schema to the API, and checks the other keywords", () => {
  const check = schemaCheck({
    pattern: slow,
    maxLength: 100,
    properties: { pattern: { $ref: "#/$defs/text" }, const: { anyOf: [{ pattern: slow }] } },
    $defs: { text: { type: "string", pattern: slow } },
  });
  const text = `${"a".repeat(22)}b`;
  expect(check?.(text)).toEqual([]);
  expect(check?.({ pattern: text, const: text })).toEqual([]);
  expect(check?.("a".repeat(101))).toHaveLength(1);
  expect(check?.({ pattern: 7 })).toMatchObject([{ pointer: "/pattern" }]);
});

it("keeps a value of `const` that has the key `pattern`", () => {
  const check = schemaCheck({ const: { pattern: "x" } });
  expect([check?.({ pattern: "x" }), check?.({})?.length]).toEqual([[], 1]);
});

it("checks nothing with a schema that has `patternProperties`", () => {
  expect(schemaCheck({ items: { patternProperties: { [slow]: true } } })).toBeUndefined();
});
