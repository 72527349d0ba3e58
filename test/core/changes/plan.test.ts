import { describe, expect, it } from "vitest";
import { BOOLEAN_VARIANTS } from "../../../src/core/flags/variants.ts";
import { DEFAULT_STRATEGY } from "../../../src/core/strategies/strategy.ts";
import { auditedStrategy } from "../../../src/core/strategies/view.ts";
import type { FlagState } from "../../../src/model/flags/flag-state.ts";
import type { Operation } from "../../../src/changes/plan/operation.ts";
import { plan } from "../../../src/changes/plan/plan.ts";
import { Flags, type State, strategyKey } from "../../../src/changes/plan/state.ts";

const NOW = 1_700_000_000_000;

function flag(id: number, more: Partial<FlagState> = {}): FlagState {
  return {
    id,
    projectId: 1,
    key: `flag-${id}`,
    name: `Flag ${id}`,
    description: null,
    flagType: "RELEASE",
    valueType: "boolean",
    variants: BOOLEAN_VARIANTS,
    offVariant: "off",
    valueSchema: null,
    clients: "all",
    archived: false,
    version: 1,
    createdAt: 1,
    updatedAt: 1,
    lastUsedAt: null,
    staleMarkedFor: null,
    staleDays: 0,
    enabled: false,
    tags: [],
    ownerIds: [],
    prerequisites: [],
    requiredBy: [],
    attachedTags: [],
    isOnSomewhere: false,
    requires: [],
    dependents: [],
    ...more,
  };
}

/** The state of a project with two flags, a segment, and the strategy of the first flag. */
function stateOf(flags: readonly FlagState[] = [flag(1), flag(2)]): State {
  const { variants, ...first } = flags[0] ?? flag(1);
  const strategy = {
    flagId: first.id,
    flag: { ...first, variants: variants.map(({ key }) => key) },
    environmentId: 5,
    environmentName: "production",
    isProduction: true,
    content: DEFAULT_STRATEGY,
    version: 0,
    updatedAt: null,
  };
  const segment = {
    id: 7,
    projectId: 1,
    name: "beta",
    description: null,
    constraints: [],
    version: 3,
    createdAt: 1,
    updatedAt: 1,
  };
  return {
    project: {
      id: 1,
      staleDays: 0,
      newFlagClients: "all",
      lastIds: { flags: 2, segments: 7, tags: 0, context_definitions: 0, ramps: 0 },
    },
    flags: new Flags(flags),
    strategies: new Map([[strategyKey(first.id, 5), strategy]]),
    ramps: new Map(),
    segments: new Map([[7, segment]]),
    tags: new Map(),
    contexts: new Map(),
    environments: new Map(),
    users: new Set(),
    required: undefined,
    variantUses: [],
    segmentUses: [],
    contextValues: [],
    segmentBytes: new Map(),
  };
}

function planned(state: State, operations: readonly Operation[]) {
  let rules = 0;
  return plan(state, operations, { now: NOW, newRuleId: () => `rule-${(rules += 1)}` });
}

/** What a plan says, as plain data. */
const said = ({ work, errors }: ReturnType<typeof planned>) =>
  structuredClone({
    flags: [...work.flags],
    segments: [...work.segments],
    strategies: [...work.strategies],
    records: work.records,
    rules: work.rules,
    errors: errors.map(({ operation, error }) => [operation, error.code, error.message]),
  });

const create = (key: string, ...required: string[]): Operation => ({
  kind: "flag.create",
  target: { projectId: 1 },
  input: {
    key,
    name: key,
    flagType: "RELEASE",
    tags: [],
    prerequisites: required.map((flagKey) => ({ flagKey, enabled: true })),
  },
});
const archive = (flagId: number, ifMatch?: number[]): Operation => ({
  kind: "flag.archive",
  target: { flagId },
  input: undefined,
  ifMatch,
});

/** The state with a strategy that is on, and that has some fields. */
const on = (content: Partial<typeof DEFAULT_STRATEGY> = {}) => {
  const state = stateOf();
  const key = strategyKey(1, 5);
  const row = state.strategies.get(key);
  if (!row) throw new Error("The state must have the strategy");
  const enabled = { ...row, content: { ...DEFAULT_STRATEGY, enabled: true, ...content } };
  return { ...state, strategies: new Map([[key, enabled]]) };
};
const set = (input: object) =>
  ({
    kind: "strategy.set",
    target: { flag: { flagId: 1 }, environmentId: 5 },
    input,
  }) as Operation;

const MIXED: readonly Operation[] = [
  create("new", "flag-2"),
  { kind: "flag.update", target: { flagId: 1 }, input: { name: "Renamed" } },
  {
    kind: "strategy.set",
    target: { flag: { flagKey: "flag-1" }, environmentId: 5 },
    input: { enabled: true, segmentIds: ["beta"], rules: [{ name: "staff" }] },
  },
  { kind: "segment.update", target: { id: 7 }, input: { name: "gamma" } },
  archive(1),
];

describe("the percentages of a changed strategy", () => {
  it.each<[object, object]>([
    [{ percentage: 50 }, { percentage: 50, exactPercentage: null }],
    [{ exactPercentage: 0.5 }, { percentage: 0, exactPercentage: 0.5 }],
    [{ exactPercentage: 99.999 }, { percentage: 99, exactPercentage: 99.999 }],
    [{ exactPercentage: 100 }, { percentage: 100, exactPercentage: null }],
    [
      { percentage: 12, exactPercentage: 12.5 },
      { percentage: 12, exactPercentage: 12.5 },
    ],
    [{}, { percentage: 33, exactPercentage: 33.333 }],
  ])("are both set by the change %j", (change, percentages) => {
    const { work } = planned(on({ percentage: 33.333 }), [set({ enabled: false, ...change })]);
    const content = work.strategies.get(strategyKey(1, 5))?.content;
    expect(content && auditedStrategy(content, ["on"])).toMatchObject(percentages);
  });
});

describe("the plan of operations", () => {
  it("is the same for the same state and operations", () => {
    expect(said(planned(stateOf(), MIXED))).toEqual(said(planned(stateOf(), MIXED)));
  });

  it("changes neither the state nor the operations", () => {
    const [state, operations] = [stateOf(), structuredClone(MIXED)];
    const { errors } = planned(state, operations);
    expect(errors).toEqual([]);
    expect(state).toEqual(stateOf());
    expect(operations).toEqual(MIXED);
  });

  it("has the content, the version and the record that each operation makes", () => {
    const { work } = planned(stateOf(), MIXED);
    expect(work.flags.get(1)).toMatchObject({ name: "Renamed", archived: true, version: 3 });
    expect(work.flags.get(3)).toMatchObject({ key: "new", version: 1, createdAt: NOW });
    expect(work.segments.get(7)).toMatchObject({ name: "gamma", version: 4 });
    expect(work.strategies.get(strategyKey(1, 5))).toMatchObject({
      version: 1,
      updatedAt: NOW,
      content: { enabled: true, segmentIds: [7], rules: [{ id: "rule-1", name: "staff" }] },
    });
    expect(work.records.map(({ operation, audit }) => [operation, audit[0].action])).toEqual([
      [0, "flag.created"],
      [1, "flag.updated"],
      [2, "strategy.updated"],
      [3, "segment.updated"],
      [4, "flag.archived"],
    ]);
  });

  it("has no record of an operation that changes nothing", () => {
    const same: Operation = {
      kind: "flag.update",
      target: { flagId: 1 },
      input: { name: "Flag 1" },
    };
    const { work, errors } = planned(stateOf(), [same, archive(2), archive(2)]);
    expect(errors).toEqual([]);
    expect(work.records.map(({ operation }) => operation)).toEqual([1]);
  });

  it("names the index of every refused operation", () => {
    const list = [archive(1, [9]), create("new"), create("flag-2"), archive(99)];
    const refused = planned(stateOf(), list).errors.map(({ operation, error }) => [
      operation,
      error.code,
    ]);
    expect(refused).toEqual([
      [0, "CONFLICT"],
      [2, "CONFLICT"],
      [3, "NOT_FOUND"],
    ]);
  });

  it("accepts the version that an earlier operation makes", () => {
    const twice: Operation[] = [
      { kind: "flag.update", target: { flagId: 1 }, input: { name: "Renamed" }, ifMatch: [1] },
      archive(1, [2]),
    ];
    expect(planned(stateOf(), twice).errors).toEqual([]);
  });

  it("checks the rules about the result at the end of the list only", () => {
    const prerequisites = [{ flagKey: "flag-1", enabled: true }];
    const state = stateOf([
      flag(1, { dependents: [{ key: "flag-2", archived: false }] }),
      flag(2, { prerequisites, requires: [{ key: "flag-1", archived: false }] }),
    ]);
    const free: Operation = {
      kind: "flag.update",
      target: { flagId: 2 },
      input: { prerequisites: [] },
    };
    expect(planned(state, [archive(1), free]).errors).toEqual([]);
    expect(planned(state, [archive(1), archive(2)]).errors).toEqual([]);
    expect(planned(state, [archive(2), archive(1)]).errors).toEqual([]);
    expect(planned(state, [archive(1)]).errors).toMatchObject([
      { operation: 0, fault: "required" },
    ]);
  });
});

describe("the constraints of a strategy and all its rules together", () => {
  const bytes = (size: number) => {
    const one = { field: "id", operator: "in", values: [""], contextType: "string" } as const;
    return [{ ...one, values: ["x".repeat(size - JSON.stringify([one]).length)] }];
  };
  const half = bytes(131_072);
  const atLimit = { constraints: half, rules: [{ constraints: bytes(131_072) }] };
  const beyond = { constraints: half, rules: [{ constraints: bytes(131_073) }] };
  const { enabled: _enabled, rules: _rules, ...activation } = DEFAULT_STRATEGY;
  const rule = { ...activation, id: "rule", name: null, serve: { variant: "on" } };
  const stored = ({ rules: [first], ...own }: typeof atLimit) => ({
    ...own,
    rules: [{ ...rule, ...first }],
  });
  const target = { flag: { flagId: 1 }, environmentId: 5 };
  const replace = (content: object) =>
    ({ kind: "strategy.replace", target, input: { ...DEFAULT_STRATEGY, ...content } }) as Operation;
  const errorsOf = (state: State, operation: Operation) =>
    planned(state, [operation]).errors.map(({ error }) => [error.code, error.details]);
  const tooLarge = (size: number) => [
    [
      "VALIDATION_ERROR",
      [
        {
          field: "constraints",
          message: `must have at most 262144 bytes of JSON, together with those of all rules; these have ${size}`,
        },
      ],
    ],
  ];

  it.each([
    ["a change of both", on(), set(atLimit), set(beyond)],
    [
      "new rules",
      on({ constraints: half }),
      set({ rules: atLimit.rules }),
      set({ rules: beyond.rules }),
    ],
    ["a revert", on(), replace(stored(atLimit)), replace(stored(beyond))],
  ])("may have 256 KB after %s, and not a byte more", (_change, state, allowed, refused) => {
    expect(errorsOf(state, allowed)).toEqual([]);
    expect(errorsOf(state, refused)).toEqual(tooLarge(262_145));
  });

  it("may stay beyond the limit, and shrink, but not grow", () => {
    const state = on(stored({ ...beyond, constraints: bytes(200_000) }));
    expect(errorsOf(state, set({ enabled: false }))).toEqual([]);
    expect(errorsOf(state, set({ constraints: bytes(199_999) }))).toEqual([]);
    expect(errorsOf(state, set({ constraints: bytes(200_001) }))).toEqual(tooLarge(331_074));
  });
});

describe("the effect on verdicts that a plan names for each environment", () => {
  const creation = {
    kind: "flag.create",
    target: { projectId: 1 },
    input: { key: "new", name: "New", flagType: "RELEASE", tags: [] },
  } as Operation;
  const ofFlag = (kind: string, input?: object) =>
    ({ kind, target: { flagId: 1 }, input }) as Operation;
  const turnOff = { kind: "turn-off", flagId: 1 };
  const whereOn = { kind: "where-on", flagId: 1 };
  const required = [flag(1, { dependents: [{ key: "other", archived: true }] }), flag(2)];

  it.each<[string, State, Operation, unknown]>([
    ["turning off", on(), set({ enabled: false }), turnOff],
    ["turning off with another change", on(), set({ enabled: false, percentage: 5 }), "any"],
    ["turning on", stateOf(), set({ enabled: true }), "any"],
    ["a change of a flag that is off", stateOf(), set({ percentage: 5 }), "any"],
    ["a new flag", stateOf(), creation, "none"],
    ["a new name", stateOf(), ofFlag("flag.update", { name: "Other" }), "none"],
    ["another off variant", stateOf(), ofFlag("flag.update", { offVariant: "on" }), "any"],
    ["archiving", stateOf(), ofFlag("flag.archive"), whereOn],
    ["archiving a required flag", stateOf(required), ofFlag("flag.archive"), "any"],
    ["unarchiving", stateOf([flag(1, { archived: true })]), ofFlag("flag.unarchive"), "any"],
    ["deleting", stateOf([flag(1, { archived: true })]), ofFlag("flag.delete"), "none"],
  ])("of %s", (_, state, operation, effect) => {
    const { work, errors } = plan(state, [operation], { now: NOW, newRuleId: () => "r" });
    expect(errors).toEqual([]);
    expect(work.rules.map((rule) => rule.effect)).toEqual([effect]);
  });
});
