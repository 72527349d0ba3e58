import { beforeEach, describe, expect, it } from "vitest";
import { callWith } from "../support/call-with.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { auditOf, eventsOf, revisionOf } from "../support/records.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newSubscriber,
  setStrategy,
} from "../support/world.ts";

const variants = ["blue", "red", "green"].map((key) => ({ key, value: `#${key}` }));

let projectId: number;
let environmentId: number;
let flagId: number;
beforeEach(async () => {
  projectId = (await newProject()).id;
  environmentId = (await newEnvironment(projectId)).id;
  flagId = (await newFlag(projectId, { valueType: "string", variants })).id;
});

const path = () => `/api/v1/flags/${flagId}/strategies`;
const set = (change: object) => setStrategy(flagId, { environmentId, ...change });
const tryToSet = (change: object) => asAdmin("PUT", path(), { environmentId, ...change });
const split = (blue: number, red: number, green: number) => ({
  serve: { weights: { blue, red, green } },
});

describe("what a strategy serves", () => {
  it("is the first variant until the strategy is set, and stays that variant after the first write", async () => {
    const unset = (await asAdmin("GET", `${path()}/${environmentId}`)).body;
    expect(unset.serve).toEqual({ variant: "blue" });
    await set({ enabled: true, rules: [{}] });
    await asAdmin("PUT", `/api/v1/flags/${flagId}`, { variants: variants.toReversed() });
    const { serve, rules } = (await asAdmin("GET", `${path()}/${environmentId}`)).body;
    expect([serve, rules[0].serve]).toEqual([{ variant: "blue" }, { variant: "blue" }]);
  });

  it.each([
    [{ serve: { variant: "yellow" } }, ["serve.variant"]],
    [{ serve: { weights: { yellow: 50, blue: 50 } } }, ["serve.weights.yellow"]],
    [{ serve: { weights: { yellow: 0, blue: 100 } } }, ["serve.weights.yellow"]],
    [{ serve: { weights: { blue: 50, red: 49.999 } } }, ["serve.weights"]],
    [{ serve: { weights: {} } }, ["serve.weights"]],
    [
      { serve: { weights: { blue: 50.0005, red: 49.9995 } } },
      ["serve.weights.blue", "serve.weights.red"],
    ],
    [{ serve: { weights: { blue: -1, red: 101 } } }, ["serve.weights.blue", "serve.weights.red"]],
    [{ serve: { weights: { blue: "100" } } }, ["serve.weights.blue"]],
    [{ serve: { weights: [100] } }, ["serve.weights"]],
    [{ serve: {} }, ["serve"]],
    [{ serve: { variant: "blue", weights: { blue: 100 } } }, ["serve"]],
    [{ serve: null }, ["serve"]],
    [{ serve: "blue" }, ["serve"]],
    [
      { serve: { variant: "x" }, rules: [{}, {}, {}, { serve: { weights: { y: 100 } } }] },
      ["rules.3.serve.weights.y", "serve.variant"],
    ],
    [{ rules: [{}, { serve: { variant: "yellow" } }] }, ["rules.1.serve.variant"]],
    [{ rules: [{}, { serve: { weights: { blue: 1 } } }] }, ["rules.1.serve.weights"]],
  ])("is rejected with an error at each invalid field: %j", async (change, fields) => {
    const answer = await tryToSet(change);
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(fields);
  });

  it("can have variants whose keys are names of object properties", async () => {
    const keys = ["constructor", "toString", "__proto__"];
    await asAdmin("PUT", `/api/v1/flags/${flagId}`, {
      variants: [...variants, ...keys.map((key) => ({ key, value: key }))],
    });
    const weights = JSON.parse('{"__proto__":20,"constructor":30,"toString":50}') as object;
    const { serve } = await set({ serve: { weights } });
    expect(Object.entries(serve.weights)).toEqual([
      ["constructor", 30],
      ["toString", 50],
      ["__proto__", 20],
    ]);
  });
});

describe("the weights of a split", () => {
  it("restore the users of every variant when earlier weights return, even after one variant had 100 percent", async () => {
    const first = await set(split(34, 33, 33));
    const second = await set(split(50, 25, 25));
    const everybody = await set(split(0, 100, 0));
    expect(everybody.serve.weights).toEqual({ red: 100 });
    expect((await set(split(50, 25, 25))).serve).toEqual(second.serve);
    expect((await set(split(34, 33, 33))).serve).toEqual(first.serve);
    expect(second.serve.slots).not.toEqual(first.serve.slots);
  });

  it("begin again after a single variant, which has no slots", async () => {
    await set(split(34, 33, 33));
    const before = await set(split(50, 25, 25));
    expect((await set({ serve: { variant: "red" } })).serve).toEqual({ variant: "red" });
    const after = await set(split(50, 25, 25));
    expect(after.serve.weights).toEqual(before.serve.weights);
    expect(after.serve.slots).toHaveLength(3);
    expect(after.serve.slots).not.toEqual(before.serve.slots);
  });
});

describe("a dry run", () => {
  const dryRun = (change: object, query = "?dryRun=true") =>
    asAdmin("PUT", `${path()}${query}`, { environmentId, ...change });
  const read = async () => (await asAdmin("GET", `${path()}/${environmentId}`)).body;

  it("returns the strategy as it would be, with the share of users who would move", async () => {
    const before = await set({ enabled: true, ...split(34, 33, 33) });
    const answer = await dryRun({ ...split(50, 25, 25), rules: [] });
    expect(answer.status).toBe(200);
    const { serve } = answer.body;
    expect(answer.body).toEqual({ ...before, serve, moves: 0.16 });
    expect(serve.weights).toEqual({ blue: 50, red: 25, green: 25 });
    const written = await set(split(50, 25, 25));
    expect(written).toEqual({ ...before, serve, version: 2, updatedAt: written.updatedAt });
  });

  it("writes nothing: no strategy, audit record, event or revision", async () => {
    await newSubscriber(projectId);
    const [before, revision] = [await read(), await revisionOf(environmentId)];
    const segment = await newSegment(projectId, []);
    const rules = [{ segmentIds: [segment.id] }];
    const answer = await dryRun({ enabled: true, percentage: 30, segmentIds: [segment.id], rules });
    expect(answer.body).toMatchObject({ enabled: true, version: 0, updatedAt: null, moves: 1 });
    expect(answer.headers.get("ETag")).toBe('"0"');
    expect(answer.headers.get("X-Revision")).toBeNull();
    expect([await auditOf(answer), await eventsOf(answer)]).toEqual([[], []]);
    expect([await read(), await revisionOf(environmentId)]).toEqual([before, revision]);
    expect((await asAdmin("DELETE", `/api/v1/segments/${segment.id}`)).status).toBe(204);
  });

  it("moves nobody when the change changes nothing", async () => {
    expect((await dryRun({})).body.moves).toBe(0);
  });

  it("writes the change with dryRun=false, and returns 400 with dryRun=yes", async () => {
    const answer = await dryRun({ enabled: true }, "?dryRun=false");
    expect([answer.body.version, "moves" in answer.body]).toEqual([1, false]);
    expect(outcome(await dryRun({ enabled: true }, "?dryRun=yes"))).toBe("400 BAD_REQUEST");
  });

  it("is rejected with the error of the change itself", async () => {
    const same = async (
      change: object,
      headers: Record<string, string> = {},
      quota = "8000000",
    ) => {
      const options = { token: await adminToken(), body: { environmentId, ...change }, headers };
      const vars = { QUOTA_RULE_BYTES: quota };
      const dry = await callWith(vars, "PUT", `${path()}?dryRun=true`, options);
      const wet = await callWith(vars, "PUT", path(), options);
      expect(outcome(dry)).toBe(outcome(wet));
      expect(dry.body.error).toBe(wet.body.error);
      return outcome(dry);
    };
    expect([
      await same({ serve: { variant: "yellow" } }),
      await same({ environmentId: 999_999 }),
      await same({ segmentIds: [999_999] }),
      await same({ enabled: true }, { "If-Match": '"5"' }),
      await same({ constraints: [inCountries("de")] }, {}, "80"),
    ]).toEqual([
      "400 VALIDATION_ERROR",
      "404 NOT_FOUND",
      "404 NOT_FOUND",
      "412 CONFLICT",
      "402 QUOTA_EXCEEDED",
    ]);
  });
});
