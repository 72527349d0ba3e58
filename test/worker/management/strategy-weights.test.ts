import { beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../support/client.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { auditOf } from "../support/records.ts";
import { newEnvironment, newFlag, newProject, setStrategy } from "../support/world.ts";

const variants = ["blue", "red", "green"].map((key) => ({ key, value: `#${key}` }));

let environmentId: number;
let flagId: number;
beforeEach(async () => {
  const { id: projectId } = await newProject();
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
  it("is the first variant until the strategy is set, and is stored by the first write", async () => {
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
  it("are in the order of the variants, without variants that have 0", async () => {
    const { serve } = await set({ serve: { weights: { green: 66.667, blue: 33.333, red: 0 } } });
    expect(JSON.stringify(serve.weights)).toBe('{"blue":33.333,"green":66.667}');
    expect(serve.slots).toEqual([
      { from: 0, to: 33_333, variant: "blue" },
      { from: 100_000, to: 33_333, variant: "green" },
    ]);
  });

  it("restore the users of every variant when earlier weights return", async () => {
    const first = await set(split(34, 33, 33));
    const second = await set(split(50, 25, 25));
    const third = await set(split(10, 80, 10));
    expect((await set(split(50, 25, 25))).serve).toEqual(second.serve);
    expect((await set(split(34, 33, 33))).serve).toEqual(first.serve);
    expect(third.serve.slots).not.toEqual(second.serve.slots);
  });

  it("restore the users of every variant after a split that served one variant to everybody", async () => {
    await set(split(34, 33, 33));
    const before = await set(split(50, 25, 25));
    const everybody = await set(split(0, 100, 0));
    expect(everybody.serve.weights).toEqual({ red: 100 });
    expect((await set(split(50, 25, 25))).serve).toEqual(before.serve);
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

  it("keep the users of an ordered rule that keeps its id, and begin again in a new rule", async () => {
    const first = await set({ rules: [{ name: "a", ...split(34, 33, 33) }] });
    const { id } = first.rules[0];
    await set({ rules: [{}, { id, ...split(50, 25, 25) }] });
    const third = await set({ rules: [{ id, ...split(34, 33, 33) }, split(50, 25, 25)] });
    expect(third.rules[0].serve).toEqual(first.rules[0].serve);
    expect(third.rules[1].serve.slots).toEqual([
      { from: 0, to: 50_000, variant: "blue" },
      { from: 75_000, to: 50_000, variant: "red" },
      { from: 75_000, to: 100_000, variant: "green" },
    ]);
  });

  it("are unchanged by a request with the same weights, which leaves no trace", async () => {
    const before = await set(split(34, 33, 33));
    const answer = await tryToSet(split(34, 33, 33));
    expect(answer.body).toEqual(before);
    expect(await auditOf(answer)).toEqual([]);
  });

  it("are in the audit record with their slots", async () => {
    const before = await set({ ...split(34, 33, 33), rules: [split(100, 0, 0)] });
    const answer = await tryToSet(split(50, 25, 25));
    const [record] = await auditOf(answer);
    const serve = ({ body }: Json) => ({ serve: body.serve });
    expect([record?.before, record?.after]).toEqual([{ serve: before.serve }, serve(answer)]);
  });
});
