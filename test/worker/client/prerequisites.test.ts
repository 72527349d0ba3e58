import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { asAdmin } from "../support/outcomes.ts";
import { ask, evaluateLocally, merged, poll } from "../support/sdk.ts";
import { inCountries, newFlag, newWorld, setStrategy } from "../support/world.ts";

let world: Awaited<ReturnType<typeof newWorld>>;
beforeEach(async () => {
  world = await newWorld();
});

/** Creates a flag that is on for everybody. Returns its id. */
async function flagOn(key: string, more: object = {}): Promise<number> {
  const { id } = await newFlag(world.projectId, { key, ...more });
  await set(id, { enabled: true });
  return id;
}

const set = (flagId: number, strategy: object) =>
  setStrategy(flagId, { environmentId: world.environmentId, ...strategy });

/** An SDK that polls deltas and evaluates the rules that it has. */
async function startSdk() {
  let { body: rules, headers } = await poll(world.apiKey);
  /** Polls once. Returns the keys of the rules in the response, which must be a delta. */
  const update = async (): Promise<string[]> => {
    const since = headers.get("X-Next-Since") ?? "";
    const answer = await poll(world.apiKey, { since, etag: headers.get("ETag") ?? "" });
    expect(answer.headers.get("X-Delta")).toBe("partial");
    headers = answer.headers;
    rules = merged(rules, answer.body);
    return answer.body.map(({ key }) => key);
  };
  return { update, evaluate: (context: EvaluationContext) => evaluateLocally(rules, context) };
}

const FAILED = { enabled: false, reason: "PREREQUISITE_FAILED" };

describe("a flag with prerequisites", () => {
  it("has the right verdict at once when the required flag changes, and its own rule does not change", async () => {
    const parent = await flagOn("parent");
    await flagOn("child", { prerequisites: [{ flagKey: "parent" }] });
    await flagOn("grandchild", { prerequisites: [{ flagKey: "child" }] });
    await flagOn("opposite", { prerequisites: [{ flagKey: "parent", enabled: false }] });
    const sdk = await startSdk();
    const changes = [
      { enabled: false },
      { enabled: true, constraints: [inCountries("DE")] },
      { constraints: [], percentage: 0 },
      { percentage: 100 },
    ];
    const children: unknown[] = [];
    for (const change of changes) {
      await set(parent, change);
      const context = { country: "FR", userId: "ann" };
      const verdicts = await ask(world.apiKey, context);
      expect(await sdk.update()).toEqual(["parent"]);
      expect(sdk.evaluate(context)).toEqual(verdicts);
      const { parent: own, child, grandchild, opposite } = verdicts;
      expect([child?.enabled, grandchild?.enabled]).toEqual([own?.enabled, own?.enabled]);
      expect(opposite?.enabled).toBe(!own?.enabled);
      children.push(child);
    }
    const met = { enabled: true, reason: "TARGETING_MATCH" };
    expect(children).toEqual([FAILED, FAILED, FAILED, met]);
  });

  it("is evaluated with the required flags even if `toggles` does not contain them", async () => {
    const parent = await flagOn("parent", {
      valueType: "string",
      variants: [
        { key: "a", value: "A" },
        { key: "b", value: "B" },
      ],
    });
    await flagOn("child", { prerequisites: [{ flagKey: "parent", variants: ["b"] }] });
    await flagOn("grandchild", { prerequisites: [{ flagKey: "child" }] });
    const toggles = ["grandchild"];
    expect(await ask(world.apiKey, {}, toggles)).toEqual({ grandchild: FAILED });
    await set(parent, { serve: { variant: "b" } });
    expect(await ask(world.apiKey, {}, toggles)).toEqual({
      grandchild: { enabled: true, reason: "TARGETING_MATCH" },
    });
  });

  it("fails at once for the server and for an SDK when the required flag is archived", async () => {
    const parent = await flagOn("parent");
    const child = await flagOn("child", { prerequisites: [{ flagKey: "parent" }] });
    const sdk = await startSdk();
    // The management API archives no flag that others require. So the child is archived first, and
    // restored in the database.
    await asAdmin("POST", `/api/v1/flags/${child}/archive`);
    await asAdmin("POST", `/api/v1/flags/${parent}/archive`);
    await env.DB.prepare("UPDATE flags SET archived = 0 WHERE id = ?").bind(child).run();
    await flagOn("other");
    const context = { userId: "ann" };
    const verdicts = await ask(world.apiKey, context);
    expect((await sdk.update()).toSorted()).toEqual(["child", "other", "parent"]);
    expect(sdk.evaluate(context)).toEqual(verdicts);
    expect(verdicts["child"]).toEqual(FAILED);
    expect(Object.keys(verdicts)).toEqual(["child", "other"]);
  });
});
