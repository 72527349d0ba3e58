import { describe, expect, it } from "vitest";
import { readDocument } from "../../dashboard/src/features/files/read-document.ts";

const TARGET = { project: "Web shop", environment: "production" };
const read = (text: string) => readDocument(text, TARGET);

const FEATURE = { name: "cart", type: "release", enabled: true, strategies: [{ name: "default" }] };
const EXPORT = { features: [{ name: "cart" }], featureEnvironments: [] };

describe("readDocument", () => {
  it.each([
    ["YAML", "version: 1\nproject: Web shop\nflags: {}\n"],
    ["JSON", '{"version": 1, "project": "Web shop", "flags": {}}'],
  ])("reads a file in %s", (_, text) => {
    const file = { version: 1, project: "Web shop", flags: {} };
    expect(read(text)).toEqual({ kind: "file", file });
  });

  it("converts the features of Unleash for the environment", () => {
    const found = read(JSON.stringify({ version: 2, features: [FEATURE] }));
    expect(found).toMatchObject({
      kind: "converted",
      report: [{ key: "cart", result: "exact" }],
      file: {
        project: "Web shop",
        flags: { cart: { environments: { production: { enabled: true } } } },
      },
    });
  });

  it("converts an export of Unleash that uses no segments", () => {
    const featureStrategies = [{ featureName: "cart", name: "default", parameters: {} }];
    const found = read(JSON.stringify({ ...EXPORT, featureStrategies }));
    expect(found).toMatchObject({ kind: "converted", report: [{ key: "cart" }] });
  });

  it("refuses an export whose strategies use segments, because exports lack their constraints", () => {
    const featureStrategies = [{ featureName: "cart", name: "default", segments: [1] }];
    const text = JSON.stringify({ ...EXPORT, featureStrategies, segments: [{ id: 1, name: "a" }] });
    expect(read(text)).toEqual({ kind: "lacksSegments" });
  });

  it("names the place of an unknown field", () => {
    expect(read("version: 1\nproject: Web shop\nflags: { cart: { nam: Cart } }")).toMatchObject({
      kind: "faults",
      faults: expect.arrayContaining([expect.objectContaining({ path: "/flags/cart/nam" })]),
    });
  });

  it.each([
    ["a repeated key", "version: 1\nversion: 1\n", /unique/],
    ["no YAML", "flags: [", /line 1/],
    ["features of another form", '{"features": [null]}', /./],
    ["aliases that stand for too many nodes", bomb(), /alias/],
  ])("calls a text with %s unreadable, and says why", (_, text, message) => {
    expect(read(text)).toEqual({ kind: "unreadable", message: expect.stringMatching(message) });
  });
});

/** Returns a short YAML text whose aliases stand for a billion nodes. */
function bomb(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let n = 1; n < 9; n++)
    lines.push(
      `a${n}: &a${n} [${Array(10)
        .fill(`*a${n - 1}`)
        .join(", ")}]`,
    );
  return lines.join("\n");
}
