import type { Constraint } from "@feature-flags/evaluation/rule";
import { describe, expect, it } from "vitest";
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

/** A split of the variants blue and red at a border, in positions. */
const split = (border: number) => ({
  slots: [
    [0, border, "blue"],
    [border, 100_000, "red"],
  ] as const,
});

describe("hard cases of the mapping to Unleash", () => {
  it("1: includes 12 % of the users for a roll-out of 12.5 %", () => {
    const flag = mapped(
      booleanFlag({ activation: activation({ rollOut: 12, exactRollOut: 12.5 }) }),
    );
    expect(flag.codes).toEqual(["approximate decimals 12"]);
    const { theirs, ours, onlyTheirs } = countOn(flag);
    expect(onlyTheirs).toBe(0);
    expect(theirs).toBeLessThan(ours);
    expect(theirs).toBeGreaterThan(40);
  });

  it("2: draws at random for a context without an id, while the flag is off here", () => {
    const flag = mapped(valuedFlag({ activation: activation(split(50_000)) }));
    const variants = new Set(Array.from({ length: 200 }, () => flag.theirs({}).variant));
    expect(variants).toEqual(new Set(["blue", "red"]));
    expect(flag.ours({}).isOn).toBe(false);
  });

  it("3: compares the targeting key with userId, and ignores a field of that name", () => {
    const constraints = [where("targetingKey", "in", ["user-7"])];
    const flag = mapped(booleanFlag({ activation: activation({ constraints }) }));
    expect(flag.theirs({ userId: "user-7" }).isOn).toBe(true);
    expect(flag.theirs({ properties: { targetingKey: "user-7" } }).isOn).toBe(false);
  });

  it("4: serves the off variant of a rule, and isEnabled is true", () => {
    const rules = ordered({ constraints: [GERMANS], serve: "none" });
    const flag = mapped(valuedFlag({ rules }));
    const [german = {}] = USERS;
    expect(flag.theirs(german)).toEqual({ isOn: true, variant: "none", value: "null" });
    expect(flag.ours(german)).toEqual({ isOn: false, variant: "none", value: "null" });
    expect(flag.codes).toContain("approximate off-variant-served");
  });

  it("4: includes more users for a roll-out of the off variant with decimals", () => {
    const rules = ordered({ rollOut: 12, exactRollOut: 12.5, serve: "none" });
    const flag = mapped(valuedFlag({ rules }));
    const served = (of: typeof flag.theirs) => USERS.filter((user) => of(user).variant === "none");
    expect(served(flag.theirs)).toEqual(expect.arrayContaining(served(flag.ours)));
    expect(flag.codes).toContain("approximate decimals 13");
  });

  it("5: serves no variant while a valued flag is off, although it has an off variant", () => {
    const flag = mapped(valuedFlag({ activation: activation({ rollOut: 0, serve: "blue" }) }));
    expect(flag.theirs({ userId: "a" })).toEqual({ isOn: false });
    expect(flag.ours({ userId: "a" })).toEqual({ isOn: false, variant: "none", value: "null" });
    expect(flag.codes).toEqual(["approximate off-variant-default"]);
  });

  it("6: has a boolean flag with the off variant on for everybody whom no rule turns off", () => {
    const rules = ordered({ constraints: [GERMANS], serve: "off" });
    const last = activation({ rollOut: 50, constraints: [where("country", "in", ["at"])] });
    const flag = mapped(booleanFlag({ offVariant: "on", rules, activation: last }));
    expect(countOn(flag)).toEqual({ theirs: 300, ours: 300, onlyTheirs: 0 });
    const disabled = mapped(booleanFlag({ offVariant: "on", enabled: false }));
    expect(countOn(disabled)).toEqual({ theirs: 400, ours: 400, onlyTheirs: 0 });
  });

  it("6: leaves a boolean flag with the off variant on off if that needs more than 30 strategies", () => {
    const constraints = Array.from({ length: 31 }, (_, n) => where(`field-${n}`, "in", ["x"]));
    const rules = ordered({ constraints, serve: "off" });
    const last = activation({ rollOut: 0 });
    const flag = mapped(booleanFlag({ offVariant: "on", rules, activation: last }));
    expect(flag.codes).toEqual(["unserved strategies"]);
    expect(countOn(flag)).toMatchObject({ theirs: 0, ours: 400 });
  });

  it("6: has a boolean flag with the off variant on off if it has prerequisites", () => {
    const flag = booleanFlag({ offVariant: "on", prerequisites: [{ flagKey: "parent" }] });
    const { codes, theirs } = mapped([flag, booleanFlag({ key: "parent" })]);
    expect(codes).toEqual(["unserved off-variant-on"]);
    expect(theirs({ userId: "a" }).isOn).toBe(false);
  });

  it("7: leaves out a split of a boolean flag, and all rules after it", () => {
    const slots = [
      [0, 30_000, "on"],
      [30_000, 100_000, "off"],
    ] as const;
    const flag = mapped(booleanFlag({ rules: ordered({ constraints: [GERMANS] }, { slots }) }));
    expect(flag.codes).toEqual(["partial boolean-split"]);
    expect(countOn(flag)).toMatchObject({ theirs: 100, onlyTheirs: 0 });
  });

  it("8: ends at a rule that turns the flag off for a percentage, after a rule that turns it on", () => {
    const rules = ordered({ constraints: [GERMANS] }, { rollOut: 10, serve: "off" });
    const flag = mapped(booleanFlag({ rules }));
    expect(flag.codes).toEqual(["partial partial-off"]);
    expect(countOn(flag)).toMatchObject({ theirs: 100, onlyTheirs: 0 });
  });

  it("9: drops a rule with an empty segment, which would hold in Unleash", () => {
    const rules = ordered({ segments: [{ name: "empty", constraints: [] }] });
    const flag = mapped(booleanFlag({ rules, activation: activation({ constraints: [GERMANS] }) }));
    expect(flag.codes).toEqual([]);
    expect(countOn(flag)).toEqual({ theirs: 100, ours: 100, onlyTheirs: 0 });
  });

  it("10: includes other users if their ids are not ASCII", () => {
    const flag = mapped(booleanFlag({ activation: activation({ rollOut: 50 }) }));
    const ids = Array.from({ length: 200 }, (_, n) => ({ userId: `größe-${n}` }));
    const others = ids.filter((user) => flag.theirs(user).isOn !== flag.ours(user).isOn);
    expect(others.length).toBeGreaterThan(50);
    expect(flag.codes).toEqual([]);
  });

  it("11: compares the present time if the context has no currentTime", () => {
    const future = where("currentTime", "lt", ["2999-01-01"], { contextType: "date" });
    const flag = mapped(booleanFlag({ activation: activation({ constraints: [future] }) }));
    expect(flag.theirs({ userId: "a" }).isOn).toBe(true);
    expect(flag.ours({ userId: "a" }).isOn).toBe(false);
    const late = { userId: "a", currentTime: new Date("2999-01-01") };
    expect([flag.theirs(late).isOn, flag.ours(late).isOn]).toEqual([false, false]);
  });

  it.each([
    [
      "12: a date on another field than currentTime",
      where("born", "lt", ["2000-01-01"], { contextType: "date" }),
      "date-field born",
    ],
    ["13: an empty value", where("country", "in", ["de", ""]), "white-space country"],
    [
      "13: a value with white space around it",
      where("country", "contains", [" d"]),
      "white-space country",
    ],
    [
      "14: a list that ignores case",
      where("country", "in", ["DE"], { caseInsensitive: true }),
      "case country",
    ],
  ])("%s is left out", (_, constraint, code) => {
    const flag = mapped(booleanFlag({ activation: activation({ constraints: [constraint] }) }));
    expect(flag.codes).toEqual([`unserved ${code}`]);
    expect(countOn(flag).theirs).toBe(0);
  });

  it.each([
    [
      "has decimals",
      booleanFlag({ key: "parent", activation: activation({ rollOut: 12, exactRollOut: 12.5 }) }),
    ],
    [
      "is left out in part",
      booleanFlag({
        key: "parent",
        rules: ordered({ constraints: [GERMANS] }, { rollOut: 10, serve: "off" }),
      }),
    ],
    ["has prerequisites", booleanFlag({ key: "parent", prerequisites: [{ flagKey: "other" }] })],
    [
      "has users who are held out",
      booleanFlag({ key: "parent", rules: ordered({ rollOut: 10, serve: "off" }) }),
    ],
    [
      "has an operator that older SDKs do not know",
      booleanFlag({
        key: "parent",
        activation: activation({ constraints: [where("country", "matches", ["d"])] }),
      }),
    ],
  ])("15: a flag is off that requires the flag to be off that %s", (_, parent) => {
    const child = booleanFlag({ prerequisites: [{ flagKey: "parent", enabled: false }] });
    const flag = mapped([child, parent, booleanFlag({ key: "other" })]);
    expect(flag.codes).toContain("unserved prerequisite-off parent");
    expect(countOn(flag).theirs).toBe(0);
  });

  it("16: a flag that requires a valued flag names all its variants but the off variant", () => {
    const parent = valuedFlag({
      key: "parent",
      rules: ordered({ constraints: [GERMANS], serve: "none" }),
    });
    const flag = mapped([booleanFlag({ prerequisites: [{ flagKey: "parent" }] }), parent]);
    expect(flag.features[0]?.dependencies).toEqual([
      { feature: "parent", enabled: true, variants: ["blue", "red"] },
    ]);
    expect(countOn(flag)).toEqual({ theirs: 300, ours: 300, onlyTheirs: 0 });
  });

  it("16: a flag is off that requires some of the variants of a feature", () => {
    const parent = valuedFlag({
      key: "parent",
      activation: activation({ rollOut: 50, hashKey: "x", ...split(50_000) }),
    });
    const required = (variants?: readonly string[]) =>
      mapped([
        booleanFlag({ prerequisites: [{ flagKey: "parent", ...(variants && { variants }) }] }),
        parent,
      ]);
    expect(required(["blue"]).codes).toContain("unserved prerequisite-variants parent");
    expect(countOn(required(["blue"])).theirs).toBe(0);
    expect(countOn(required())).toEqual({ theirs: 201, ours: 201, onlyTheirs: 0 });
  });

  it.each([
    [
      "an earlier rule has decimals",
      { rules: ordered({ rollOut: 12, exactRollOut: 12.5, serve: "red" }) },
      ["blue"],
    ],
    ["the borders of its split are rounded", { activation: activation(split(33_333)) }, ["red"]],
    [
      "its split serves the off variant, and the borders are rounded",
      {
        activation: activation({
          slots: [
            [0, 33_333, "none"],
            [33_333, 100_000, "blue"],
          ],
        }),
      },
      undefined,
    ],
  ])("16: a flag is off that requires variants of a flag if %s", (_, given, variants) => {
    const parent = valuedFlag({ key: "parent", ...given });
    const prerequisite = { flagKey: "parent", ...(variants && { variants }) };
    const flag = mapped([booleanFlag({ prerequisites: [prerequisite] }), parent]);
    expect(flag.codes).toContain("unserved prerequisite-variants parent");
    const users = Array.from({ length: 10_000 }, (__, n) => ({ userId: `user-${n}` }));
    const others = users.filter(
      (user) => flag.theirs(user, "parent").variant !== flag.ours(user, "parent").variant,
    );
    expect(others.length).toBeGreaterThan(0);
    for (const user of others) {
      expect(flag.ours(user).isOn).toBe(false);
      expect(flag.theirs(user).isOn).toBe(false);
    }
  });

  it("16: a flag is off that requires variants if an earlier rule does not hold in all SDKs", () => {
    const rules = ordered({ constraints: [where("country", "matches", ["^d"])], serve: "red" });
    const required = (variant: string) => ({ flagKey: "parent", variants: [variant] });
    const parent = valuedFlag({ key: "parent", rules });
    const flag = mapped([booleanFlag({ prerequisites: [required("blue")] }), parent]);
    expect(flag.codes).toContain("unserved prerequisite-variants parent");
    expect(countOn(flag).theirs).toBe(0);
  });

  it("16: a flag is on that requires variants of a flag whose last rule has decimals", () => {
    const parent = valuedFlag({
      key: "parent",
      rules: ordered({ constraints: [GERMANS], serve: "red" }),
      activation: activation({ rollOut: 50, exactRollOut: 50.5, serve: "blue" }),
    });
    const prerequisites = [{ flagKey: "parent", variants: ["blue"] }];
    const flag = mapped([booleanFlag({ prerequisites }), parent]);
    expect(flag.codes).toContain("approximate prerequisite parent");
    const { theirs, onlyTheirs } = countOn(flag);
    expect(onlyTheirs).toBe(0);
    expect(theirs).toBeGreaterThan(100);
  });

  it.each(['a "quote"', "größe", "back\\slash", ""])(
    "17: a roll-out with the hash key %j is left out",
    (hashKey) => {
      const flag = mapped(booleanFlag({ activation: activation({ rollOut: 50, hashKey }) }));
      expect(flag.codes).toEqual([`unserved hash-key${hashKey && ` ${hashKey}`}`]);
      expect(countOn(flag).theirs).toBe(0);
    },
  );

  it("18: asks SDKs for no impression data", () => {
    expect(mapped([booleanFlag(), valuedFlag({ key: "b" })]).features).toEqual([
      expect.objectContaining({ impressionData: false }),
      expect.objectContaining({ impressionData: false }),
    ]);
  });

  it("20: holds for the application name that the SDK adds to every context", () => {
    const constraints = [where("appName", "in", ["shop"])];
    const flag = mapped(booleanFlag({ activation: activation({ constraints }) }));
    expect(flag.theirs({ userId: "a" }).isOn).toBe(true);
    expect(flag.ours({ userId: "a" }).isOn).toBe(false);
  });

  it("leaves out a rule with a number or a version that SDKs round, and a sigma that ignores case", () => {
    const codesOf = (constraint: Constraint) =>
      mapped(booleanFlag({ activation: activation({ constraints: [constraint] }) })).codes;
    const id = "9007199254740993";
    const version = "3.0.20261128093000123";
    expect(codesOf(where("id", "equals", [id], { contextType: "number" }))).toEqual([
      `unserved value ${id}`,
    ]);
    expect(codesOf(where("app", "gt", [version], { contextType: "semver" }))).toEqual([
      `unserved value ${version}`,
    ]);
    const greek = where("name", "contains", ["ΩΣ"], { caseInsensitive: true });
    expect(codesOf(greek)).toEqual(["unserved case name"]);
  });
});
