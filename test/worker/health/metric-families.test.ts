import {
  createExecutionContext,
  createMessageBatch,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DATABASE_TIMEOUT_MS } from "../../../src/client/keys/leases.ts";
import { markDeadDeliveries } from "../../../src/jobs/webhooks/dead-letters.ts";
import worker from "../../../src/worker.ts";
import { call } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { recordingObjects, recordingQueue } from "../support/queue.ts";
import { exported, growth, growthOf, scrape, flushMetrics } from "../support/scrape.ts";
import {
  newFlag,
  newIntegration,
  newKey,
  newProject,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";
import { batchOf } from "../support/usage.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";
import { holdTimers } from "../support/timers.ts";
import { broken, newDeliveries, ok, QUEUE_AWAY, world } from "../webhooks/support.ts";
import { snapshotKey } from "../../../src/platform/bindings/edge-store.ts";

/** Fake usage objects. Work of the real ones would change the metrics of a later test. */
const { USAGE_OBJECTS } = recordingObjects();
const FEATURES = ["GET", "/api/client/features"] as const;
const features = (apiKey: string, replaced: Partial<Env> = {}) =>
  callWith({ USAGE_OBJECTS, ...replaced }, ...FEATURES, { token: apiKey });
/** Polls `count` times within the time for which the isolate caches an API key. */
async function polls(apiKey: string, count: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"] });
  for (let n = 0; n < count; n++) await features(apiKey);
  vi.useRealTimers();
}
const asAdmin = async (method: string, path: string, body?: object, replaced: Partial<Env> = {}) =>
  callWith(replaced, method, `/api/v1/${path}`, { token: await adminToken(), body });
/** Returns the increase of each cache metric that grew while `during` ran. */
async function caches(during: () => Promise<unknown>): Promise<Record<string, number>> {
  const grown = Object.entries(await growth(during));
  return Object.fromEntries(grown.filter(([key]) => key.startsWith("cache_")));
}
const gets = (cache: string, result: string) =>
  `cache_gets_total{cache="${cache}",result="${result}"}`;
const puts = (cache: string) => `cache_puts_total{cache="${cache}"}`;
const away = () => Promise.reject(new Error("D1_ERROR: the database rests"));

describe("cache metrics", () => {
  it("count a miss of the API key, the rules and the rules in KV at the first of 21 polls, and then a hit of the API key and the rules for each", async () => {
    const { apiKey, environmentId } = await newWorld();
    await env.EDGE.delete(snapshotKey(environmentId));
    expect(await caches(() => polls(apiKey, 21))).toEqual({
      [gets("keys", "miss")]: 1,
      [gets("rules", "miss")]: 1,
      // KV has the copy of the API key, but not the rules.
      [gets("edge-store", "hit")]: 1,
      [gets("edge-store", "miss")]: 1,
      [puts("keys")]: 1,
      [puts("rules")]: 1,
      [gets("keys", "hit")]: 20,
      [gets("rules", "hit")]: 20,
    });
  });

  it("count the put of the rules to KV after a change, and KV hits of key and rules when a new API key polls", async () => {
    const { projectId, environmentId } = await newWorld();
    const { apiKey } = await newKey(environmentId);
    await scrape();
    const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId };
    expect(await caches(() => asAdmin("POST", "flags", body))).toEqual({ [puts("edge-store")]: 1 });
    const grown = await caches(() => features(apiKey));
    expect(grown[gets("edge-store", "hit")]).toBe(2);
    expect(grown[gets("edge-store", "miss")]).toBeUndefined();
  });

  it("count the eviction of a deleted API key from KV", async () => {
    const { environmentId } = await newWorld();
    const { id } = await newKey(environmentId);
    const grown = await caches(() => asAdmin("DELETE", `api-keys/${id}`));
    expect(grown).toEqual({ 'cache_evictions_total{cache="edge-store"}': 1 });
  });
});

describe("database query metrics", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const QUERIES = "db_client_queries_total";

  it("count and time each statement, and each D1 batch as one query", async () => {
    const grown = await growth(() => asAdmin("POST", "projects", { name: unique("project") }));
    // The three queries check the caller, commit the new project and read it back.
    expect(grown[`${QUERIES}{outcome="success"}`]).toBe(3);
    expect(grown["db_client_query_seconds_count"]).toBe(3);
    expect(grown['db_client_query_seconds_bucket{le="+Inf"}']).toBe(3);
  });

  it("count a query that violates a constraint with the outcome `refused`", async () => {
    const { name } = await newProject();
    const grown = await growthOf(QUERIES, () => asAdmin("POST", "projects", { name }));
    expect(grown).toEqual({ '{outcome="success"}': 1, '{outcome="refused"}': 1 });
  });

  it("count a query that throws with the outcome `failure`, and the failed key check as a fault", async () => {
    const DB = watchedDatabase(away);
    const grown = await growth(() => features("y".repeat(64), { DB }));
    expect(grown[`${QUERIES}{outcome="failure"}`]).toBe(1);
    expect(grown[`${QUERIES}{outcome="success"}`]).toBeUndefined();
    expect(grown['faults_total{what="key check"}']).toBe(1);
  });

  it("show one query in progress, and the three requests that wait for it", async () => {
    const { apiKey } = await newWorld();
    const states = async () => {
      await flushMetrics();
      const samples = await exported();
      return ["active", "pending"].map((state) =>
        samples.get(`db_client_connections{state="${state}"}`),
      );
    };
    await expect.poll(states).toEqual([0, 0]);
    vi.useFakeTimers({ toFake: ["Date"] });
    const release = holdTimers(DATABASE_TIMEOUT_MS);
    const query = Promise.withResolvers<void>();
    const DB = watchedDatabase(() => query.promise);
    const waiting = Array.from({ length: 4 }, () => features(apiKey, { DB }));
    await expect.poll(states).toEqual([1, 3]);
    query.resolve();
    await Promise.all(waiting);
    release();
    vi.useRealTimers();
    await expect.poll(states).toEqual([0, 0]);
  });
});

describe("snapshot build metrics", () => {
  it("count and time each build", async () => {
    const { projectId } = await newWorld();
    const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId };
    const grown = await growth(() => asAdmin("POST", "flags", body));
    expect(grown['snapshot_builds_total{outcome="success"}']).toBe(1);
    expect(grown["snapshot_build_seconds_count"]).toBe(1);
  });

  it("count and time a failed build, and count it as a fault", async () => {
    const { apiKey, environmentId } = await newWorld();
    await env.EDGE.delete(snapshotKey(environmentId));
    const DB = watchedDatabase((statements) => (statements > 1 ? away() : undefined));
    const grown = await growth(() => features(apiKey, { DB }));
    expect(grown['snapshot_builds_total{outcome="failure"}']).toBe(1);
    expect(grown["snapshot_build_seconds_count"]).toBe(1);
    expect(grown['faults_total{what="rule build"}']).toBe(1);
  });
});

describe("the fault metric", () => {
  it("counts once that the regular expressions of an environment are too large together", async () => {
    const { apiKey, environmentId, projectId } = await newWorld();
    const flags: string[] = [];
    for (const letter of "abcd") {
      const flag = await newFlag(projectId);
      await setStrategy(flag.id, { environmentId, enabled: true });
      const matching = { field: "f", operator: "matches", contextType: "string" };
      const constraints = JSON.stringify([{ ...matching, values: [`^${letter}{960}`] }]);
      // A request is refused, unless another request adds expressions at the same time.
      await env.DB.prepare("UPDATE strategies SET constraints = ? WHERE flag_id = ?")
        .bind(constraints, flag.id)
        .run();
      flags.push(flag.key);
    }
    await setStrategy((await newFlag(projectId)).id, { environmentId, enabled: true });
    const evaluate = (f: string) =>
      call("POST", "/api/client/evaluate", { token: apiKey, body: { context: { f } } });
    const grown = await growth(async () => {
      const first = await evaluate("a".repeat(1000));
      expect(first.body.evaluations[flags[0] ?? ""].enabled).toBe(true);
      const last = await evaluate("d".repeat(1000));
      expect(last.body.evaluations[flags[3] ?? ""].reason).toBe("CONSTRAINT_MISMATCH");
    });
    expect(grown['faults_total{what="regexes"}']).toBe(1);
  });
});

describe("webhook delivery metrics", () => {
  const OUTCOMES = "webhook_deliveries_total";

  // Deletes the remaining webhook deliveries. The next change would send them to the real queue.
  afterEach(async () => {
    await env.DB.prepare("DELETE FROM webhook_deliveries").run();
  });

  it("count delivery attempts by outcome, succeeded or failed", async () => {
    const { ids } = await newDeliveries(3);
    const { deliver } = world((_, nth) => (nth === 1 ? broken() : ok()));
    expect(await growthOf(OUTCOMES, () => deliver(ids))).toEqual({
      '{outcome="succeeded"}': 2,
      '{outcome="failed"}': 1,
    });
  });

  it("count a dead delivery once, although its dead-letter message arrives twice", async () => {
    const { ids } = await newDeliveries(1);
    await env.DB.prepare("UPDATE webhook_deliveries SET attempts = 7 WHERE id = ?")
      .bind(ids[0])
      .run();
    const { deps, dead, deliver } = world(broken);
    const grown = await growthOf(OUTCOMES, async () => {
      await deliver(ids);
      const messages = dead.map(({ body }) => body);
      await markDeadDeliveries(deps, messages);
      await markDeadDeliveries(deps, messages);
    });
    expect(grown).toEqual({ '{outcome="failed"}': 1, '{outcome="dead"}': 1 });
  });

  it("count each delivery held back by the quota", async () => {
    const { id: projectId } = await newProject();
    await newIntegration(projectId);
    await newIntegration(projectId);
    const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId };
    const replaced = { QUOTA_WEBHOOK_DELIVERIES: "0", WEBHOOKS: QUEUE_AWAY };
    const grown = await growthOf(OUTCOMES, () => asAdmin("POST", "flags", body, replaced));
    expect(grown).toEqual({ '{outcome="held"}': 2 });
  });
});

describe("queue metrics", () => {
  it("measure for each queue how old a message is when the consumer gets it", async () => {
    const now = Date.now();
    const message = (id: string, ageMs: number) => ({
      id,
      timestamp: new Date(now - ageMs),
      attempts: 1,
      body: { kind: "batch", object: "1", body: JSON.stringify(batchOf(1)) },
    });
    const grown = await growth(async () => {
      const messages = [message("a", 0), message("b", 7_000), message("c", 400_000)];
      const context = createExecutionContext();
      const batch = createMessageBatch("feature-flags-usage", messages);
      await worker.queue(batch, env, context);
      await waitOnExecutionContext(context);
    });
    const bucket = (le: string) => grown[`queue_lag_seconds_bucket{queue="usage",le="${le}"}`];
    expect([bucket("5"), bucket("15"), bucket("300"), bucket("900")]).toEqual([1, 2, 2, 3]);
    expect(grown['queue_lag_seconds_count{queue="usage"}']).toBe(3);
    expect(grown['queue_lag_seconds_sum{queue="usage"}']).toBeGreaterThan(406);
    expect(grown['queue_lag_seconds_count{queue="webhooks"}']).toBeUndefined();
  });
});

describe("usage report metrics", () => {
  it("count reports by result: accepted, rejected as invalid, or failed because the isolate holds too much that it cannot deliver", async () => {
    const { apiKey, projectId } = await newWorld();
    const { key } = await newFlag(projectId);
    const { USAGE } = recordingQueue({ isDown: true });
    const down = { USAGE, USAGE_OBJECTS: recordingObjects({ isDown: true }).USAGE_OBJECTS };
    const send = (body: unknown, replaced: Partial<Env> = { USAGE_OBJECTS }) =>
      callWith(replaced, "POST", "/api/client/metrics", { token: apiKey, body });
    const evaluations = { [key]: { t: 1, f: 0 } };
    /** A report whose counts take 80 KB in the isolate. */
    const variants = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${n}`.padStart(64, "v"), 1]),
    );
    const large = (n: number) => ({
      evaluations: { [key]: { t: 1, f: 0, v: variants } },
      appName: `${n}`.padStart(200, "a"),
      instanceId: `${n}`.padStart(200, "i"),
    });
    const grown = await growthOf("usage_reports_total", async () => {
      await send({ evaluations });
      await send({ evaluations: 1 });
      await send("{");
      const options = { token: apiKey, body: "{" };
      await callWith({ USAGE_OBJECTS }, "POST", "/api/unleash/client/metrics", options);
      vi.spyOn(console, "log").mockImplementation(() => {});
      vi.spyOn(console, "warn").mockImplementation(() => {});
      let status = 202;
      for (let sent = 0; status === 202; sent += 250) {
        const answers = await Promise.all(
          Array.from({ length: 250 }, (_, n) => send(large(sent + n), down)),
        );
        status = Math.max(...answers.map((answer) => answer.status));
      }
      expect(status).toBe(503);
      vi.restoreAllMocks();
      // The next flush delivers what the isolate holds, and it accepts reports again.
      await send({ evaluations });
      await expect.poll(async () => (await send({ evaluations })).status).toBe(202);
    });
    expect(grown['{result="rejected"}']).toBe(3);
    expect(grown['{result="failed"}']).toBeGreaterThan(0);
    expect(grown['{result="accepted"}']).toBeGreaterThan(250);
  });
});
