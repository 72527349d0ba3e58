import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { evaluateLocally, poll } from "../support/sdk.ts";
import { inCountries, newKey, newProject, newSubscriber } from "../support/world.ts";

const SEED = 20_261_125;
/** After this long, the property starts no further run, milliseconds. */
const LIMIT_MS = 8_000;

/** Stands for the id of a user, which is known only when the tests run. */
const OWNER = 0;
const STRING = ["blue", "red", "green"].map((key) => ({ key, value: `#${key}` }));
const op = (kind: string, target: object | undefined, input?: object): Json => ({
  kind,
  target,
  input,
});
const made = (kind: string, input: object) => op(`${kind}.create`, undefined, input);
const create = (key: string, more: object = {}) =>
  made("flag", { key, name: key, flagType: "RELEASE", ...more });
const update = (flagKey: string, input: object) => op("flag.update", { flagKey }, input);
const tagged = (flagKey: string, ...names: string[]) => update(flagKey, { tags: names });
const archive = (flagKey: string) => op("flag.archive", { flagKey });
const remove = (flagKey: string) => op("flag.delete", { flagKey });
const set = (flagKey: string, input: object) =>
  op("strategy.set", { flagKey, environmentId: 0 }, input);
const renames = (kind: string, ...names: readonly [string, string][]) =>
  names.map(([item, name]) => op(`${kind}.update`, { item }, { name }));
const drop = (kind: string, item: string) => op(`${kind}.delete`, { item });
const requires = (...keys: string[]) => ({ prerequisites: keys.map((flagKey) => ({ flagKey })) });
const TEXT = { valueType: "string", variants: STRING, offVariant: "blue" };
const USING = { enabled: true, segmentIds: ["s0"], rules: [{ name: "staff", percentage: 40 }] };
const CONTENT: readonly Json[] = [
  made("segment", { name: "s0", constraints: [inCountries("de")] }),
  made("segment", { name: "s1", constraints: [inCountries("fr", "it")] }),
  made("tag", { name: "t0", color: "#2f9e44" }),
  made("tag", { name: "t1", color: "#2f9e45" }),
  made("context", { name: "c0", contextKey: "c0", contextType: "string" }),
  made("context", { name: "c1", contextKey: "c1", contextType: "string" }),
  create("f0", { tags: ["t0"] }),
  create("f1", TEXT),
  create("f2", requires("f0")),
  create("f3"),
  archive("f3"),
  ...["f0", "f1", "f3"].map((key) => set(key, USING)),
];

/** A project. The operations of the tests name its resources by `names`, and environments by 0 and 1. */
interface World {
  readonly projectId: number;
  readonly environmentIds: readonly number[];
  readonly keys: readonly string[];
  /** The ids before the operations, by resource and name, such as `flag f0`. */
  readonly ids: ReadonlyMap<string, number | string>;
}

let ownerId: number;
beforeAll(async () => {
  ownerId = (await person("DEVELOPER")).id;
});

/** Holds all deliveries of webhooks, so that no event leaves the machine. */
const HELD = { QUOTA_WEBHOOK_DELIVERIES: "0" };

const run = async (world: World, operations: readonly Json[]) =>
  callWith(HELD, "POST", "/api/v1/operations", {
    token: await adminToken(),
    body: {
      projectId: world.projectId,
      operations: operations.map((one) => resolved(world, one)),
    },
  });

async function newTestWorld(): Promise<World> {
  const { id: projectId } = await newProject();
  const world = { projectId, environmentIds: [] as number[], keys: [] as string[] };
  for (const name of ["one", "two"]) {
    const { id } = (await asAdmin("POST", "/api/v1/environments", { name, projectId })).body;
    world.environmentIds.push(id);
    world.keys.push((await newKey(id)).apiKey);
  }
  const empty = { ...world, ids: new Map<string, number | string>() };
  expect(outcome(await run(empty, CONTENT))).toBe("200");
  // Only the events of the operations under test are stored.
  await newSubscriber(projectId);
  const all = await rows(
    `SELECT 'flag ' || key AS name, id FROM flags WHERE project_id = ?1
      UNION ALL SELECT 'segment ' || name, id FROM segments WHERE project_id = ?1
      UNION ALL SELECT 'tag ' || name, id FROM tags WHERE project_id = ?1
      UNION ALL SELECT 'context ' || context_key, id FROM context_definitions WHERE project_id = ?1
      UNION ALL SELECT 'rule ' || f.key, s.rules ->> '$[0].id' FROM strategies s
        JOIN flags f ON f.id = s.flag_id WHERE f.project_id = ?1`,
    projectId,
  );
  return { ...world, ids: new Map(all.map(({ name, id }) => [name, id])) };
}

/** Returns an operation of the tests with the ids that a project has. */
function resolved({ ids, environmentIds }: World, { kind, target, input }: Json): Json {
  const content = input?.ownerIds?.length ? { ...input, ownerIds: [ownerId] } : input;
  if (!target) return { kind, input: content };
  const { flagId, flagKey: ofKey = flagId, environmentId, item: name } = target;
  const [resource] = kind.split(".");
  if (name) return { kind, target: { id: ids.get(`${resource} ${name}`) }, input };
  const ref = flagId ? { flagId: ids.get(`flag ${flagId}`) } : { flagKey: ofKey };
  if (kind !== "strategy.set") return { kind, target: ref, input: content };
  const rules = input.rules?.map(({ kept, ...rule }: Json) =>
    kept ? Object.assign(rule, { id: ids.get(`rule ${ofKey}`) }) : rule,
  );
  const strategyOf = { ...ref, environmentId: environmentIds[environmentId] };
  return { kind, target: strategyOf, input: { ...input, rules } };
}

/** Returns a value with each id replaced by its number in the order of the first appearance. */
function withoutIds(value: unknown): unknown {
  const seen = new Map<string, Map<unknown, number>>();
  const number = (field: string, id: unknown) => {
    const ids = seen.get(field) ?? new Map<unknown, number>();
    seen.set(field, ids);
    if (!ids.has(id)) ids.set(id, ids.size);
    return `${field} ${ids.get(id)}`;
  };
  const walk = (part: unknown, field: string): unknown => {
    if (Array.isArray(part)) return part.map((one) => walk(one, field));
    if (typeof part === "object" && part !== null)
      return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, walk(one, name)]));
    return part !== null && /^id$|Ids?$/.test(field) ? number(field, part) : part;
  };
  return walk(value, "");
}

const PART_OF_PROJECT = {
  flags: `SELECT key, name, description, version, archived, variants, off_variant FROM flags
    WHERE project_id = ? ORDER BY key`,
  owners: `SELECT f.key, o.user_id AS ownerId FROM flag_owners o JOIN flags f ON f.id = o.flag_id
    WHERE f.project_id = ? ORDER BY 1, 2`,
  prerequisites: `SELECT f.key, r.key AS required, p.position, p.enabled, p.variants
    FROM flag_prerequisites p JOIN flags f ON f.id = p.flag_id JOIN flags r ON r.id = p.required_flag_id
    WHERE f.project_id = ? ORDER BY 1, 3`,
  strategies: `SELECT f.key, e.name, s.version, s.enabled, s.exact_percentage, s.percentage,
      (SELECT json_group_array(g.name) FROM (SELECT g.name FROM strategy_segments u
        JOIN segments g ON g.id = u.segment_id WHERE u.flag_id = s.flag_id
        AND u.environment_id = s.environment_id ORDER BY u.position) g) AS segments,
      (SELECT json_group_array(g.name || g.uses) FROM (SELECT g.name, u.uses FROM strategy_rule_segments u
        JOIN segments g ON g.id = u.segment_id WHERE u.flag_id = s.flag_id
        AND u.environment_id = s.environment_id ORDER BY 1) g) AS ruleSegments
    FROM strategies s JOIN flags f ON f.id = s.flag_id JOIN environments e ON e.id = s.environment_id
    WHERE f.project_id = ? ORDER BY 1, 2`,
  segments: `SELECT name, description, constraints, version FROM segments WHERE project_id = ? ORDER BY 1`,
  tags: `SELECT name, color, version FROM tags WHERE project_id = ? ORDER BY 1`,
  attached: `SELECT f.key, t.name, ft.value FROM flag_tags ft JOIN flags f ON f.id = ft.flag_id
    JOIN tags t ON t.id = ft.tag_id WHERE f.project_id = ? ORDER BY 1, 2, 3`,
  contexts: `SELECT context_key, name, context_type, version FROM context_definitions
    WHERE project_id = ? ORDER BY 1`,
  ruleChanges: `SELECT e.name AS environment, c.flag_key, c.flag_name FROM rule_changes c
    JOIN environments e ON e.id = c.environment_id WHERE e.project_id = ? ORDER BY 1, 2`,
};

/** Returns all that a project has, without ids and times. `after`: the last audit record to ignore. */
async function contentOf({ projectId, keys }: World, after: number) {
  const parts: Record<string, Json[]> = {};
  for (const [name, select] of Object.entries(PART_OF_PROJECT))
    parts[name] = await rows(select, projectId);
  const records = await rows(
    `SELECT action, entity_type, entity_type || entity_id AS recordOfId, environment_id AS environmentId,
      before, after FROM audit WHERE project_id = ? AND id > ? ORDER BY id`,
    projectId,
    after,
  );
  const events = await rows(
    "SELECT type, entity_id AS eventOfId, data FROM outbox WHERE project_id = ? ORDER BY id",
    projectId,
  );
  for (const one of [...records, ...events])
    for (const json of ["before", "after", "data"])
      if (json in one) one[json] = JSON.parse(one[json]);
  const rules = [];
  for (const key of keys)
    rules.push((await poll(key)).body.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
  return {
    content: withoutIds({ ...parts, records, events, rules }),
    verdicts: rules.map((ofEnvironment) =>
      Array.from({ length: 1000 }, (_, n) =>
        evaluateLocally(ofEnvironment, {
          userId: `user-${n}`,
          country: ["de", "fr", "it"][n % 3] ?? "",
        }),
      ),
    ),
  };
}

/**
 * Runs operations one by one in a project, and those that succeed in one list in an equal project.
 * Expects the same content, records, events, rules and verdicts. Returns the outcomes one by one.
 */
async function compare(operations: readonly Json[]): Promise<string[]> {
  const [first, second] = [await newTestWorld(), await newTestWorld()];
  const [{ id: start }] = await rows("SELECT max(id) AS id FROM audit");
  const outcomes: string[] = [];
  const accepted: Json[] = [];
  for (const single of operations) {
    const answer = await run(first, [single]);
    outcomes.push(outcome(answer));
    if (answer.status === 200) accepted.push(single);
  }
  if (accepted.length === 0) return outcomes;
  const answer = await run(second, accepted);
  expect([outcome(answer), answer.body.error]).toEqual(["200", undefined]);
  const [oneByOne, atOnce] = [await contentOf(first, start), await contentOf(second, start)];
  expect(atOnce.content).toEqual(oneByOne.content);
  // Compares as text, because the deep comparison of many verdicts is slow.
  expect(textOf(atOnce.verdicts) === textOf(oneByOne.verdicts)).toBe(true);
  return outcomes;
}

/** Returns verdicts as text, without the ids of the rules that decided. */
const textOf = (verdicts: unknown) =>
  JSON.stringify(verdicts, (field, value: unknown) => (field === "rule" ? undefined : value));

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const list = <T>(...values: readonly T[]) => fc.uniqueArray(pick(...values), { maxLength: 2 });
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(fields, { requiredKeys: [] });
const generated = (kind: string, target: fc.Arbitrary<object>, input?: fc.Arbitrary<unknown>) =>
  fc.record<Json>({ kind: fc.constant(kind), target, input: input ?? fc.constant(undefined) });

const flagKey = pick("f0", "f1", "f2", "f3", "n0", "n1", "__proto__");
const old = fc.record({ flagId: pick("f0", "f1", "f2", "f3") });
const flags = fc.oneof(fc.record({ flagKey }), old);
const segmentIds = list("s0", "s1", "s2", "__proto__");
const tags = list("t0", "t1", "__proto__");
const required = { flagKey, variants: pick(undefined, ["on"], ["blue"], ["red"]) };
const ofFlag = {
  tags,
  prerequisites: fc.uniqueArray(fc.record(required), {
    maxLength: 2,
    selector: (one) => one.flagKey,
  }),
  ownerIds: list(OWNER),
};
const serve = pick<object | undefined>(
  undefined,
  { variant: "on" },
  { variant: "blue" },
  { variant: "red" },
  { weights: { on: 30, off: 70 } },
  { weights: { blue: 33.333, red: 66.667 } },
);
const activation = { exactPercentage: pick(0, 10, 33.333, 50, 100), segmentIds, serve };
const strategy = some({
  ...activation,
  enabled: fc.boolean(),
  rules: fc.uniqueArray(some({ kept: pick(true, false), ...activation }), {
    maxLength: 2,
    selector: ({ kept, ...rule }) => kept || rule,
  }),
  stickiness: pick(null, "country"),
});
const constraints = pick([], [inCountries("de")], [inCountries("it")]);
const creation = fc
  .tuple(flagKey, pick<object>({}, TEXT), some(ofFlag))
  .map(([key, values, more]): Json => create(key, { ...values, ...more }));
const item = (name: string) => fc.record({ item: pick(`${name}0`, `${name}1`) });
const named = (names: fc.Arbitrary<string[]>) => names.map(([name = "new"]) => name);
const operation: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: creation },
  {
    weight: 4,
    arbitrary: generated(
      "flag.update",
      flags,
      some({
        ...ofFlag,
        name: pick("A", "B", "f0"),
        variants: fc.subarray(STRING, { minLength: 1 }),
        offVariant: pick(null, "red", "on"),
        description: pick(null, "text"),
      }),
    ),
  },
  { weight: 3, arbitrary: generated("flag.archive", flags) },
  { weight: 2, arbitrary: generated("flag.unarchive", flags) },
  { weight: 2, arbitrary: generated("flag.delete", flags) },
  {
    weight: 6,
    arbitrary: generated(
      "strategy.set",
      fc
        .tuple(flags, pick(0, 1))
        .map(([flag, environmentId]) => Object.assign(flag, { environmentId })),
      strategy,
    ),
  },
  fc.record({ name: named(segmentIds), constraints }).map((input) => made("segment", input)),
  fc.record({ name: named(tags), color: pick("#111111") }).map((input) => made("tag", input)),
  pick("c0", "c1", "c2").map((key) =>
    made("context", { name: key, contextKey: key, contextType: "string" }),
  ),
  generated("segment.update", item("s"), some({ name: named(segmentIds), constraints })),
  generated("tag.update", item("t"), some({ name: named(tags), color: pick("#222222") })),
  generated("context.update", item("c"), some({ name: pick("x"), contextType: pick("number") })),
  ...["segment", "tag", "context"].map((kind) => generated(`${kind}.delete`, item(kind.charAt(0)))),
);
/** Deletes a flag and creates it again, which seldom happens by chance. */
const renewal = fc
  .tuple(flagKey, creation)
  .map(([key, { input }]) => [archive(key), remove(key), create(key, { ...input, key })]);
const lists = fc
  .array(fc.oneof({ weight: 8, arbitrary: operation.map((single) => [single]) }, renewal), {
    minLength: 3,
    maxLength: 14,
  })
  .map((parts) => parts.flat());

/** Lists whose operations all succeed one by one. */
const LISTS: Readonly<Record<string, readonly Json[]>> = {
  "that renames segments in a chain": renames("segment", ["s1", "s2"], ["s0", "s1"]),
  "that swaps segment names": renames("segment", ["s0", "s2"], ["s1", "s0"], ["s0", "s1"]),
  "that swaps tag names": renames("tag", ["t0", "t2"], ["t1", "t0"], ["t0", "t1"]),
  "that renames a tag after a flag gets it": [tagged("f1", "t1"), ...renames("tag", ["t1", "t2"])],
  "that renames the tag of a flag, and gives the flag the old name": [
    ...renames("tag", ["t0", "t2"]),
    tagged("f0", "t0"),
  ],
  "that gives a flag a new tag, and takes it away": [tagged("f0", "t9"), tagged("f0", "t0")],
  "that deletes a tag after a flag gets it": [tagged("f1", "t1"), drop("tag", "t1")],
  "that deletes the tag of a flag, and gives it to the flag again": [
    drop("tag", "t0"),
    tagged("f0", "t0"),
  ],
  "that deletes and creates the tag of a flag, and changes the flag": [
    drop("tag", "t0"),
    made("tag", { name: "t0", color: "#444444" }),
    update("f0", { name: "F" }),
  ],
  "that deletes a flag, and creates it again with a strategy": [
    remove("f3"),
    create("f3"),
    set("f3", USING),
  ],
  "that deletes and creates a required flag while nothing requires it": [
    update("f2", requires()),
    archive("f0"),
    remove("f0"),
    create("f0"),
    update("f2", requires("f0")),
  ],
  "that makes a flag require another before it archives both": [
    update("f1", requires("f0")),
    archive("f1"),
    archive("f2"),
    archive("f0"),
  ],
  "that deletes a flag and then the segment that it used": [
    remove("f3"),
    set("f0", { segmentIds: [] }),
    set("f1", { segmentIds: [] }),
    drop("segment", "s0"),
  ],
  "that renames a flag after it changes a strategy, and changes a segment": [
    set("f0", { percentage: 50 }),
    update("f0", { name: "A" }),
    op("segment.update", { item: "s1" }, { constraints: [] }),
  ],
  "with a flag, a segment and a tag of the name __proto__": [
    made("segment", { name: "__proto__", constraints: [] }),
    made("tag", { name: "__proto__", color: "#555555" }),
    create("__proto__", { ...TEXT, tags: ["__proto__"], ...requires("f0") }),
    set("__proto__", { segmentIds: ["__proto__"], serve: { weights: { blue: 50, red: 50 } } }),
    update("f1", requires("__proto__")),
  ],
};

describe("a list of operations", () => {
  it.each(Object.keys(LISTS))("%s has the same results as one by one", async (name) => {
    const operations = LISTS[name] ?? [];
    expect(await compare(operations)).toEqual(operations.map(() => "200"));
  });

  it("has the same results as its operations one by one", async () => {
    const outcomes: string[] = [];
    const property = fc.asyncProperty(lists, async (operations) => {
      outcomes.push(...(await compare(operations)));
    });
    await fc.assert(property, {
      seed: SEED,
      numRuns: 1000,
      interruptAfterTimeLimit: LIMIT_MS,
      markInterruptAsFailure: false,
    });
    expect(outcomes).toContain("200");
  });
});
