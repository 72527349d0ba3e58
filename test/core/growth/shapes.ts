import type { FlagsFile } from "@feature-flags/file/file";
import { matchRules } from "@feature-flags/file/rules";
import { withoutPauses } from "@feature-flags/evaluation/pausing";
import { ApiError } from "../../../src/core/errors/api-error.ts";
import { QUOTAS } from "../../../src/db/quota.ts";
import { checkedFile } from "../../../src/management/files/limits.ts";
import { changedOwnership } from "../../../src/workflows/files/ownership.ts";
import type { ManagedRow } from "../../../src/model/files/ownership-queries.ts";
import { comparisonOf, fileError } from "../../../src/workflows/files/comparison.ts";
import type { ProjectContent } from "../../../src/model/files/queries.ts";
import { changedTablesOf } from "../../../src/changes/changed-tables.ts";
import { changeOf } from "../../../src/changes/change.ts";
import { listError } from "../../../src/changes/plan-error.ts";
import type { Operation } from "../../../src/changes/plan/operation.ts";
import { type Plan, plan } from "../../../src/changes/plan/plan.ts";
import { Flags, type State } from "../../../src/changes/plan/state.ts";

type Computation = () => Promise<void>;
/** Prepares an input of a size, and returns the computation about it. */
export type Shape = (n: number) => Computation | Promise<Computation>;

const ENVIRONMENTS = [
  { id: 1, name: "staging" },
  { id: 2, name: "production" },
];

const EMPTY: State = {
  project: {
    id: 1,
    staleDays: 30,
    newFlagClients: "all",
    lastIds: { flags: 0, segments: 0, tags: 0, context_definitions: 0, ramps: 0 },
  },
  flags: new Flags([]),
  strategies: new Map(),
  ramps: new Map(),
  segments: new Map(),
  tags: new Map(),
  contexts: new Map(),
  environments: new Map(
    ENVIRONMENTS.map(({ id, name }) => [id, { name, production: false, projectId: 1 }]),
  ),
  users: new Set(),
  required: { requirements: new Map(), text: "" },
  variantUses: [],
  segmentUses: [],
  contextValues: [],
  segmentBytes: new Map(),
};

const CIRCUMSTANCES = { now: 1, newRuleId: () => "rule" };
const times = <T>(n: number, item: (n: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => item(i));
const named = <T>(n: number, item: (n: number) => T, prefix = "f") =>
  Object.fromEntries(times(n, (i) => [`${prefix}${i}`, item(i)]));

/** Plans operations, and makes the statements or the error. */
function planned(state: State, operations: readonly Operation[], errorFor = listError): Plan {
  const result = plan(state, operations, CIRCUMSTANCES);
  if (result.errors.length > 0) throw errorFor(result.errors);
  withoutPauses(changeOf(result, withoutPauses(changedTablesOf(result.work)), []));
  return result;
}

const contentOf = (state: State): ProjectContent => ({
  project: { projectId: 1, name: "shop" },
  flags: [...state.flags.values()],
  environments: ENVIRONMENTS,
  segments: [...state.segments.values()],
  tags: [...state.tags.values()],
  contexts: [...state.contexts.values()],
  values: [],
  strategies: [...state.strategies.values()],
});

interface Request {
  readonly prune?: boolean;
  readonly overwrite?: readonly string[];
  readonly rows?: readonly ManagedRow[];
}

/** Does what an apply of a file does, but for the database. */
async function applied(
  state: State,
  file: object,
  { prune = false, overwrite = [], rows = [] }: Request = {},
): Promise<State> {
  const request = {
    file: await checkedFile({ version: 1, project: "shop", ...file }, QUOTAS),
    prune,
    pruneLimit: 10_000,
    overwrite,
  };
  const [content, ownership] = [contentOf(state), { rows, managers: [], applies: 0 }];
  const comparison = await comparisonOf({ content, ownership, request });
  const { operations } = comparison;
  const { work } = planned(
    state,
    operations.map(({ operation }) => operation),
    (errors) => fileError(operations, errors),
  );
  withoutPauses(changedOwnership(comparison, await comparison.owned(), work));
  return { ...state, ...withRows(work), project: { ...EMPTY.project!, lastIds: lastIds(work) } };
}

const withRows = ({ flags, strategies, segments, tags, contexts }: Plan["work"]) => ({
  flags: new Flags(flags.values()),
  strategies,
  segments,
  tags,
  contexts,
});

const lastIds = ({ flags, segments, tags, contexts }: Plan["work"]) => ({
  flags: Math.max(0, ...flags.keys()),
  segments: Math.max(0, ...segments.keys()),
  tags: Math.max(0, ...tags.keys()),
  context_definitions: Math.max(0, ...contexts.keys()),
  ramps: 0,
});

/** Runs a computation that the service refuses or not. */
const tried = (run: () => Promise<unknown>) => async () => {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
};

/** A shape that needs a project of that size, which it makes before. */
const upon =
  (before: (n: number) => object, then: (n: number, state: State) => Promise<unknown>): Shape =>
  async (n) => {
    const state = await applied(EMPTY, before(n));
    return tried(() => then(n, state));
  };

const flag = (more: object = {}) => ({ name: "Flag", flagType: "RELEASE", ...more });
const both = (strategy: object) => ({ staging: strategy, production: strategy });

/** The prerequisites of the flag with the index `i`: ten flags after it, of `n` flags in a circle or a chain. */
const requiring = (n: number, isCircle: boolean) => (i: number) => ({
  prerequisites: times(10, (one) => i + one + 1)
    .filter((other) => isCircle || other < n)
    .map((other) => ({ flagKey: `f${other % n}`, enabled: true })),
});

const linked = (n: number, isCircle: boolean) => ({
  flags: named(n, (i) => flag(requiring(n, isCircle)(i))),
});

const creations = (n: number, isCircle: boolean): Operation[] =>
  times(n, (i) => ({
    kind: "flag.create",
    target: { projectId: 1 },
    input: {
      key: `f${i}`,
      name: "Flag",
      flagType: "RELEASE",
      tags: [],
      ...requiring(n, isCircle)(i),
    },
  }));

const COLOURS = ["red", "blue", "green"].map((key) => ({ key, value: key }));
const colours = (more: object) => flag({ valueType: "string", ...more });

/** The rows of flags that the file has applied. */
const rowsOf = (state: State, fields: Readonly<Record<string, string>>): ManagedRow[] =>
  Array.from(state.flags.values(), ({ id, key }) => ({
    kind: "flag",
    entityId: id,
    environmentId: 0,
    manager: "file",
    fileKey: key,
    fields,
  }));

const archivedIn = (state: State): State => ({
  ...state,
  flags: new Flags(state.flags.values().map((one) => Object.assign({}, one, { archived: true }))),
});

export const SHAPES: Record<string, Shape> = {
  "flags in a circle": (n) => tried(() => applied(EMPTY, linked(n, true))),
  "flags in a chain": (n) => tried(() => applied(EMPTY, linked(n, false))),
  "operations that create flags in a circle": (n) =>
    tried(async () => planned(EMPTY, creations(n, true))),
  "operations that create flags in a chain": (n) =>
    tried(async () => planned(EMPTY, creations(n, false))),
  "flags with other variants": upon(
    (n) => ({
      flags: named(n, () =>
        colours({
          variants: COLOURS,
          environments: both({ enabled: true, serve: { variant: "red" } }),
        }),
      ),
    }),
    (n, state) =>
      applied(state, { flags: named(n, () => colours({ variants: COLOURS.slice(0, 2) })) }),
  ),
  "pruned flags that require each other": upon(
    (n) => linked(n, false),
    (_, state) => applied(state, {}, { prune: true, rows: rowsOf(state, { name: "digest" }) }),
  ),
  "restored flags": upon(
    (n) => linked(n, false),
    (n, state) =>
      applied(
        archivedIn(state),
        { flags: named(n, () => flag({ description: "Back" })) },
        { rows: rowsOf(state, { archived: "true" }) },
      ),
  ),
  "renamed tags": upon(
    (n) => ({
      tags: named(n, () => ({}), "tag"),
      flags: named(n, (i) => flag({ tags: [`tag${i}`, { name: "tag0", value: "x" }] })),
    }),
    (n, state) =>
      applied(state, {
        tags: named(n, (i) => ({ renamedFrom: `tag${i}` }), "new"),
        flags: named(n, (i) => flag({ description: "Tagged", tags: [`new${i}`, "new0"] })),
      }),
  ),
  "new segments": (n) =>
    tried(() =>
      applied(EMPTY, {
        segments: named(n, () => ({ constraints: [] }), "s"),
        flags: named(n, (i) =>
          flag({ environments: both({ segments: [`s${i}`, `s${n - i - 1}`] }) }),
        ),
      }),
    ),
  "conflicts that the file overwrites": upon(
    (n) => ({ flags: named(n, () => flag()) }),
    (n, state) =>
      applied(
        state,
        { flags: named(n, () => flag({ name: "Other" })) },
        {
          rows: rowsOf(state, { name: "digest" }),
          overwrite: times(n, (i) => `/flags/f${i}/name`),
        },
      ),
  ),
  conflicts: upon(
    (n) => ({ flags: named(n, () => flag()) }),
    (n, state) =>
      applied(
        state,
        { flags: named(n, () => flag({ name: "Other" })) },
        { rows: rowsOf(state, { name: "digest" }), overwrite: times(n, (i) => `/flags/x${i}`) },
      ),
  ),
  "rules with the same content": (n) => {
    const owner = { kind: "strategy", key: "" } as const;
    const rules = times(n, (i) => ({ name: i % 2 === 0 ? null : "rule" }));
    const current = times(n, (i) => ({ id: `r${i}`, name: `${i}`, percentage: 5 }));
    return tried(() => matchRules({ place: "", owner }, rules, current));
  },
  "contexts with values": (n) =>
    tried(() =>
      applied(EMPTY, {
        contexts: named(n, () => ({ values: ["a", "b", "c"] }), "c"),
      } satisfies Partial<FlagsFile>),
    ),
  "deleted segments and flags": async (n) => {
    const file = {
      segments: named(n, () => ({ constraints: [] }), "s"),
      flags: named(n, (i) => flag({ environments: both({ segments: [`s${i}`] }) })),
    };
    const before = archivedIn(await applied(EMPTY, file));
    return tried(async () => {
      const operations: Operation[] = [
        ...before.flags.keys().map((flagId): Operation => ({
          kind: "flag.delete",
          target: { flagId },
          input: undefined,
        })),
        ...before.segments
          .keys()
          .map((id): Operation => ({ kind: "segment.delete", target: { id }, input: undefined })),
      ];
      planned(before, operations);
    });
  },
  "flags that serve variants which they do not have": (n) =>
    tried(() =>
      applied(EMPTY, {
        flags: named(n, () =>
          colours({ variants: COLOURS, environments: both({ serve: { variant: "pink" } }) }),
        ),
      }),
    ),
};
