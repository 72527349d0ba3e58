import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  evictDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../../src/worker.ts";
import { callWith } from "../support/call-with.ts";
import { MeteredDatabase } from "../support/metered-database.ts";
import { ADMIN, adminToken, signIn } from "../support/people.ts";
import { growth, growthOf, scrape } from "../support/scrape.ts";
import { newProject, newTag, newWorld, unique } from "../support/world.ts";

const ROWS = "db_client_rows_total";
/** Usage objects that take all usage. The real ones write last uses to a database without a meter. */
const USAGE_OBJECTS = {
  getByName: () => ({ add: async () => {} }),
} as unknown as Env["USAGE_OBJECTS"];
const asAdmin = async (method: string, path: string, body?: object) =>
  callWith({}, method, `/api/v1/${path}`, { token: await adminToken(), body });

describe("database row metrics", () => {
  it("count the rows that D1 counts for a key check, a build of the rules and a change", async () => {
    const { apiKey, projectId } = await newWorld();
    const meter = new MeteredDatabase();
    const DB = meter as unknown as D1Database;
    await scrape();
    const polled = await growthOf(ROWS, () =>
      callWith({ DB, USAGE_OBJECTS }, "GET", "/api/client/features", { token: apiKey }),
    );
    const { read } = meter.take();
    expect(read).toBeGreaterThan(0);
    expect(polled).toEqual({ '{operation="read"}': read });

    const token = await adminToken();
    const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId };
    const changed = await growthOf(ROWS, () =>
      callWith({ DB }, "POST", "/api/v1/flags", { token, body }),
    );
    const { written } = meter.take();
    expect(written).toBeGreaterThan(0);
    expect(changed['{operation="written"}']).toBe(written);
  });

  it("count the rows of a list whose query returns only its rows", async () => {
    const { id: projectId } = await newProject();
    const list = () => growthOf(ROWS, () => asAdmin("GET", `tags?projectId=${projectId}`));
    const { '{operation="read"}': empty = 0 } = await list();
    for (let n = 0; n < 3; n++) await newTag(projectId);
    const { '{operation="read"}': full = 0 } = await list();
    expect(full - empty).toBe(3);
  });
});

describe("queue operation metrics", () => {
  it("count three operations per 64 KB of a message, and one per 64 KB of a retry", async () => {
    const message = (id: string, attempts: number, padding: number) => ({
      id,
      timestamp: new Date(),
      attempts,
      body: { kind: "sightings", keys: [], instances: [], padding: "x".repeat(padding) },
    });
    const operations = (...messages: readonly ReturnType<typeof message>[]) =>
      growthOf("queue_operations_total", async () => {
        const context = createExecutionContext();
        await worker.queue(createMessageBatch("feature-flags-usage", [...messages]), env, context);
        await waitOnExecutionContext(context);
      });
    expect(await operations(message("a", 1, 0), message("b", 1, 100_000))).toEqual({
      '{queue="usage"}': 9,
    });
    expect(await operations(message("c", 2, 0), message("d", 3, 100_000))).toEqual({
      '{queue="usage"}': 3,
    });
  });
});

describe("invocation metrics", () => {
  const INVOCATIONS = "worker_invocations_total";

  it("count every request, every batch of messages and every cron", async () => {
    const grown = await growth(async () => {
      for (let n = 0; n < 3; n++) await callWith({}, "GET", "/api/nothing");
      const context = createExecutionContext();
      await worker.queue(createMessageBatch("feature-flags-usage", []), env, context);
      await worker.scheduled(createScheduledController({ cron: "* * * * *" }), env, context);
      await waitOnExecutionContext(context);
    });
    const requests = Object.entries(grown).filter(([key]) =>
      key.startsWith("http_server_requests_seconds_count"),
    );
    expect(grown[`${INVOCATIONS}{handler="fetch"}`]).toBe(
      requests.reduce((sum, [, count]) => sum + count, 0),
    );
    expect(grown[`${INVOCATIONS}{handler="queue"}`]).toBe(1);
    expect(grown[`${INVOCATIONS}{handler="scheduled"}`]).toBe(1);
  });
});

describe("Durable Object metrics", () => {
  const REQUESTS = "object_requests_total";
  const WRITTEN = "object_rows_written_total";

  it("count the hash and the new session of a sign-in, and the rows of its refresh", async () => {
    const { refreshToken } = await signIn();
    const signedIn = await growth(() =>
      callWith({}, "POST", "/api/v1/auth/login", { body: ADMIN }),
    );
    expect(signedIn[`${REQUESTS}{object="passwords"}`]).toBe(1);
    expect(signedIn[`${REQUESTS}{object="sessions"}`]).toBe(1);
    // The family, its token and its alarm.
    expect(signedIn[`${WRITTEN}{object="sessions"}`]).toBe(3);

    const refresh = (presented: string) =>
      growth(() =>
        callWith({}, "POST", "/api/v1/auth/refresh", { body: { refreshToken: presented } }),
      );
    const refreshed = await refresh(refreshToken);
    expect(refreshed[`${REQUESTS}{object="sessions"}`]).toBe(1);
    expect(refreshed[`${WRITTEN}{object="sessions"}`]).toBe(3);
    // The reuse of a token saves the family, and sets no alarm.
    expect((await refresh(refreshToken))[`${WRITTEN}{object="sessions"}`]).toBe(2);
  });

  it("count the hub and the four leaves of each channel that a change notifies", async () => {
    const { body: project } = await asAdmin("POST", "projects", { name: unique("project") });
    const projectId: number = project.id;
    let environmentId = 0;
    const created = await growth(async () => {
      const { body } = await asAdmin("POST", "environments", { name: unique("e"), projectId });
      environmentId = body.id;
    });
    expect(created[`${REQUESTS}{object="streams"}`]).toBe(5);
    // The hub writes one row, and each leaf two.
    expect(created[`${WRITTEN}{object="streams"}`]).toBe(9);

    const body = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId };
    const { body: flag } = await asAdmin("POST", "flags", body);
    const strategy = { environmentId, enabled: true, percentage: 50 };
    const changed = await growth(() => asAdmin("PUT", `flags/${flag.id}/strategies`, strategy));
    // The channels of the project and of the environment.
    expect(changed[`${REQUESTS}{object="streams"}`]).toBe(10);
    expect(changed[`${WRITTEN}{object="streams"}`]).toBe(18);
  });

  it("count each flush of the metrics, and the rows of the metrics objects after an eviction, too", async () => {
    const before = await scrape();
    const after = await scrape();
    const grew = (key: string) => (after.get(key) ?? 0) - (before.get(key) ?? 0);
    // One flush, and eight reads of the export before it.
    expect(grew(`${REQUESTS}{object="metrics"}`)).toBeGreaterThanOrEqual(9);
    expect(grew(`${WRITTEN}{object="metrics"}`)).toBeGreaterThanOrEqual(1);
    for (let shard = 0; shard < 8; shard++)
      await evictDurableObject(env.METRICS.getByName(`shard-${shard}`));
    const evicted = await scrape();
    expect(evicted.get(`${WRITTEN}{object="metrics"}`)).toBeGreaterThan(
      after.get(`${WRITTEN}{object="metrics"}`) ?? Infinity,
    );
  });
});
