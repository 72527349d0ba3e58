import { env } from "cloudflare:workers";
import { type SQL, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { jsonBytes } from "../../../src/core/lib/chunks.ts";
import { readDb } from "../../../src/db/database.ts";
import { largestRuleBytes, ruleBytes } from "../../../src/db/rule-bytes.ts";
import { environments } from "../../../src/db/schema/projects.ts";
import { listEnvironments } from "../../../src/management/environments/queries.ts";
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

const QUOTA = 1000;
const quota = { QUOTA_RULE_BYTES: String(QUOTA) };

async function put(path: string, body: object) {
  return callWith(quota, "PUT", `/api/v1/${path}`, { token: await adminToken(), body });
}

let projectId: number;
let environmentId: number;
let flag: Json;
beforeEach(async () => {
  projectId = (await newProject()).id;
  environmentId = (await newEnvironment(projectId)).id;
  flag = await newFlag(projectId);
});

const set = (flagId: number, change: object) =>
  put(`flags/${flagId}/strategies`, { environmentId, ...change });

async function sizeOf(id = environmentId): Promise<number> {
  return (await asAdmin("GET", `/api/v1/environments/${id}`)).body.ruleBytes;
}

describe("the size of an environment's rules", () => {
  it("is 0 for new flags, and counts the constraints of strategies and segments as often as they are used", async () => {
    expect(await sizeOf()).toBe(0);
    const segment = await newSegment(projectId, constraintsOf(300));
    await newSegment(projectId, constraintsOf(400));
    const other = await newFlag(projectId);
    const change = { environmentId, segmentIds: [segment.id] };
    await setStrategy(flag.id, { ...change, constraints: constraintsOf(200) });
    expect(await sizeOf()).toBe(500);
    await setStrategy(other.id, change);
    expect(await sizeOf()).toBe(800);
    await asAdmin("PUT", `/api/v1/segments/${segment.id}`, { constraints: constraintsOf(310) });
    expect(await sizeOf()).toBe(820);
    await setStrategy(other.id, { environmentId, segmentIds: [] });
    expect(await sizeOf()).toBe(510);
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    expect(await sizeOf()).toBe(510);
    await asAdmin("DELETE", `/api/v1/flags/${flag.id}`);
    expect(await sizeOf()).toBe(0);
  });

  it("counts the JSON of ordered rules and slots, and the segments of each ordered rule", async () => {
    const segment = await newSegment(projectId, constraintsOf(300));
    await setStrategy(flag.id, { environmentId, serve: { variant: "off" } });
    expect(await sizeOf()).toBe(0);
    const serve = { weights: { on: 50, off: 50 } };
    await setStrategy(flag.id, { environmentId, serve });
    const slots = [
      [0, 50_000, "on"],
      [100_000, 50_000, "off"],
    ];
    const splitBytes = jsonBytes({ slots });
    expect(await sizeOf()).toBe(splitBytes);
    const rule = { constraints: constraintsOf(200), segmentIds: [segment.id] };
    const { rules } = await setStrategy(flag.id, {
      environmentId,
      segmentIds: [segment.id],
      rules: [rule, rule],
    });
    const stored = rules.map((one: Json) => Object.assign(one, { exactPercentage: null }));
    expect(await sizeOf()).toBe(splitBytes + jsonBytes(stored) + 3 * 300);
    await asAdmin("PUT", `/api/v1/segments/${segment.id}`, { constraints: constraintsOf(310) });
    expect(await sizeOf()).toBe(splitBytes + jsonBytes(stored) + 3 * 310);
    await setStrategy(flag.id, { environmentId, segmentIds: [], rules: [] });
    expect(await sizeOf()).toBe(splitBytes);
  });

  it("counts the variants of all flags in each environment", async () => {
    const other = await newEnvironment(projectId);
    const variants = [{ key: "blue", value: "#1971c2" }];
    await newFlag(projectId, { valueType: "string", variants });
    const bytes = jsonBytes(variants);
    expect([await sizeOf(), await sizeOf(other.id)]).toEqual([bytes, bytes]);
  });

  it("is separate for each environment, and in the list of environments with the quota", async () => {
    const other = await newEnvironment(projectId);
    await setStrategy(flag.id, { environmentId, constraints: constraintsOf(200) });
    await setStrategy(flag.id, { environmentId: other.id, constraints: constraintsOf(150) });
    const { body } = await asAdmin("GET", `/api/v1/environments?projectId=${projectId}`);
    expect(body).toMatchObject([
      { id: environmentId, ruleBytes: 200, ruleBytesLimit: 8_000_000 },
      { id: other.id, ruleBytes: 150, ruleBytesLimit: 8_000_000 },
    ]);
  });
});

describe("the quota of rule bytes", () => {
  it("accepts a strategy that fills the quota exactly, and rejects one more byte with 402 and the size, and without a trace", async () => {
    expect((await set(flag.id, { constraints: constraintsOf(QUOTA) })).status).toBe(200);
    const revision = await revisionOf(environmentId);
    const refused = await set(flag.id, { constraints: constraintsOf(QUOTA + 1) });
    expect([await auditOf(refused), await eventsOf(refused)]).toEqual([[], []]);
    expect(await revisionOf(environmentId)).toBe(revision);
    expect(outcome(refused)).toBe("402 QUOTA_EXCEEDED");
    expect(refused.body.error).toBe(
      "The rules of the environment would have 1001 bytes; the quota is 1000 bytes",
    );
    expect(await sizeOf()).toBe(QUOTA);
  });

  it("counts the strategies of other flags and the segments of the new strategy", async () => {
    const other = await newFlag(projectId);
    const segment = await newSegment(projectId, constraintsOf(300));
    await set(other.id, { constraints: constraintsOf(600) });
    const both = { constraints: constraintsOf(101), segmentIds: [segment.id] };
    expect((await set(flag.id, both)).body.error).toContain("would have 1001 bytes");
    expect((await set(flag.id, { segmentIds: [segment.id] })).status).toBe(200);
    expect((await set(flag.id, { constraints: constraintsOf(101) })).status).toBe(402);
    expect((await set(flag.id, { constraints: constraintsOf(100) })).status).toBe(200);
  });

  it("does not count the rules of other environments", async () => {
    const other = await newEnvironment(projectId);
    await setStrategy(flag.id, { environmentId: other.id, constraints: constraintsOf(900) });
    expect((await set(flag.id, { constraints: constraintsOf(900) })).status).toBe(200);
  });

  it("never rejects a change that makes no rule larger, such as switching a flag off", async () => {
    await setStrategy(flag.id, {
      environmentId,
      enabled: true,
      constraints: constraintsOf(QUOTA + 500),
    });
    expect((await set(flag.id, { enabled: false })).status).toBe(200);
    expect((await set(flag.id, { constraints: constraintsOf(QUOTA + 400) })).status).toBe(200);
    expect((await set(flag.id, { constraints: constraintsOf(QUOTA + 401) })).status).toBe(402);
  });

  it("never rejects a strategy that gets larger constraints or another segment, if its rule does not grow", async () => {
    const large = await newSegment(projectId, constraintsOf(QUOTA + 500));
    const small = await newSegment(projectId, constraintsOf(QUOTA + 300));
    await setStrategy(flag.id, { environmentId, segmentIds: [large.id] });
    expect((await set(flag.id, { segmentIds: [small.id] })).status).toBe(200);
    const refused = await set(flag.id, { segmentIds: [large.id] });
    expect(refused.body.error).toContain("would have 1500 bytes");
    const constraints = constraintsOf(QUOTA + 300);
    expect((await set(flag.id, { constraints, segmentIds: [] })).status).toBe(200);
  });

  it("counts ordered rules, their segments and slots, and does not count what they replace", async () => {
    const segment = await newSegment(projectId, constraintsOf(400));
    const rules = [{ segmentIds: [segment.id] }, { segmentIds: [segment.id] }];
    const refused = await set(flag.id, { segmentIds: [segment.id], rules });
    expect(outcome(refused)).toBe("402 QUOTA_EXCEEDED");
    expect(refused.body.error).toMatch(/would have 1[4-9]\d\d bytes/);
    const { body } = await set(flag.id, { rules: [{ constraints: constraintsOf(600) }] });
    const [{ id }] = body.rules;
    expect((await set(flag.id, { rules: [{ constraints: constraintsOf(700) }] })).status).toBe(200);
    expect(outcome(await set(flag.id, { rules: [{ id }] }))).toBe("400 VALIDATION_ERROR");
    expect((await set(flag.id, { rules: [{ constraints: constraintsOf(900) }] })).status).toBe(402);
    const split = { serve: { weights: { on: 50, off: 50 } }, segmentIds: [segment.id] };
    expect((await set(flag.id, split)).status).toBe(402);
    expect((await set(flag.id, { ...split, rules: [] })).status).toBe(200);
  });

  it("rejects a segment that grows beyond the quota of any environment that uses the segment", async () => {
    const segment = await newSegment(projectId, constraintsOf(200));
    const other = await newFlag(projectId);
    const full = await newEnvironment(projectId);
    for (const { id } of [flag, other])
      await setStrategy(id, { environmentId: full.id, segmentIds: [segment.id] });
    await set(flag.id, { segmentIds: [segment.id] });
    const grow = (bytes: number) =>
      put(`segments/${segment.id}`, { constraints: constraintsOf(bytes) });
    const refused = await grow(501);
    expect(outcome(refused)).toBe("402 QUOTA_EXCEEDED");
    expect(refused.body.error).toContain("would have 1002 bytes");
    expect((await grow(500)).status).toBe(200);
    expect((await put(`segments/${segment.id}`, { name: "renamed" })).status).toBe(200);
  });

  it("does not limit a segment that no strategy uses", async () => {
    const segment = await newSegment(projectId, []);
    const answer = await put(`segments/${segment.id}`, { constraints: constraintsOf(2 * QUOTA) });
    expect(answer.status).toBe(200);
  });

  it("is not exceeded by eight concurrent requests", async () => {
    const flags = [];
    for (let n = 0; n < 8; n++) flags.push(await newFlag(projectId));
    const answers = await Promise.all(
      flags.map(({ id }) => set(id, { constraints: constraintsOf(300) })),
    );
    expect(answers.map(outcome).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => "200"),
      ...Array.from({ length: 5 }, () => "402 QUOTA_EXCEEDED"),
    ]);
    expect(await sizeOf()).toBe(900);
  });
});

describe("the variants of a flag", () => {
  /** Variants whose JSON has exactly this many bytes. The letter ä takes two bytes. */
  function variantsOf(bytes: number): readonly object[] {
    const key = "a";
    return [{ key, value: `ä${"x".repeat(bytes - jsonBytes([{ key, value: "ä" }]))}` }];
  }

  const create = async (bytes: number, inProject = projectId) => {
    const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId: inProject };
    const values = { valueType: "string", variants: variantsOf(bytes) };
    const options = { token: await adminToken(), body: { ...body, ...values } };
    return callWith(quota, "POST", "/api/v1/flags", options);
  };
  const change = (id: number, fields: object) => put(`flags/${id}`, fields);
  const tooLarge = (bytes: number) => [
    "402 QUOTA_EXCEEDED",
    `The rules of the environment would have ${bytes} bytes; the quota is ${QUOTA} bytes`,
  ];
  const refusal = (answer: Answer<Json>) => [outcome(answer), answer.body.error];

  it("may fill the quota exactly, and one more byte returns 402 without a trace, for a new flag and for a change", async () => {
    const refused = await create(QUOTA + 1);
    const { status, body } = await create(QUOTA);
    expect([status, await sizeOf()]).toEqual([201, QUOTA]);
    const revision = await revisionOf(environmentId);
    const grown = await change(body.id, { name: "Other", variants: variantsOf(QUOTA + 1) });
    for (const answer of [refused, grown]) {
      expect(refusal(answer)).toEqual(tooLarge(QUOTA + 1));
      expect([await auditOf(answer), await eventsOf(answer)]).toEqual([[], []]);
    }
    expect(await revisionOf(environmentId)).toBe(revision);
    expect((await asAdmin("GET", `/api/v1/flags/${body.id}`)).body).toEqual(body);
  });

  it("are counted with the rules of the environment whose rules are largest, and with all variants of the project", async () => {
    const segment = await newSegment(projectId, constraintsOf(100));
    const rules = [{ segmentIds: [segment.id] }, { segmentIds: [segment.id] }];
    const large = await newEnvironment(projectId);
    await setStrategy(flag.id, { environmentId, constraints: constraintsOf(150) });
    await setStrategy(flag.id, { environmentId: large.id, constraints: constraintsOf(150), rules });
    const { body } = await create(100);
    const size = await sizeOf(large.id);
    const room = QUOTA - size;
    expect(await sizeOf()).toBe(250);
    expect(refusal(await create(room + 1))).toEqual(tooLarge(QUOTA + 1));
    const grown = await change(body.id, { variants: variantsOf(100 + room + 1) });
    expect(refusal(grown)).toEqual(tooLarge(QUOTA + 1));
    expect((await change(body.id, { variants: variantsOf(100 + room) })).status).toBe(200);
    expect(await sizeOf(large.id)).toBe(QUOTA);
  });

  it("do not count for other projects", async () => {
    const other = await newProject();
    await newEnvironment(other.id);
    expect((await create(QUOTA, other.id)).status).toBe(201);
    expect((await create(QUOTA)).status).toBe(201);
  });

  it("are limited before the project has its first environment", async () => {
    const { id } = await newProject();
    expect((await create(600, id)).status).toBe(201);
    expect(refusal(await create(401, id))).toEqual(tooLarge(QUOTA + 1));
    expect((await create(400, id)).status).toBe(201);
    expect(await sizeOf((await newEnvironment(id)).id)).toBe(QUOTA);
  });

  it("can shrink above the quota, and the other fields of the flag can change", async () => {
    const variants = variantsOf(QUOTA + 500);
    const { id } = await newFlag(projectId, { valueType: "string", variants });
    const valueSchema = { type: "string", title: "t".repeat(QUOTA) };
    expect((await change(id, { name: "Other", variants, valueSchema })).status).toBe(200);
    expect((await change(id, { variants: variantsOf(QUOTA + 400) })).status).toBe(200);
    expect((await change(id, { variants: variantsOf(QUOTA + 401) })).status).toBe(402);
    expect((await asAdmin("POST", `/api/v1/flags/${id}/archive`)).status).toBe(200);
    expect((await newFlag(projectId, { prerequisites: [] })).valueType).toBe("boolean");
  });

  it("and the rules of a strategy cannot exceed the quota together, when both are written at the same time", async () => {
    for (let round = 0; round < 15; round++) {
      const { id: inProject } = await newProject();
      const environment = await newEnvironment(inProject);
      const [one, two] = [await newFlag(inProject), (await create(100, inProject)).body];
      const strategy = { environmentId: environment.id, constraints: constraintsOf(600) };
      const answers = await Promise.all([
        put(`flags/${one.id}/strategies`, strategy),
        round % 2 === 0 ? change(two.id, { variants: variantsOf(600) }) : create(500, inProject),
      ]);
      expect([
        "200,402 QUOTA_EXCEEDED",
        "402 QUOTA_EXCEEDED,200",
        "402 QUOTA_EXCEEDED,201",
      ]).toContain(answers.map(outcome).join(","));
      expect(await sizeOf(environment.id)).toBe(answers[0].status === 200 ? 700 : 600);
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
    planOf(listEnvironments(db, 1, false)),
  ]);
  for (const plan of plans) {
    const tables = /^\w+ (?:f|strategies|strategy_segments|strategy_rule_segments)\b/;
    const steps = plan.filter((step) => tables.test(step));
    expect(steps.filter((step) => !step.startsWith("SEARCH "))).toEqual([]);
    for (const index of [
      "strategies USING COVERING INDEX strategies_rule_bytes (env",
      "strategies USING COVERING INDEX strategies_ordered_rule_bytes (env",
      "strategies USING COVERING INDEX strategies_split_bytes (env",
      "f USING COVERING INDEX flags_variant_bytes (project",
    ])
      expect(steps).toContainEqual(expect.stringContaining(index));
  }
});
