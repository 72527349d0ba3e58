import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  type InstanceMark,
  MIN_MARK_INTERVAL_MS,
  type UsageMessage,
} from "../../../src/core/usage/message-types.ts";
import { lastUsed, rollUp, rows } from "../support/usage.ts";
import { newKey, newWorld } from "../support/world.ts";

const AT = 1_790_000_000_000;

async function observed() {
  const world = await newWorld();
  const see = (after: number, more: Partial<InstanceMark> = {}): UsageMessage => ({
    kind: "sightings",
    keys: [],
    instances: [
      {
        environmentId: world.environmentId,
        appName: "app",
        instanceId: "one",
        sdkVersion: "1.0",
        revision: 4,
        at: AT + after,
        ...more,
      },
    ],
  });
  const known = async () => {
    const sql = `SELECT app_name AS app, instance_id AS id, sdk_version AS sdk,
      first_seen_at - ${AT} AS first, last_seen_at - ${AT} AS last, revision,
      revision_seen_at - ${AT} AS since
      FROM client_instances WHERE environment_id = ? ORDER BY app, id`;
    return rows(sql, world.environmentId);
  };
  /** The features of each instance, and when it last fetched rules, counted from AT. */
  const evaluators = async () => {
    const sql = `SELECT sdk_features AS features, rules_fetched_at - ${AT} AS fetched
      FROM client_instances WHERE environment_id = ? ORDER BY instance_id`;
    const found = await rows(sql, world.environmentId);
    return found.map(({ features, fetched }) => [JSON.parse(features), fetched]);
  };
  return { ...world, see, known, evaluators };
}

const fresh = { app: "app", id: "one", sdk: "1.0", first: 0, last: 0, revision: 4, since: 0 };

describe("an SDK instance", () => {
  it("is stored when its first last-seen mark arrives", async () => {
    const { see, known } = await observed();
    await rollUp([see(0)]);
    expect(await known()).toEqual([fresh]);
  });

  it("is identified by its id, application and environment, and is not stored for a deleted environment", async () => {
    const { see, known, environmentId } = await observed();
    const other = await observed();
    const unsaid = { appName: "", sdkVersion: null, revision: null };
    await rollUp([see(0), see(0, { instanceId: "two" }), see(0, unsaid)]);
    await rollUp([other.see(0), see(0, { environmentId: environmentId + 1_000_000 })]);
    expect(await known()).toEqual([
      { ...fresh, app: "", sdk: null, revision: null, since: null },
      fresh,
      { ...fresh, id: "two" },
    ]);
    expect(await other.known()).toEqual([fresh]);
  });

  it("is written at most once a minute while its revision is the same", async () => {
    const { see, known } = await observed();
    await rollUp([see(0)]);
    await rollUp([see(MIN_MARK_INTERVAL_MS - 1, { sdkVersion: "1.1" })]);
    expect(await known()).toEqual([fresh]);
    await rollUp([see(MIN_MARK_INTERVAL_MS, { sdkVersion: "1.1" })]);
    expect(await known()).toEqual([{ ...fresh, sdk: "1.1", last: MIN_MARK_INTERVAL_MS }]);
  });

  it("is written again within a minute when its revision is newer", async () => {
    const { see, known } = await observed();
    await rollUp([see(0)]);
    await rollUp([see(10, { revision: 5 })]);
    expect(await known()).toEqual([{ ...fresh, last: 10, revision: 5, since: 10 }]);
    await rollUp([see(20, { revision: 5 })]);
    expect(await known()).toEqual([{ ...fresh, last: 10, revision: 5, since: 10 }]);
  });

  it("takes only a newer revision from a delayed last-seen mark, and keeps its values when a mark has none", async () => {
    const { see, known } = await observed();
    await rollUp([see(MIN_MARK_INTERVAL_MS, { revision: 5 })]);
    await rollUp([see(0, { sdkVersion: "0.9", revision: 4 })]);
    await rollUp([see(1, { sdkVersion: "0.9", revision: 6 })]);
    await rollUp([see(3 * MIN_MARK_INTERVAL_MS, { revision: null, sdkVersion: null })]);
    const kept = {
      first: MIN_MARK_INTERVAL_MS,
      last: 3 * MIN_MARK_INTERVAL_MS,
      revision: 6,
      since: 1,
    };
    expect(await known()).toEqual([{ ...fresh, ...kept }]);
  });

  it("gets its first revision from a later last-seen mark when its first mark had none", async () => {
    const { see, known } = await observed();
    await rollUp([see(0, { revision: null })]);
    await rollUp([see(7, { revision: 0 })]);
    expect(await known()).toEqual([{ ...fresh, last: 7, revision: 0, since: 7 }]);
  });
});

describe("an SDK instance that fetches rules", () => {
  const MINUTE = MIN_MARK_INTERVAL_MS;

  it("is stored with the features of the SDK and the time of the fetch; both are null without a fetch", async () => {
    const { see, evaluators } = await observed();
    const fetch = { sdkFeatures: ["rules", "x"], rulesFetchedAt: AT };
    // A mark of the release before has neither of the fields.
    await rollUp([see(0, fetch), see(0, { instanceId: "two" })]);
    expect(await evaluators()).toEqual([
      [["rules", "x"], 0],
      [null, null],
    ]);
  });

  it("keeps its features and the time of the fetch when a later mark has none, and loses features with a fetch that names none", async () => {
    const { see, evaluators } = await observed();
    await rollUp([see(0, { sdkFeatures: ["rules"], rulesFetchedAt: AT })]);
    await rollUp([see(MINUTE)]);
    expect(await evaluators()).toEqual([[["rules"], 0]]);
    await rollUp([see(2 * MINUTE, { sdkFeatures: [], rulesFetchedAt: AT + 2 * MINUTE })]);
    expect(await evaluators()).toEqual([[[], 2 * MINUTE]]);
  });

  it("takes neither older features nor an older fetch from a delayed mark, but takes what is missing", async () => {
    const { see, evaluators } = await observed();
    await rollUp([see(3 * MINUTE, { revision: 4 })]);
    await rollUp([see(0, { revision: 5, sdkFeatures: ["a"], rulesFetchedAt: AT })]);
    expect(await evaluators()).toEqual([[["a"], 0]]);
    await rollUp([see(5 * MINUTE, { sdkFeatures: ["b"], rulesFetchedAt: AT + 5 * MINUTE })]);
    await rollUp([see(1, { revision: 6, sdkFeatures: ["a"], rulesFetchedAt: AT + 1 })]);
    expect(await evaluators()).toEqual([[["b"], 5 * MINUTE]]);
  });

  it("gets a new time of the fetch once an hour, even if each fetch follows a mark within a minute", async () => {
    const { see, evaluators } = await observed();
    const fetchedAt: unknown[] = [];
    for (let n = 0; n <= 121; n++) {
      const at = n * (MINUTE + 1);
      await rollUp([see(at)]);
      await rollUp([see(at + 1, { sdkFeatures: [], rulesFetchedAt: AT + at + 1 })]);
      const [[, fetched]] = (await evaluators()) as [[unknown, unknown]];
      if (fetched !== fetchedAt.at(-1)) fetchedAt.push(fetched);
    }
    expect(fetchedAt).toEqual([1, 60 * (MINUTE + 1) + 1, 120 * (MINUTE + 1) + 1]);
  });
});

describe("an environment with more than 10,000 SDK instances", () => {
  it("keeps the 10,000 most recently seen, and those of other environments", async () => {
    const { see, known, environmentId } = await observed();
    const other = await observed();
    await rollUp([other.see(-1)]);
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO client_instances (environment_id, instance_id, app_name, first_seen_at, last_seen_at)
        SELECT ?, printf('i%05d', i), 'app', 0, i FROM n`,
    )
      .bind(environmentId)
      .run();
    await rollUp([see(0), see(0, { instanceId: "two" })]);
    const ids = (await known()).map(({ id }) => id);
    expect(ids).toHaveLength(10_000);
    expect([ids[0], ...ids.slice(-2)]).toEqual(["i00003", "one", "two"]);
    expect(await other.known()).toHaveLength(1);
  });
});

describe("the last use of an API key", () => {
  const used = (id: number, after: number): UsageMessage => ({
    kind: "sightings",
    keys: [[id, AT + after]],
    instances: [],
  });

  it("is written at most once a minute, and never decreases", async () => {
    const { keyId } = await newWorld();
    const after = async (ms: number) => {
      await rollUp([used(keyId, ms)]);
      return ((await lastUsed("api_keys", keyId)) ?? 0) - AT;
    };
    expect(await after(5)).toBe(5);
    expect(await after(MIN_MARK_INTERVAL_MS + 4)).toBe(5);
    expect(await after(MIN_MARK_INTERVAL_MS + 5)).toBe(MIN_MARK_INTERVAL_MS + 5);
    expect(await after(0)).toBe(MIN_MARK_INTERVAL_MS + 5);
  });

  it("is not written within a minute of another isolate's write", async () => {
    const { keyId } = await newWorld();
    await env.DB.prepare("UPDATE api_keys SET last_used_at = ? WHERE id = ?").bind(AT, keyId).run();
    await rollUp([used(keyId, MIN_MARK_INTERVAL_MS - 1)]);
    expect(await lastUsed("api_keys", keyId)).toBe(AT);
  });

  it("is written for two keys in one roll-up, while a deleted key is ignored", async () => {
    const { environmentId, keyId } = await newWorld();
    const other = await newKey(environmentId);
    await rollUp([used(keyId, 1), used(other.id, 2), used(999_999_999, 3)]);
    expect([await lastUsed("api_keys", keyId), await lastUsed("api_keys", other.id)]).toEqual([
      AT + 1,
      AT + 2,
    ]);
  });
});
