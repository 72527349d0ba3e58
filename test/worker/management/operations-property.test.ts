import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { evaluateLocally, poll } from "../support/sdk.ts";
import { inCountries, newKey, newProject, newSubscriber } from "../support/world.ts";

const SEED = 20_261_125;
/** After this long, the property starts no further run, milliseconds. */
const LIMIT_MS = 20_000;

const STRING = ["blue", "red", "green"].map((key) => ({ key, value: `#${key}` }));
const CONTENT = [
  { kind: "segment.create", input: { name: "s0", constraints: [inCountries("de")] } },
  { kind: "segment.create", input: { name: "s1", constraints: [inCountries("fr", "it")] } },
  { kind: "tag.create", input: { name: "t0", color: "#2f9e44" } },
  { kind: "tag.create", input: { name: "t1", color: "#2f9e45" } },
  { kind: "context.create", input: { name: "c0", contextKey: "c0", contextType: "string" } },
  { kind: "context.create", input: { name: "c1", contextKey: "c1", contextType: "string" } },
  { kind: "flag.create", input: { key: "f0", name: "f0", flagType: "RELEASE", tags: ["t0"] } },
  {
    kind: "flag.create",
    input: {
      ...{ key: "f1", name: "f1", flagType: "RELEASE", valueType: "string" },
      ...{ variants: STRING, offVariant: "blue" },
    },
  },
  {
    kind: "flag.create",
    input: { key: "f2", name: "f2", flagType: "RELEASE", prerequisites: [{ flagKey: "f0" }] },
  },
  { kind: "flag.create", input: { key: "f3", name: "f3", flagType: "KILLSWITCH" } },
  { kind: "flag.archive", target: { flagKey: "f3" } },
  ...["f0", "f1", "f3"].map((flagKey) => ({
    kind: "strategy.set",
    target: { flagKey, environmentId: 0 },
    input: { enabled: true, segmentIds: ["s0"], rules: [{ name: "staff", percentage: 40 }] },
  })),
];

/** A project. The operations of the tests name its resources by `names`, and environments by 0 and 1. */
interface World {
  readonly projectId: number;
  readonly environmentIds: readonly number[];
  readonly keys: readonly string[];
  /** The ids by table and name, as they were before the operations. */
  readonly names: ReadonlyMap<string, number>;
  /** The id of the ordered rule `staff` of each flag. */
  readonly ruleIds: ReadonlyMap<string, string>;
}

let ownerId: number;
beforeAll(async () => {
  ownerId = (await person("DEVELOPER")).id;
});

const run = (world: Pick<World, "projectId">, operations: readonly object[]) =>
  asAdmin("POST", "/api/v1/operations", { projectId: world.projectId, operations });

async function newTestWorld(): Promise<World> {
  const { id: projectId } = await newProject();
  const environmentIds: number[] = [];
  for (const name of ["one", "two"])
    environmentIds.push((await asAdmin("POST", "/api/v1/environments", { name, projectId })).body.id);
  const keys: string[] = [];
  for (const id of environmentIds) keys.push((await newKey(id)).apiKey);
  const empty = { projectId, environmentIds, keys, names: new Map(), ruleIds: new Map() };
  const answer = await run(empty, CONTENT.map((one) => resolved(empty, one)));
  expect(outcome(answer)).toBe("200");
  // Only the events of the operations under test are stored.
  await newSubscriber(projectId);
  const all = await rows(
    `SELECT 'flagId ' || key AS name, id FROM flags WHERE project_id = ?1
      UNION ALL SELECT 'segment ' || name, id FROM segments WHERE project_id = ?1
      UNION ALL SELECT 'tag ' || name, id FROM tags WHERE project_id = ?1
      UNION ALL SELECT 'context ' || context_key, id FROM context_definitions WHERE project_id = ?1`,
    projectId,
  );
  const rules = await rows(
    `SELECT f.key, s.rules ->> '$[0].id' AS id FROM strategies s JOIN flags f ON f.id = s.flag_id
      WHERE f.project_id = ?`,
    projectId,
  );
  return {
    ...empty,
    names: new Map(all.map(({ name, id }) => [name, id])),
    ruleIds: new Map(rules.map(({ key, id }) => [key, id])),
  };
}

/** Returns an operation of the tests with the ids that a project has. */
function resolved(world: World, { kind, target, input, ...rest }: Json): Json {
  const { names, environmentIds, ruleIds } = world;
  if (!target) return { kind, input, ...rest };
  const { flagId, flagKey, environmentId, item } = target;
  const flag = flagId ? { flagId: names.get(`flagId ${flagId}`) } : { flagKey };
  if (item) return { kind, target: { id: names.get(`${kind.split(".")[0]} ${item}`) }, input };
  if (kind !== "strategy.set") return { kind, target: flag, input, ...rest };
  const rules = input.rules?.map(({ kept, ...rule }: Json) => ({
    ...rule,
    ...(kept && { id: ruleIds.get(flagId ?? flagKey) }),
  }));
  const set = { ...flag, environmentId: environmentIds[environmentId] };
  return { kind, target: set, input: { ...input, rules }, ...rest };
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
  const audit = await rows(
    `SELECT action, entity_type, entity_id, environment_id, before, after FROM audit
      WHERE project_id = ? AND id > ? ORDER BY id`,
    projectId,
    after,
  );
  const records = audit.map(({ entity_type: type, entity_id: id, environment_id, ...one }) => ({
    ...{ action: one.action, [`${type}Id`]: id, environmentId: environment_id },
    ...{ before: JSON.parse(one.before), after: JSON.parse(one.after) },
  }));
  const outbox = await rows(
    "SELECT type, entity_id AS eventOfId, data FROM outbox WHERE project_id = ? ORDER BY id",
    projectId,
  );
  const events = outbox.map(({ data, ...one }) => ({ ...one, data: JSON.parse(data) }));
  const rules = [];
  for (const key of keys)
    rules.push((await poll(key)).body.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
  return {
    content: withoutIds({ ...parts, records, events, rules }),
    verdicts: rules.map((list) =>
      Array.from({ length: 1000 }, (_, n) =>
        evaluateLocally(list, { userId: `user-${n}`, country: ["de", "fr", "it"][n % 3] ?? "" }),
      ),
    ),
  };
}

const lastRecord = async (): Promise<number> =>
  (await rows("SELECT max(id) AS id FROM audit"))[0]?.id;

/**
 * Runs operations one by one in a project, and those that succeed in one list in an equal project.
 * Expects the same content, records, events, rules and verdicts. Returns the outcomes one by one.
 */
async function compare(operations: readonly Json[]): Promise<string[]> {
  const [first, second] = [await newTestWorld(), await newTestWorld()];
  const start = await lastRecord();
  const outcomes: string[] = [];
  const accepted: Json[] = [];
  for (const operation of operations) {
    const answer = await run(first, [resolved(first, operation)]);
    outcomes.push(outcome(answer));
    if (answer.status === 200) accepted.push(operation);
  }
  if (accepted.length === 0) return outcomes;
  const answer = await run(second, accepted.map((one) => resolved(second, one)));
  expect([outcome(answer), answer.body.error]).toEqual(["200", undefined]);
  const [oneByOne, atOnce] = [await contentOf(first, start), await contentOf(second, start)];
  expect(atOnce.content).toEqual(oneByOne.content);
  // Compares as text, because the deep comparison of many verdicts is slow.
  expect(JSON.stringify(atOnce.verdicts) === JSON.stringify(oneByOne.verdicts)).toBe(true);
  return outcomes;
}

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const optional = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Json>;

const flagKey = pick("f0", "f1", "f2", "f3", "n0", "n1", "__proto__");
const flagTarget = fc.oneof(
  fc.record({ flagKey }),
  fc.record({ flagId: pick("f0", "f1", "f2", "f3") }),
);
const tagNames = fc.uniqueArray(pick("t0", "t1", "t2", "constructor"), { maxLength: 2 });
const variants = fc.subarray(STRING, { minLength: 1 });
const prerequisites = fc.uniqueArray(
  fc.record({ flagKey, variants: pick(undefined, ["on"], ["blue"], ["red"]) }),
  { maxLength: 2, selector: (one) => one.flagKey },
);
const ownerIds = fc.boolean().map((isOwned) => (isOwned ? [0] : []));
const segmentIds = fc.uniqueArray(pick("s0", "s1", "s2", "__proto__"), { maxLength: 2 });
const serve = pick<object | undefined>(
  ...[undefined, { variant: "on" }, { variant: "off" }, { weights: { on: 30, off: 70 } }],
  ...[{ variant: "blue" }, { variant: "red" }, { weights: { blue: 33.333, red: 66.667 } }],
);
const percentage = { exactPercentage: pick(undefined, 0, 10, 33.333, 50, 100) };
const rule = optional({ kept: fc.boolean(), ...percentage, segmentIds, serve });
const strategyInput = optional({
  ...{ enabled: fc.boolean(), ...percentage, segmentIds, serve },
  rules: fc.array(rule, { maxLength: 2 }),
  stickiness: pick(null, "country"),
}).filter(({ rules = [] }) => rules.filter(({ kept }: Json) => kept).length <= 1);
const constraints = pick([], [inCountries("de")], [inCountries("it")]);

const created = fc
  .tuple(flagKey, fc.boolean(), optional({ tags: tagNames, prerequisites, ownerIds }))
  .map(([key, isText, more]) => ({
    kind: "flag.create",
    input: {
      ...{ key, name: key, flagType: "RELEASE", ...more },
      ...(isText && { valueType: "string", variants: STRING, offVariant: "red" }),
    },
  }));
const itemOf = (kind: string, item: string, input: fc.Arbitrary<object>) =>
  input.map((one) => ({ kind: `${kind}.update`, target: { item }, input: one }));
const segmentName = pick("s0", "s1", "s2", "__proto__");
const tagName = pick("t0", "t1", "t2", "constructor");
const ITEMS = ["segment", "tag", "context"] as const;

const operation: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: created },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant("flag.update"), target: flagTarget },
      input: optional({
        ...{ name: pick("A", "B", "f0"), tags: tagNames, prerequisites, ownerIds, variants },
        ...{ offVariant: pick(null, "red", "on"), description: pick(null, "text") },
      }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: pick("flag.archive", "flag.unarchive", "flag.delete"),
      target: flagTarget,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("strategy.set"),
      target: fc
        .tuple(flagTarget, pick(0, 1))
        .map(([flag, environmentId]) => ({ ...flag, environmentId })),
      input: strategyInput,
    }),
  },
  fc.record({ name: segmentName, constraints }).map((input) => ({ kind: "segment.create", input })),
  fc.record({ name: tagName, color: fc.constant("#111111") }).map((input) => ({
    ...{ kind: "tag.create", input },
  })),
  pick("c0", "c1", "c2").map((key) => ({
    ...{ kind: "context.create", input: { name: key, contextKey: key, contextType: "string" } },
  })),
  ...["0", "1"].flatMap((n) => [
    itemOf("segment", `s${n}`, optional({ name: segmentName, constraints })),
    itemOf("tag", `t${n}`, optional({ name: tagName, color: pick("#222222", "#333333") })),
    itemOf("context", `c${n}`, optional({ name: pick("x", "y"), contextType: pick("number") })),
  ]),
  fc.tuple(pick(...ITEMS), pick("0", "1")).map(([kind, n]) => ({
    ...{ kind: `${kind}.delete`, target: { item: `${kind[0]}${n}` } },
  })),
);
/** Several operations that seldom follow each other by chance. */
const sequence = flagKey.chain((key) =>
  fc.tuple(created, optional({})).map(([create]) => [
    ...["flag.archive", "flag.delete"].map((kind) => ({ kind, target: { flagKey: key } })),
    { ...create, input: { ...create.input, key } },
  ]),
);
const lists = fc
  .array(fc.oneof({ weight: 8, arbitrary: operation.map((one) => [one]) }, sequence), {
    ...{ minLength: 3, maxLength: 14 },
  })
  .map((parts) => parts.flat());

/** Replaces the owner 0 by the id of a user, which is known only when the tests run. */
const owned = (operations: readonly Json[]): Json[] =>
  operations.map((one) =>
    one.input?.ownerIds?.length
      ? { ...one, input: { ...one.input, ownerIds: [ownerId] } }
      : one,
  );

describe("a list of operations", () => {
  it("has the same results as its operations one by one", async () => {
    const counts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(lists, async (operations) => {
        for (const one of await compare(owned(operations)))
          counts.set(one, (counts.get(one) ?? 0) + 1);
      }),
      { seed: SEED, numRuns: 1000, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: false },
    );
    // Most generated operations are accepted, so that the property says something.
    expect(counts.get("200")).toBeGreaterThan(50);
  });
});
