import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { LastSeenMarks } from "../../../src/core/usage/message-types.ts";
import { call, type CallOptions } from "../support/client.ts";
import { recordingQueue } from "../support/queue.ts";
import { lastUsed, rows, usedWorld } from "../support/usage.ts";
import { newKey, setStrategy } from "../support/world.ts";
import { responseWith } from "../support/call-with.ts";

const SDK = { "X-App-Name": "shop", "X-Instance-Id": "shop-1", "X-Sdk-Version": "js:2.0" };
const ROUTES: readonly [method: string, path: string, body?: object][] = [
  ["GET", "/api/client/features"],
  ["POST", "/api/client/evaluate", { context: {} }],
  ["POST", "/api/client/metrics", { evaluations: {} }],
];

/**
 * Calls a route, and waits until the isolate has sent its last-seen marks. Returns the response and
 * the marks. Without the wait, the isolate would also send the marks of the next call to the queue
 * of this call.
 */
async function marksSentBy(
  [method, path, body]: (typeof ROUTES)[number],
  { headers = SDK, ...options }: CallOptions = {},
  { isDown = false } = {},
) {
  const queue = recordingQueue({ isDown });
  const replaced = { USAGE: queue.USAGE };
  const { answer, rest } = await responseWith(replaced, method, path, {
    body,
    headers,
    ...options,
  });
  await rest();
  const sent = queue.messages() as LastSeenMarks[];
  return {
    answer,
    keys: sent.flatMap(({ keys }) => keys.map(([id]) => id)),
    instances: sent.flatMap(({ instances }) => instances),
  };
}

const [FEATURES, EVALUATE, METRICS] = ROUTES as [
  (typeof ROUTES)[0],
  (typeof ROUTES)[0],
  (typeof ROUTES)[0],
];
const revisionIn = async (environmentId: number) => {
  const [row] = await rows("SELECT revision FROM environments WHERE id = ?", environmentId);
  return row.revision as number;
};

describe("a call to the client API with a SERVER key", () => {
  it.each(ROUTES)(
    "%s %s sends last-seen marks of the API key and the instance",
    async (...route) => {
      const { apiKey, keyId, environmentId } = await usedWorld();
      const before = Date.now();
      const { keys, instances } = await marksSentBy(route, { token: apiKey });
      expect(keys).toEqual([keyId]);
      expect(instances).toMatchObject([
        { environmentId, appName: "shop", instanceId: "shop-1", sdkVersion: "js:2.0" },
      ]);
      expect(instances[0]?.at).toBeGreaterThanOrEqual(before);
    },
  );

  it.each([FEATURES, EVALUATE])(
    "%s %s records the revision of the response in the mark of the instance",
    async (...route) => {
      const { apiKey, environmentId } = await usedWorld();
      const { instances } = await marksSentBy(route, { token: apiKey });
      expect(instances.map(({ revision }) => revision)).toEqual([await revisionIn(environmentId)]);
    },
  );

  it("GET /api/client/features records in the mark that the instance fetches rules, with its features", async () => {
    const { apiKey } = await usedWorld();
    const headers = { ...SDK, "X-Sdk-Features": "rules, streaming,rules,,bad one" };
    const { instances } = await marksSentBy(FEATURES, { token: apiKey, headers });
    expect(instances).toMatchObject([{ sdkFeatures: ["rules", "streaming"] }]);
    expect(instances[0]?.rulesFetchedAt).toBe(instances[0]?.at);
  });

  it.each([undefined, "", "x".repeat(201)])(
    "GET /api/client/features records no features when X-Sdk-Features is %s",
    async (features) => {
      const { apiKey } = await usedWorld();
      const headers = { ...SDK, ...(features !== undefined && { "X-Sdk-Features": features }) };
      const { answer, instances } = await marksSentBy(FEATURES, { token: apiKey, headers });
      expect(answer.status).toBe(200);
      expect(instances).toMatchObject([{ sdkFeatures: [], rulesFetchedAt: instances[0]?.at }]);
    },
  );

  it.each([EVALUATE, METRICS])(
    "%s %s records the features that the SDK names, but no fetch of rules",
    async (...route) => {
      const { apiKey } = await usedWorld();
      const named = { ...SDK, "X-Sdk-Features": "rules" };
      const { instances } = await marksSentBy(route, { token: apiKey, headers: named });
      expect(instances).toMatchObject([{ sdkFeatures: ["rules"] }]);
      const other = await marksSentBy(route, { token: (await usedWorld()).apiKey });
      expect(other.instances).toHaveLength(1);
      for (const mark of [...instances, ...other.instances])
        expect(mark.rulesFetchedAt).toBeUndefined();
      expect(other.instances[0]?.sdkFeatures).toBeUndefined();
    },
  );

  it("records the revision of a 304 in the mark of the instance, too", async () => {
    const { apiKey, environmentId } = await usedWorld();
    const { answer: first } = await marksSentBy(FEATURES, { token: apiKey, headers: {} });
    const headers = { ...SDK, "If-None-Match": first.headers.get("ETag") ?? "" };
    const { answer, instances } = await marksSentBy(FEATURES, { token: apiKey, headers });
    expect(answer.status).toBe(304);
    expect(instances.map(({ revision }) => revision)).toEqual([await revisionIn(environmentId)]);
  });

  it("sends no last-seen mark within a minute of the previous mark", async () => {
    const { apiKey } = await usedWorld();
    await marksSentBy(FEATURES, { token: apiKey });
    const again = await marksSentBy(EVALUATE, { token: apiKey });
    expect([again.keys, again.instances]).toEqual([[], []]);
  });

  it("sends a mark of the instance within a minute of the previous mark when the instance gets a newer revision", async () => {
    const { apiKey, environmentId, a } = await usedWorld();
    const first = await marksSentBy(FEATURES, { token: apiKey });
    await setStrategy(a.id, { environmentId, enabled: true });
    const second = await marksSentBy(FEATURES, { token: apiKey });
    const revision = await revisionIn(environmentId);
    expect(second.instances).toMatchObject([{ instanceId: "shop-1", revision }]);
    expect([first.instances[0]?.revision, second.keys]).toEqual([revision - 1, []]);
  });

  it("sends no mark of the instance when X-Instance-Id has more than 200 characters", async () => {
    const { apiKey, keyId } = await usedWorld();
    const headers = { ...SDK, "X-Instance-Id": "x".repeat(201) };
    const { answer, keys, instances } = await marksSentBy(FEATURES, { token: apiKey, headers });
    expect([answer.status, keys, instances]).toEqual([200, [keyId], []]);
  });

  it("succeeds while the queue is down, and the next call sends the last-seen marks", async () => {
    const { apiKey, keyId } = await usedWorld();
    const { answer } = await marksSentBy(FEATURES, { token: apiKey }, { isDown: true });
    expect(answer.status).toBe(200);
    const { keys, instances } = await marksSentBy(FEATURES, { token: apiKey });
    expect([keys, instances.length]).toEqual([[keyId], 1]);
  });
});

describe("the last-seen mark of a usage report", () => {
  it.each([
    ["the revision that it names", -1],
    ["no revision when it names one that does not exist yet", 1],
  ])("records for the instance %s", async (_, ahead) => {
    const { apiKey, environmentId } = await usedWorld();
    const revision = (await revisionIn(environmentId)) + ahead;
    const body = { evaluations: {}, revision };
    const { instances } = await marksSentBy(METRICS, { token: apiKey, body });
    expect(instances.map((seen) => seen.revision)).toEqual([ahead < 0 ? revision : null]);
  });
});

it("a call with a FRONTEND key sends a last-seen mark of the key, but none of an instance", async () => {
  const { environmentId } = await usedWorld();
  const key = await newKey(environmentId, "FRONTEND");
  const evaluated = await marksSentBy(EVALUATE, { token: key.apiKey });
  const reported = await marksSentBy(METRICS, { token: key.apiKey });
  expect([evaluated.keys, evaluated.instances]).toEqual([[key.id], []]);
  expect([reported.keys, reported.instances]).toEqual([[], []]);
});

it("a call that gets 403 sends no last-seen mark of its API key", async () => {
  const { environmentId } = await usedWorld();
  const key = await newKey(environmentId, "FRONTEND");
  const { answer, keys } = await marksSentBy(FEATURES, { token: key.apiKey });
  expect([answer.status, keys]).toEqual([403, []]);
});

it("the queue consumer stores the last use of a key and an instance", async () => {
  const { apiKey, keyId, environmentId } = await usedWorld();
  const began = Date.now();
  await call("GET", "/api/client/features", { token: apiKey, headers: SDK });
  await expect.poll(() => lastUsed("api_keys", keyId)).toBeGreaterThanOrEqual(began);
  const sql = "SELECT instance_id AS id, revision FROM client_instances WHERE environment_id = ?";
  const { results } = await env.DB.prepare(sql).bind(environmentId).all();
  expect(results).toEqual([{ id: "shop-1", revision: await revisionIn(environmentId) }]);
});
