import { beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../support/client.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { defaultStrategy, time } from "../support/shapes.ts";
import {
  inCountries,
  newContext,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  setStrategy,
} from "../support/world.ts";

let projectId: number;
let environmentId: number;
let flagId: number;
beforeEach(async () => {
  projectId = (await newProject()).id;
  environmentId = (await newEnvironment(projectId)).id;
  flagId = (await newFlag(projectId)).id;
});

const path = () => `/api/v1/flags/${flagId}/strategies`;
const set = (change: object) => setStrategy(flagId, { environmentId, ...change });
const tryToSet = (change: object) => asAdmin("PUT", path(), { environmentId, ...change });
const read = async () => (await asAdmin("GET", `${path()}/${environmentId}`)).body;

const unset = {
  percentage: 100,
  exactPercentage: 100,
  constraints: [],
  segmentIds: [],
  stickiness: null,
  hashKey: null,
  serve: { variant: "on" },
  splitKey: null,
  splitStickiness: null,
};

describe("the fields of a strategy", () => {
  const content = {
    enabled: true,
    percentage: 33,
    exactPercentage: 33.333,
    stickiness: "company",
    hashKey: "imported-group",
    serve: { variant: "off" },
    splitKey: "imported-split",
    splitStickiness: "device",
  };

  it("are read as they were set, alone and in every list", async () => {
    const answer = await set(content);
    expect(answer).toEqual({
      ...defaultStrategy,
      flagId,
      environmentId,
      environmentName: answer.environmentName,
      ...content,
      version: 1,
      updatedAt: time,
    });
    expect(await read()).toEqual(answer);
    const inProject = `projectId=${projectId}`;
    const lists = [
      (await asAdmin("GET", path())).body[0],
      (await asAdmin("GET", `/api/v1/flags/by-environment?environmentId=${environmentId}`)).body
        .items[0].strategy,
      (await asAdmin("GET", `/api/v1/flags/enriched?${inProject}`)).body.items[0].environments[0]
        .strategy,
    ];
    expect(lists).toEqual([answer, answer, answer]);
  });
});

describe("the ordered rules of a strategy", () => {
  it("get an id from the server and defaults, and are read as they were set", async () => {
    const segment = await newSegment(projectId, []);
    const staff = {
      name: "Staff",
      percentage: 12,
      exactPercentage: 12.5,
      constraints: [inCountries("de")],
      segmentIds: [segment.id],
      stickiness: "company",
      hashKey: "group",
      serve: { variant: "off" },
      splitKey: "split",
      splitStickiness: "device",
    };
    const { rules } = await set({ rules: [staff, {}] });
    const id = expect.stringMatching(/^[a-z0-9]{8,12}$/);
    expect(rules).toEqual([
      { id, ...staff },
      { id, name: null, ...unset },
    ]);
    expect(rules[0].id).not.toBe(rules[1].id);
    expect((await read()).rules).toEqual(rules);
  });

  it("are rejected with an id that the strategy does not have, and with the same id twice", async () => {
    const { rules } = await set({ rules: [{}] });
    const known = { id: rules[0].id };
    const answer = await tryToSet({ rules: [known, { id: "unknown123" }, {}, known] });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(["rules.1.id", "rules.3.id"]);
  });
});

describe("the percentages of a strategy and of its ordered rules", () => {
  it.each([
    [{ exactPercentage: 33.3333 }, ["exactPercentage"]],
    [{ exactPercentage: 0.0001 }, ["exactPercentage"]],
    [{ exactPercentage: -0.001 }, ["exactPercentage"]],
    [{ exactPercentage: 100.001 }, ["exactPercentage"]],
    [{ exactPercentage: "12.5" }, ["exactPercentage"]],
    [{ exactPercentage: null }, ["exactPercentage"]],
    [{ exactPercentage: 33.333, percentage: 34 }, ["exactPercentage"]],
    [{ exactPercentage: 33, percentage: 32 }, ["exactPercentage"]],
    [{ exactPercentage: 12.5, percentage: 12.5 }, ["percentage"]],
    [{ percentage: 101 }, ["percentage"]],
  ])("are rejected, and the 400 names the field: %j", async (change, fields) => {
    const own = await tryToSet(change);
    expect(outcome(own)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(own)).toEqual(fields);
    const ordered = await tryToSet({ rules: [{}, change] });
    expect(outcome(ordered)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(ordered)).toEqual(fields.map((field) => `rules.1.${field}`));
    expect((await read()).version).toBe(0);
  });
});

describe("a strategy with fields that are not allowed", () => {
  const segmentIds = Array.from({ length: 21 }, (_, n) => n + 1);
  it.each([
    [{ rules: Array.from({ length: 51 }, () => ({})) }, ["rules"]],
    [{ rules: {} }, ["rules"]],
    [{ rules: [null, "rule"] }, ["rules.0", "rules.1"]],
    [{ rules: [{ name: "" }, { name: "n".repeat(101) }] }, ["rules.0.name", "rules.1.name"]],
    [{ rules: [{ id: 7 }] }, ["rules.0.id"]],
    [{ rules: [{ segmentIds }] }, ["rules.0.segmentIds"]],
    [{ rules: [{ constraints: [{}] }] }, expect.arrayContaining(["rules.0.constraints.0.field"])],
    [{ hashKey: "", splitKey: "k".repeat(129) }, ["hashKey", "splitKey"]],
    [{ stickiness: 5, splitStickiness: "" }, ["splitStickiness", "stickiness"]],
    [
      { rules: [{ hashKey: "k".repeat(129), splitStickiness: "f".repeat(201) }] },
      ["rules.0.hashKey", "rules.0.splitStickiness"],
    ],
    [
      {
        stickiness: "f\ud800",
        rules: [{ hashKey: "\udfff", splitKey: "\ud800", splitStickiness: "\ud800" }],
      },
      ["rules.0.hashKey", "rules.0.splitKey", "rules.0.splitStickiness", "stickiness"],
    ],
  ])("is rejected, and the 400 names each field: %j", async (change, fields) => {
    const answer = await tryToSet(change);
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(fields);
  });

  it("is accepted with the largest allowed fields", async () => {
    const rule = { name: "n".repeat(100), hashKey: "k".repeat(128), splitKey: "s".repeat(128) };
    const { rules } = await set({ rules: Array.from({ length: 50 }, () => rule) });
    expect(rules).toHaveLength(50);
    expect(rules[49]).toMatchObject(rule);
  });
});

describe("a segment in use", () => {
  it.each([
    ["a strategy", (segmentIds: number[]) => ({ segmentIds })],
    ["two ordered rules", (segmentIds: number[]) => ({ rules: [{ segmentIds }, { segmentIds }] })],
  ])("cannot be deleted while %s has it, and the 409 names the flag", async (_, use) => {
    const segment = await newSegment(projectId, []);
    const remove = () => asAdmin("DELETE", `/api/v1/segments/${segment.id}`);
    await set(use([segment.id]));
    const refused = await remove();
    expect(outcome(refused)).toBe("409 CONFLICT");
    const { key } = (await asAdmin("GET", `/api/v1/flags/${flagId}`)).body;
    expect(refused.body.error).toContain(key);
    await set({ segmentIds: [], rules: [{}] });
    expect((await remove()).status).toBe(204);
  });
});

describe("a segment that an ordered rule uses", () => {
  it("selects the flag in lists that are filtered by the segment, and is in its enriched form", async () => {
    const segment = await newSegment(projectId, [inCountries("de")]);
    await newFlag(projectId);
    const list = async (filter: string) =>
      (await asAdmin("GET", `/api/v1/flags/enriched?projectId=${projectId}&${filter}`)).body.items;
    expect(await list(`segmentId=${segment.id}`)).toEqual([]);
    await set({ rules: [{ segmentIds: [segment.id] }] });
    const [item, ...others] = await list(`segmentId=${segment.id}`);
    expect([item.id, item.segments, others]).toEqual([flagId, [segment], []]);
  });
});

it("a field of the evaluation context is in the enriched flag when only an ordered rule uses the field", async () => {
  const context = await newContext(projectId);
  await set({ rules: [{ constraints: [{ ...inCountries("de"), field: context.contextKey }] }] });
  const { items } = (await asAdmin("GET", `/api/v1/flags/enriched?projectId=${projectId}`)).body;
  expect(items[0].contexts.map(({ id }: Json) => id)).toEqual([context.id]);
});
