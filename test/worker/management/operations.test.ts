import { beforeAll, describe, expect, it } from "vitest";
import { callWith } from "../support/call-with.ts";
import { type Answer, call, type Json } from "../support/client.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import { auditOf, wholeDatabase } from "../support/records.ts";
import { countedCall } from "../support/statements.ts";
import {
  inCountries,
  newContext,
  newEnvironment,
  newFlag,
  newSegment,
  newTag,
  newWorld,
  unique,
} from "../support/world.ts";

const PATH = "/api/v1/operations";
const run = (projectId: number, operations: unknown, more: object = {}) =>
  asAdmin("POST", PATH, { projectId, operations, ...more });
async function runWith(quota: object, projectId: number, operations: object[], dryRun = false) {
  const body = { projectId, operations, dryRun };
  return callWith(quota, "POST", PATH, { token: await adminToken(), body });
}

/** Sends a list that is refused. Expects that nothing is written. Returns the outcome and the error. */
async function refused(send: () => Promise<Answer<Json>>): Promise<string> {
  const before = await wholeDatabase();
  const answer = await send();
  expect(await wholeDatabase()).toEqual(before);
  return `${outcome(answer)}: ${answer.body.error}`;
}

const op = (kind: string, target: object | undefined, input?: object) => ({ kind, target, input });
const flag = (key: string, more: object = {}) =>
  op("flag.create", undefined, { key, name: key, flagType: "RELEASE", ...more });
const segment = (name: string, constraints: object[] = []) =>
  op("segment.create", undefined, { name, constraints });
const tag = (name: string) => op("tag.create", undefined, { name, color: "#2f9e44" });
const context = (contextKey: string) =>
  op("context.create", undefined, { name: "n", contextKey, contextType: "string" });
const update = (target: object, input: object) => op("flag.update", target, input);
const set = (target: object, input: object) => op("strategy.set", target, input);
const archive = (target: object) => op("flag.archive", target);
const unarchive = (target: object) => op("flag.unarchive", target);
const remove = (target: object) => op("flag.delete", target);
const byKey = (flagKey: string) => ({ flagKey });
const requires = (...keys: string[]) => ({ prerequisites: keys.map(byKey) });
const BLUE = { key: "blue", value: "#00f" };
const RED = { key: "red", value: "#f00" };
const SERVE_RED = { serve: { variant: "red" } };
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const COLOURS = { valueType: "string", variants: [BLUE, RED] };

/** Creates a project with an environment and resources of each kind. */
async function furnished() {
  const world = await newWorld();
  const { projectId } = world;
  return {
    ...world,
    flag: await newFlag(projectId),
    text: await newFlag(projectId, { ...COLOURS, variants: [BLUE] }),
    segment: await newSegment(projectId, [inCountries("de")]),
    tag: await newTag(projectId),
    context: await newContext(projectId),
  };
}

type World = Awaited<ReturnType<typeof furnished>>;
let mine: World;
let other: World;
beforeAll(async () => {
  mine = await furnished();
  other = await furnished();
});

/** The strategy of a flag of a project, as a target. */
const mineIn = ({ flag: { id }, environmentId }: World = mine) => ({ flagId: id, environmentId });
const item = (kind: "segment" | "tag" | "context", verb: string, world: World) =>
  op(`${kind}.${verb}`, { id: world[kind].id });

async function newArchived(projectId: number, more: object = {}): Promise<Json> {
  const one = await newFlag(projectId, more);
  await asAdmin("POST", `/api/v1/flags/${one.id}/archive`);
  return one;
}

describe("a list of operations", () => {
  it("can create a segment, flags that require each other in a row, and strategies that use them", async () => {
    const { projectId, environmentId } = await newWorld();
    const target = { flagKey: "one", environmentId };
    const answer = await run(projectId, [
      segment("beta", [inCountries("de")]),
      flag("one", COLOURS),
      flag("two", requires("one")),
      tag("team"),
      update(byKey("two"), { tags: ["team"], ...requires("one") }),
      set(target, { enabled: true, segmentIds: ["beta"], rules: [{ segmentIds: ["beta"] }] }),
    ]);
    expect(outcome(answer)).toBe("200");
    const [stored] = (await asAdmin("GET", `/api/v1/flags?projectId=${projectId}`)).body.items;
    const path = `/api/v1/flags/${stored.id}/strategies/${environmentId}`;
    const [beta] = (await asAdmin("GET", `/api/v1/segments?projectId=${projectId}`)).body;
    expect((await asAdmin("GET", path)).body).toMatchObject({
      segmentIds: [beta.id],
      rules: [{ segmentIds: [beta.id] }],
    });
    const made = (await auditOf(answer)).map((one) => [one.action, one.entity_id]);
    const said = answer.body.changes.map((one: Json) => [one.action, one.entityId]);
    expect(said).toEqual(made);
    expect(answer.headers.get("X-Revision")).toMatch(/^\d+$/);
  });

  it("checks ifMatch against the version that earlier operations make", async () => {
    const target = { flagId: (await newFlag(mine.projectId)).id };
    const list = (ifMatch: number) => [
      { ...update(target, { name: unique("a") }), ifMatch: 1 },
      { ...update(target, { name: unique("b") }), ifMatch },
    ];
    expect(await refused(() => run(mine.projectId, list(1)))).toMatch(
      /^412 CONFLICT: .*operations.1/,
    );
    expect(outcome(await run(mine.projectId, list(2)))).toBe("200");
    expect(await refused(() => run(mine.projectId, list(2)))).toMatch(
      /^412 CONFLICT: .*operations.0/,
    );
  });

  it("can delete a segment that an earlier operation stops using", async () => {
    const world = await furnished();
    const list = (segmentIds: number[]) => [set(mineIn(world), { segmentIds })];
    await run(world.projectId, list([world.segment.id]));
    const both = [...list([]), item("segment", "delete", world)];
    expect(outcome(await run(world.projectId, both))).toBe("200");
  });

  it("archives two flags of which one requires the other, in any order", async () => {
    const { projectId } = mine;
    const { id } = await newFlag(projectId, { key: "first" });
    const second = await newFlag(projectId, requires("first"));
    const list = [{ flagId: id }, { flagId: second.id }];
    for (const targets of [list, list.toReversed()])
      for (const change of [archive, unarchive])
        expect(outcome(await run(projectId, targets.map(change)))).toBe("200");
  });

  it("can free the key of a flag and use it again, when no room is left for another flag", async () => {
    const { projectId } = await newWorld();
    const { id, key } = await newArchived(projectId);
    const list = [remove({ flagId: id }), flag(key)];
    expect(outcome(await runWith({ QUOTA_FLAGS: "1" }, projectId, list))).toBe("200");
  });

  it("costs the same number of statements for 4 and for 100 operations", async () => {
    const statements: number[] = [];
    for (const count of [4, 100]) {
      const { projectId, environmentId } = await newWorld();
      const numbers = times(count / 2, (n) => n);
      const token = await adminToken();
      const send = async (operations: object[]) => {
        const counted = await countedCall("POST", PATH, { token, body: { projectId, operations } });
        expect(outcome(counted.answer)).toBe("200");
        statements.push(counted.statements);
      };
      const target = (n: number) => ({ flagKey: `f${n}`, environmentId });
      await send(numbers.flatMap((n) => [flag(`f${n}`, COLOURS), segment(`s${n}`)]));
      await send(numbers.flatMap((n) => [tag(`t${n}`), context(`c${n}`)]));
      await send(
        numbers.flatMap((n) => [
          set(target(n), { enabled: true, segmentIds: [`s${n}`] }),
          update(byKey(`f${n}`), { name: `F${n}`, tags: [`t${n}`] }),
        ]),
      );
      const keys = numbers.map((n) => byKey(`f${n}`));
      await send(keys.flatMap((key) => [update(key, { variants: [BLUE] }), archive(key)]));
      await send(keys.flatMap((key) => [remove(key), flag(`new-${key.flagKey}`)]));
    }
    expect(statements.slice(5)).toEqual(statements.slice(0, 5));
  });
});

describe("a dry run of operations", () => {
  it("writes nothing, and returns the changes of the run and the share of users who move", async () => {
    const { projectId, environmentId, flag: one } = await furnished();
    const on = set({ flagId: one.id, environmentId }, { enabled: true, percentage: 30 });
    const list = [on, flag("new"), archive(byKey("new"))];
    const before = await wholeDatabase();
    const plan = (await run(projectId, list, { dryRun: true })).body;
    expect(await wholeDatabase()).toEqual(before);
    expect(plan.moves).toEqual([{ flagId: one.id, environmentId, share: 0.3 }]);
    expect((await run(projectId, list, { dryRun: true })).body.planId).toBe(plan.planId);
    const { changes, planId, moves } = (await run(projectId, list)).body;
    expect([changes, planId, moves]).toEqual([plan.changes, plan.planId, []]);
  });

  it("has another plan id after a change of a target", async () => {
    const { projectId, flag: one } = await furnished();
    const list = [archive({ flagId: one.id })];
    const plan = async () => (await run(projectId, list, { dryRun: true })).body.planId;
    const first = await plan();
    await asAdmin("PUT", `/api/v1/flags/${one.id}`, { name: "changed" });
    expect(await plan()).not.toBe(first);
  });
});

/** Refused lists, by the begin of the error and the reason. */
const REFUSED: Readonly<Record<string, () => object[]>> = {
  "409 operations.1 for a key of an existing flag": () => [flag("x"), flag(mine.flag.key)],
  "409 operations.1 for the same flag twice": () => [flag("x"), flag("x")],
  "409 operations.2 for the same segment twice": () => [flag("x"), segment("s"), segment("s")],
  "409 operations.0 for a name of an existing segment": () => [segment(mine.segment.name)],
  "409 operations.1 for a name of an existing tag": () => [segment("s"), tag(mine.tag.name)],
  "409 operations.0 for a key of an existing context": () => [context(mine.context.contextKey)],
  "409 operations.0 for the deletion of an active flag": () => [remove({ flagId: mine.flag.id })],
  "409 operations.1 for a segment that it starts to use, and deletes": () => [
    set(mineIn(), { segmentIds: [mine.segment.id] }),
    item("segment", "delete", mine),
  ],
  "409 operations.2 for a variant that a new flag serves and loses": () => [
    flag("x", COLOURS),
    set({ flagKey: "x", environmentId: mine.environmentId }, SERVE_RED),
    update(byKey("x"), { variants: [BLUE] }),
  ],
  "409 operations.2 for a variant that an existing flag gets, serves and loses": () => [
    update({ flagId: mine.text.id }, { variants: [BLUE, RED] }),
    set({ flagId: mine.text.id, environmentId: mine.environmentId }, SERVE_RED),
    update({ flagId: mine.text.id }, { variants: [BLUE] }),
  ],
  "409 operations.2 for the deletion of a flag that the list creates": () => [
    flag("x"),
    archive(byKey("x")),
    remove(byKey("x")),
  ],
  "404 operations.2 for an update of a deleted flag": () => [
    archive({ flagId: mine.text.id }),
    remove({ flagId: mine.text.id }),
    update({ flagId: mine.text.id }, { name: "y" }),
  ],
  "404 operations.0 for a flag that is created later": () => [archive(byKey("l")), flag("l")],
  "404 operations.0 for a missing segment": () => [set(mineIn(), { segmentIds: ["toString"] })],
  "404 operations.137 for one wrong operation among 200": () =>
    times(200, (n) => (n === 137 ? archive(byKey("missing")) : flag(`f${n}`))),
};

/** Invalid lists, with the field that the error names. */
const INVALID: Readonly<Record<string, readonly [field: string, operations: () => unknown]>> = {
  "201 operations": ["operations", () => times(201, (n) => flag(`f${n}`))],
  "an object instead of a list": ["operations", () => ({ 0: flag("x") })],
  "an unknown kind": ["operations.1.kind", () => [flag("x"), { kind: "__proto__", input: {} }]],
  "no input": ["operations.0.input", () => [{ kind: "flag.create" }]],
  "a target without a flag": ["operations.0.target", () => [archive({ id: 1 })]],
  "a negative ifMatch": ["operations.0.ifMatch", () => [{ ...archive(byKey("x")), ifMatch: -1 }]],
  "an invalid constraint of the last operation": [
    "operations.1.input.constraints.0.operator",
    () => [flag("x"), segment("s", [{ ...inCountries("de"), operator: "?" }])],
  ],
  "an invalid value": ["operations.0.input.offVariant", () => [flag("y", { offVariant: "?" })]],
  "an unknown required flag": [
    "operations.0.input.prerequisites.0.flagKey",
    () => [flag("y", requires("missing"))],
  ],
  "a required flag that it archives": [
    "operations.0.input.prerequisites.0.flagKey",
    () => [flag("x", requires(mine.flag.key)), archive({ flagId: mine.flag.id })],
  ],
};

describe("a refused list of operations writes nothing, and returns", () => {
  it.each(Object.keys(REFUSED))("%s", async (name) => {
    const [status, index] = name.split(" ");
    const expected = new RegExp(`^${status} [A-Z_]+: ${index}: `);
    for (const dryRun of [true, false]) {
      const send = () => run(mine.projectId, REFUSED[name]?.(), { dryRun });
      expect(await refused(send)).toMatch(expected);
    }
  });

  it.each(Object.keys(INVALID))("400 with the field for %s", async (name) => {
    const [field = "", operations] = INVALID[name] ?? [];
    const answer = await run(mine.projectId, operations?.());
    expect([outcome(answer), invalidFields(answer)]).toEqual(["400 VALIDATION_ERROR", [field]]);
  });

  it("400 for flags that require each other: two new flags, or a new and an existing flag", async () => {
    const { id, key } = mine.flag;
    for (const list of [
      [flag("x", requires("y")), flag("y", requires("x"))],
      [flag("x", requires(key)), update({ flagId: id }, requires("x"))],
    ])
      expect(await refused(() => run(mine.projectId, list))).toMatch(/^400 VALIDATION_ERROR: /);
  });

  it("409 that names only the operation whose key is in use, not the one whose key is free again", async () => {
    const { id, key } = await newArchived(mine.projectId);
    const list = [remove({ flagId: id }), flag(key), flag(mine.flag.key)];
    expect(await refused(() => run(mine.projectId, list))).toMatch(
      /^409 \w+: operations\.2: [^;]+$/,
    );
  });

  it("409 that names the dependent, for a flag that is deleted and created while a flag requires it", async () => {
    const { projectId } = await newWorld();
    const parent = await newFlag(projectId);
    await newArchived(projectId, { key: "child", ...requires(parent.key) });
    await run(projectId, [archive({ flagId: parent.id })]);
    const list = [remove({ flagId: parent.id }), flag(parent.key)];
    expect(await refused(() => run(projectId, list))).toMatch(/^409 CONFLICT: .*child/);
  });

  it.each<[string, (n: number) => object]>([
    ["FLAGS", (n) => flag(`q${n}`)],
    ["SEGMENTS", (n) => segment(`q${n}`)],
    ["TAGS", (n) => tag(`q${n}`)],
    ["TAGS", (n) => flag(`q${n}`, { tags: [`q${n}`] })],
    ["CONTEXTS", (n) => context(`q${n}`)],
  ])("402 for a list that exceeds the quota of %s as a whole", async (name, make) => {
    const quota = { [`QUOTA_${name}`]: "3" };
    const { projectId } = await newWorld();
    expect(outcome(await runWith(quota, projectId, [make(0)]))).toBe("200");
    const send = (dryRun: boolean) => runWith(quota, projectId, [1, 2, 3].map(make), dryRun);
    for (const dryRun of [false, true])
      expect(await refused(() => send(dryRun))).toMatch(/^402 QUOTA_EXCEEDED: .*3/);
    expect(outcome(await runWith(quota, projectId, [1, 2].map(make)))).toBe("200");
  });

  it("200 for a list that creates a tag and attaches it by name, when one more tag fits", async () => {
    const list = [tag("t"), flag("f", { tags: ["t"] })];
    const { projectId } = await newWorld();
    expect(outcome(await runWith({ QUOTA_TAGS: "1" }, projectId, list))).toBe("200");
  });

  it("400 for strategies or segments of more than 1 MB together, and 200 for one of them", async () => {
    const { projectId } = await newWorld();
    const { key } = await newFlag(projectId);
    const constraints = times(5, () => inCountries(...times(100, (n) => `${n}`.repeat(250))));
    const targets = await Promise.all(
      times(5, async () => {
        const { id: environmentId } = await newEnvironment(projectId);
        await run(projectId, [set({ ...byKey(key), environmentId }, { constraints })]);
        return { environmentId, segment: await newSegment(projectId, constraints) };
      }),
    );
    const switches = targets.map(({ environmentId }) =>
      set({ ...byKey(key), environmentId }, { enabled: true }),
    );
    const renames = targets.map(({ segment: { id } }) =>
      op("segment.update", { id }, { name: unique("renamed") }),
    );
    for (const list of [switches, renames]) {
      expect(await refused(() => run(projectId, list))).toMatch(/^400 .* send .* several requests/);
      expect(outcome(await run(projectId, list.slice(0, 1)))).toBe("200");
    }
  });

  it("402 for rules that are too large, and 200 for rules that shrink", async () => {
    const { projectId, environmentId } = await newWorld();
    const long = [inCountries("x".repeat(400))];
    const quota = { QUOTA_RULE_BYTES: "300" };
    const using = (key: string) => set({ flagKey: key, environmentId }, { segmentIds: ["s"] });
    const list = [segment("s", long), flag("f"), using("f"), flag("g"), using("g")];
    const send = (dryRun: boolean) => runWith(quota, projectId, list, dryRun);
    for (const dryRun of [false, true])
      expect(await refused(() => send(dryRun))).toMatch(/^402 QUOTA_EXCEEDED: .*bytes/);
    const { changes } = (await run(projectId, list)).body;
    const shorter = { segmentIds: [], constraints: [inCountries("x".repeat(300))] };
    for (const ref of [{ flagId: changes[1].entityId }, byKey("g")]) {
      const smaller = [set({ ...ref, environmentId }, shorter)];
      expect([ref, outcome(await runWith(quota, projectId, smaller))]).toEqual([ref, "200"]);
    }
  });
});

/** The names and keys that an error about the other project must not contain. */
const secrets = () =>
  new RegExp([other.flag.key, other.segment.name, other.tag.name, other.context.name].join("|"));

/** Lists that refer to a resource of another project. */
const FOREIGN: typeof REFUSED = {
  "an update of a flag": () => [update({ flagId: other.flag.id }, { name: "x" })],
  "an update of a flag by its key": () => [update(byKey(other.flag.key), { name: "x" })],
  "a version of a flag": () => [{ ...archive({ flagId: other.flag.id }), ifMatch: 99 }],
  "a strategy": () => [set(mineIn(other), {})],
  "an own flag in the environment": () => [set({ ...mineIn(other), flagId: mine.flag.id }, {})],
  "a new flag in the environment": () => [
    flag("n"),
    set({ ...mineIn(other), flagId: undefined, ...byKey("n") }, {}),
  ],
  "a segment in a strategy": () => [set(mineIn(), { segmentIds: [other.segment.id] })],
  "a segment by its name": () => [set(mineIn(), { rules: [{ segmentIds: [other.segment.name] }] })],
  "an update of a segment": () => [{ ...item("segment", "update", other), input: { name: "x" } }],
  "the deletion of a segment": () => [{ ...item("segment", "delete", other), ifMatch: 99 }],
  "an update of a tag": () => [{ ...item("tag", "update", other), input: { name: "x" } }],
  "a tag of a flag": () => [flag("n", { tags: [{ tagId: other.tag.id, value: "v" }] })],
  "the deletion of a context": () => [item("context", "delete", other)],
  "a flag after own changes": () => [flag("n"), archive({ flagId: other.flag.id })],
};

describe("operations of another project", () => {
  it.each(Object.keys(FOREIGN))("return 404 for %s, and tell nothing about it", async (name) => {
    const error = await refused(() => run(mine.projectId, FOREIGN[name]?.()));
    expect(error).toMatch(/^404 NOT_FOUND: operations\.\d: /);
    expect(error).not.toMatch(secrets());
  });

  it("return 400 for a flag that an own flag is to require", async () => {
    const send = () => run(mine.projectId, [flag("x", requires(other.flag.key))]);
    expect(await refused(send)).toMatch(/^400 VALIDATION_ERROR: /);
  });

  it("return 404 for a project that does not exist", async () => {
    for (const list of [[flag("x")], [archive({ flagId: mine.flag.id })]])
      expect(await refused(() => run(999_999_999, list))).toMatch(/^404 NOT_FOUND: /);
  });

  it("return 403 for a VIEWER and for an API key, also of the project", async () => {
    const tokens = [(await person("VIEWER")).token, mine.apiKey, other.apiKey];
    const send = (token: string, list: object[]) =>
      call("POST", PATH, { token, body: { projectId: mine.projectId, operations: list } });
    const operations = [set(mineIn(), { enabled: true })];
    for (const token of tokens)
      for (const list of [operations, [flag("x")]])
        expect(await refused(() => send(token, list))).toMatch(/^403 FORBIDDEN: /);
    expect(outcome(await send((await person("DEVELOPER")).token, operations))).toBe("200");
  });
});
