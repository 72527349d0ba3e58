import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Unleash } from "unleash-client";
import type { Verdict } from "@feature-flags/evaluation/rule";
import { compileRules, evaluate } from "@feature-flags/evaluation/evaluate";
import { convert } from "@feature-flags/convert/convert";
import type {
  UnleashConstraint,
  UnleashDocument,
  UnleashFeature,
  UnleashStrategy,
  UnleashVariant,
} from "@feature-flags/convert/unleash/document";
import { reasonText } from "@feature-flags/convert/report";
import type { ReasonCode } from "@feature-flags/convert/words";
import { documentOfExport } from "@feature-flags/convert/unleash/export";
import { unleashDocument } from "@feature-flags/unleash";
import { checkFile } from "@feature-flags/file/check";
import { unleashWith } from "../unleash/unleash-sdk.ts";
import { isExact, isExactInUsualForms, UNUSUAL_TEXTS } from "./forms.ts";
import { rulesOfFile } from "./rules-of-file.ts";

const PRODUCTION = "production";

/** A context of Unleash. All its values are texts. */
type Context = {
  readonly userId: string;
  readonly sessionId: string;
  readonly remoteAddress: string;
  readonly properties: Record<string, string>;
};

const IDS = 10_000;
const COUNTRIES = ["de", "at", "ch", "fr"];

/** Contexts with different ids. */
const CONTEXTS = Array.from({ length: IDS }, (_, n): Context => ({
  userId: `user-${n}`,
  sessionId: `session-${n % 997}`,
  remoteAddress: `10.0.${n % 7}.${n % 251}`,
  properties: {
    country: COUNTRIES[n % COUNTRIES.length] ?? "",
    tenant: `tenant-${n % 401}`,
    age: String(n % 80),
    version: `1.${n % 5}.${n % 3}`,
    email: n % 3 === 0 ? `Ann${n}@Example.com` : `bob${n}@example.org`,
    ...(n % 2 === 0 && { plan: "pro" }),
  },
}));

/** Contexts whose properties have values in unusual forms. */
const UNUSUAL = UNUSUAL_TEXTS.flatMap((text) =>
  CONTEXTS.slice(0, 4).map(({ properties, ...ids }): Context => {
    const same = Object.fromEntries(Object.keys(properties).map((name) => [name, text]));
    // An empty text is no id here.
    return Object.assign(ids, { properties: { ...same, tenant: text || "tenant-0" } });
  }),
);

/** An operator of each kind, with what the operator compares with. */
const OPERATORS: ReadonlyMap<string, string | string[]> = new Map<string, string | string[]>([
  ...["IN", "NOT_IN", "STR_CONTAINS", "STR_STARTS_WITH", "STR_ENDS_WITH"].map(
    (operator): [string, string[]] => [operator, ["de", "pro"]],
  ),
  ...["NUM_EQ", "NUM_GT", "NUM_GTE", "NUM_LT", "NUM_LTE"].map((one): [string, string] => [
    one,
    "4",
  ]),
  ...["SEMVER_EQ", "SEMVER_GT", "SEMVER_GTE", "SEMVER_LT", "SEMVER_LTE"].map(
    (operator): [string, string] => [operator, "1.2.0"],
  ),
  ["REGEX", "^a"],
  ["IN_CIDR", ["10.0.3.0/24"]],
]);

const flat = ({ properties, ...rest }: Context) => ({ ...rest, ...properties });

const document = (...features: UnleashFeature[]): UnleashDocument =>
  ({ version: 2, features }) as UnleashDocument;

const convertOne = (source: UnleashDocument) =>
  convert({ service: "unleash", project: "shop", environments: { [PRODUCTION]: source } });

/** What a check of a flag shows: whether it is on, and the name and the text of the variant. */
type Shown = readonly [
  isOn: boolean | undefined,
  variant?: string | undefined,
  value?: string | undefined,
];

function shownByUnleash(unleash: Unleash, key: string, context: Context): Shown {
  const { name, feature_enabled: isOn, payload } = unleash.getVariant(key, context);
  return name === "disabled" ? [isOn] : [isOn, name, payload?.value];
}

function shownHere({ enabled, variant, value }: Verdict): Shown {
  // A boolean flag here has variants that Unleash does not have.
  if (variant === undefined || typeof value === "boolean") return [enabled];
  return [enabled, variant, typeof value === "string" ? value : JSON.stringify(value)];
}

/** Returns the flags and users for which one of these flags shows something else than in Unleash. */
async function differing(
  source: UnleashDocument,
  contexts: readonly Context[],
  isCompared = isExactInUsualForms,
) {
  const { file, report } = convertOne(source);
  expect(checkFile(file)).toEqual({ file });
  const unleash = unleashWith(source as Parameters<typeof unleashWith>[0]);
  const rules = compileRules(await rulesOfFile(file, PRODUCTION));
  const exact = report.filter(isCompared).map(({ key }) => key);
  const differences: string[] = [];
  for (const context of contexts) {
    const own = flat(context);
    for (const key of exact) {
      const theirs = JSON.stringify(shownByUnleash(unleash, key, context));
      const ours = JSON.stringify(shownHere(evaluate(rules, key, own)));
      if (theirs !== ours) differences.push(`${key}, ${context.userId}: ${theirs}, ${ours}`);
    }
  }
  return { differences, report, exact: exact.length };
}

const resultsOf = (source: UnleashDocument) =>
  convertOne(source).report.map(({ key, result }) => [key, result]);

const rollout = (
  parameters: UnleashStrategy["parameters"],
  more: Partial<UnleashStrategy> = {},
) => ({
  name: "flexibleRollout",
  parameters,
  ...more,
});

const feature = (name: string, ...strategies: UnleashStrategy[]): UnleashFeature => ({
  name,
  type: "release",
  enabled: true,
  strategies,
});

const where = (
  contextName: string,
  operator: string,
  values: string[] | string,
  more: Partial<UnleashConstraint> = {},
): UnleashStrategy => ({
  name: "default",
  constraints: [
    {
      contextName,
      operator,
      ...(typeof values === "string" ? { value: values } : { values }),
      ...more,
    },
  ],
});

const variant = (
  name: string,
  weight: number,
  more: Partial<UnleashVariant> = {},
): UnleashVariant => ({
  name,
  weight,
  payload: { type: "string", value: `value of ${name}` },
  ...more,
});

const COLOURS = [variant("blue", 500), variant("red", 333), variant("teal", 167)];

/** Flags that hash an id, or require one that does. */
const HASHED: readonly UnleashFeature[] = [
  feature("seventh", rollout({ rollout: "7", stickiness: "default", groupId: "seventh" })),
  feature("group", rollout({ rollout: "42", stickiness: "default", groupId: "other" })),
  feature("decimals", rollout({ rollout: "12.5", stickiness: "userId", groupId: "decimals" })),
  feature("tenant", rollout({ rollout: "30", stickiness: "tenant", groupId: "tenant" })),
  feature("plan-only", rollout({ rollout: "100", stickiness: "plan", groupId: "plan-only" })),
  feature("random-for-all", rollout({ rollout: "100", stickiness: "random", groupId: "x" })),
  feature("nobody", rollout({ rollout: "0", stickiness: "default", groupId: "nobody" })),
  feature("old-users", {
    name: "gradualRolloutUserId",
    parameters: { percentage: "25", groupId: "old" },
  }),
  feature("old-sessions", {
    name: "gradualRolloutSessionId",
    parameters: { percentage: "100", groupId: "old" },
  }),
  feature(
    "several",
    where("country", "IN", ["de", "at"]),
    rollout({ rollout: "10", stickiness: "default", groupId: "several" }),
    { name: "userWithId", parameters: { userIds: "user-3" } },
  ),
  { ...feature("variants", { name: "default" }), variants: COLOURS },
  {
    ...feature("variants-of-some", rollout({ rollout: "55", stickiness: "default", groupId: "g" })),
    variants: COLOURS,
  },
  { ...feature("variants-without-strategy"), variants: COLOURS },
  {
    ...feature("hundred", { name: "default" }),
    variants: [variant("a", 30), variant("b", 30), variant("c", 40)],
  },
  {
    ...feature("tenants", rollout({ rollout: "70", stickiness: "default", groupId: "tenants" })),
    variants: COLOURS.map((one) => Object.assign({}, one, { stickiness: "tenant" })),
  },
  feature(
    "variants-of-strategies",
    rollout(
      { rollout: "50", stickiness: "default", groupId: "first" },
      { variants: [variant("blue", 250), variant("red", 750)] },
    ),
    rollout(
      { rollout: "100", stickiness: "default", groupId: "second" },
      { variants: [variant("red", 100), variant("blue", 900)] },
    ),
  ),
  feature("only-variant", {
    name: "flexibleRollout",
    parameters: { rollout: "100", stickiness: "default", groupId: "" },
    variants: [variant("blue", 1000)],
  }),
  feature("without-group", { name: "default", parameters: {}, variants: COLOURS }),
  {
    ...feature("overrides", rollout({ rollout: "60", stickiness: "default", groupId: "o" })),
    variants: [
      variant("blue", 500, { overrides: [{ contextName: "country", values: ["fr"] }] }),
      variant("red", 500, { overrides: [{ contextName: "userId", values: ["user-4", "user-8"] }] }),
      variant("teal", 0, { overrides: [{ contextName: "plan", values: ["pro"] }] }),
    ],
  },
  {
    ...feature("numbers", { name: "default" }),
    variants: [1, 2].map((n) =>
      variant(`v${n}`, 500, { payload: { type: "number", value: `${n}` } }),
    ),
  },
  {
    ...feature("child", { name: "default" }),
    dependencies: [{ feature: "seventh", enabled: true, variants: [] }],
  },
  {
    ...feature("not-child", { name: "default" }),
    dependencies: [{ feature: "several", enabled: false }],
  },
  {
    ...feature("child-of-variant", { name: "default" }),
    dependencies: [{ feature: "variants", variants: ["red", "teal"] }],
  },
];

const CONDITIONS: readonly UnleashFeature[] = [
  feature("default", { name: "default" }),
  feature("no-strategy"),
  { ...feature("off", { name: "default" }), enabled: false },
  feature("users", { name: "userWithId", parameters: { userIds: "user-1, user-77,user-400" } }),
  feature("addresses", { name: "remoteAddress", parameters: { IPs: "10.0.1.0/24, 10.0.2.9" } }),
  feature("not-in", where("plan", "NOT_IN", ["free", "pro"])),
  feature("in-inverted", where("country", "IN", ["fr"], { inverted: true })),
  feature("in-nothing", where("country", "IN", [])),
  feature("not-in-nothing", where("country", "NOT_IN", [""])),
  feature("ends", where("email", "STR_ENDS_WITH", ["@example.com"], { caseInsensitive: true })),
  feature("contains", where("email", "STR_CONTAINS", ["7@", "Ann1"])),
  feature("starts", where("email", "STR_STARTS_WITH", ["Ann"], { inverted: true })),
  feature("older", where("age", "NUM_GTE", "18")),
  feature("age", where("age", "NUM_EQ", " 42 ")),
  feature("no-number", where("age", "NUM_LT", "many")),
  feature("missing-number", where("height", "NUM_LT", "2", { inverted: true })),
  feature("newer", where("version", "SEMVER_GT", "1.2.0")),
  feature("version", where("version", "SEMVER_LTE", "1.1.1", { inverted: true })),
  feature("regex", where("email", "REGEX", "^ann\\d*5@", { caseInsensitive: true })),
  feature("cidr", where("remoteAddress", "IN_CIDR", ["10.0.3.0/24", "nonsense"])),
  feature("segment", { name: "default", segments: [1, 3] }),
  feature("missing-segment", { name: "default", segments: [99] }),
  feature("two-segments", { name: "default", segments: [1, 2] }),
];

const SEGMENTS = [
  {
    id: 1,
    name: "neighbours",
    constraints: [{ contextName: "country", operator: "IN", values: ["at", "ch"] }],
  },
  {
    id: 2,
    name: "adults",
    constraints: [{ contextName: "age", operator: "NUM_GTE", value: "18" }],
  },
  { id: 3, name: "everybody", constraints: [] },
];

describe("a flag of Unleash that is converted exactly", () => {
  it.each([
    ["10,000", "roll-outs and splits", HASHED, IDS],
    ["1,000", "conditions", CONDITIONS, 1000],
  ])(
    "gives %s users the state, the variant and the value of the SDK of Unleash for all kinds of %s",
    async (_, _kinds, features, count) => {
      const source = { ...document(...features), segments: SEGMENTS };
      const { differences, report } = await differing(source, CONTEXTS.slice(0, count));
      expect(report.filter((one) => !isExactInUsualForms(one))).toEqual([]);
      expect(differences).toEqual([]);
    },
  );

  it("gives contexts with padded numbers, partial versions and empty texts the result of the SDK of Unleash", async () => {
    const source = { ...document(...HASHED, ...CONDITIONS), segments: SEGMENTS };
    const { differences, exact } = await differing(source, UNUSUAL, isExact);
    expect(differences).toEqual([]);
    expect(exact).toBeGreaterThan(35);
  });

  it.each(["NUM_LTE", "SEMVER_GTE", "DATE_AFTER"])(
    "is called changed if its constraint is %s, which reads some texts differently here",
    (operator) => {
      const value = operator === "NUM_LTE" ? "18" : "1.2.0";
      expect(resultsOf(document(feature("x", where("age", operator, value))))).toEqual([
        ["x", "changed"],
      ]);
    },
  );

  it("is called changed if its constraint ignores the case of Greek letters", () => {
    const source = document(
      feature("x", where("name", "STR_CONTAINS", ["ΩΣ"], { caseInsensitive: true })),
      feature("y", where("name", "STR_CONTAINS", ["GRÖSSE"], { caseInsensitive: true })),
    );
    expect(resultsOf(source)).toEqual([
      ["x", "changed"],
      ["y", "exact"],
    ]);
  });

  it("is evaluated by SDKs of Unleash that use this service as before", async () => {
    const { file } = convertOne({ ...document(...HASHED, ...CONDITIONS), segments: SEGMENTS });
    const { notes } = unleashDocument(await rulesOfFile(file, PRODUCTION), "a");
    expect(notes).toEqual([]);
  });

  it.each(
    [...OPERATORS].flatMap(([operator, value]) =>
      [{}, { inverted: true }, { caseInsensitive: true }].map((more) => ({
        operator,
        value,
        more,
      })),
    ),
  )(
    "is evaluated by SDKs of Unleash that use this service as before, with the constraint $operator $more",
    async ({ operator, value, more }) => {
      const { file, report } = convertOne(
        document(feature("x", where("age", operator, value, more))),
      );
      const rules = await rulesOfFile(file, PRODUCTION);
      const { notes } = unleashDocument(rules, "a");
      expect(report.every(isExactInUsualForms)).toBe(notes.length === 0);
    },
  );

  it("serves the payloads as values of the type of the flag", () => {
    const payload = (type: string, value: string) => ({ payload: { type, value } });
    const { file } = convertOne(
      document(
        { ...feature("text"), variants: [variant("a", 1000, payload("csv", "1,2"))] },
        { ...feature("number"), variants: [variant("a", 1000, payload("number", "1.5"))] },
        { ...feature("json"), variants: [variant("a", 1000, payload("json", '{"b":[1]}'))] },
        { ...feature("none"), variants: [{ name: "a", weight: 1000 }] },
      ),
    );
    const values = Object.entries(file.flags ?? {}).map(([key, flag]) => [
      key,
      flag.valueType,
      flag.variants?.[0]?.value,
    ]);
    expect(values).toEqual([
      ["text", "string", "1,2"],
      ["number", "number", 1.5],
      ["json", "json", { b: [1] }],
      ["none", "string", "a"],
    ]);
  });

  it("gives every user the result of Unleash for random strategies, constraints and variants", async () => {
    const contexts = CONTEXTS.slice(0, 300);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(ANY_FEATURE, { minLength: 1, maxLength: 5 }), async (features) => {
        const named = features.map((one, n) =>
          Object.assign({}, one, {
            name: `flag-${n}`,
            // The last flag requires that the first one is off.
            ...(n === 2 && { dependencies: [{ feature: "flag-0", enabled: false }] }),
          }),
        );
        const source = { ...document(...named), segments: SEGMENTS };
        const { differences, exact } = await differing(source, contexts);
        expect(differences).toEqual([]);
        count += exact;
      }),
      { seed: 20_261_126, numRuns: 100 },
    );
    // Shows that enough of the flags are converted, and exactly.
    expect(count).toBeGreaterThan(100);
  });
});

const ANY_CONSTRAINT: fc.Arbitrary<UnleashConstraint> = fc.record(
  {
    contextName: fc.constantFrom("country", "plan", "age", "version", "email", "userId", "height"),
    operator: fc.constantFrom(
      ..."IN NOT_IN STR_ENDS_WITH STR_STARTS_WITH STR_CONTAINS NUM_EQ NUM_GT NUM_LTE".split(" "),
      ..."SEMVER_EQ SEMVER_GTE SEMVER_LT REGEX IN_CIDR".split(" "),
    ),
    values: fc.array(fc.constantFrom("de", "pro", "7", "1.1.1", "Ann", ".com", "", " fr "), {
      maxLength: 3,
    }),
    value: fc.constantFrom("7", "40", "1.2.1", "v1.1.1", "ann", "-3.5", "x"),
    inverted: fc.boolean(),
    caseInsensitive: fc.boolean(),
  },
  { requiredKeys: ["contextName", "operator", "values", "value"] },
);

const ANY_VARIANTS: fc.Arbitrary<UnleashVariant[]> = fc
  .tuple(
    fc.constantFrom(1000, 1000, 100, 250, 3),
    fc.integer({ min: 0, max: 1000 }),
    fc.constantFrom("default", "tenant", "userId", undefined),
  )
  .map(([total, part, stickiness]) => {
    const first = Math.round((total * part) / 1000);
    const more = stickiness === undefined ? {} : { stickiness };
    return [variant("blue", first, more), variant("red", total - first, more)];
  });

const ANY_STRATEGY: fc.Arbitrary<UnleashStrategy> = fc.record(
  {
    name: fc.constantFrom("default", "flexibleRollout", "flexibleRollout", "gradualRolloutUserId"),
    parameters: fc.record({
      rollout: fc.integer({ min: 0, max: 100 }).map(String),
      percentage: fc.integer({ min: 0, max: 100 }).map(String),
      stickiness: fc.constantFrom("default", "tenant", "sessionId", "country"),
      groupId: fc.constantFrom("flag-0", "flag-1", "shared"),
    }),
    constraints: fc.array(ANY_CONSTRAINT, { maxLength: 2 }),
    segments: fc.subarray([1, 2, 3]),
    variants: ANY_VARIANTS,
  },
  { requiredKeys: ["name", "parameters", "constraints"] },
);

/** A feature without variants, or one whose strategies all have some. */
const ANY_FEATURE: fc.Arbitrary<UnleashFeature> = fc
  .record(
    {
      enabled: fc.constantFrom(true, true, true, false),
      strategies: fc.array(ANY_STRATEGY, { maxLength: 3 }),
      variants: ANY_VARIANTS,
    },
    { requiredKeys: ["enabled", "strategies"] },
  )
  .map(({ strategies, variants, ...rest }) =>
    Object.assign(rest, { name: "" }, variants ? { strategies, variants } : plain(strategies)),
  );

const plain = (strategies: readonly UnleashStrategy[]) => ({
  strategies: strategies.map(({ name, parameters, constraints }) => ({
    name,
    parameters,
    constraints,
  })),
});

describe("a flag of Unleash", () => {
  it.each<[string, ReasonCode, UnleashFeature]>([
    [
      "a random roll-out below 100 %",
      "randomRollOut",
      feature("x", rollout({ rollout: "50", stickiness: "random", groupId: "x" })),
    ],
    ["a custom strategy", "unknownStrategy", feature("x", { name: "byMoonPhase" })],
    [
      "variants in some strategies only",
      "someVariants",
      feature("x", { name: "default", parameters: {}, variants: COLOURS }, { name: "default" }),
    ],
    [
      "weights that cannot be kept",
      "splitWeights",
      { ...feature("x"), variants: [variant("a", 1), variant("b", 2)] },
    ],
    [
      "different payloads of a variant",
      "variantValues",
      {
        ...feature("x"),
        variants: [
          variant("a", 500),
          variant("a", 500, { payload: { type: "string", value: "b" } }),
        ],
      },
    ],
    [
      "variants that are drawn at random",
      "randomVariants",
      {
        ...feature("x"),
        variants: COLOURS.map((one) => Object.assign({}, one, { stickiness: "random" })),
      },
    ],
    ["an unknown operator", "unknownOperator", feature("x", where("plan", "SOUNDS_LIKE", ["pro"]))],
    ["an invalid regular expression", "constraintValue", feature("x", where("plan", "REGEX", "("))],
    [
      "more ids than a constraint can have",
      "tooManyValues",
      feature("x", {
        name: "userWithId",
        parameters: { userIds: Array.from({ length: 1001 }, (_, n) => `user-${n}`).join(",") },
      }),
    ],
    [
      "more strategies than there can be rules",
      "tooManyRules",
      feature("x", ...Array.from({ length: 52 }, (_, n) => where("age", "IN", [`${n}`]))),
    ],
    [
      "a required flag that does not exist",
      "missingRequirement",
      { ...feature("x"), dependencies: [{ feature: "y" }] },
    ],
    ["a key with a letter that is not allowed", "flagKey", feature("x~y")],
  ])("is refused and left out of the file because of %s", (_, code, one) => {
    const { file, report } = convertOne(document(one));
    expect(report).toEqual([
      {
        key: one.name,
        result: "refused",
        reasons: [expect.objectContaining({ code })],
      },
    ]);
    expect(file.flags).toEqual({});
  });

  it.each<[string, ReasonCode, UnleashFeature, string]>([
    [
      "the present time",
      "presentTime",
      feature("x", where("currentTime", "DATE_AFTER", "2026-01-01T00:00:00Z")),
      "currentTime",
    ],
    [
      "a field that the SDK adds",
      "addedField",
      feature("x", where("appName", "IN", ["shop"])),
      "appName",
    ],
    [
      "impression data",
      "impressionData",
      { ...feature("x"), impressionData: true },
      "impression data",
    ],
    [
      "an inverted regular expression",
      "invertedOperator",
      feature("x", where("email", "REGEX", "^a", { inverted: true })),
      "inverts REGEX",
    ],
    [
      "payloads of several types",
      "mixedPayloads",
      {
        ...feature("x"),
        variants: [
          variant("a", 500),
          variant("b", 500, { payload: { type: "number", value: "1" } }),
        ],
      },
      "texts",
    ],
    [
      "a group id with other characters than ASCII",
      "groupIdNotAscii",
      feature("x", rollout({ rollout: "50", groupId: "größe" })),
      "ASCII",
    ],
  ])("is changed because of %s, and the reason says how", (_, code, one, words) => {
    const { file, report } = convertOne(document(one));
    expect(report).toEqual([
      { key: "x", result: "changed", reasons: [expect.objectContaining({ code })] },
    ]);
    expect(report[0]?.reasons.map(reasonText)).toEqual([expect.stringContaining(words)]);
    expect(checkFile(file)).toEqual({ file });
  });

  it("is refused or changed together with the flag that it requires", () => {
    const required = feature("custom", { name: "byMoonPhase" });
    const timed = feature("timed", where("currentTime", "DATE_BEFORE", "2026-01-01"));
    const of = (name: string, flag: string) => ({
      ...feature(name),
      dependencies: [{ feature: flag }],
    });
    const source = document(of("a", "custom"), of("b", "timed"), required, timed, of("c", "a"));
    expect(resultsOf(source)).toEqual([
      ["a", "refused"],
      ["b", "changed"],
      ["custom", "refused"],
      ["timed", "changed"],
      ["c", "refused"],
    ]);
  });

  it("has no value where Unleash Edge writes null for a missing one", () => {
    const variants = [{ name: "a", weight: 500, payload: null, stickiness: null, overrides: null }];
    const { file, report } = convertOne({
      features: [
        {
          name: "x",
          enabled: true,
          description: null,
          tags: null,
          dependencies: null,
          strategies: [{ name: "default", parameters: null, constraints: null, segments: null }],
          variants: [...variants, { name: "b", weight: 500, payload: null }],
        },
      ],
      segments: null,
    });
    expect(report).toEqual([{ key: "x", result: "exact", reasons: [] }]);
    expect(file.flags?.["x"]).toEqual({
      name: "x",
      flagType: "RELEASE",
      valueType: "string",
      variants: ["a", "b"].map((key) => ({ key, value: key })),
      environments: { production: { enabled: true, serve: { weights: { a: 50, b: 50 } } } },
    });
  });

  it("is changed and off for everybody if it has no list of strategies, as in the SDK for Node", () => {
    const { file, report } = convertOne({ features: [{ ...feature("x"), strategies: null }] });
    expect(report.map(({ result, reasons }) => [result, reasons[0]?.code])).toEqual([
      ["changed", "noStrategies"],
    ]);
    expect(file.flags?.["x"]?.environments).toEqual({
      production: { enabled: true, percentage: 0 },
    });
  });

  it.each<[string, unknown, string]>([
    [
      "values: null",
      { ...where("plan", "NOT_IN", []).constraints?.[0], values: null },
      "has no values",
    ],
    [
      "no values",
      { contextName: "plan", operator: "STR_CONTAINS", inverted: true },
      "has no values",
    ],
    ["value: null", { contextName: "age", operator: "NUM_LT", value: null }, "has no values"],
    ["no pattern", { contextName: "plan", operator: "REGEX" }, "has no values"],
    [
      "a number in its values",
      { contextName: "plan", operator: "IN", values: ["pro", 7] },
      "/strategies/0/constraints/0/values/1",
    ],
    [
      "a text for a list",
      { contextName: "plan", operator: "IN", values: "pro" },
      "/strategies/0/constraints/0/values",
    ],
    [
      "a text for a boolean",
      { contextName: "plan", operator: "IN", values: ["pro"], inverted: "false" },
      "/strategies/0/constraints/0/inverted",
    ],
    ["no field", { operator: "IN", values: ["pro"] }, "/strategies/0/constraints/0/contextName"],
    ["null for a constraint", null, "/strategies/0/constraints/0"],
    [
      "an inverted version that nobody can read",
      { contextName: "plan", operator: "SEMVER_GT", value: "new", inverted: true },
      "does not accept the value new",
    ],
  ])(
    "is refused because of a constraint with %s, and other flags are imported",
    (_, constraint, words) => {
      const damaged = {
        ...feature("x"),
        strategies: [{ name: "default", constraints: [constraint] }],
      };
      const { file, report } = convertOne({ features: [damaged, feature("y")] });
      expect(report.map(({ key, result }) => [key, result])).toEqual([
        ["x", "refused"],
        ["y", "exact"],
      ]);
      expect(report[0]?.reasons.map(reasonText)).toEqual([expect.stringContaining(words)]);
      expect(Object.keys(file.flags ?? {})).toEqual(["y"]);
    },
  );

  it("is refused and has the place as its name if nobody can read the name", () => {
    const { report } = convertOne({
      features: [null, { ...feature("x"), name: null }, feature("y")],
    });
    expect(report.map(({ key, result }) => [key, result])).toEqual([
      ["/features/0", "refused"],
      ["/features/1", "refused"],
      ["y", "exact"],
    ]);
  });

  it.each<[string, unknown]>([
    ["no constraints", { id: 1, name: "all" }],
    ["constraints of a wrong type", { id: 1, name: "all", constraints: {} }],
    ["an id that nobody can read", { id: "1", name: "all", constraints: [] }],
  ])("is refused if it uses a segment with %s", (_, segment) => {
    const using = feature("x", { name: "default", segments: [1] });
    const { report } = convertOne({ features: [using, feature("y")], segments: [segment] });
    expect(report.map(({ result }) => result)).toEqual(["refused", "exact"]);
  });

  it("has no file if its document has no list of features", () => {
    expect(() => convertOne({ version: 2 } as unknown as UnleashDocument)).toThrow(
      /document of the environment production must have a list of features/,
    );
  });

  it("has the strategies of all environments, and names the environment in a reason", () => {
    const environments = {
      staging: document(feature("x", { name: "default" })),
      production: document(feature("x", where("appName", "IN", ["shop"]))),
    };
    const { file, report } = convert({ service: "unleash", project: "shop", environments });
    expect(Object.keys(file.flags?.["x"]?.environments ?? {})).toEqual(["staging", "production"]);
    expect(report[0]?.reasons).toEqual([
      { environment: "production", code: "addedField", details: { field: "appName" } },
    ]);
  });

  it("keeps the constraints of a segment whose name has other constraints in another environment", () => {
    const withSegment = (country: string) => ({
      ...document(feature("x", { name: "default", segments: [1] })),
      segments: [
        {
          id: 1,
          name: "near",
          constraints: [{ contextName: "country", operator: "IN", values: [country] }],
        },
      ],
    });
    const environments = { staging: withSegment("de"), production: withSegment("at") };
    const { file } = convert({ service: "unleash", project: "shop", environments });
    const constraint = (country: string) => ({
      field: "country",
      operator: "in",
      values: [country],
    });
    expect(file.segments).toEqual({ near: { constraints: [constraint("de")] } });
    expect(file.flags?.["x"]?.environments).toEqual({
      staging: { enabled: true, segments: ["near"] },
      production: { enabled: true, constraints: [constraint("at")] },
    });
  });
});

describe("an export of Unleash", () => {
  const environment = { featureName: "x", environment: "production", enabled: true };
  const strategy = (sortOrder: number, country: string, more: object = {}) => ({
    ...where("country", "IN", [country]),
    id: country,
    featureName: "x",
    sortOrder,
    ...more,
  });
  const exported = {
    features: [
      { name: "x", type: "kill-switch", description: "Stops it" },
      { name: "parent", type: "release" },
      { name: "gone", archived: true },
    ],
    featureStrategies: [
      strategy(1, "at"),
      strategy(0, "de", { segments: [2] }),
      strategy(2, "fr", { disabled: true }),
    ],
    featureEnvironments: [environment, { ...environment, featureName: "parent", enabled: false }],
    featureTags: [{ featureName: "x", tagType: "simple", tagValue: "checkout" }],
    dependencies: [{ feature: "x", dependencies: [{ feature: "parent", enabled: false }] }],
    contextFields: [],
    segments: [{ id: 2, name: "adults" }],
  };

  it("becomes the document of its environment: strategies in their order without those that are off, and constraints of segments from their list", () => {
    const source = documentOfExport(exported, { segments: SEGMENTS });
    const { file, report } = convertOne(source);
    const inCountry = (country: string) => [
      { field: "country", operator: "in", values: [country] },
    ];
    expect(report.every(isExactInUsualForms)).toBe(true);
    expect(file).toEqual({
      version: 1,
      project: "shop",
      tags: { checkout: {} },
      segments: {
        adults: {
          constraints: [{ field: "age", operator: "gte", values: ["18"], contextType: "number" }],
        },
      },
      flags: {
        x: {
          name: "x",
          description: "Stops it",
          flagType: "KILLSWITCH",
          tags: ["checkout"],
          prerequisites: [{ flagKey: "parent", enabled: false }],
          environments: {
            production: {
              enabled: true,
              rules: [{ constraints: inCountry("de"), segments: ["adults"] }],
              constraints: inCountry("at"),
            },
          },
        },
        parent: {
          name: "parent",
          flagType: "RELEASE",
          environments: { production: { enabled: false } },
        },
      },
    });
  });
});
