import { init, integrations } from "@launchdarkly/node-server-sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convert } from "@feature-flags/convert/convert";
import type {
  LdClause,
  LdEnvironment,
  LdFlag,
  LdRule,
  LdSegment,
  LdServed,
} from "@feature-flags/convert/launchdarkly/document";
import { reasonText } from "@feature-flags/convert/report";
import type { ReasonCode } from "@feature-flags/convert/words";
import { compileRules, evaluate } from "@feature-flags/evaluation/evaluate";
import { checkFile } from "@feature-flags/file/check";
import { isExact, isExactInUsualForms } from "./forms.ts";
import { rulesOfFile } from "./rules-of-file.ts";
import { contextOf, UNUSUAL_USERS, USERS, type User } from "./users.ts";

const PRODUCTION = "production";

const convertTo = (
  flags: readonly LdFlag[],
  segments: readonly LdSegment[] | undefined = [],
  environments: readonly string[] = [PRODUCTION],
) =>
  convert({
    service: "launchdarkly",
    project: "shop",
    flags,
    environments: Object.fromEntries(environments.map((key) => [key, { key, segments }])),
  });

/** Returns the values of all flags for each user from the SDK of LaunchDarkly. It sends nothing. */
async function valuesOf(
  flags: readonly LdFlag[],
  segments: readonly LdSegment[],
  users: readonly User[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const data = new integrations.TestData();
  const client = init("sdk-key", {
    updateProcessor: data.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
  });
  try {
    for (const flag of flags) await data.usePreconfiguredFlag(toSdkFlag(flag));
    for (const { key, ...rest } of segments)
      await data.usePreconfiguredSegment({ key, salt: key, version: 1, ...rest });
    await client.waitForInitialization({ timeout: 10 });
    const values: Readonly<Record<string, unknown>>[] = [];
    for (const user of users)
      values.push((await client.allFlagsState({ kind: "user", ...user })).allValues());
    return values;
  } finally {
    client.close();
  }
}

/** Returns a flag of the API in the form in which the SDK gets the flag. */
function toSdkFlag({ key, variations, environments }: LdFlag) {
  const { targets = [], contextTargets = [], rules = [], ...rest } = environments[PRODUCTION] ?? {};
  return {
    key,
    version: 1,
    salt: key,
    variations: variations.map(({ value }) => value),
    targets,
    contextTargets,
    rules: rules.map((rule, n) => Object.assign({ id: `rule-${n}` }, rule)),
    ...rest,
  };
}

/** Returns the flags and users for which one of these flags has another value than in LaunchDarkly. */
async function differing(
  flags: readonly LdFlag[],
  segments: readonly LdSegment[],
  users: readonly User[],
  isCompared = isExactInUsualForms,
) {
  const { file, report } = convertTo(flags, segments);
  expect(checkFile(file)).toEqual({ file });
  const theirs = await valuesOf(flags, segments, users);
  const rules = compileRules(await rulesOfFile(file, PRODUCTION));
  const exact = report.filter(isCompared).map(({ key }) => key);
  const differences: string[] = [];
  for (const [n, user] of users.entries()) {
    const context = contextOf(user);
    for (const key of exact) {
      const their = JSON.stringify(theirs[n]?.[key] ?? null);
      const { value, variant, enabled } = evaluate(rules, key, context);
      const isPlain = file.flags?.[key]?.valueType === undefined && variant === undefined;
      const our = JSON.stringify(
        isPlain && file.flags?.[key]?.offVariant !== null ? enabled : (value ?? null),
      );
      if (their !== our) differences.push(`${key}, ${user.key}: ${their}, ${our}`);
    }
  }
  return { differences, report, exact: exact.length };
}

const TRUE = 0;
const FALSE = 1;

/** A boolean flag as `GET /api/v2/flags/{project}?summary=0` returns it. */
const flag = (key: string, own: Partial<LdEnvironment>, more: Partial<LdFlag> = {}): LdFlag => ({
  key,
  name: `Flag ${key}`,
  kind: "boolean",
  temporary: true,
  archived: false,
  tags: [],
  variations: [{ value: true }, { value: false }],
  environments: { [PRODUCTION]: environment(own) },
  ...more,
});

const environment = (own: Partial<LdEnvironment>): LdEnvironment => ({
  on: true,
  targets: [],
  contextTargets: [],
  rules: [],
  fallthrough: { variation: FALSE },
  offVariation: FALSE,
  prerequisites: [],
  ...own,
});

const COLOURS: Partial<LdFlag> = {
  kind: "multivariate",
  variations: [
    { name: "Blue one", value: "#11c", description: "As the logo" },
    { name: "Red one", value: "#e33" },
    { name: "Teal one", value: "#099" },
  ],
};

const clause = (
  attribute: string,
  op: string,
  values: LdClause["values"],
  more: Partial<LdClause> = {},
): LdClause => ({ attribute, op, values, negate: false, contextKind: "user", ...more });

const rule = (served: LdServed, ...clauses: LdClause[]): LdRule => ({ clauses, ...served });

/** A flag that is on for the users for whom these clauses hold. */
const where = (key: string, ...clauses: LdClause[]) =>
  flag(key, { rules: [rule({ variation: TRUE }, ...clauses)] });

const rollout = (...weights: number[]): LdServed => ({
  rollout: {
    variations: weights.map((weight, variation) => ({ variation, weight })),
    contextKind: "user",
    bucketBy: "key",
  },
});

const not = { negate: true };

const inSegment = (...keys: string[]) => clause("", "segmentMatch", keys);

const SEGMENTS: readonly LdSegment[] = [
  { key: "listed", included: ["user-2", "user-40"], excluded: [], rules: [] },
  {
    key: "adults",
    included: [],
    excluded: ["user-60"],
    rules: [{ clauses: [clause("age", "greaterThanOrEqual", [18])] }],
  },
  {
    key: "mixed",
    included: ["user-3", "user-61"],
    excluded: ["user-61", "user-8"],
    rules: [
      { clauses: [clause("country", "in", ["de"]), clause("plan", "in", ["pro"], not)] },
      { clauses: [clause("email", "startsWith", ["Ann"])], weight: 100_000 },
      { clauses: [clause("country", "in", ["fr"])], weight: 0 },
    ],
  },
  { key: "nested", rules: [{ clauses: [inSegment("listed", "adults")] }] },
  { key: "empty", included: [], rules: [] },
  { key: "everybody", rules: [{ clauses: [] }] },
];

const EXACT: readonly LdFlag[] = [
  flag("off", { on: false }),
  flag("off-on", { on: false, offVariation: TRUE }),
  flag("off-default", { on: false, offVariation: null }),
  flag("everybody", { fallthrough: { variation: TRUE } }),
  flag("full-rollout", { fallthrough: rollout(100_000, 0) }),
  flag("targets", {
    targets: [
      { values: ["user-1", "user-5"], variation: TRUE, contextKind: "user" },
      { values: ["user-2"], variation: FALSE, contextKind: "user" },
    ],
    rules: [rule({ variation: TRUE }, clause("key", "in", ["user-2", "user-7"]))],
  }),
  flag(
    "values",
    {
      targets: [{ values: ["user-9"], variation: 2 }],
      contextTargets: [{ values: [], variation: 2, contextKind: "user" }],
      rules: [
        rule({ variation: 1 }, clause("country", "in", ["fr"]), clause("age", "lessThan", [30])),
      ],
      fallthrough: { variation: 0 },
      offVariation: 2,
    },
    COLOURS,
  ),
  flag(
    "objects",
    { fallthrough: { variation: 1 } },
    { variations: [{ value: { a: [1] } }, { value: ["b"] }] },
  ),
  flag(
    "numbers",
    { fallthrough: { variation: 0 } },
    { variations: [{ value: 1.5 }, { value: 2 }] },
  ),
  where("in", clause("country", "in", ["de", "at"])),
  where("not-in", clause("plan", "in", ["pro"], not)),
  where("in-numbers", clause("score", "in", [-3, 2])),
  where("in-booleans", clause("beta", "in", [true])),
  where("in-nothing", clause("country", "in", [])),
  where("not-in-nothing", clause("plan", "in", [], not)),
  where("ends", clause("email", "endsWith", [".com", "7@example.org"])),
  where("contains", clause("email", "contains", ["99"])),
  where("matches", clause("email", "matches", ["^Ann\\d+5@", "("])),
  where("not-matches", clause("email", "matches", ["org$"], not)),
  where("less", clause("score", "lessThanOrEqual", [0, -2])),
  where("not-greater", clause("score", "greaterThan", [1], not)),
  where("before", clause("signedUp", "before", ["2026-04-01T00:00:00Z"])),
  where("after", clause("signedUp", "after", [Date.UTC(2026, 4, 1), "nonsense"])),
  where("version", clause("version", "semVerGreaterThan", ["1.2"])),
  where("same-version", clause("version", "semVerEqual", ["1.1.1", "2"])),
  where("old-form", { attribute: "country", op: "in", values: ["ch"] }),
  where("segment", inSegment("adults")),
  where("segments", inSegment("listed", "mixed", "missing")),
  where("not-adults", { ...inSegment("adults"), negate: true }),
  where("not-mixed", { ...inSegment("mixed", "listed"), negate: true }),
  where("nested-segment", inSegment("nested"), clause("country", "in", ["de", "ch"])),
  where("empty-segment", inSegment("empty")),
  where("all-segment", inSegment("everybody")),
  flag("child", {
    fallthrough: { variation: TRUE },
    prerequisites: [{ key: "in", variation: TRUE }],
  }),
  flag("grandchild", {
    fallthrough: { variation: TRUE },
    prerequisites: [
      { key: "child", variation: TRUE },
      { key: "values", variation: 0 },
    ],
  }),
  flag("off-default-child", {
    fallthrough: { variation: TRUE },
    prerequisites: [{ key: "off-default", variation: FALSE }],
  }),
  where(
    "many",
    clause(
      "key",
      "in",
      USERS.slice(0, 900).map(({ key }) => key),
    ),
  ),
  flag("many-targets", {
    targets: [{ values: USERS.slice(100, 2400).map(({ key }) => key), variation: TRUE }],
  }),
];

describe("a flag of LaunchDarkly that is converted exactly", () => {
  it("gives 10,000 users the value of the SDK of LaunchDarkly for all kinds of targets, clauses, segments and prerequisites", async () => {
    const { differences, report } = await differing(EXACT, SEGMENTS, USERS);
    expect(report.filter((one) => !isExactInUsualForms(one))).toEqual([]);
    expect(differences).toEqual([]);
  });

  it("gives users with partial versions, numbers as texts and empty texts the value of LaunchDarkly", async () => {
    const { differences, exact } = await differing(EXACT, SEGMENTS, UNUSUAL_USERS, isExact);
    expect(differences).toEqual([]);
    expect(exact).toBeGreaterThan(20);
  });

  it.each([
    ["semVerEqual", "2.0.0"],
    ["lessThan", 18],
    ["in", 18],
    ["in", "18"],
    ["in", true],
    ["before", "2026-04-01T00:00:00Z"],
  ])(
    "is called changed if its clause is %s %s, which reads some texts differently here",
    (op, value) => {
      const { report } = convertTo([where("x", clause("version", op, [value]))]);
      expect(report.map(({ result }) => result)).toEqual(["changed"]);
    },
  );

  it("gives every user the value of LaunchDarkly for random rules and segments", async () => {
    const users = USERS.slice(0, 200);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(ANY_ENVIRONMENT, { minLength: 1, maxLength: 5 }),
        fc.array(ANY_SEGMENT, { minLength: 3, maxLength: 3 }),
        async (environments, list) => {
          const flags = environments.map((own, n) => flag(`flag-${n}`, own));
          const segments = list.map((one, n) => Object.assign({}, one, { key: `segment-${n}` }));
          const { differences, exact } = await differing(flags, segments, users);
          expect(differences).toEqual([]);
          count += exact;
        },
      ),
      { seed: 20_261_126, numRuns: 60 },
    );
    // Shows that enough of the flags are converted, and exactly.
    expect(count).toBeGreaterThan(100);
  });

  it("keeps which flags client-side SDKs get, and leaves the field out if the document does not tell", () => {
    const clientsOf = (clientSideAvailability?: object) =>
      convertTo([flag("one", {}, { clientSideAvailability })]).file.flags?.["one"]?.clients;
    expect(clientsOf({ usingEnvironmentId: true, usingMobileKey: false })).toBe("all");
    expect(clientsOf({ usingEnvironmentId: false, usingMobileKey: true })).toBe("all");
    expect(clientsOf({ usingEnvironmentId: false, usingMobileKey: false })).toBe("server");
    expect(clientsOf()).toBeUndefined();
  });

  it("keeps the names of variations and rules, the tags, and a shared segment as a segment", () => {
    const { file } = convertTo(
      [
        flag(
          "colour",
          {
            rules: [{ description: "Adults ", clauses: [inSegment("adults")], variation: 1 }],
            fallthrough: { variation: 0 },
            offVariation: 2,
          },
          { ...COLOURS, temporary: false, description: "Buttons", tags: ["checkout"] },
        ),
      ],
      SEGMENTS,
    );
    expect(file).toEqual({
      version: 1,
      project: "shop",
      tags: { checkout: {} },
      segments: {
        adults: {
          constraints: [
            { field: "targetingKey", operator: "in", values: ["user-60"], inverted: true },
            { field: "age", operator: "gte", values: ["18"], contextType: "number" },
          ],
        },
      },
      flags: {
        colour: {
          name: "Flag colour",
          description: "Buttons",
          flagType: "KILLSWITCH",
          tags: ["checkout"],
          valueType: "string",
          variants: [
            { key: "variation-1", value: "#11c", description: "As the logo" },
            { key: "variation-2", value: "#e33" },
            { key: "variation-3", value: "#099" },
          ],
          offVariant: "variation-3",
          environments: {
            production: {
              enabled: true,
              serve: { variant: "variation-1" },
              rules: [{ name: "Adults", serve: { variant: "variation-2" }, segments: ["adults"] }],
            },
          },
        },
      },
    });
  });
});

const ANY_CLAUSE: fc.Arbitrary<LdClause> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.subarray(["segment-0", "segment-1"]).map((keys) => inSegment(...keys)),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom("country", "plan", "age", "version", "email", "key", "score", "beta"),
        fc.constantFrom(
          ..."in startsWith endsWith contains lessThan greaterThanOrEqual".split(" "),
          ..."semVerEqual semVerLessThan semVerGreaterThan matches before".split(" "),
        ),
        fc.array(fc.constantFrom("de", "pro", "7", "1.1.1", "Ann", ".com", 7, 0, -2, true), {
          maxLength: 3,
        }),
        fc.boolean(),
      )
      .map(([attribute, op, values, negate]) => clause(attribute, op, values, { negate })),
  },
);

const ANY_CLAUSES = fc.array(ANY_CLAUSE, { maxLength: 2 });

const ANY_SEGMENT: fc.Arbitrary<Omit<LdSegment, "key">> = fc.record(
  {
    included: fc.subarray(["user-1", "user-2", "user-3"]),
    excluded: fc.subarray(["user-3", "user-4", "user-5"]),
    rules: fc.array(
      fc.record({
        clauses: ANY_CLAUSES.map((list) => list.filter(({ op }) => op !== "segmentMatch")),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

const ANY_ENVIRONMENT: fc.Arbitrary<Partial<LdEnvironment>> = fc.record({
  on: fc.constantFrom(true, true, true, false),
  offVariation: fc.constantFrom(TRUE, FALSE, null),
  fallthrough: fc.constantFrom({ variation: TRUE }, { variation: FALSE }),
  rules: fc.array(
    fc
      .tuple(ANY_CLAUSES, fc.constantFrom(TRUE, FALSE), fc.boolean())
      .map(([clauses, variation, negate]) =>
        rule(
          { variation },
          ...clauses.map((one) =>
            one.op === "segmentMatch" ? Object.assign({}, one, { negate }) : one,
          ),
        ),
      ),
    { maxLength: 3 },
  ),
});

describe("a flag of LaunchDarkly", () => {
  it.each<[string, ReasonCode, LdFlag]>([
    ["a big segment", "bigSegment", where("x", inSegment("big"))],
    ["a segment with a percentage", "segmentRollOut", where("x", inSegment("part"))],
    ["a segment that refers to itself", "segmentCycle", where("x", inSegment("cycle"))],
    ["an unknown operator", "unknownOperator", where("x", clause("country", "near", ["de"]))],
    ["the kind of a context", "kindAttribute", where("x", clause("kind", "in", ["user"]))],
    [
      "an invalid regular expression",
      "constraintValue",
      where("x", clause("email", "matches", ["(?=a)"])),
    ],
    [
      "a prerequisite that does not exist",
      "missingRequirement",
      flag("x", { prerequisites: [{ key: "y", variation: 0 }] }),
    ],
    [
      "values of several types",
      "valueTypes",
      flag("x", {}, { variations: [{ value: 1 }, { value: "a" }] }),
    ],
    ["a key with a letter that is not allowed", "flagKey", flag("x~y", {})],
    ["a variation that does not exist", "malformed", flag("x", { fallthrough: { variation: 2 } })],
    [
      "more rules than there can be",
      "tooManyRules",
      flag("x", {
        rules: Array.from({ length: 51 }, (_, n) =>
          rule({ variation: 0 }, clause("age", "in", [n])),
        ),
      }),
    ],
    [
      "more alternatives of segments than there can be rules",
      "tooManyRules",
      where("x", ...Array.from({ length: 6 }, () => inSegment("listed", "adults"))),
    ],
  ])("is refused and left out of the file because of %s", (_, code, one) => {
    const segments: readonly LdSegment[] = [
      ...SEGMENTS,
      { key: "big", unbounded: true },
      { key: "part", rules: [{ clauses: [], weight: 50_000 }] },
      { key: "cycle", rules: [{ clauses: [inSegment("cycle")] }] },
    ];
    const { file, report } = convertTo([one], segments);
    expect(report).toEqual([
      { key: one.key, result: "refused", reasons: [expect.objectContaining({ code })] },
    ]);
    expect(file.flags).toEqual({});
  });

  it.each<[string, ReasonCode, LdFlag, string]>([
    [
      "an experiment",
      "experiment",
      flag("x", {
        fallthrough: {
          rollout: {
            kind: "experiment",
            contextKind: "user",
            variations: [{ variation: TRUE, weight: 100_000 }],
          },
        },
      }),
      "experiment",
    ],
    ["events of its users", "experiment", flag("x", { trackEvents: true }), "events"],
    [
      "events of its default rule",
      "experiment",
      flag("x", { trackEventsFallthrough: true }),
      "events",
    ],
    [
      "events of a rule",
      "experiment",
      flag("x", { rules: [{ ...rule({ variation: TRUE }), trackEvents: true }] }),
      "events",
    ],
    [
      "a running roll-out",
      "usersMove",
      flag("x", { fallthrough: rollout(30_000, 70_000) }),
      "percentage",
    ],
    [
      "another kind of context",
      "contextKind",
      where("x", clause("plan", "in", ["pro"], { contextKind: "organization" })),
      "organization.plan",
    ],
    [
      "an attribute in an object",
      "nestedField",
      where("x", clause("/address/city", "in", ["Ulm"])),
      "address.city",
    ],
    ["values of several types", "mixedValues", where("x", clause("age", "in", [1, "2"])), "age"],
    [
      "the attribute anonymous",
      "anonymous",
      where("x", clause("anonymous", "in", [true])),
      "anonymous",
    ],
    [
      "an escape that RE2 reads in another way",
      "regexDialect",
      where("x", clause("email", "matches", ["\\Aann"])),
      "email",
    ],
  ])("is changed because of %s, and the reason says how", (_, code, one, words) => {
    const { file, report } = convertTo([one]);
    expect(report).toEqual([
      {
        key: "x",
        result: "changed",
        reasons: expect.arrayContaining([expect.objectContaining({ code })]),
      },
    ]);
    expect(report[0]?.reasons.map(reasonText)).toContainEqual(expect.stringContaining(words));
    expect(checkFile(file)).toEqual({ file });
  });

  it("keeps a percentage in the last rule, and weights in the rules before, from which a miss would fall through", () => {
    const organization = { contextKind: "organization", bucketBy: "key" };
    const first = { rollout: { ...rollout(25_000, 75_000).rollout, ...organization } } as LdServed;
    const { file } = convertTo([
      flag("x", {
        rules: [rule(first, clause("country", "in", ["de"]))],
        fallthrough: rollout(12_500, 87_500),
      }),
    ]);
    expect(file.flags?.["x"]?.environments?.[PRODUCTION]).toEqual({
      enabled: true,
      percentage: 12.5,
      rules: [
        {
          constraints: [{ field: "country", operator: "in", values: ["de"] }],
          serve: { weights: { on: 25, off: 75 } },
          stickiness: "organization.key",
        },
      ],
    });
  });

  it("is refused if its segments are unknown, or its prerequisites differ by environment", () => {
    const child = flag("child", {});
    const environments = {
      [PRODUCTION]: environment({ prerequisites: [{ key: "in", variation: TRUE }] }),
      staging: environment({}),
    };
    const flags = [{ ...child, environments }, where("in", inSegment("adults"))];
    const { report } = convert({
      service: "launchdarkly",
      project: "shop",
      flags,
      environments: { production: { key: PRODUCTION }, test: { key: "staging", segments: [] } },
    });
    expect(report.map(({ result, reasons }) => [result, reasons[0]?.code])).toEqual([
      ["refused", "prerequisitesDiffer"],
      ["refused", "noSegments"],
    ]);
  });

  it("is changed in the environment with another off variation, and with a prerequisite of the off variation", () => {
    const environments = {
      [PRODUCTION]: environment({}),
      staging: environment({ offVariation: TRUE }),
    };
    const { report } = convertTo(
      [
        { ...flag("x", {}), environments },
        flag("y", { prerequisites: [{ key: "z", variation: FALSE }] }),
        flag("z", {}),
      ],
      [],
      [PRODUCTION, "staging"],
    );
    expect(report).toEqual([
      {
        key: "x",
        result: "changed",
        reasons: [{ environment: "staging", code: "offVariation", details: { variant: "on" } }],
      },
      {
        key: "y",
        result: "changed",
        reasons: [{ environment: undefined, code: "requiredOff", details: { flag: "z" } }],
      },
      { key: "z", result: "exact", reasons: [] },
    ]);
  });

  it("has no value where a document has null for a list", () => {
    const own = { targets: null, contextTargets: null, rules: null, prerequisites: null };
    const nothing = { ...environment({}), ...own };
    const { report } = convertTo([
      {
        ...flag("x", {}),
        tags: null,
        environments: { [PRODUCTION]: nothing },
      } as unknown as LdFlag,
    ]);
    expect(report).toEqual([{ key: "x", result: "exact", reasons: [] }]);
  });

  it.each<[string, unknown, string]>([
    ["values: null", { ...clause("plan", "in", []), negate: true, values: null }, "/values"],
    ["an object in its values", { ...clause("plan", "in", [], not), values: [{}] }, "/values/0"],
    ["a text for a boolean", { ...clause("plan", "in", ["pro"]), negate: "false" }, "/negate"],
    ["no attribute", { op: "in", values: ["pro"] }, "/attribute"],
    ["a version that nobody can read", clause("v", "semVerLessThan", ["new"], not), "value new"],
  ])("is refused because of a clause with %s, and other flags are imported", (_, one, words) => {
    const { report } = convertTo([where("x", one as LdClause), flag("y", {})]);
    expect(report.map(({ result }) => result)).toEqual(["refused", "exact"]);
    expect(report[0]?.reasons.map(reasonText)).toEqual([expect.stringContaining(words)]);
  });

  it("is left out without a report if it is archived", () => {
    expect(convertTo([flag("x", {}, { archived: true })]).report).toEqual([]);
  });
});

describe("a permanent flag", () => {
  it("stays exact, with a note that it becomes a kill switch", () => {
    const { file, report } = convertTo([flag("banner", {}, { temporary: false })]);
    expect(file.flags?.["banner"]?.flagType).toBe("KILLSWITCH");
    expect(report).toMatchObject([{ result: "exact", reasons: [{ code: "permanent" }] }]);
  });
});
