import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compileRules, evaluate } from "@feature-flags/evaluation/evaluate";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import { SNAPSHOT_FORMAT, snapshotKey } from "../../src/platform/bindings/edge-store.ts";
import { type Rules, TwoReleases, type WorkerName, type World } from "./support/two-releases.ts";

/** The snapshot format of the release in the fixture. */
const OLD_FORMAT = 5;

const inCountries = (...values: string[]) => ({
  field: "country",
  operator: "in",
  values,
  contextType: "string",
});

const NARROW = { key: "narrow", value: { columns: 1 } };
const WIDE = { key: "wide", value: { columns: 3 } };
const layout = { key: "layout", valueType: "json", variants: [NARROW, WIDE] };

const contexts = Array.from({ length: 100 }, (_, n) => ({
  ...(n % 10 > 0 && { userId: `user-${n}` }),
  country: ["DE", "FR", "US"][n % 3],
}));

let releases: TwoReleases;
let world: World;
beforeAll(async () => {
  releases = await TwoReleases.start();
});
beforeEach(async () => {
  world = await releases.newWorld();
});
afterAll(() => releases.stop());

const set = (worker: WorkerName, flagId: number, change: object) =>
  releases.set(worker, world, flagId, change);
const poll = (worker: WorkerName, held?: Headers) => releases.poll(worker, world, held);
const ruleFrom = async (worker: WorkerName, key: string) =>
  (await poll(worker)).rules.find((rule) => rule.key === key);
const verdictsOf = (worker: WorkerName) => releases.evaluate(worker, world, contexts);
const withoutContext = async (worker: WorkerName) =>
  (await releases.evaluate(worker, world, [{}]))[0];
const rename = (worker: WorkerName, flagId: number) =>
  releases.manage(worker, `PUT /flags/${flagId}`, { name: crypto.randomUUID() });

describe("the previous release and this release, on one database and one KV namespace,", () => {
  it("serve the same bytes, ETags and verdicts, no matter which release has written the flags and strategies", async () => {
    const segment = await releases.manage("new", "POST /segments", {
      name: "Germany and France",
      projectId: world.projectId,
      constraints: [inCountries("DE", "FR")],
    });
    const strategies = [
      { percentage: 37 },
      { exactPercentage: 40.9 },
      { percentage: 50, constraints: [inCountries("DE")], stickiness: "country" },
      { segmentIds: [segment.id] },
      { enabled: false },
      { rules: [{ percentage: 20, segmentIds: [segment.id] }], percentage: 0 },
      {},
    ];
    for (const [n, strategy] of strategies.entries()) {
      const [creator, writer]: WorkerName[] = n % 2 === 0 ? ["old", "new"] : ["new", "old"];
      const flag = { key: `flag-${n}`, ...(n > 0 && { prerequisites: [{ flagKey: "flag-0" }] }) };
      const flagId = await releases.newFlag(creator ?? "new", world, flag);
      await set(writer ?? "old", flagId, strategy);
    }
    const flagId = await releases.newFlag("old", world, layout);
    await set("new", flagId, { serve: { weights: { narrow: 25, wide: 75 } } });
    const [old, current] = [await poll("old"), await poll("new")];
    expect(current.text).toBe(old.text);
    expect(current.headers.get("ETag")).toBe(old.headers.get("ETag"));
    expect(current.rules).toHaveLength(strategies.length + 1);
    expect(await verdictsOf("new")).toEqual(await verdictsOf("old"));
  });

  it("serve a flag with values from KV and with nothing in memory, and each release reads snapshots of its own format", async () => {
    const plainId = await releases.newFlag("new", world, { key: "plain" });
    const flagId = await releases.newFlag("new", world, layout);
    const weights = { narrow: 50, wide: 50 };
    await set("new", flagId, { serve: { weights }, rules: [{ serve: { variant: "wide" } }] });
    for (const [writer, format] of [
      ["old", OLD_FORMAT],
      ["new", SNAPSHOT_FORMAT],
    ] as const) {
      await rename(writer, plainId);
      const snapshot = await releases.stored(world, snapshotKey(world.environmentId, format));
      expect(snapshot.body).toContain("variants");
      for (const worker of ["restarted new", "new", "restarted old", "old"] as const) {
        const rule = await ruleFrom(worker, "layout");
        expect(rule?.variants).toEqual({ narrow: NARROW.value, wide: WIDE.value });
        expect(rule?.rules).toHaveLength(1);
      }
    }
  });

  it("give an SDK that polls deltas from both releases the right rules at every step", async () => {
    const plainId = await releases.newFlag("new", world, { key: "plain" });
    const flagId = await releases.newFlag("new", world, layout);
    await set("new", flagId, {});
    const serve = (narrow: number) => ({
      serve: { weights: { narrow, wide: 100 - narrow } },
    });
    const steps: [WorkerName, (() => Promise<unknown>)?][] = [
      ["new"],
      ["old"],
      ["new"],
      ["old", () => set("new", flagId, serve(30))],
      ["new"],
      ["old", () => set("old", plainId, { percentage: 20 })],
      ["new", () => set("old", flagId, { percentage: 60 })],
      ["old", () => set("new", flagId, serve(70))],
      ["old", () => rename("old", plainId)],
      ["new", () => set("new", plainId, { percentage: 30 })],
    ];
    let held: Headers | undefined;
    let rules = new Map<string, ClientRule>();
    for (const [n, [worker, change]] of steps.entries()) {
      await change?.();
      const answer = await poll(worker, held);
      held = answer.headers;
      rules = applied(rules, answer);
      const full = await poll(worker);
      expect({ step: n, rules: [...rules.values()] }).toEqual({
        step: n,
        rules: expect.arrayContaining([...full.rules]) as unknown,
      });
      expect(rules.size).toBe(2);
    }
  });

  it("keep values and ordered rules when the previous release changes the strategy", async () => {
    const flagId = await releases.newFlag("new", world, layout);
    const serve = { weights: { narrow: 25, wide: 75 } };
    await set("new", flagId, { serve, rules: [{ percentage: 1, serve: { variant: "wide" } }] });
    const before = await ruleFrom("new", "layout");
    await set("old", flagId, { percentage: 50, constraints: [inCountries("DE")] });
    const after = await ruleFrom("new", "layout");
    const { activation, ...rest } = before ?? { activation: {} };
    const changed = { ...activation, rollOut: 50, constraints: [inCountries("DE")] };
    expect(after).toEqual({ ...rest, activation: changed });
  });

  it("serve the first variant from this release when the previous release has set the strategy first", async () => {
    const flagId = await releases.newFlag("new", world, layout);
    await set("old", flagId, { percentage: 100 });
    expect(await withoutContext("new")).toEqual({
      layout: { enabled: true, reason: "STATIC", variant: "narrow", value: NARROW.value },
    });
  });

  it("fail the prerequisite at once when the previous release switches the required flag off", async () => {
    const parentId = await releases.newFlag("new", world, { key: "parent" });
    await set("new", parentId, {});
    const prerequisites = [{ flagKey: "parent" }];
    const childId = await releases.newFlag("new", world, { key: "child", prerequisites });
    await set("new", childId, {});
    const start = await poll("new");
    await set("old", parentId, { enabled: false });
    const failed = { enabled: false, reason: "PREREQUISITE_FAILED" };
    expect(await withoutContext("new")).toMatchObject({ child: failed });
    const delta = await poll("new", start.headers);
    expect(delta.headers.get("X-Delta")).toBe("partial");
    const rules = compileRules([...applied(byKey(start.rules), delta).values()]);
    expect(evaluate(rules, "child", {})).toEqual(failed);
  });
});

const byKey = (rules: readonly ClientRule[]) => new Map(rules.map((rule) => [rule.key, rule]));

/** Returns the rules that an SDK has after a response. */
function applied(
  before: ReadonlyMap<string, ClientRule>,
  { headers, rules, text }: Rules,
): Map<string, ClientRule> {
  if (text === "") return new Map(before);
  if (headers.get("X-Delta") === "full") return byKey(rules);
  const after = new Map([...before, ...byKey(rules)]);
  for (const { key, archived } of rules) if (archived) after.delete(key);
  return after;
}
