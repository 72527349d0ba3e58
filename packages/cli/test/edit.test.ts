import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMap } from "yaml";
import { edited } from "../src/file/edit.ts";
import { parseText, valueOf } from "../src/file/load.ts";
import { itemsOf } from "../src/file/positions.ts";
import { arbitraryYaml } from "./support/arbitrary-yaml.ts";

const parsed = (text: string, file = "flags.yaml") => {
  const document = parseText(file, text);
  expect(document.document.errors.map(({ message }) => `${message}\n${text}`)).toEqual([]);
  return document;
};

/** Gives the document of a text another value, and returns the new text. */
function change(text: string, wanted: unknown, file?: string): string {
  const document = parsed(text, file);
  return edited(document, valueOf(document), wanted);
}

const texts = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "on",
    "12",
    "null",
    "x: y",
    "#e33",
    "a # b",
    "- a",
    "",
    "it's",
    "one\ntwo\n",
  ),
  fc.constantFrom(
    "*",
    "[x]",
    "a, b",
    " a",
    "a ",
    "é\u2028",
    "\u0007",
    'say "a"',
    "first\n\n  second",
  ),
);
const scalars = fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null), fc.constant(12.5));
interface Tied {
  readonly value: unknown;
  readonly list: unknown[];
  readonly fields: Record<string, unknown>;
}
const { fields } = fc.letrec<Tied>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalars,
    tie("list"),
    tie("fields"),
  ),
  list: fc.array(tie("value"), { maxLength: 4 }),
  fields: fc.dictionary(fc.constantFrom("a", "b", "c", "on", "12", "x y", "é: "), tie("value"), {
    noNullPrototype: true,
  }),
}));
const objects = fields.filter((value) => Object.keys(value).length > 0);
/** The numbers that choose the form of each part, from a linear congruential generator. */
const choices = fc.nat().map((seed) => {
  let state = seed;
  return (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 16) % count;
  };
});

/** Returns how many lines two texts share, before the first one that differs. */
function sharedLines(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((line, n) => line !== other[n]);
  return end === -1 ? one.length : end;
}

describe("an edit of a document", () => {
  it("keeps all bytes when the value is the same", () => {
    fc.assert(
      fc.property(objects, choices, (value, choose) => {
        const text = arbitraryYaml(value, choose);
        expect(valueOf(parsed(text))).toEqual(value);
        expect(change(text, value)).toBe(text);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it("gives a document of any form any other value", () => {
    fc.assert(
      fc.property(objects, objects, choices, (value, wanted, choose) => {
        expect(valueOf(parsed(change(arbitraryYaml(value, choose), wanted)))).toEqual(wanted);
      }),
      { numRuns: 80, endOnFailure: true },
    );
  });

  it("changes only the lines of the field that has another value", () => {
    fc.assert(
      fc.property(objects, objects, fc.nat(), choices, (value, other, n, choose) => {
        const text = arbitraryYaml(value, choose);
        // An alias for a value that changes is expanded, also in another field.
        fc.pre(!text.includes("&a"));
        const keys = Object.keys(value);
        const key = keys[n % keys.length] ?? "";
        const lines = text.split("\n");
        const after = change(text, { ...value, [key]: other }).split("\n");
        const { contents } = parsed(text).document;
        const item = isMap(contents) ? itemsOf(contents).find((one) => one.key === key) : undefined;
        const lineOf = (position = 0) => text.slice(0, position).split("\n").length - 1;
        expect(sharedLines(lines, after)).toBeGreaterThanOrEqual(lineOf(item?.start));
        expect(sharedLines(lines.toReversed(), after.toReversed())).toBeGreaterThanOrEqual(
          lines.length - 1 - lineOf(item?.end),
        );
      }),
      { numRuns: 80, endOnFailure: true },
    );
  });

  it.each([
    [
      "adds an item below the last one, with its comment",
      "a:\n- x # one\n- y # two\n\nb: 1\n",
      { a: ["x", "y", "z"], b: 1 },
      "a:\n- x # one\n- y # two\n- z\n\nb: 1\n",
    ],
    [
      "removes the line of an item",
      "a:\n  - x\n  # about y\n  - y\n  - z\n",
      { a: ["x", "z"] },
      "a:\n  - x\n  # about y\n  - z\n",
    ],
    [
      "adds an item to a list in brackets as the list is written",
      "a: [x,  'y']\n",
      { a: ["x", "y", "z"] },
      "a: [x,  'y',  z]\n",
    ],
    [
      "keeps the quotes and the comment of a text",
      "a: 'x'   # why\n",
      { a: "it's" },
      "a: 'it''s'   # why\n",
    ],
    [
      "keeps a block scalar and its comment",
      "a: |- # why\n     one\nb: 1\n",
      { a: "two\nthree\n", b: 1 },
      "a: | # why\n     two\n     three\nb: 1\n",
    ],
    ["quotes a text that would be a boolean elsewhere", "a: yes-no\n", { a: "on" }, 'a: "on"\n'],
    [
      "gives an alias its own value, and leaves the anchor alone",
      "a: &x { b: 1 }\nc: *x\n",
      { a: { b: 1 }, c: { b: 2 } },
      "a: &x { b: 1 }\nc:\n  b: 2\n",
    ],
    [
      "keeps an alias when the anchor gets the same value",
      "a: &x 1\nc: *x\n",
      { a: 2, c: 2 },
      "a: &x 2\nc: *x\n",
    ],
    [
      "keeps Windows line breaks",
      "a:\r\n  - x\r\nb: 1\r\n",
      { a: ["x", "z"], b: 1 },
      "a:\r\n  - x\r\n  - z\r\nb: 1\r\n",
    ],
  ])("%s", (_, text, wanted, expected) => {
    expect(change(text, wanted)).toBe(expected);
  });

  it("keeps the form of a JSON file", () => {
    const text = '{"a": {\n\t"b": [\n\t\t"x",\n\t\t"y"],   "c": 1}}';
    expect(change(text, { a: { b: ["x", "y", "on"], c: "é" } }, "flags.json")).toBe(
      text.replace('"y"', '"y",\n\t\t"on"').replace("1}}", '"é"}}'),
    );
  });
});
