// Documents whose flags have negated conditions where possible, because a flag that loses a negated
// condition is on for everybody.

export const PRODUCTION = "production";

const where = (contextName: string, operator: string, more: object) => ({
  name: "default",
  parameters: {},
  constraints: [{ contextName, operator, inverted: false, caseInsensitive: false, ...more }],
});

export const UNLEASH = {
  features: [
    { name: "in", enabled: true, strategies: [where("country", "IN", { values: ["de"] })] },
    { name: "not", enabled: true, strategies: [where("plan", "NOT_IN", { values: ["pro"] })] },
    {
      name: "starts",
      enabled: true,
      strategies: [where("email", "STR_STARTS_WITH", { values: ["Ann"], inverted: true })],
    },
    { name: "age", enabled: true, strategies: [where("age", "NUM_GTE", { value: "18" })] },
    {
      name: "young",
      enabled: true,
      strategies: [where("age", "NUM_GTE", { value: "18", inverted: true })],
    },
    {
      name: "version",
      enabled: true,
      strategies: [where("version", "SEMVER_LT", { value: "1.1.0", inverted: true })],
    },
    {
      name: "regex",
      enabled: true,
      strategies: [where("email", "REGEX", { value: "^bob" })],
    },
    {
      name: "address",
      enabled: true,
      strategies: [where("remoteAddress", "IN_CIDR", { values: ["10.0.0.0/30"] })],
    },
    {
      name: "off",
      enabled: false,
      strategies: [{ name: "default", parameters: {} }],
      variants: [],
      dependencies: [],
    },
    {
      name: "roll-out",
      enabled: true,
      strategies: [
        {
          name: "flexibleRollout",
          parameters: { rollout: "50", stickiness: "default", groupId: "roll-out" },
          segments: [1],
        },
        { name: "userWithId", parameters: { userIds: "user-1,user-2" } },
      ],
      dependencies: [{ feature: "in", enabled: true, variants: [] }],
    },
    {
      name: "variants",
      enabled: true,
      impressionData: false,
      strategies: [{ name: "default", parameters: {}, segments: [1, 2], constraints: [] }],
      variants: [
        {
          name: "blue",
          weight: 500,
          stickiness: "default",
          payload: { type: "string", value: "b" },
        },
        { name: "red", weight: 500, overrides: [{ contextName: "userId", values: ["user-3"] }] },
      ],
      tags: [{ type: "simple", value: "shop" }],
    },
  ],
  segments: [
    {
      id: 1,
      name: "neighbours",
      constraints: [{ contextName: "country", operator: "IN", values: ["at"], inverted: true }],
    },
    { id: 2, constraints: [{ contextName: "plan", operator: "IN", values: ["pro"] }] },
  ],
};

export const EXPORT = {
  export: {
    features: [
      { name: "x", type: "release" },
      { name: "y", type: "release" },
    ],
    featureStrategies: [
      { featureName: "x", sortOrder: 0, ...where("country", "IN", { values: ["de"] }) },
      { featureName: "x", sortOrder: 1, name: "default", disabled: true },
      { featureName: "y", sortOrder: 0, name: "default", segments: [1] },
    ],
    featureEnvironments: [
      { featureName: "x", enabled: true },
      { featureName: "y", enabled: true },
    ],
    featureTags: [],
    dependencies: [{ feature: "y", dependencies: [{ feature: "x", enabled: true }] }],
  },
  segments: UNLEASH.segments,
};

const serve = (variation: number) => ({ variation });
const clause = (attribute: string, op: string, values: unknown[], more: object = {}) => ({
  attribute,
  op,
  values,
  negate: false,
  contextKind: "user",
  ...more,
});

const flag = (key: string, own: object) => ({
  key,
  variations: [{ value: true }, { value: false }],
  tags: [],
  environments: {
    [PRODUCTION]: {
      on: true,
      targets: [],
      contextTargets: [],
      rules: [] as object[],
      fallthrough: serve(1) as object,
      offVariation: 1,
      prerequisites: [] as object[],
      ...own,
    },
  },
});

const only = (...clauses: object[]) => ({ rules: [{ clauses, variation: 0 }] });

export const LAUNCH_DARKLY = {
  items: [
    flag("in", only(clause("country", "in", ["de"]))),
    flag("not-in", only(clause("country", "in", ["de"], { negate: true }))),
    flag("not-matches", only(clause("email", "matches", ["^Ann", "^bob1"], { negate: true }))),
    flag("older", only(clause("age", "greaterThan", [18], { negate: true }))),
    flag("version", only(clause("version", "semVerLessThan", ["1.1.0"], { negate: true }))),
    flag("segments", only(clause("", "segmentMatch", ["beta", "gamma"]))),
    flag("not-segment", only(clause("", "segmentMatch", ["beta"], { negate: true }))),
    flag("off", { on: false, fallthrough: serve(0) }),
    flag("targets", { targets: [{ values: ["user-1", "user-2"], variation: 0 }] }),
    flag("child", {
      fallthrough: serve(0),
      prerequisites: [{ key: "in", variation: 0 }],
    }),
    flag("full", {
      fallthrough: {
        rollout: { variations: [{ variation: 0, weight: 100_000 }], contextKind: "user" },
      },
    }),
  ],
  segments: [
    {
      key: "beta",
      included: ["user-4"],
      excluded: ["user-0"],
      rules: [{ clauses: [clause("country", "in", ["de"])] }],
    },
    { key: "gamma", rules: [{ clauses: [clause("plan", "in", ["pro"])], weight: 100_000 }] },
  ],
};

const v = (name: string) => ({ var: name });

const flagd = (condition: object) => ({
  state: "ENABLED",
  variants: { on: true, off: false },
  defaultVariant: "off",
  targeting: { if: [condition, "on", null] } as object,
});

export const FLAGD = {
  flags: {
    equal: flagd({ "==": [v("country"), "de"] }),
    not: flagd({ "!": [{ in: [v("country"), ["de", "fr"]] }] }),
    contains: flagd({ in: ["ann", v("email")] }),
    starts: flagd({ "!": [{ starts_with: [v("email"), "Ann"] }] }),
    both: flagd({ and: [{ ">": [v("age"), 16] }, { "!==": [v("plan"), "pro"] }] }),
    either: flagd({ or: [{ "<": [16, v("age"), 19] }, { "!=": [v("plan"), "pro"] }] }),
    version: flagd({ "!": [{ sem_ver: [v("version"), "<", "1.1.0"] }] }),
    minor: flagd({ sem_ver: [v("version"), "~", "1.1.0"] }),
    reference: flagd({ "!": [{ $ref: "pro" }] }),
    off: { ...flagd({ "==": [1, 1] }), state: "DISABLED", targeting: {} },
    nested: {
      ...flagd({}),
      targeting: { if: [{ "==": [v("country"), "de"] }, { if: [{ "<": [v("age"), 20] }, "on"] }] },
    },
  },
  $evaluators: { pro: { "==": [v("plan"), "pro"] } },
};
