import { describe, expect, it } from "vitest";
import type { Answer, Json } from "../support/client.ts";
import { asAdmin, outcome, tally } from "../support/outcomes.ts";
import { rows } from "../support/records.ts";
import { newEnvironment, newFlag, newSegment, newWorld } from "../support/world.ts";

const REQUESTS = 50;
const MIXED = 100;
const ROUNDS = 15;

const run = (projectId: number, operations: readonly object[], more: object = {}) =>
  asAdmin("POST", "/api/v1/operations", { projectId, operations, ...more });

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

const rename = (flagId: number, name: string) => ({
  kind: "flag.update",
  target: { flagId },
  input: { name },
});
const setTo = (flagId: number, environmentId: number, percentage: number) => ({
  kind: "strategy.set",
  target: { flagId, environmentId },
  input: { percentage },
});
const describeSegment = (id: number, description: string) => ({
  kind: "segment.update",
  target: { id },
  input: { description },
});

/** Plans a file that sets the percentage of a flag in an environment, and applies it. Repeats both after 412. */
async function applyFile(
  projectId: number,
  flagId: number,
  { environmentId, percentage }: { readonly environmentId: number; readonly percentage: number },
): Promise<Answer<Json>> {
  const [names] = await rows(
    `SELECT p.name AS project, f.key, e.name AS environment FROM projects p
      JOIN flags f ON f.project_id = p.id JOIN environments e ON e.project_id = p.id
      WHERE f.id = ? AND e.id = ?`,
    flagId,
    environmentId,
  );
  const flag = { flagType: "RELEASE", environments: { [names?.environment]: { percentage } } };
  const file = { version: 1, project: names?.project, flags: { [names?.key]: flag } };
  const path = `/api/v1/projects/${projectId}`;
  for (;;) {
    const { body: plan } = await asAdmin("POST", `${path}/plan`, { file });
    const reviewed = { "If-Match": `"${plan.id}"` };
    const answer = await asAdmin("POST", `${path}/apply`, { file }, reviewed);
    if (answer.status !== 412) return answer;
  }
}

/** Creates a project with two environments, three flags and a segment. */
async function targets() {
  const { projectId, environmentId } = await newWorld();
  const { id: second } = await newEnvironment(projectId);
  const flags = [];
  for (let n = 0; n < 3; n++) flags.push((await newFlag(projectId)).id as number);
  const { id: segmentId } = await newSegment(projectId, []);
  return { projectId, environmentIds: [environmentId, second as number], flags, segmentId };
}

interface Chain {
  readonly version: number;
  readonly records: readonly Json[];
}

/** The version of a resource, and its audit records of one action, oldest first. */
async function chainOf(version: string, where: string): Promise<Chain> {
  const [row] = await rows(version);
  const found = await rows(`SELECT before, after FROM audit WHERE ${where} ORDER BY id`);
  return { version: row?.version ?? 0, records: found };
}

/** The chains of all resources, by name, with the version that each resource had at first. */
async function chainsOf({ flags, environmentIds, segmentId }: Awaited<ReturnType<typeof targets>>) {
  const chains: Record<string, Chain & { readonly first: number }> = {};
  for (const id of flags) {
    const ofFlag = `entity_type = 'flag' AND entity_id = ${id} AND action`;
    const flag = await chainOf(
      `SELECT version FROM flags WHERE id = ${id}`,
      `${ofFlag} = 'flag.updated'`,
    );
    chains[`flag ${id}`] = { ...flag, first: 1 };
    for (const environmentId of environmentIds) {
      const strategy = await chainOf(
        `SELECT version FROM strategies WHERE flag_id = ${id} AND environment_id = ${environmentId}`,
        `${ofFlag} = 'strategy.updated' AND environment_id = ${environmentId}`,
      );
      chains[`strategy ${id} ${environmentId}`] = { ...strategy, first: 0 };
    }
  }
  const segment = await chainOf(
    `SELECT version FROM segments WHERE id = ${segmentId}`,
    `entity_type = 'segment' AND entity_id = ${segmentId} AND action = 'segment.updated'`,
  );
  chains["segment"] = { ...segment, first: 1 };
  return chains;
}

/** Expects that each record begins with what the record before it has written. */
function expectNoGap(records: readonly Json[]) {
  for (const [n, { before }] of records.slice(1).entries()) expect(before).toBe(records[n]?.after);
}

describe("concurrent writes of the same flags, strategies and segment", () => {
  it("all succeed, 100 single writes, lists, bulk changes and applies, and each change adds one version and one record", async () => {
    const world = await targets();
    const { projectId, flags, environmentIds, segmentId } = world;
    const [one = 0, two = 0, three = 0] = flags;
    const [first = 0, second = 0] = environmentIds;
    // Each write has values of its own, so that every operation is a change.
    const writes: ((n: number) => Promise<Answer<Json>>)[] = [
      (n) => asAdmin("PUT", `/api/v1/flags/${one}`, { name: `single ${n}` }),
      (n) => {
        const body = { environmentId: first, percentage: n };
        return asAdmin("PUT", `/api/v1/flags/${two}/strategies`, body);
      },
      (n) => asAdmin("PUT", `/api/v1/segments/${segmentId}`, { description: `single ${n}` }),
      (n) => run(projectId, [setTo(one, first, n), rename(two, `list ${n}`), setTo(two, first, n)]),
      (n) => run(projectId, [rename(two, `a ${n}`), rename(one, `a ${n}`), rename(two, `b ${n}`)]),
      (n) => run(projectId, [describeSegment(segmentId, `list ${n}`), setTo(three, second, n)]),
      (n) => run(projectId, [setTo(three, second, n), rename(three, `c ${n}`)]),
      (n) => applyFile(projectId, three, { environmentId: first, percentage: n }),
      (n) =>
        asAdmin("POST", "/api/v1/flags/bulk/strategies", {
          environmentId: second,
          enabled: n % 2 === 0,
          flags: [{ id: one }],
        }),
    ];
    const answers = await Promise.all(
      times(MIXED, (n) => writes[n % writes.length]?.(n) ?? Promise.reject(new Error("no write"))),
    );
    expect(tally(answers)).toEqual({ "200": MIXED });
    const sent = (...kinds: readonly number[]) =>
      kinds.reduce(
        (sum, kind) =>
          sum + times(MIXED, (n) => n).filter((n) => n % writes.length === kind).length,
        0,
      );
    const switched = answers.flatMap(({ body }, n) =>
      n % writes.length === 8 ? body.changed : [],
    );
    const changes = {
      [`flag ${one}`]: sent(0, 4),
      [`flag ${two}`]: sent(3, 4, 4),
      [`flag ${three}`]: sent(6),
      [`strategy ${one} ${first}`]: sent(3),
      [`strategy ${one} ${second}`]: switched.length,
      [`strategy ${two} ${first}`]: sent(1, 3),
      [`strategy ${two} ${second}`]: 0,
      [`strategy ${three} ${first}`]: sent(7),
      [`strategy ${three} ${second}`]: sent(5, 6),
      segment: sent(2, 5),
    };
    const chains = await chainsOf(world);
    const counted = Object.entries(chains).map(([name, { records }]) => [name, records.length]);
    expect(Object.fromEntries(counted)).toEqual(changes);
    for (const [name, { version, first: initial, records }] of Object.entries(chains)) {
      expect([name, version]).toEqual([name, initial + records.length]);
      expectNoGap(records);
    }
  });

  it("succeed exactly once for each version that lists with ifMatch demand", async () => {
    const { projectId, flags } = await targets();
    const [one = 0, two = 0] = flags;
    const list = (n: number) => [
      { ...rename(one, `${n}`), ifMatch: 1 + (n % 2) },
      rename(two, `${n}`),
    ];
    const answers = await Promise.all(times(REQUESTS, (n) => run(projectId, list(n))));
    const { "200": succeeded = 0, ...rest } = tally(answers);
    expect(rest).toEqual({ "412 CONFLICT": REQUESTS - succeeded });
    const versions = await rows("SELECT version FROM flags WHERE id IN (?, ?)", one, two);
    expect([1, 2]).toContain(succeeded);
    expect(versions).toEqual([{ version: 1 + succeeded }, { version: 1 + succeeded }]);
  });

  it("create each key once, and all other lists return 409 and leave nothing behind", async () => {
    const { projectId } = await newWorld();
    const list = (n: number) => [
      { kind: "segment.create", input: { name: `s${n}`, constraints: [] } },
      {
        kind: "flag.create",
        input: { key: `f${n % 5}`, name: `${n}`, flagType: "RELEASE", tags: ["t"] },
      },
    ];
    const answers = await Promise.all(times(20, (n) => run(projectId, list(n))));
    expect(tally(answers)).toEqual({ "200": 5, "409 CONFLICT": 15 });
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(answer.body.error).toContain("operations.1");
    for (const [table, count] of [
      ["flags", 5],
      ["segments", 5],
      ["tags", 1],
    ])
      expect(await rows(`SELECT 1 FROM ${table} WHERE project_id = ?`, projectId)).toHaveLength(
        Number(count),
      );
  });
});

describe("two concurrent lists", () => {
  it("that change the same flags in opposite order both succeed", async () => {
    const { projectId, flags } = await targets();
    const [x = 0, y = 0] = flags;
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all([
        run(projectId, [rename(x, `a ${round}`), rename(y, `a ${round}`)]),
        run(projectId, [rename(y, `b ${round}`), rename(x, `b ${round}`)]),
      ]);
      expect(tally(answers)).toEqual({ "200": 2 });
      const names = await rows("SELECT DISTINCT name FROM flags WHERE id IN (?, ?)", x, y);
      expect(names).toHaveLength(1);
    }
    const versions = await rows("SELECT version FROM flags WHERE id IN (?, ?)", x, y);
    expect(versions).toEqual(times(2, () => ({ version: 1 + 2 * ROUNDS })));
  });

  it("never make two flags require each other", async () => {
    const { projectId } = await newWorld();
    for (let round = 0; round < ROUNDS; round++) {
      const [x, y] = [await newFlag(projectId), await newFlag(projectId)];
      const requires = (flag: Json, required: Json) => ({
        kind: "flag.update",
        target: { flagId: flag.id },
        input: { prerequisites: [{ flagKey: required.key }] },
      });
      const answers = await Promise.all([
        run(projectId, [rename(x.id, "a"), requires(x, y)]),
        run(projectId, [rename(y.id, "b"), requires(y, x)]),
      ]);
      expect(answers.map(outcome).toSorted()).toEqual(["200", "400 VALIDATION_ERROR"]);
    }
  });

  it("never delete a segment that the other list starts to use", async () => {
    const { projectId, environmentId } = await newWorld();
    for (let round = 0; round < ROUNDS; round++) {
      const { id: segmentId } = await newSegment(projectId, []);
      const target = { flagId: (await newFlag(projectId)).id, environmentId };
      const answers = await Promise.all([
        run(projectId, [{ kind: "segment.delete", target: { id: segmentId } }]),
        run(projectId, [{ kind: "strategy.set", target, input: { segmentIds: [segmentId] } }]),
      ]);
      expect(["200,404 NOT_FOUND", "409 CONFLICT,200"]).toContain(answers.map(outcome).join());
    }
  });
});
