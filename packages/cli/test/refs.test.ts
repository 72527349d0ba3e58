import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { annotation } from "../src/github.ts";
import { check } from "../src/refs/check.ts";
import { sarif } from "../src/refs/sarif.ts";
import { type Reference, scan } from "../src/refs/scan.ts";
import { languageOf } from "../src/refs/source.ts";
import type { Flag } from "../src/types.ts";

const FIXTURES = path.resolve(import.meta.dirname, "../../../test/fixtures/refs");

/** Options with a key that only a constant has, and with an expression for `isOn("…")`. */
const OPTIONS = {
  aliases: [/\bisOn\("(?<key>[^"]+)"\)/dg],
  keys: new Set(["only-a-constant"]),
};

const found = (file: string, text: string) => scan(file, text, languageOf(file) ?? "go", OPTIONS);

const line = ({ line: number, key, type, via }: Reference) =>
  `${number}: ${key} ${type ?? "any"} ${via}`;

describe("the references in code", () => {
  it.each(readdirSync(FIXTURES))("are all that the comments of %s name, and no others", (file) => {
    const text = readFileSync(path.join(FIXTURES, file), "utf8");
    const wanted = text.split("\n").flatMap((content, index) => {
      const want = /want: ([\w -]+\w)/.exec(content)?.[1];
      return want === undefined ? [] : [`${index + 1}: ${want}`];
    });
    expect(wanted.length).toBeGreaterThan(9);
    const isInTemplate = ({ key }: Reference) => ["in-template", "nested"].includes(key);
    const references = found(file, text);
    expect(references.filter((one) => !isInTemplate(one)).map(line)).toEqual(wanted);
    expect(references.filter(isInTemplate)).toHaveLength(file === "shop.tsx" ? 2 : 0);
  });

  it("have the line and the column of the key", () => {
    const text = 'const a = 1;\r\nflags.boolean(\r\n  "new-checkout", false);';
    expect(found("a.ts", text)).toMatchObject([{ file: "a.ts", line: 3, column: 3 }]);
  });

  it.each([
    ["a.ts", '`${"'],
    ["a.ts", "client.boolean('open, false)\nclient.boolean('next', false)"],
    ["a.py", '"""open\nclient.get_boolean_value("x", False)'],
    ["a.go", "client.BooleanValue(ctx"],
  ])("of a broken source %s %j are read without an error", (file, text) => {
    expect(found(file, text).length).toBeLessThan(2);
  });
});

const flag = (key: string, fields: Partial<Flag> = {}) =>
  ({ key, archived: false, stale: false, valueType: "boolean", ...fields }) as Flag;

const reference = (key: string, fields: Partial<Reference> = {}): Reference => ({
  file: "a, b.ts",
  line: 3,
  column: 7,
  key,
  via: "OpenFeature",
  type: undefined,
  ...fields,
});

describe("the check of references", () => {
  const flags = [
    flag("new-checkout"),
    flag("colour", { valueType: "string" }),
    flag("old", { stale: true }),
    flag("gone", { archived: true }),
  ];
  const messages = (one: Reference) =>
    check([one], flags).map(({ rule, message }) => `${rule}: ${message}`);

  it.each([
    [reference("new-checkout", { type: "boolean" }), []],
    [reference("colour"), []],
    [
      reference("new-chekout"),
      ["unknown-flag: No flag has the key new-chekout. Did you mean new-checkout?"],
    ],
    [
      reference("colour", { type: "boolean" }),
      ["wrong-type: The flag colour has string values, and the call expects boolean"],
    ],
    [reference("gone"), ["archived-flag: The flag gone is archived"]],
    [reference("gone", { via: "text" }), []],
    [reference("old"), ["stale-flag: The flag old is stale"]],
  ])("of %o finds %j", (one, expected) => {
    expect(messages(one)).toEqual(expected);
  });

  it("gives SARIF with places in the repository, and annotations with escaped fields", () => {
    const findings = check([reference("nowhere")], flags);
    expect(sarif(findings, "1.2.3")).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          results: [
            {
              ruleId: "unknown-flag",
              level: "error",
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "a,%20b.ts", uriBaseId: "%SRCROOT%" },
                    region: { startLine: 3, startColumn: 7 },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
    const place = { file: "a, b.ts", line: 3, column: 7 };
    expect(annotation({ level: "error", title: "a:b", message: "50 %\nmore", ...place })).toBe(
      "::error file=a%2C b.ts,line=3,col=7,title=a%3Ab::50 %25%0Amore",
    );
  });
});
