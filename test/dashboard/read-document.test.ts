import type { Documents } from "@feature-flags/convert/documents";
import { describe, expect, it } from "vitest";
import {
  convertDocuments,
  readDocuments,
} from "../../dashboard/src/features/files/read-document.ts";

const FEATURE = { name: "cart", type: "release", enabled: true, strategies: [{ name: "default" }] };
const EXPORT = { features: [{ name: "cart" }], featureEnvironments: [] };

const json = (name: string, value: unknown) => ({ name, text: JSON.stringify(value) });
const read = (text: string) => readDocuments([{ name: "Pasted text", text }]);

/** Converts documents whose environments have the names of the project. */
function converted(...values: readonly (readonly [name: string, value: unknown])[]) {
  const found = readDocuments(values.map(([name, value]) => json(name, value)));
  if (found.kind !== "documents") return found;
  const { environments } = found.documents;
  return convertDocuments(
    found.documents,
    "Web shop",
    new Map(environments.map((name) => [name, name])),
  );
}

describe("readDocuments", () => {
  it.each([
    ["YAML", "version: 1\nproject: Web shop\nflags: {}\n"],
    ["JSON", '{"version": 1, "project": "Web shop", "flags": {}}'],
  ])("reads a file in %s", (_, text) => {
    const file = { version: 1, project: "Web shop", flags: {} };
    expect(read(text)).toEqual({ kind: "file", file });
  });

  it("refuses a number that would be rounded, and names it", () => {
    expect(read("version: 1\nproject: Web shop\nflags: { cart: 9007199254740993 }")).toEqual({
      kind: "unreadable",
      message: expect.stringContaining("9007199254740993 would be rounded"),
    });
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
    ["aliases that stand for too many nodes", bomb(), /alias/],
  ])("calls a text with %s unreadable, and says why", (_, text, message) => {
    expect(read(text)).toEqual({ kind: "unreadable", message: expect.stringMatching(message) });
  });

  it("refuses documents of several services", () => {
    expect(
      converted(["a", { features: [FEATURE] }], ["b", { flags: { x: { state: "ENABLED" } } }]),
    ).toMatchObject({ kind: "refused", code: "severalServices" });
  });
});

describe("convertDocuments", () => {
  it("converts the features of Unleash of several environments", () => {
    const off = { ...FEATURE, enabled: false };
    expect(
      converted(
        ["production", { version: 2, features: [FEATURE] }],
        ["staging", { features: [off] }],
      ),
    ).toMatchObject({
      kind: "converted",
      service: "unleash",
      report: [{ key: "cart", result: "exact" }],
      file: {
        project: "Web shop",
        flags: {
          cart: { environments: { production: { enabled: true }, staging: { enabled: false } } },
        },
      },
    });
  });

  it("converts an export of Unleash, and needs the list of segments only if it uses some", () => {
    const using = (segments: readonly number[]) => ({
      ...EXPORT,
      featureStrategies: [{ featureName: "cart", name: "default", parameters: {}, segments }],
    });
    const constraints = [{ contextName: "plan", operator: "IN", values: ["pro"] }];
    expect(converted(["production", using([])])).toMatchObject({ kind: "converted" });
    expect(converted(["production", using([1])])).toMatchObject({
      kind: "refused",
      code: "lacksSegments",
      details: { document: "production" },
    });
    expect(
      converted(
        ["production", using([1])],
        ["segments", { segments: [{ id: 1, name: "Pro", constraints }] }],
      ),
    ).toMatchObject({ kind: "converted", file: { segments: { Pro: {} } } });
  });

  it("refuses each flag of an export to which a strategy that nobody can read may belong", () => {
    const features = [{ name: "cart" }];
    const featureEnvironments = [{ featureName: "cart", enabled: true }];
    const featureStrategies = [{ name: "default", featureName: null }];
    expect(
      converted(["production", { features, featureEnvironments, featureStrategies }]),
    ).toMatchObject({ kind: "converted", report: [{ key: "cart", result: "refused" }] });
  });

  it("converts the flags of flagd", () => {
    const flags = { cart: { state: "ENABLED", variants: { on: true }, defaultVariant: "on" } };
    expect(converted(["production", { flags }])).toMatchObject({
      kind: "converted",
      service: "flagd",
      report: [{ key: "cart", result: "exact" }],
    });
  });

  describe("with documents of LaunchDarkly", () => {
    const clauses = [
      { attribute: "", op: "segmentMatch", values: ["beta"], contextKind: "user", negate: false },
    ];
    const state = {
      on: true,
      rules: [{ _id: "1", variation: 0, clauses }],
      fallthrough: { variation: 1 },
      offVariation: 1,
    };
    const flag = {
      key: "cart",
      variations: [{ value: true }, { value: false }],
      environments: { production: state, test: state },
    };
    const segments = (environment: string, key: string) => ({
      items: [{ key, included: ["user-1"], rules: [] }],
      totalCount: 1,
      _links: { self: { href: `/api/v2/segments/shop/${environment}?limit=50` } },
    });

    it("takes the segments of each environment from their documents, and joins pages", () => {
      expect(
        converted(
          ["page 1", { items: [flag], totalCount: 2 }],
          ["page 2", { items: [{ ...flag, key: "other" }], totalCount: 2 }],
          ["segments 1", segments("production", "beta")],
          ["segments 2", segments("test", "alpha")],
        ),
      ).toMatchObject({
        kind: "converted",
        report: [
          { key: "cart", result: "exact" },
          { key: "other", result: "exact" },
        ],
        file: {
          flags: {
            cart: { environments: { production: { rules: [{ segments: ["beta"] }] }, test: {} } },
          },
        },
      });
    });

    it.each([
      [
        "a summary without rules",
        "summary",
        [{ ...flag, environments: { test: { on: true } } }],
        1,
      ],
      ["one of several pages", "pages", [flag], 2],
      ["segments without flags", "noFlags", [{ key: "beta", included: [] }], 1],
    ])("refuses %s", (_, code, items, totalCount) => {
      expect(converted(["a", { items, totalCount }])).toMatchObject({ kind: "refused", code });
    });

    it("refuses only the flags that nobody can read", () => {
      const lost = { ...flag, key: "lost", environments: { production: { on: true } } };
      const items = [{ ...flag, key: "torn", environments: null }, null, lost, flag];
      expect(
        converted(
          ["page 1", { items }],
          ["segments", segments("production", "beta")],
          ["segments", segments("test", "beta")],
        ),
      ).toMatchObject({
        kind: "converted",
        report: [
          { key: "torn", result: "refused" },
          { key: "/items/1", result: "refused" },
          { key: "lost", result: "refused" },
          { key: "cart", result: "exact" },
        ],
      });
    });

    it("refuses an environment that the documents do not have, and segments of an unknown environment", () => {
      const documentsOf = (...texts: readonly ReturnType<typeof json>[]) =>
        (readDocuments(texts) as { documents: Documents }).documents;
      const flags = json("flags", { items: [flag] });
      expect(
        convertDocuments(documentsOf(flags), "Web shop", new Map([["qa", "qa"]])),
      ).toMatchObject({ kind: "refused", code: "unknownEnvironment" });
      const unknown = json("segments", { items: [{ key: "beta" }] });
      expect(
        convertDocuments(
          documentsOf(flags, unknown),
          "Web shop",
          new Map([
            ["production", "production"],
            ["staging", "test"],
          ]),
        ),
      ).toMatchObject({ kind: "refused", code: "segmentEnvironment" });
    });
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
