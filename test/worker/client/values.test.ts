import { beforeAll, describe, expect, it } from "vitest";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Json } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { ask, evaluateLocally, merged, poll } from "../support/sdk.ts";
import { inCountries, newFlag, newSegment, newWorld, setStrategy } from "../support/world.ts";

type World = Awaited<ReturnType<typeof newWorld>>;

const NARROW = { key: "narrow", value: { columns: 1 }, description: "For phones" };
const WIDE = { key: "wide", value: { columns: 3, gaps: [1, null, "ž"] } };
const layout = { key: "layout", valueType: "json", variants: [NARROW, WIDE], offVariant: "narrow" };

/** Creates a flag, and sets its strategy in the environment of the world. */
async function flagWith({ projectId, environmentId }: World, flag: object, strategy: object) {
  const { id } = await newFlag(projectId, flag);
  return setStrategy(id, { environmentId, enabled: true, ...strategy });
}

const ruleOf = async ({ apiKey }: World, key: string) =>
  (await poll(apiKey)).body.find((rule) => rule.key === key);

describe("GET /api/client/features, for a flag with values,", () => {
  let world: World;
  let strategy: Json;

  beforeAll(async () => {
    world = await newWorld();
    await newFlag(world.projectId, { key: "plain" });
    const segment = await newSegment(world.projectId, [inCountries("DE")]);
    strategy = await flagWith(
      world,
      { ...layout, prerequisites: [{ flagKey: "plain", variants: ["on"] }] },
      {
        exactPercentage: 12.5,
        hashKey: "imported",
        serve: { weights: { narrow: 75, wide: 25 } },
        splitKey: "imported-split",
        splitStickiness: "device",
        rules: [
          { name: "Germans", segmentIds: [segment.id], serve: { variant: "wide" } },
          { constraints: [inCountries("FR")], exactPercentage: 0.5, stickiness: "company" },
        ],
      },
    );
  });

  it("returns the values, the split, the ordered rules and the prerequisites", async () => {
    const [first, second] = strategy.rules;
    const segments = [{ name: expect.any(String) as string, constraints: [inCountries("DE")] }];
    expect(await ruleOf(world, "layout")).toEqual({
      key: "layout",
      name: "A flag",
      enabled: true,
      activation: {
        rollOut: 12,
        constraints: [],
        segments: [],
        exactRollOut: 12.5,
        hashKey: "imported",
        slots: [
          [0, 75_000, "narrow"],
          [75_000, 100_000, "wide"],
        ],
        splitKey: "imported-split",
        splitStickiness: "device",
      },
      type: "json",
      variants: { narrow: NARROW.value, wide: WIDE.value },
      offVariant: "narrow",
      rules: [
        { id: first.id, rollOut: 100, constraints: [], segments, serve: "wide" },
        {
          id: second.id,
          rollOut: 0,
          exactRollOut: 0.5,
          constraints: [inCountries("FR")],
          segments: [],
          stickiness: "company",
          serve: "narrow",
        },
      ],
      prerequisites: [{ flagKey: "plain", variants: ["on"] }],
    });
  });

  it("returns only the fields of a plain rule for a boolean flag that uses none of these", async () => {
    expect(JSON.stringify(await ruleOf(world, "plain"))).toBe(
      '{"key":"plain","name":"A flag","enabled":false,' +
        '"activation":{"rollOut":100,"constraints":[],"segments":[]}}',
    );
  });

  it("returns a roll-out of 0 to SDKs without variants if the last rule serves off, and other SDKs keep their verdict", async () => {
    const other = await newWorld();
    const german = { constraints: [inCountries("DE")] };
    const off = { serve: { variant: "off" } };
    await flagWith(other, { key: "everybody" }, off);
    await flagWith(other, { key: "some" }, { ...off, ...german, percentage: 30, rules: [german] });
    const { body } = await poll(other.apiKey);
    expect(body.map(({ activation }) => activation)).toEqual([
      { rollOut: 0, constraints: [], segments: [], exactRollOut: 100, serve: "off" },
      { rollOut: 0, ...german, segments: [], exactRollOut: 30, serve: "off" },
    ]);
    const known = body.map(({ key, name, enabled, activation }) => {
      const { rollOut, constraints, segments } = activation;
      return { key, name, enabled, activation: { rollOut, constraints, segments } };
    });
    for (const context of [{ userId: "7", country: "DE" }, { country: "FR" }, {}]) {
      const verdicts = Object.values(evaluateLocally(known, context));
      expect(verdicts.map(({ enabled }) => enabled)).toEqual([false, false]);
      const served = await ask(other.apiKey, context);
      expect(served).toEqual(evaluateLocally(body, context));
      const all = { enabled: false, reason: "STATIC", variant: "off", value: false };
      expect(served["everybody"]).toEqual(all);
      expect(served["some"]?.enabled).toBe("userId" in context);
    }
  });

  it("returns an ETag with the number of the form, which an environment of plain rules does not have", async () => {
    const plain = await newWorld();
    await newFlag(plain.projectId);
    const etags = [await poll(world.apiKey), await poll(plain.apiKey)].map(({ headers }) =>
      headers.get("ETag"),
    );
    expect(etags).toEqual([
      expect.stringMatching(/^"\d+-[0-9a-f]+-2"$/),
      expect.stringMatching(/^"\d+-[0-9a-f]+"$/),
    ]);
  });

  it("returns the rule in a delta after a change of a variant, and of a segment that only an ordered rule uses", async () => {
    const changing = await newWorld();
    const segment = await newSegment(changing.projectId, [inCountries("DE")]);
    const rules = [{ segmentIds: [segment.id], serve: { variant: "wide" } }];
    const { flagId } = await flagWith(changing, layout, { rules });
    const { apiKey } = changing;
    const start = await poll(apiKey);
    const since = start.headers.get("X-Next-Since") ?? "";
    const etag = start.headers.get("ETag") ?? "";
    await asAdmin("PUT", `/api/v1/segments/${segment.id}`, { constraints: [inCountries("AT")] });
    const [first] = (await poll(apiKey, { since, etag })).body;
    expect(first?.rules?.[0]?.segments[0]?.constraints).toEqual([inCountries("AT")]);
    await asAdmin("PUT", `/api/v1/flags/${flagId}`, { variants: [NARROW, { ...WIDE, value: 2 }] });
    const delta = await poll(apiKey, { since, etag });
    expect(delta.headers.get("X-Delta")).toBe("partial");
    expect(delta.body[0]?.variants?.["wide"]).toBe(2);
    expect(merged(start.body, delta.body)).toEqual((await poll(apiKey)).body);
  });

  it("returns all rules instead of a delta to an SDK with rules of an older release", async () => {
    const { headers } = await poll(world.apiKey);
    const since = headers.get("X-Next-Since") ?? "";
    const revision = headers.get("X-Revision");
    for (const etag of [`"${revision}-abc"`, '"1-abc"', `"${revision}-abc-2"`]) {
      const answer = await poll(world.apiKey, { since, etag });
      expect([etag, answer.status, answer.headers.get("X-Delta")]).toEqual([etag, 200, "full"]);
      expect(answer.body).toHaveLength(2);
    }
  });
});

describe("POST /api/client/evaluate, for flags with values,", () => {
  let world: World;
  let rules: ClientRule[];
  let strategy: Json;

  beforeAll(async () => {
    world = await newWorld();
    const german = { constraints: [inCountries("DE")] };
    strategy = await flagWith(world, layout, {
      percentage: 50,
      hashKey: "imported",
      serve: { weights: { narrow: 20, wide: 80 } },
      splitKey: "imported-split",
      rules: [{ ...german, serve: { variant: "wide" } }],
    });
    await flagWith(
      world,
      { key: "colour", valueType: "string", variants: [{ key: "red", value: 'r"ed\u2028' }] },
      { constraints: [inCountries("DE", "FR")] },
    );
    const numbers = [0.1, -1e21, 0].map((value, n) => ({ key: `n.${n}`, value }));
    await flagWith(
      world,
      { key: "number", valueType: "number", variants: numbers },
      {
        exactPercentage: 0.125,
        serve: { variant: "n.1" },
        rules: [
          { ...german, exactPercentage: 33.333, serve: { variant: "n.2" } },
          { serve: { weights: { "n.0": 99.999, "n.2": 0.001 } } },
        ],
      },
    );
    await flagWith(
      world,
      { key: "null", valueType: "json", variants: [{ key: "__proto__", value: null }] },
      { percentage: 50, stickiness: "country" },
    );
    await flagWith(
      world,
      { key: "ordered" },
      { rules: [{ ...german, serve: { variant: "off" } }] },
    );
    await flagWith(world, { key: "split" }, { serve: { weights: { on: 30, off: 70 } } });
    await flagWith(world, { ...layout, key: "off" }, { enabled: false });
    rules = (await poll(world.apiKey)).body;
  });

  it("returns the same results as a local evaluation of the polled rules, for 200 contexts", async () => {
    const countries = ["DE", "FR", "US"];
    const contexts = Array.from({ length: 200 }, (_, n) => ({
      ...(n % 10 > 0 && { userId: `user-${n}` }),
      country: countries[n % 3],
    }));
    const answers = await Promise.all(contexts.map((context) => ask(world.apiKey, context)));
    expect(answers).toEqual(contexts.map((context) => evaluateLocally(rules, context)));
    const served = answers.flatMap((verdicts) =>
      Object.entries(verdicts).map(([key, { variant }]) => `${key}: ${variant}`),
    );
    // Expects that each variant with a weight of more than 0.2 % is served to at least one user.
    expect([...new Set(served)].toSorted()).toEqual([
      "colour: red",
      "colour: undefined",
      "layout: narrow",
      "layout: wide",
      "null: __proto__",
      "null: undefined",
      "number: n.0",
      "number: n.2",
      "number: undefined",
      "off: narrow",
      "ordered: off",
      "ordered: on",
      "split: off",
      "split: on",
    ]);
  });

  it("returns variant, value and the deciding rule, and the off variant with its value", async () => {
    const verdicts = await ask(world.apiKey, { country: "DE" }, [
      "layout",
      "off",
      "colour",
      "null",
    ]);
    expect(verdicts).toEqual({
      layout: {
        enabled: true,
        reason: "TARGETING_MATCH",
        variant: "wide",
        value: WIDE.value,
        rule: strategy.rules[0].id,
      },
      off: { enabled: false, reason: "DISABLED", variant: "narrow", value: NARROW.value },
      colour: { enabled: true, reason: "TARGETING_MATCH", variant: "red", value: 'r"ed\u2028' },
      null: expect.objectContaining({ reason: "SPLIT" }) as object,
    });
  });
});
