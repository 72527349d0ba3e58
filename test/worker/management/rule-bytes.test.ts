import { env } from "cloudflare:workers";
import { type SQL, sql } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { readEnvironmentRules } from "../../../src/client/sources/queries.ts";
import { jsonBytes } from "../../../src/core/lib/chunks.ts";
import { buildSnapshot } from "../../../src/core/rules/snapshot.ts";
import { readDb } from "../../../src/db/database.ts";
import { largestRuleBytes, ruleBytes } from "../../../src/db/rule-bytes.ts";
import { environments } from "../../../src/db/schema/projects.ts";
import { listEnvironments } from "../../../src/model/environments/queries.ts";
import type { Answer, Json } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { auditOf, eventsOf, revisionOf } from "../support/records.ts";
import { planOf } from "../support/usage-rows.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";

/** Constraints whose JSON has exactly this many bytes. The letter ä takes two bytes. */
function constraintsOf(bytes: number): readonly object[] {
  const rest = bytes - jsonBytes([inCountries("ä")]);
  const long = "x".repeat(500);
  const more = Math.floor(rest / jsonBytes([long]));
  const first = `ä${"x".repeat(rest - more * (long.length + 3))}`;
  return [inCountries(first, ...Array.from({ length: more }, () => long))];
}

let projectId: number;
let environmentId: number;
let flag: Json;
beforeEach(async () => {
  projectId = (await newProject()).id;
  environmentId = (await newEnvironment(projectId)).id;
  flag = await newFlag(projectId);
});

async function sizeOf(id = environmentId): Promise<number> {
  return (await asAdmin("GET", `/api/v1/environments/${id}`)).body.ruleBytes;
}

/** Returns the length of the list of all rules that SDKs get, bytes. */
async function lengthOfRules(id = environmentId): Promise<number> {
  const rules = await readEnvironmentRules(env.DB, id, Date.now());
  if (!rules) throw new Error("no environment");
  return new TextEncoder().encode(buildSnapshot(rules).body).length;
}

/** Sends a request to a service with a quota of `bytes`. */
const send = async (bytes: number, method: string, path: string, body: object) =>
  callWith({ QUOTA_RULE_BYTES: String(bytes) }, method, `/api/v1/${path}`, {
    token: await adminToken(),
    body,
  });

type Request = readonly [method: string, path: string, body: object];

const strategy = (flagId: number, change: object, inEnvironment = environmentId) =>
  ["PUT", `flags/${flagId}/strategies`, { environmentId: inEnvironment, ...change }] as const;
const flagChange = (id: number, change: object) => ["PUT", `flags/${id}`, change] as const;
const segmentChange = (id: number, change: object) => ["PUT", `segments/${id}`, change] as const;
const creation = (more: object = {}, inProject = projectId) => {
  const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId: inProject };
  return ["POST", "flags", { ...body, ...more }] as const;
};

/** Expects a refusal for the quota. Returns the size that the rules would have, bytes. */
function refusedSize(answer: Answer<Json>): number {
  expect(outcome(answer)).toBe("402 QUOTA_EXCEEDED");
  return Number(
    /^The rules of the environment would have (\d+) bytes/.exec(answer.body.error)?.[1],
  );
}

/**
 * Expects that a request is accepted with a quota of exactly the size after the change, and refused
 * with one byte less. Returns that size.
 */
async function expectExact(request: Request) {
  const size = refusedSize(await send(1, ...request));
  expect(refusedSize(await send(size - 1, ...request))).toBe(size);
  const answer = await send(size, ...request);
  expect(answer.status).toBeLessThan(300);
  return size;
}

/** Returns the outcome of a request while the rules exceed the quota. */
const overQuota = async (request: Request) => outcome(await send(1, ...request));

describe("the size of an environment's rules", () => {
  const text = (maxLength: number, minLength = 1) =>
    fc
      .array(fc.constantFrom("a", "b", "7", "ä", "語", "🧀", "x", "y"), { minLength, maxLength })
      .map((parts) => parts.join(""));
  const key = (maxLength: number) =>
    fc
      .array(fc.constantFrom("a", "b", "c", "x", "y", "z"), { minLength: 1, maxLength })
      .map((all) => all.join(""));
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });
  const constraints = fc.array(
    fc.array(text(40), { minLength: 1, maxLength: 20 }).map((values) => inCountries(...values)),
    { maxLength: 3 },
  );
  const segments = fc.uniqueArray(fc.record({ name: text(200), constraints }), {
    selector: ({ name }) => name.normalize("NFC"),
    minLength: 2,
    maxLength: 4,
  });
  const activation = {
    percentage: fc.nat(100),
    constraints,
    segments: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
    stickiness: maybe(key(20)),
    hashKey: maybe(key(128)),
    splitKey: maybe(key(128)),
    splitStickiness: maybe(key(20)),
    weight: maybe(fc.integer({ min: 1, max: 99 })),
  };
  const project = fc.record({
    segments,
    flags: fc.array(
      fc.record({
        key: key(100),
        name: text(200),
        values: maybe(
          fc.tuple(fc.oneof(fc.nat(9), text(300), fc.array(text(9))), maybe(text(200)), key(30)),
        ),
        requires: fc.boolean(),
        strategy: maybe(
          fc.record({
            ...activation,
            rules: fc.array(fc.record({ ...activation, name: maybe(text(100)) }), { maxLength: 4 }),
          }),
        ),
      }),
      { minLength: 5, maxLength: 20 },
    ),
  });
  type Project = typeof project extends fc.Arbitrary<infer T> ? T : never;

  /** Returns the operations that create the flags, segments and strategies of a project. */
  function operationsOf({ segments: all, flags }: Project, inEnvironment: number): object[] {
    const names = all.map(({ name }) => name);
    const keys = flags.map((one, n) => `${one.key}-${n}`);
    const fieldsOf = (one: Json, variants: readonly string[]) => {
      const { segments: used, weight, rules: _, ...fields } = one;
      const [first, second] = variants;
      const serve = weight && { weights: { [first!]: weight, [second!]: 100 - weight } };
      const segmentIds = [...new Set(used.map((n: number) => names[n % names.length]))];
      return { ...fields, segmentIds, ...(serve && { serve }) };
    };
    return [
      ...all.map((input) => ({ kind: "segment.create", input })),
      ...flags.flatMap(({ name, values, requires, strategy: set }, n) => {
        const [value, description, variant = ""] = values ?? [];
        const variants = values && [
          { key: `${variant}1`, value, description },
          { key: `${variant}2`, value: [value] },
        ];
        const served = variants ? variants.map((one) => one.key) : ["on", "off"];
        const prerequisites = n > 0 && requires ? [{ flagKey: keys[n - 1], enabled: false }] : [];
        const input = { key: keys[n], name, flagType: "RELEASE", prerequisites };
        return [
          {
            kind: "flag.create",
            input: { ...input, ...(variants && { valueType: "json", variants }) },
          },
          ...(set
            ? [
                {
                  kind: "strategy.set",
                  target: { flagKey: keys[n], environmentId: inEnvironment },
                  input: {
                    ...fieldsOf(set, served),
                    rules: set.rules.map((rule) => fieldsOf(rule, served)),
                  },
                },
              ]
            : []),
        ];
      }),
    ];
  }

  it("is within 10 % of the length of the list of all rules, for random projects", async () => {
    await fc.assert(
      fc.asyncProperty(project, async (random) => {
        const world = await newWorld();
        const operations = operationsOf(random, world.environmentId);
        const body = { projectId: world.projectId, operations };
        expect(outcome(await asAdmin("POST", "/api/v1/operations", body))).toBe("200");
        const size = await sizeOf(world.environmentId);
        const ratio = size / (await lengthOfRules(world.environmentId));
        expect(ratio).toBeGreaterThan(0.9);
        expect(ratio).toBeLessThan(1.1);
      }),
      { numRuns: 20, seed: 4 },
    );
  });

  it("is exact for flags with a prerequisite, values, and rules with a fraction of a percentage", async () => {
    const variants = [
      { key: "blue", value: "#11c", description: "SDKs do not get it" },
      { key: "red", value: "#e33" },
    ];
    const required = await newFlag(projectId);
    const prerequisites = [{ flagKey: required.key, enabled: false }];
    const valued = await newFlag(projectId, { valueType: "string", variants, prerequisites });
    await setStrategy(valued.id, {
      environmentId,
      enabled: true,
      rules: [
        { name: "SDKs do not get it", exactPercentage: 12.5, serve: { variant: "red" } },
        { constraints: [inCountries("CH")], serve: { weights: { blue: 50, red: 50 } } },
      ],
      exactPercentage: 0.25,
    });
    await setStrategy(flag.id, { environmentId, enabled: true, hashKey: "h" });
    // Beside the rules, the size counts a bracket and a comma. "enabled" is a byte shorter when true.
    expect(Math.abs((await sizeOf()) - (await lengthOfRules()))).toBeLessThan(6);
  });

  it("counts the names of segments as often as rules use the segments, and refuses too many", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `${"語".repeat(198)}${n + 10}`);
    const operations = names.map((name) => ({ kind: "segment.create", input: { name } }));
    await asAdmin("POST", "/api/v1/operations", { projectId, operations });
    const { body: created } = await asAdmin("GET", `/api/v1/segments?projectId=${projectId}`);
    const segmentIds = created.map(({ id }: Json) => id);
    const rules = Array.from({ length: 50 }, () => ({ segmentIds }));
    const other = await newFlag(projectId);
    expect((await send(1_000_000, ...strategy(flag.id, { rules }))).status).toBe(200);
    const refused = refusedSize(await send(1_000_000, ...strategy(other.id, { rules })));
    expect(refused).toBeGreaterThan(2 * 50 * 20 * 600);
    expect(await lengthOfRules(environmentId)).toBeLessThanOrEqual(await sizeOf());
  });

  it("counts archived flags, and not deleted ones", async () => {
    await setStrategy(flag.id, { environmentId, constraints: constraintsOf(200) });
    const size = await sizeOf();
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    expect(await sizeOf()).toBe(size);
    await asAdmin("DELETE", `/api/v1/flags/${flag.id}`);
    expect(await sizeOf()).toBe(0);
  });

  it("is separate for each environment, and in the list of environments with the quota", async () => {
    const other = await newEnvironment(projectId);
    const size = await sizeOf();
    await setStrategy(flag.id, { environmentId, constraints: constraintsOf(202) });
    await setStrategy(flag.id, { environmentId: other.id, constraints: constraintsOf(152) });
    const { body } = await asAdmin("GET", `/api/v1/environments?projectId=${projectId}`);
    expect(body).toMatchObject([
      { id: environmentId, ruleBytes: size + 200, ruleBytesLimit: 2_000_000 },
      { id: other.id, ruleBytes: size + 150, ruleBytesLimit: 2_000_000 },
    ]);
  });
});

describe("the quota of rule bytes", () => {
  it("accepts a strategy that fills the quota exactly, and rejects one more byte with 402 and the size, and without a trace", async () => {
    const size = await expectExact(strategy(flag.id, { constraints: constraintsOf(1000) }));
    const revision = await revisionOf(environmentId);
    const refused = await send(size, ...strategy(flag.id, { constraints: constraintsOf(1001) }));
    expect([await auditOf(refused), await eventsOf(refused)]).toEqual([[], []]);
    expect(await revisionOf(environmentId)).toBe(revision);
    expect(refused.body.error).toBe(
      `The rules of the environment would have ${size + 1} bytes; the quota is ${size} bytes`,
    );
    expect(await sizeOf()).toBe(size);
  });

  it("counts every field that SDKs get, and accepts a change that fills the quota exactly", async () => {
    const { id } = await newSegment(projectId, constraintsOf(300));
    for (const change of [
      { segmentIds: [id] },
      { hashKey: "h" },
      { stickiness: "s" },
      { serve: { weights: { on: 50, off: 50 } } },
      { splitKey: "k" },
      { splitStickiness: "s2" },
      { rules: [{ segmentIds: [id] }] },
    ])
      await expectExact(strategy(flag.id, change));
    await expectExact(segmentChange(id, { name: "n".repeat(100) }));
    await expectExact(segmentChange(id, { constraints: constraintsOf(310) }));
    await expectExact(flagChange(flag.id, { name: "A longer name of the flag" }));
    const required = await newFlag(projectId);
    const size = await expectExact(
      flagChange(flag.id, { prerequisites: [{ flagKey: required.key }] }),
    );
    expect(await expectExact(creation())).toBeGreaterThan(size + 100);
    const variants = [{ key: "a", value: "x".repeat(300) }];
    await expectExact(creation({ valueType: "string", variants }));
  });

  it("does not count the rules of other environments", async () => {
    const other = await newEnvironment(projectId);
    await setStrategy(flag.id, { environmentId: other.id, constraints: constraintsOf(900) });
    const room = (await sizeOf()) + 900;
    const change = strategy(flag.id, { constraints: constraintsOf(900) });
    expect((await send(room, ...change)).status).toBe(200);
  });

  it("never rejects a change that makes no rule larger, such as switching a flag off", async () => {
    const large = { environmentId, enabled: true, constraints: constraintsOf(1500) };
    await setStrategy(flag.id, large);
    expect(await overQuota(strategy(flag.id, { enabled: false }))).toBe("200");
    expect(await overQuota(strategy(flag.id, { constraints: constraintsOf(1400) }))).toBe("200");
    refusedSize(await send(1, ...strategy(flag.id, { constraints: constraintsOf(1401) })));
    expect(
      await overQuota(flagChange(flag.id, { description: "n".repeat(500), tags: ["t"] })),
    ).toBe("200");
    const segment = await newSegment(projectId, constraintsOf(200));
    expect(await overQuota(segmentChange(segment.id, { constraints: constraintsOf(2000) }))).toBe(
      "200",
    );
  });

  it("never rejects a strategy that gets larger constraints or another segment, if its rule does not grow", async () => {
    const large = await newSegment(projectId, constraintsOf(1500));
    const small = await newSegment(projectId, constraintsOf(1300));
    await setStrategy(flag.id, { environmentId, segmentIds: [large.id] });
    expect(await overQuota(strategy(flag.id, { segmentIds: [small.id] }))).toBe("200");
    refusedSize(await send(1, ...strategy(flag.id, { segmentIds: [large.id] })));
    const constraints = constraintsOf(1300);
    expect(await overQuota(strategy(flag.id, { constraints, segmentIds: [] }))).toBe("200");
  });

  it("rejects a segment that grows beyond the quota of any environment that uses the segment", async () => {
    const segment = await newSegment(projectId, constraintsOf(200));
    const other = await newFlag(projectId);
    const full = await newEnvironment(projectId);
    for (const { id } of [flag, other])
      await setStrategy(id, { environmentId: full.id, segmentIds: [segment.id] });
    await setStrategy(flag.id, { environmentId, segmentIds: [segment.id] });
    const before = await sizeOf(full.id);
    const grow = segmentChange(segment.id, { constraints: constraintsOf(500) });
    expect(await expectExact(grow)).toBe(before + 2 * 300);
  });

  it("is not exceeded by eight concurrent requests", async () => {
    const flags = [];
    for (let n = 0; n < 8; n++) flags.push(await newFlag(projectId));
    const before = await sizeOf();
    const answers = await Promise.all(
      flags.map(({ id }) =>
        send(before + 1000, ...strategy(id, { constraints: constraintsOf(302) })),
      ),
    );
    expect(answers.map(outcome).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => "200"),
      ...Array.from({ length: 5 }, () => "402 QUOTA_EXCEEDED"),
    ]);
    expect(await sizeOf()).toBe(before + 900);
  });
});

describe("the flags of a project", () => {
  it("are counted with the rules of the environment whose rules are largest", async () => {
    const large = await newEnvironment(projectId);
    const change = { environmentId: large.id, constraints: constraintsOf(500) };
    await setStrategy(flag.id, change);
    expect(await expectExact(creation())).toBe(await sizeOf(large.id));
    expect(await sizeOf(large.id)).toBeGreaterThan(await sizeOf());
  });

  it("do not count for other projects", async () => {
    const other = await newProject();
    await newEnvironment(other.id);
    const size = refusedSize(await send(1, ...creation({}, other.id)));
    expect((await send(size, ...creation({}, other.id))).status).toBe(201);
  });

  it("are limited before the project has its first environment", async () => {
    const { id } = await newProject();
    const size = await expectExact(creation({}, id));
    expect(await sizeOf((await newEnvironment(id)).id)).toBe(size);
  });

  it("and the rules of a strategy cannot exceed the quota together, when both are written at the same time", async () => {
    for (let round = 0; round < 15; round++) {
      const { id: inProject } = await newProject();
      const environment = await newEnvironment(inProject);
      const [one, two] = [await newFlag(inProject), await newFlag(inProject)];
      const before = await sizeOf(environment.id);
      const answers = await Promise.all([
        send(
          before + 700,
          ...strategy(one.id, { constraints: constraintsOf(602) }, environment.id),
        ),
        round % 2 === 0
          ? send(before + 700, ...flagChange(two.id, { name: "n".repeat(120) }))
          : send(before + 700, ...creation({}, inProject)),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 402)).toHaveLength(1);
      expect(await sizeOf(environment.id)).toBeLessThanOrEqual(before + 700);
    }
  });
});

it("the SQL queries for the size of the rules search indexes, and read no rows of strategies", async () => {
  const db = readDb(env.DB.withSession());
  const bytes = (expression: SQL) => planOf(db.select({ bytes: expression }).from(environments));
  const grown = { projectId: 1, all: false, environmentIds: [], segmentIds: [] };
  const plans = await Promise.all([
    bytes(ruleBytes(1)),
    bytes(sql`(${largestRuleBytes({ ...grown, segmentIds: [3] })})`),
    bytes(sql`(${largestRuleBytes({ ...grown, environmentIds: [1] })})`),
    bytes(sql`(${largestRuleBytes({ ...grown, all: true })})`),
    planOf(listEnvironments(db, { projectId: 1, hidden: [], only: undefined }, false)),
  ]);
  for (const plan of plans) {
    const tables = /^\w+ (?:flags|f|p|r|strategies|strategy_segments|strategy_rule_segments)\b/;
    const steps = plan.filter((step) => tables.test(step));
    expect(steps.filter((step) => !step.startsWith("SEARCH "))).toEqual([]);
    for (const index of [
      "strategies USING COVERING INDEX strategies_rule_bytes (env",
      "flags USING COVERING INDEX flags_rule_bytes (project",
    ])
      expect(steps).toContainEqual(expect.stringContaining(index));
  }
});
