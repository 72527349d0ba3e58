import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { MIN_MARK_INTERVAL_MS } from "../../../src/core/usage/message-types.ts";
import { call, type CallOptions } from "../support/client.ts";
import { callSending } from "../support/queue.ts";
import { revisionOf } from "../support/records.ts";
import {
  addBatch,
  completeHours,
  evictUsageObject,
  lastUsed,
  reportOf,
  usageObjectOf,
  usedWorld,
} from "../support/usage.ts";
import { newKey } from "../support/world.ts";

const SDK = { "X-App-Name": "shop", "X-Instance-Id": "shop-1", "X-Sdk-Version": "js:2.0" };
type Route = [method: string, path: string, body?: object];
const ROUTES: readonly [Route, Route, Route] = [
  ["GET", "/api/client/features"],
  ["POST", "/api/client/evaluate", { context: {} }],
  ["POST", "/api/client/metrics", { evaluations: {} }],
];

/** Calls a route, and returns the response and the last-seen marks that the isolate sent. */
const marksSentBy = (
  [method, path, body]: Route,
  { headers = SDK, ...options }: CallOptions = {},
  replaced: Partial<Env> = {},
) => callSending(method, path, { body, headers, ...options }, replaced);

const [FEATURES, EVALUATE, METRICS] = ROUTES;

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
      expect(instances.map(({ revision }) => revision)).toEqual([await revisionOf(environmentId)]);
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
    expect(instances.map(({ revision }) => revision)).toEqual([await revisionOf(environmentId)]);
  });

  it("sends no mark of the instance when X-Instance-Id has more than 200 characters", async () => {
    const { apiKey, keyId } = await usedWorld();
    const headers = { ...SDK, "X-Instance-Id": "x".repeat(201) };
    const { answer, keys, instances } = await marksSentBy(FEATURES, { token: apiKey, headers });
    expect([answer.status, keys, instances]).toEqual([200, [keyId], []]);
  });
});

describe("the last-seen mark of a usage report", () => {
  it.each([
    ["the revision that it names", -1],
    ["no revision when it names one that does not exist yet", 1],
  ])("records for the instance %s", async (_, ahead) => {
    const { apiKey, environmentId } = await usedWorld();
    const revision = (await revisionOf(environmentId)) + ahead;
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

it("the usage object stores the last use of a key and an instance, and writes that of the key", async () => {
  const { apiKey, keyId, environmentId, projectId } = await usedWorld();
  const began = Date.now();
  await call("GET", "/api/client/features", { token: apiKey, headers: SDK });
  await expect.poll(() => lastUsed("api_keys", keyId)).toBeGreaterThanOrEqual(began);
  await evictUsageObject(projectId);
  const found = await usageObjectOf(projectId).instances({ environmentIds: [environmentId] }, 10);
  expect(found).toMatchObject([
    { appName: "shop", instanceId: "shop-1", revision: await revisionOf(environmentId) },
  ]);
  expect(found[0]?.lastSeenAt).toBeGreaterThanOrEqual(began);
});

describe("the last use of a flag and of an API key", () => {
  const AT = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

  it("is written at most once a minute, never decreases, and leaves out deleted keys", async () => {
    const { projectId, environmentId, keyId, a, b } = await usedWorld();
    const use = (after: number) =>
      addBatch(projectId, {
        reports: [reportOf(environmentId, [[a.key, 1, 0]], { at: AT + after })],
        keys: [
          [keyId, AT + after],
          [999_999_999, AT + after],
        ],
      });
    const after = async () =>
      [await lastUsed("flags", a.id), await lastUsed("api_keys", keyId)].map(
        (at) => (at ?? 0) - AT,
      );
    await use(5);
    await expect.poll(after).toEqual([5, 5]);
    await use(MIN_MARK_INTERVAL_MS + 4);
    await use(MIN_MARK_INTERVAL_MS + 5);
    await expect.poll(after).toEqual([MIN_MARK_INTERVAL_MS + 5, MIN_MARK_INTERVAL_MS + 5]);
    await use(0);
    // After its eviction, the usage object does not know what it has written. The condition in the
    // SQL statement prevents a second write.
    await evictUsageObject(projectId);
    await use(2 * MIN_MARK_INTERVAL_MS + 4);
    await completeHours(projectId);
    expect(await after()).toEqual([MIN_MARK_INTERVAL_MS + 5, MIN_MARK_INTERVAL_MS + 5]);
    expect(await lastUsed("flags", b.id)).toBeNull();
  });
});
