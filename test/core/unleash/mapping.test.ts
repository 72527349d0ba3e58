import { describe, expect, it } from "vitest";
import type { Constraint, ClientRule } from "@feature-flags/evaluation/rule";
import { notesOf } from "@feature-flags/unleash";
import { unleashFeatures, unleashNotes } from "@feature-flags/unleash/body";
import {
  activation,
  booleanFlag,
  countOn,
  mapped,
  ordered,
  USERS,
  valuedFlag,
  where,
} from "./rules.ts";

const GERMANS = where("country", "in", ["de"]);
const AUSTRIANS = where("country", "in", ["at"]);

const HALVES = [
  [0, 50_000, "blue"],
  [50_000, 100_000, "red"],
] as const;

/** Returns the constraints of the strategies of a flag with one condition, and the codes of its notes. */
function constraintsFor(constraint: Constraint) {
  const { features, codes } = mapped(
    booleanFlag({ activation: activation({ constraints: [constraint] }) }),
  );
  const short = features[0]?.strategies.map(({ constraints }) =>
    constraints.map(({ contextName, operator, value, values, inverted, caseInsensitive }) =>
      [
        inverted ? "not" : "",
        contextName,
        operator,
        value ?? values?.join(),
        caseInsensitive && "i",
      ]
        .filter(Boolean)
        .join(" "),
    ),
  );
  return { short, codes };
}

describe("a rule in Unleash", () => {
  it("is one flexibleRollout with the hash key and the stickiness, and with the segments inlined", () => {
    const rule = activation({
      rollOut: 30,
      constraints: [GERMANS],
      segments: [{ name: "pro", constraints: [where("plan", "equals", ["pro"])] }],
      stickiness: "targetingKey",
      hashKey: "group",
    });
    expect(mapped(booleanFlag({ activation: rule })).features).toEqual([
      {
        name: "flag",
        type: "release",
        enabled: true,
        stale: false,
        impressionData: false,
        strategies: [
          {
            name: "flexibleRollout",
            parameters: { rollout: "30", stickiness: "userId", groupId: "group" },
            constraints: [
              {
                contextName: "country",
                operator: "IN",
                values: ["de"],
                inverted: false,
                caseInsensitive: false,
              },
              {
                contextName: "plan",
                operator: "IN",
                values: ["pro"],
                inverted: false,
                caseInsensitive: false,
              },
            ],
            variants: [],
          },
        ],
        variants: [],
      },
    ]);
  });

  it("needs no id at 100 %", () => {
    const { features, theirs } = mapped(
      booleanFlag({ activation: activation({ stickiness: "tenant", hashKey: "group" }) }),
    );
    expect(features[0]?.strategies[0]?.parameters).toEqual({
      rollout: "100",
      stickiness: "default",
      groupId: "flag",
    });
    expect(theirs({}).isOn).toBe(true);
  });

  it("has the slots of a split as variants, in their order and with their weights", () => {
    const slots = [
      [0, 12_300, "red"],
      [12_300, 50_049, "blue"],
      [50_049, 100_000, "red"],
    ] as const;
    const { features, codes } = mapped(
      valuedFlag({ offVariant: null, activation: activation({ slots }) }),
    );
    const variants = features[0]?.strategies[0]?.variants;
    expect(variants?.map(({ name, weight, payload }) => [name, weight, payload])).toEqual([
      ["red", 123, { type: "number", value: "2" }],
      ["blue", 377, { type: "string", value: "b" }],
      ["red", 500, { type: "number", value: "2" }],
    ]);
    expect(codes).toEqual(["approximate split-borders"]);
  });

  it.each<[string, Constraint, readonly string[][]]>([
    ["notIn", where("a", "notIn", ["x"]), [["a NOT_IN x"]]],
    ["in, inverted", where("a", "in", ["x"], { inverted: true }), [["a NOT_IN x"]]],
    [
      "contains",
      where("a", "contains", ["x", "y"], { caseInsensitive: true }),
      [["a STR_CONTAINS x,y i"]],
    ],
    ["matches", where("a", "matches", ["x", "^y"]), [["a REGEX (?:x)|(?:^y)"]]],
    ["exists", where("a", "notExists", [], { inverted: true }), [["a REGEX ^"]]],
    ["ip in", where("a", "in", ["10.0.0.0/8"], { contextType: "ip" }), [["a IN_CIDR 10.0.0.0/8"]]],
    [
      "number in",
      where("a", "in", ["1.0", "2"], { contextType: "number" }),
      [["a NUM_EQ 1"], ["a NUM_EQ 2"]],
    ],
    [
      "number notIn",
      where("a", "notIn", ["1", "2"], { contextType: "number" }),
      [["not a NUM_EQ 1", "not a NUM_EQ 2"]],
    ],
    ["number gte", where("a", "gte", ["7", "5"], { contextType: "number" }), [["a NUM_GTE 5"]]],
    [
      "number lt, inverted",
      where("a", "lt", ["7", "5"], { contextType: "number", inverted: true }),
      [["not a NUM_LT 7"], ["not a STR_ENDS_WITH 0,1,2,3,4,5,6,7,8,9"]],
    ],
    [
      "semver gte",
      where("a", "gte", ["1.2.3+b"], { contextType: "semver" }),
      [["a SEMVER_GT 1.2.3"], ["a SEMVER_EQ 1.2.3"]],
    ],
    [
      "semver lt",
      where("a", "lt", ["1.2.3"], { contextType: "semver" }),
      [["a SEMVER_LT 1.2.3", "a STR_CONTAINS ."]],
    ],
    [
      "number lt",
      where("a", "lt", ["7", "5"], { contextType: "number" }),
      [["a NUM_LT 7", "a STR_ENDS_WITH 0,1,2,3,4,5,6,7,8,9"]],
    ],
    [
      "semver lte, inverted",
      where("a", "lte", ["1.2.3", "1.10.0"], { contextType: "semver", inverted: true }),
      [["not a SEMVER_LT 1.10.0", "not a SEMVER_EQ 1.10.0"], ["not a STR_CONTAINS ."]],
    ],
    [
      "date gte",
      where("currentTime", "gte", ["2026-01-01"], { contextType: "date" }),
      [["not currentTime DATE_BEFORE 2026-01-01T00:00:00.000Z"]],
    ],
    [
      "date lt",
      where("currentTime", "lt", ["2026-01-01"], { contextType: "date" }),
      [["currentTime DATE_BEFORE 2026-01-01T00:00:00.000Z"]],
    ],
  ])("has the constraint %s as SDKs know it", (_, constraint, expected) => {
    expect(constraintsFor(constraint)).toEqual({ short: expected, codes: [] });
  });

  it.each<[string, Constraint, string]>([
    [
      "a regular expression that is inverted",
      where("a", "matches", ["x"], { inverted: true }),
      "operator not matches",
    ],
    ["a field that must be missing", where("a", "notExists", []), "operator notExists"],
    [
      "addresses that are excluded",
      where("a", "notIn", ["10.0.0.1"], { contextType: "ip" }),
      "operator not in",
    ],
    [
      "a block with IPv4-mapped addresses",
      where("a", "in", ["::/0"], { contextType: "ip" }),
      "value ::/0",
    ],
    [
      "a field that every context in Node has",
      where("constructor", "exists", []),
      "field constructor",
    ],
    ["a field with a quote", where('a"', "in", ["x"]), 'field a"'],
    ["a value that ends with a backslash", where("a", "in", ["x\\"]), "value x\\"],
    [
      "a part of a millisecond",
      where("currentTime", "gt", ["2026-01-01T00:00:00.0005Z"], { contextType: "date" }),
      "value 1767225600000.5",
    ],
    [
      "a value that is no number",
      where("a", "gt", ["many"], { contextType: "number" }),
      "malformed",
    ],
  ])("is left out because of %s", (_, constraint, code) => {
    expect(constraintsFor(constraint)).toEqual({ short: [], codes: [`unserved ${code}`] });
  });

  it.each(["Random", "default", "currentTime"])(
    "is left out if it hashes the field %s",
    (stickiness) => {
      const flag = mapped(booleanFlag({ activation: activation({ rollOut: 50, stickiness }) }));
      expect(flag.codes).toEqual([`unserved stickiness ${stickiness}`]);
    },
  );
});

describe("a boolean flag in Unleash", () => {
  it("has the inverse conditions of a rule that turns it off in all later rules", () => {
    const off = { constraints: [GERMANS, where("age", "lt", ["40"], { contextType: "number" })] };
    const rules = ordered({ constraints: [AUSTRIANS] }, { ...off, serve: "off" });
    const flag = mapped(booleanFlag({ rules, activation: activation({ rollOut: 70 }) }));
    expect(flag.codes).toEqual([]);
    const { theirs, ours, onlyTheirs } = countOn(flag);
    expect([theirs, onlyTheirs]).toEqual([ours, 0]);
  });

  it("ends at a rule that turns it off by conditions that cannot be inverted", () => {
    const off = { constraints: [where("country", "matches", ["^d"])], serve: "off" };
    const flag = mapped(booleanFlag({ rules: ordered({ constraints: [AUSTRIANS] }, off) }));
    expect(flag.codes).toEqual(["partial off-condition"]);
    expect(countOn(flag)).toEqual({ theirs: 100, ours: 300, onlyTheirs: 0 });
  });

  it("ends at a rule with which it would have more than 30 strategies", () => {
    const values = Array.from({ length: 31 }, (_, n) => `${n + 1}`);
    const many = { constraints: [where("age", "in", values, { contextType: "number" })] };
    const flag = mapped(booleanFlag({ rules: ordered({ constraints: [GERMANS] }, many) }));
    expect(flag.codes).toEqual(["partial strategies"]);
    expect(flag.features[0]?.strategies).toHaveLength(1);
  });

  it("holds out the users of a percentage with a helper, with at least as many users", () => {
    const rules = ordered(
      { constraints: [GERMANS], serve: "off" },
      { rollOut: 9, exactRollOut: 9.5, serve: "off", hashKey: "holdout" },
      { constraints: [AUSTRIANS] },
    );
    const flag = mapped(booleanFlag({ rules, activation: activation({ rollOut: 50 }) }));
    expect(flag.features.map(({ name, dependencies }) => [name, dependencies])).toEqual([
      ["flag", [{ feature: "flag~off", enabled: false }]],
      ["flag~off", undefined],
    ]);
    expect(flag.codes).toEqual(["approximate decimals 10"]);
    const { theirs, onlyTheirs } = countOn(flag);
    expect(onlyTheirs).toBe(0);
    expect(theirs).toBeGreaterThan(150);
  });

  it("is off without strategies, because Unleash has such a flag on for everybody", () => {
    const flag = mapped(booleanFlag({ activation: activation({ rollOut: 0 }) }));
    expect(flag.features[0]).toMatchObject({ enabled: false, strategies: [] });
    expect(flag.theirs({ userId: "a" }).isOn).toBe(false);
  });
});

describe("a flag with variants in Unleash", () => {
  it("has one split of all rules as its own variants if the roll-outs hash something else", () => {
    const rules = ordered(
      { constraints: [GERMANS], serve: "red" },
      { rollOut: 30, hashKey: "x", slots: HALVES },
    );
    const flag = mapped(valuedFlag({ rules, activation: activation({ slots: HALVES }) }));
    expect(flag.codes).toEqual(["approximate off-variant-default"]);
    for (const user of USERS) expect(flag.theirs(user)).toEqual(flag.ours(user));
  });

  it.each<["a" | "b", string | undefined, string, string[]]>([
    ["a", "userId", "company", ["company REGEX ."]],
    ["b", "userId", "company", ["company REGEX ."]],
    ["a", "company", "userId", ["userId REGEX ."]],
    ["a", undefined, "company", ["company REGEX ."]],
    ["a", "userId", "userId", [""]],
  ])(
    "has the flag off for users without the id of such a split (form %s, %s, %s)",
    (form, stickiness, splitStickiness, expected) => {
      const given = { rollOut: 50, hashKey: "x", splitStickiness, slots: HALVES };
      const rule = activation({ ...given, ...(stickiness !== undefined && { stickiness }) });
      const flag = mapped(valuedFlag({ activation: rule, offVariant: null }), form);
      const [feature] = flag.features;
      expect(feature?.variants).toHaveLength(2);
      expect(
        feature?.strategies.map(({ constraints }) =>
          constraints
            .map(({ contextName, operator, value }) => `${contextName} ${operator} ${value}`)
            .join(),
        ),
      ).toEqual(expected);
      const one = (user: (typeof USERS)[number], company: string | undefined) => ({
        ...user,
        properties: company === undefined ? {} : { company },
      });
      for (const [n, user] of USERS.entries())
        for (const company of [undefined, "", `company-${n}`]) {
          const context = one(user, company);
          expect(flag.theirs(context)).toEqual(flag.ours(context));
        }
    },
  );

  it("ends after a rule that serves the off variant by a condition that older SDKs do not know", () => {
    const control = { constraints: [where("country", "matches", ["^d"])], serve: "none" };
    const flag = mapped(
      valuedFlag({ rules: ordered({ constraints: [AUSTRIANS], serve: "red" }, control) }),
    );
    expect(flag.features[0]?.strategies).toHaveLength(2);
    expect(flag.codes).toEqual([
      "approximate off-variant-default",
      "approximate off-variant-served",
      "partial off-condition",
    ]);
  });

  it("ends at a split that hashes something else than its roll-out and than the other splits", () => {
    const rules = ordered(
      { serve: "red", constraints: [GERMANS] },
      { rollOut: 30, splitKey: "x", slots: HALVES },
    );
    const flag = mapped(valuedFlag({ rules, offVariant: null }));
    expect(flag.codes).toEqual(["partial split-hash"]);
  });
});

describe("prerequisites in Unleash", () => {
  const required = (key: string, ...flagKeys: string[]) => ({
    key,
    prerequisites: flagKeys.map((flagKey) => ({ flagKey })),
  });

  it("are flattened, with a helper for a required flag that has prerequisites", () => {
    const grandparent = booleanFlag({ key: "a", activation: activation({ rollOut: 60 }) });
    const parent = booleanFlag({
      ...required("b", "a"),
      activation: activation({ constraints: [GERMANS] }),
    });
    const flag = mapped([grandparent, parent, booleanFlag(required("flag", "b"))]);
    expect(flag.features.map(({ name, dependencies }) => [name, dependencies])).toEqual([
      ["a", undefined],
      ["b", [{ feature: "a", enabled: true }]],
      ["b~rules", undefined],
      [
        "flag",
        [
          { feature: "a", enabled: true },
          { feature: "b~rules", enabled: true },
        ],
      ],
    ]);
    const { theirs, ours, onlyTheirs } = countOn(flag);
    expect([theirs, onlyTheirs]).toEqual([ours, 0]);
    expect(theirs).toBeGreaterThan(40);
  });

  it("that cannot be met leave the flag off without a note", () => {
    const missing = booleanFlag(required("flag", "missing"));
    const cyclic = [booleanFlag(required("b", "c")), booleanFlag(required("c", "b"))];
    const flag = mapped([missing, ...cyclic]);
    expect(flag.features.map(({ enabled }) => enabled)).toEqual([false, false, false]);
    expect(flag.codes).toEqual([]);
  });

  it("tell a flag that a required flag is not exact", () => {
    const parent = booleanFlag({
      key: "parent",
      activation: activation({ rollOut: 2, exactRollOut: 2.5 }),
    });
    const flag = mapped([booleanFlag(required("flag", "parent")), parent]);
    expect(flag.notes).toEqual([
      { flagKey: "flag", rule: null, level: "approximate", code: "prerequisite", detail: "parent" },
      { flagKey: "parent", rule: 0, level: "approximate", code: "decimals", detail: "2" },
    ]);
  });

  it("of more than 50 flags, directly or through others, leave the flag off", () => {
    const keys = Array.from({ length: 53 }, (_, n) => `flag-${n}`);
    const chain = keys.map((key, n) =>
      booleanFlag(n === 0 ? { key } : required(key, `flag-${n - 1}`)),
    );
    const { codes, features } = mapped(chain);
    expect(codes).toEqual(["unserved prerequisite-depth", "unserved prerequisite flag-51"]);
    expect(features.at(-1)).toMatchObject({ name: "flag-52", enabled: false });
  });

  it("leave a flag off for SDKs that are too old for them", () => {
    const flag = mapped(
      [booleanFlag(required("flag", "parent")), booleanFlag({ key: "parent" })],
      "b",
    );
    expect(flag.codes).toEqual(["unserved old-sdk"]);
    expect(countOn(flag)).toMatchObject({ theirs: 0 });
  });
});

describe("the document for SDKs that know no variants of strategies", () => {
  it("has the split that all rules share as the variants of the feature, too", () => {
    const flag = valuedFlag({
      rules: ordered({ constraints: [GERMANS], slots: HALVES }),
      activation: activation({ slots: HALVES }),
    });
    const sizes = (form: "a" | "b") =>
      mapped(flag, form).features.map(({ variants, strategies }) => [
        variants.length,
        strategies[0]?.variants.length,
      ]);
    expect([sizes("a"), sizes("b")]).toEqual([[[0, 2]], [[2, 2]]]);
  });
});

/** Returns the names of the features of a document, and whether each is on; and the bytes of all. */
function written(rules: readonly ClientRule[]) {
  const texts = unleashFeatures(rules, "a").map((bytes) => new TextDecoder().decode(bytes));
  const features = texts.map((text) => JSON.parse(text) as { name: string; enabled: boolean });
  return {
    features: features.map(({ name, enabled }) => [name, enabled]),
    length: texts.join(",").length,
    notes: unleashNotes(rules),
  };
}

describe("the features as JSON", () => {
  it("have a flag of more than 1 MB off, and the flags that require it", () => {
    const large = valuedFlag({ variants: { blue: "x".repeat(1_000_000) }, offVariant: null });
    const child = booleanFlag({
      key: "child",
      prerequisites: [{ flagKey: "flag", enabled: false }],
    });
    const { features, notes } = written([large, child, booleanFlag({ key: "other" })]);
    expect(features).toEqual([
      ["flag", false],
      ["child", false],
      ["other", true],
    ]);
    expect(notes).toEqual([
      {
        flagKey: "flag",
        rule: null,
        level: "unserved",
        code: "size",
        detail: expect.stringMatching(/^1000\d{3}$/),
      },
      { flagKey: "child", rule: null, level: "unserved", code: "prerequisite-off", detail: "flag" },
    ]);
  });

  it("have a flag off whose text only becomes larger than 1 MB by its escapes", () => {
    const quotes = valuedFlag({ variants: { blue: '"'.repeat(600_000) }, offVariant: null });
    expect(written([quotes])).toMatchObject({
      features: [["flag", false]],
      notes: [{ level: "unserved", code: "size", detail: expect.stringMatching(/^1200\d{3}$/) }],
    });
  });

  it.each([
    [
      "splits of large values",
      valuedFlag({
        variants: { blue: "b".repeat(64_000), red: "r".repeat(64_000) },
        offVariant: null,
        rules: ordered(
          ...Array.from({ length: 50 }, () => ({
            slots: Array.from({ length: 64 }, (_, n): [number, number, string] => [
              n * 1000,
              n === 63 ? 100_000 : (n + 1) * 1000,
              n % 2 === 0 ? "blue" : "red",
            ]),
          })),
        ),
      }),
    ],
    [
      "conditions that all later rules inherit",
      booleanFlag({
        rules: ordered(
          ...Array.from({ length: 20 }, (_, rule) => ({
            serve: "off",
            constraints: [
              where(
                `number-${rule}`,
                "in",
                Array.from({ length: 1000 }, (__, n) => String(n)),
                { contextType: "number" },
              ),
            ],
          })),
        ),
      }),
    ],
  ])("are not made of a flag whose rules multiply %s", (_, flag) => {
    const [note, ...others] = notesOf(flag);
    expect(others).toEqual([]);
    expect(note).toMatchObject({ rule: null, level: "unserved", code: "size" });
    // Without the count, they would have more than 20 MB.
    expect(Number(note?.detail)).toBeLessThan(5_000_000);
    expect(written([flag]).length).toBeLessThan(200);
  });

  it("have the largest flags off if all have more than 8 MB", () => {
    const flags = Array.from({ length: 15 }, (_, n) =>
      valuedFlag({
        key: `flag-${n}`,
        variants: { blue: "x".repeat(600_000 + n * 1000) },
        offVariant: null,
      }),
    );
    const { features, length, notes } = written(flags);
    expect(features).toHaveLength(15);
    expect(length).toBeLessThanOrEqual(8_000_000);
    expect(length).toBeGreaterThan(7_000_000);
    expect(notes.map(({ flagKey }) => flagKey)).toEqual(["flag-13", "flag-14"]);
  });
});

describe("the notes of a flag before it is saved", () => {
  it("do not depend on the flags that it requires", () => {
    const flag = booleanFlag({
      rules: ordered({ rollOut: 2, exactRollOut: 2.5 }),
      prerequisites: [{ flagKey: "missing" }],
    });
    expect(notesOf(flag)).toEqual([
      { flagKey: "flag", rule: 0, level: "approximate", code: "decimals", detail: "2" },
    ]);
  });
});
