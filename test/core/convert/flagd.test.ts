import type { FlagValue } from "@openfeature/core";
import { FlagdCore } from "@openfeature/flagd-core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convert } from "@feature-flags/convert/convert";
import type { FlagdDocument, FlagdFlag } from "@feature-flags/convert/flagd/document";
import { reasonText } from "@feature-flags/convert/report";
import type { ReasonCode } from "@feature-flags/convert/words";
import { compileRules, evaluate } from "@feature-flags/evaluation/evaluate";
import { checkFile } from "@feature-flags/file/check";
import { isExact, isExactInUsualForms } from "./forms.ts";
import { rulesOfFile } from "./rules-of-file.ts";
import { contextOf, UNUSUAL_USERS, USERS, type User } from "./users.ts";

const PRODUCTION = "production";

const convertOne = (document: FlagdDocument) =>
  convert({ service: "flagd", project: "shop", environments: { [PRODUCTION]: document } });

const QUIET = { error() {}, warn() {}, info() {}, debug() {} };

/** The default in the code. */
const DEFAULT = { none: true };

/**
 * Returns the flags and users for which one of these flags has another value than in the engine of flagd. The
 * documents of random flags may have operands of wrong types, at which the engine fails; this project
 * then ignores the value, so these users are left out.
 */
async function differing(
  document: FlagdDocument,
  users: readonly User[],
  isCompared = isExactInUsualForms,
) {
  const { file, report } = convertOne(document);
  expect(checkFile(file)).toEqual({ file });
  const flagd = new FlagdCore(undefined, QUIET);
  flagd.setConfigurations(JSON.stringify(document));
  const rules = compileRules(await rulesOfFile(file, PRODUCTION));
  const exact = report.filter(isCompared).map(({ key }) => key);
  const differences: string[] = [];
  let compared = 0;
  for (const user of users) {
    const context = contextOf(user);
    for (const key of exact) {
      const { variants = {} } = document.flags[key] as FlagdFlag;
      const type = typeof Object.values(variants)[0] as "boolean" | "string" | "number" | "object";
      const resolution = flagd.resolve<FlagValue>(type, key, DEFAULT, context);
      if (resolution.errorCode !== undefined) continue;
      compared += 1;
      const their = JSON.stringify(resolution.value);
      const our = JSON.stringify(evaluate(rules, key, context).value ?? DEFAULT);
      if (their !== our) differences.push(`${key}, ${user.key}: ${their}, ${our}`);
    }
  }
  return { differences, report, compared };
}

const COLOURS = { blue: "#11c", red: "#e33", teal: "#099" };

const ON_OFF = { on: true, off: false };

const flag = (
  targeting: unknown,
  more: Partial<FlagdFlag> = { variants: COLOURS, defaultVariant: "blue" },
): FlagdFlag => ({ state: "ENABLED", targeting, ...more });

const v = (field: string) => ({ var: field });

/** A flag that serves red if the condition holds. */
const where = (condition: unknown) => flag({ if: [condition, "red", null] });

const EVALUATORS = {
  adultInGermany: { and: [{ $ref: "adult" }, { "==": [v("country"), "de"] }] },
  adult: { ">=": [v("age"), 18] },
};

const EXACT: Readonly<Record<string, FlagdFlag>> = {
  static: flag({}),
  "no-targeting": flag(undefined),
  disabled: flag({}, { state: "DISABLED", variants: COLOURS, defaultVariant: "blue" }),
  "no-default": flag({ if: [{ "==": [v("country"), "de"] }, "red"] }, { variants: COLOURS }),
  "null-default": flag({}, { variants: ON_OFF, defaultVariant: null }),
  number: flag({}, { variants: { low: 0.5, high: 10 }, defaultVariant: "high" }),
  object: flag({}, { variants: { a: { x: [1] }, b: {} }, defaultVariant: "a" }),
  boolean: flag({ if: [v2("plan", "pro"), "on"] }, { variants: ON_OFF, defaultVariant: "off" }),
  "other-names": flag(
    { if: [v2("plan", "pro"), "yes", "maybe"] },
    { variants: { yes: true, no: false, maybe: true }, defaultVariant: "no" },
  ),
  "without-if": flag(v2("country", "at"), {
    variants: { true: true, false: false },
    defaultVariant: "false",
  }),
  "without-if-or": flag(
    { or: [v2("country", "at"), { ">": [v("score"), 1] }] },
    { variants: { true: "yes", false: "no" }, defaultVariant: "false" },
  ),
  equal: where({ "===": ["de", v("country")] }),
  "not-equal": where({ "!=": [v("plan"), "pro"] }),
  "equal-number": where({ "==": [v("score"), 2] }),
  "equal-zero": where({ "==": [v("score"), 0] }),
  "not-zero": where({ "!=": [0, v("score")] }),
  "same-as-zero": where({ "===": [v("score"), 0] }),
  "not-false": where({ "!=": [v("beta"), false] }),
  "equal-boolean": where({ "==": [v("beta"), true] }),
  "is-null": where({ "==": [v("plan"), null] }),
  "not-null": where({ "!==": [v("plan"), null] }),
  less: where({ "<": [v("score"), 2] }),
  "less-below-zero": where({ "<": [v("score"), -1] }),
  "not-less": where({ "!": [{ "<=": [v("score"), 0] }] }),
  greater: where({ ">": [v("score"), -2] }),
  mirrored: where({ ">=": [-1, v("score")] }),
  between: where({ "<": [20, v("age"), 40] }),
  "between-scores": where({ "<=": [-1, v("score"), 2] }),
  in: where({ in: [v("country"), ["de", "at"]] }),
  "in-mixed": where({ in: [v("score"), ["x", 1, 2]] }),
  "not-in": where({ "!": { in: [v("plan"), ["pro", "x"]] } }),
  contains: where({ in: ["@example.com", v("email")] }),
  starts: where({ starts_with: [v("email"), "Ann"] }),
  "not-ends": where({ "!": [{ ends_with: [v("plan"), "o"] }] }),
  version: where({ sem_ver: [v("version"), ">=", "1.2"] }),
  "same-version": where({ sem_ver: [v("version"), "=", "v1.1.1"] }),
  "other-version": where({ sem_ver: [v("release"), "!=", "1.0.0"] }),
  "same-major": where({ sem_ver: [v("version"), "^", "1.4.0"] }),
  "same-minor": where({ sem_ver: [v("version"), "~", "1.4.0"] }),
  "and-or": where({
    and: [{ or: [v2("country", "de"), v2("plan", "pro")] }, { "!": [v2("plan", "free")] }],
  }),
  chain: flag({
    if: [v2("country", "de"), "red", { if: [v2("country", "at"), "teal", "blue"] }],
  }),
  "several-conditions": flag({
    if: [v2("country", "de"), "red", v2("country", "at"), "teal", "blue"],
  }),
  nested: flag({
    if: [
      { ">": [v("age"), 40] },
      { if: [v2("country", "de"), "red", null] },
      { if: [v2("plan", "pro"), "teal"] },
    ],
  }),
  "never-and-always": flag({ if: [false, "red", true, "teal", "blue"] }),
  reference: where({ $ref: "adultInGermany" }),
  targetingKey: where({ in: [v("targetingKey"), ["user-1", "user-77"]] }),
  "one-bucket": flag({ if: [v2("country", "de"), { fractional: [["red", 1]] }, null] }),
  "no-weights": flag(fractional(["red", 0], ["teal", 0])),
  "negative-weight": flag(fractional(["red", -50], ["teal", 100])),
  "zero-number": flag(
    { if: [v2("country", "de"), "zero"] },
    { variants: { zero: 0, one: 1 }, defaultVariant: "one" },
  ),
  "empty-text": flag(
    { if: [v2("country", "de"), "full"] },
    { variants: { empty: "", full: "x" }, defaultVariant: "empty" },
  ),
  "empty-object": flag(
    { if: [v2("country", "de"), "empty"] },
    { variants: { empty: {}, full: { a: 0 } }, defaultVariant: "full" },
  ),
};

function fractional(...pairs: readonly unknown[]) {
  return { fractional: [v("targetingKey"), ...pairs] };
}

function v2(field: string, value: string) {
  return { "==": [v(field), value] };
}

describe("a flag of flagd that is converted exactly", () => {
  it("gives 10,000 users the value of the engine of flagd for all kinds of conditions", async () => {
    const { differences, report, compared } = await differing(
      { flags: EXACT, $evaluators: EVALUATORS },
      USERS,
    );
    expect(report.filter((one) => !isExactInUsualForms(one))).toEqual([]);
    expect(differences).toEqual([]);
    // Shows that the engine did not fail.
    expect(compared).toBe(USERS.length * Object.keys(EXACT).length);
  });

  it("gives users with partial versions, padded numbers and empty texts the value of flagd", async () => {
    const document = { flags: EXACT, $evaluators: EVALUATORS };
    const { differences, compared } = await differing(document, UNUSUAL_USERS, isExact);
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(UNUSUAL_USERS.length * 15);
  });

  it.each<[unknown]>([
    [{ sem_ver: [v("version"), "=", "2.0.0"] }],
    [{ "<": [v("version"), 18] }],
    [{ "==": [v("version"), 18] }],
    [{ "==": [v("version"), "18"] }],
    [{ in: [v("version"), [18]] }],
    [{ "==": [v("version"), true] }],
  ])(
    "is called changed because of the condition %j, which reads some texts differently here",
    (one) => {
      const { report } = convertOne({ flags: { x: where(one) } });
      expect(report.map(({ result }) => result)).toEqual(["changed"]);
    },
  );

  it("gives every user the value of flagd for random targeting", async () => {
    const users = USERS.slice(0, 200);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(ANY_TARGETING, { minLength: 1, maxLength: 4 }), async (list) => {
        const flags = Object.fromEntries(list.map((one, n) => [`flag-${n}`, flag(one)]));
        const { differences, compared } = await differing({ flags }, users);
        expect(differences).toEqual([]);
        count += compared;
      }),
      { seed: 20_261_126, numRuns: 100 },
    );
    // Shows that enough of the flags are converted, and exactly.
    expect(count).toBeGreaterThan(20_000);
  });

  it("has no off variant, so that a flag that is off gives the default in the code as in flagd", () => {
    const boolean = flag(
      { if: [v2("plan", "pro"), "yes"] },
      {
        variants: { yes: true, no: false },
        defaultVariant: "no",
      },
    );
    expect(convertOne({ flags: { boolean } }).file.flags).toEqual({
      boolean: {
        name: "boolean",
        flagType: "RELEASE",
        offVariant: null,
        environments: {
          production: {
            enabled: true,
            serve: { variant: "off" },
            rules: [
              {
                constraints: [{ field: "plan", operator: "in", values: ["pro"] }],
                serve: { variant: "on" },
              },
            ],
          },
        },
      },
    });
  });
});

const ANY_LEAF: fc.Arbitrary<unknown> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("==", "===", "!=", "!=="),
      fc.constantFrom("country", "plan", "missing"),
      fc.constantFrom("de", "pro", null, ""),
    )
    .map(([operator, field, value]) => ({ [operator]: [v(field), value] })),
  fc
    .tuple(
      fc.constantFrom("<", "<=", ">", ">="),
      fc.constantFrom("age", "score", "missing"),
      fc.constantFrom(0, 2, -1, 40),
      fc.boolean(),
    )
    .map(([operator, field, value, isMirrored]) => ({
      [operator]: isMirrored ? [value, v(field)] : [v(field), value],
    })),
  fc
    .tuple(fc.constantFrom("starts_with", "ends_with"), fc.constantFrom("email", "missing"))
    .map(([operator, field]) => ({ [operator]: [v(field), "Ann"] })),
  fc
    .tuple(
      fc.constantFrom("=", "!=", "<", "<=", ">", ">=", "~", "^"),
      fc.constantFrom("version", "missing"),
      fc.constantFrom("1.1.1", "1.2.0", "2.0.0"),
    )
    .map(([sign, field, value]) => ({ sem_ver: [v(field), sign, value] })),
  fc.subarray(["de", "fr", "at"]).map((list) => ({ in: [v("country"), list] })),
);

const ANY_CONDITION = fc.letrec((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    ANY_LEAF,
    fc
      .tuple(
        fc.constantFrom("and", "or"),
        fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
      )
      .map(([operator, args]) => ({ [operator]: args })),
    tie("condition").map((one) => ({ "!": [one] })),
  ),
})).condition;

const ANY_TARGETING = fc.letrec((tie) => ({
  outcome: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom("red", "teal", "blue", null),
    fc.tuple(ANY_CONDITION, tie("outcome"), tie("outcome")).map((args) => ({ if: args })),
  ),
})).outcome;

describe("a flag of flagd", () => {
  it.each<[string, ReasonCode, FlagdFlag]>([
    ["arithmetic", "logic", where({ "==": [{ "%": [v("age"), 2] }, 0] })],
    ["a comparison of two fields", "logic", where({ "==": [v("plan"), v("country")] })],
    ["an operation on a list", "logic", where({ some: [v("groups"), { "==": [v(""), "a"] }] })],
    ["a default of a field", "logic", where({ "==": [{ var: ["plan", "free"] }, "free"] })],
    [
      "a condition without if whose result may be null",
      "logic",
      flag({ starts_with: [v("email"), "A"] }),
    ],
    ["a variant that is computed", "logic", flag({ cat: ["re", "d"] })],
    [
      "a hash of several fields",
      "logic",
      flag({ fractional: [{ cat: [v("a"), v("b")] }, ["red", 1], ["blue", 1]] }),
    ],
    [
      "a hash of a text and a field",
      "logic",
      flag({ fractional: [{ cat: ["seed", v("a")] }, ["red", 1], ["blue", 1]] }),
    ],
    ["a hash of null", "logic", flag({ fractional: [null, ["red"]] })],
    [
      "a computed variant of a fractional roll-out",
      "logic",
      flag(fractional([v("plan"), 50], ["blue", 50])),
    ],
    [
      "a computed weight of a fractional roll-out",
      "logic",
      flag(fractional(["red", { if: [v2("plan", "pro"), 100, 0] }], ["blue", 10])),
    ],
    ["a roll-out as a condition", "logic", where(fractional([false, 0], [true, 100]))],
    ["a comparison of texts without a text", "logic", where({ ends_with: [v("email")] })],
    [
      "a comparison of versions without a version",
      "logic",
      where({ sem_ver: [v("version"), "="] }),
    ],
    ["an unknown sign", "logic", where({ sem_ver: [v("version"), "===", "1.0.0"] })],
    [
      "a branch with the default in the code",
      "logic",
      flag({ if: [v2("plan", "pro"), null, "red"] }, { variants: COLOURS }),
    ],
    ["a variant that does not exist", "unknownVariant", flag({ if: [v2("plan", "pro"), "green"] })],
    ["an evaluator that does not exist", "unknownReference", where({ $ref: "nobody" })],
    ["an evaluator that refers to itself", "unknownReference", where({ $ref: "loop" })],
    [
      "a name of a variant that is no key",
      "variantKey",
      flag({}, { variants: { "a b": "x" }, defaultVariant: "a b" }),
    ],
    [
      "values of several types",
      "valueTypes",
      flag({}, { variants: { a: 1, b: "x" }, defaultVariant: "a" }),
    ],
  ])("is refused and left out of the file because of %s", (_, code, one) => {
    const { file, report } = convertOne({
      flags: { x: one },
      $evaluators: { loop: { $ref: "loop" } },
    });
    expect(report).toEqual([
      { key: "x", result: "refused", reasons: [expect.objectContaining({ code })] },
    ]);
    expect(file.flags).toEqual({});
  });

  it.each<[string, ReasonCode, FlagdFlag, string]>([
    [
      "a fractional roll-out",
      "usersMove",
      flag({
        fractional: [
          ["red", 50],
          ["blue", 50],
        ],
      }),
      "percentage",
    ],
    [
      "the present time",
      "presentTime",
      where({ ">": [v("$flagd.timestamp"), 1_767_225_600] }),
      "currentTime",
    ],
    ["a field inside an object", "nestedField", where(v2("address.city", "Ulm")), "address.city"],
    ["a check whether a field is set", "truthiness", where(v("beta")), "beta"],
  ])("is changed because of %s, and the reason says how", (_, code, one, words) => {
    const { file, report } = convertOne({ flags: { x: one } });
    expect(report).toEqual([
      { key: "x", result: "changed", reasons: [expect.objectContaining({ code })] },
    ]);
    expect(report[0]?.reasons.map(reasonText)).toEqual([expect.stringContaining(words)]);
    expect(checkFile(file)).toEqual({ file });
  });

  it.each<[string, object]>([
    ["no state", { ...flag({}), state: null }],
    ["another state", flag({}, { state: "disabled", variants: ON_OFF, defaultVariant: "on" })],
    ["a list of variants", { ...flag({}), variants: [true, false] }],
    ["a number as default variant", { ...flag({}), defaultVariant: 1 }],
    ["an empty list of conditions", where({ and: [] })],
    ["conditions that are no list", where({ and: v2("plan", "pro") })],
    ["a comparison with three operands", where({ "!=": [v("plan"), "pro", "free"] })],
    ["a reference beside another operation", where({ $ref: "adult", "!": [true] })],
  ])("is refused because of %s, and other flags are imported", (_, one) => {
    const flags = { x: one, broken: null, y: flag({}) };
    const { report } = convertOne({ flags, $evaluators: EVALUATORS });
    expect(report.map(({ result }) => result)).toEqual(["refused", "refused", "exact"]);
  });

  it("is refused if it refers to evaluators that nobody can read", () => {
    const flags = { x: where({ $ref: "adult" }), y: flag({}) };
    const { report } = convertOne({ flags, $evaluators: null });
    expect(report.map(({ result }) => result)).toEqual(["refused", "exact"]);
  });

  it("keeps the shares of a fractional roll-out in per cents with three decimals, and the field that is hashed", () => {
    const hashed = { cat: [v("$flagd.flagKey"), v("email")] };
    const split = flag({ fractional: [hashed, ["red", 1], ["blue", 1], ["teal", 1]] });
    expect(convertOne({ flags: { split } }).file.flags?.["split"]?.environments).toEqual({
      production: {
        enabled: true,
        serve: { weights: { red: 33.333, blue: 33.334, teal: 33.333 } },
        stickiness: "email",
      },
    });
  });

  it("has the strategies of all environments, and is refused if a variant has another value in one of them", () => {
    const other = flag({}, { variants: { blue: "#00f" }, defaultVariant: "blue" });
    const { file, report } = convert({
      service: "flagd",
      project: "shop",
      environments: {
        staging: { flags: { same: flag({}), other } },
        production: { flags: { same: where(v2("plan", "pro")), other: flag({}) } },
      },
    });
    expect(report.map(({ result }) => result)).toEqual(["exact", "refused"]);
    expect(Object.keys(file.flags?.["same"]?.environments ?? {})).toEqual([
      "staging",
      "production",
    ]);
  });
});
