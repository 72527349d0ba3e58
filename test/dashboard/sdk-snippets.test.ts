import { execFileSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { fallbackOf } from "../../dashboard/src/shared/sdk-snippets/fallback.ts";
import { go, javascript, python, shell } from "../../dashboard/src/shared/sdk-snippets/literals.ts";
import { snippetsFor } from "../../dashboard/src/shared/sdk-snippets/snippets.ts";

/** Texts that end a literal, or change their meaning, if a language does not quote them. */
const TEXTS = [
  `it's "quoted"`,
  String.raw`C:\new\u0041`,
  "two\nlines\r\tand a tab",
  "über 価格 😀 \u2028",
  "$HOME `id` ${1} #{x} %s",
  "'; rm -rf /; '",
];

describe("a text in a code example", () => {
  it.each(TEXTS)("is the same in JavaScript: %j", (text) => {
    expect(runInNewContext(javascript(text))).toBe(text);
  });

  it.each(TEXTS)("is the same in a shell: %j", (text) => {
    const command = `printf %s ${shell(text)}`;
    expect(execFileSync("sh", ["-c", command], { encoding: "utf8" })).toBe(text);
  });

  it.each([python, go])(
    "has no unescaped quote, backslash or line end in Python and Go",
    (write) => {
      // Both languages have these escapes with the same meaning as JSON.
      for (const text of TEXTS) {
        expect(write(text)).toMatch(/^"(?:[^"\\\n\r]|\\["\\bfnrt]|\\u[0-9a-f]{4})*"$/);
        expect(JSON.parse(write(text))).toBe(text);
      }
    },
  );
});

it("a value of JSON is a literal in Python and in Go", () => {
  const value = { "a 'b'": [1, 2.5, true, null, { c: 'd"' }], e: false };
  expect(python(value)).toBe(String.raw`{"a 'b'": [1, 2.5, True, None, {"c": "d\""}], "e": False}`);
  expect(go(value)).toBe(
    String.raw`map[string]any{"a 'b'": []any{1, 2.5, true, nil, map[string]any{"c": "d\""}}, "e": false}`,
  );
});

describe("the default in the code", () => {
  const variants = [
    { key: "small", value: 3 },
    { key: "large", value: 7.5 },
  ];

  it("is the value of the off variant", () => {
    expect(fallbackOf({ valueType: "number", variants, offVariant: "large" })).toBe(7.5);
  });

  it("is a neutral value without an off variant, or if the value is long", () => {
    expect(fallbackOf({ valueType: "number", variants, offVariant: null })).toBe(0);
    const long = [{ key: "small", value: { text: "x".repeat(200) } }];
    expect(fallbackOf({ valueType: "json", variants: long, offVariant: "small" })).toEqual({});
    expect(fallbackOf({ valueType: "boolean", variants: [], offVariant: null })).toBe(false);
  });
});

const INPUT = { url: "https://flags.example.com", apiKey: "KEY", flagKey: "shop:new.page-1" };
const VALUES = {
  boolean: false,
  string: `it's "a"\n${String.raw`\b`}`,
  number: 2,
  json: { size: [1, "two"], "it's": null },
} as const;
const TYPES = ["boolean", "string", "number", "json"] as const;

describe.each(["SERVER", "FRONTEND"] as const)("the code examples for a %s key", (keyType) => {
  const snippetsOf = (valueType: (typeof TYPES)[number]) =>
    snippetsFor(keyType, { ...INPUT, valueType, fallback: VALUES[valueType] });

  it.each(TYPES)("are valid TypeScript for a flag of type %s", async (valueType) => {
    const { openfeature, react = "", sdk = "", unleash, typescript } = snippetsOf(valueType);
    for (const code of [openfeature, react, sdk, unleash, typescript])
      expect((await transform(code, { loader: "tsx", format: "esm" })).warnings).toEqual([]);
  });

  it.each(TYPES)("name the key of a flag of type %s in each language", (valueType) => {
    for (const [language, code] of Object.entries(snippetsOf(valueType)))
      expect([language, code.includes(INPUT.flagKey)]).toEqual([language, true]);
  });
});

it.each([
  ["boolean", ["getBooleanValue", "get_boolean_value", "BooleanValue", "client.boolean("]],
  ["string", ["getStringValue", "get_string_value", "StringValue", "client.string("]],
  ["number", ["getNumberValue", "get_integer_value", "FloatValue", "client.number("]],
  ["json", ["getObjectValue", "get_object_value", "ObjectValue", "client.json("]],
] as const)("a flag of type %s is read with the call of its type", (valueType, calls) => {
  const input = { ...INPUT, valueType, fallback: VALUES[valueType] };
  const { openfeature, python: inPython, go: inGo, sdk } = snippetsFor("SERVER", input);
  for (const [at, code] of [openfeature, inPython, inGo, sdk].entries())
    expect(code).toContain(calls[at]);
});
