import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { MAX_LEASE_MS } from "../../../src/client/keys/leases.ts";
import { call } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { poll } from "../support/sdk.ts";
import { newFlag, newWorld } from "../support/world.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";
import { countedDatabase } from "../support/statements.ts";

const features = (replaced: Partial<Env>, token: string) =>
  callWith(replaced, "GET", "/api/client/features", { token });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Stops the clock until the end of the test. The isolate then counts many requests as simultaneous,
 * however slow the machine is.
 */
const stopClock = () => vi.useFakeTimers({ toFake: ["Date"] });
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
afterEach(() => {
  vi.useRealTimers();
});

describe("an API key", () => {
  it("is rejected after its deletion, which takes at least 2 seconds", async () => {
    const { apiKey, keyId } = await newWorld();
    expect((await poll(apiKey)).status).toBe(200);
    const started = Date.now();
    const answer = await call("DELETE", `/api/v1/api-keys/${keyId}`, { token: await adminToken() });
    expect(answer.status).toBe(204);
    // Another isolate may have checked the API key just before the deletion, and uses the result of
    // that check for up to MAX_LEASE_MS (2 s).
    expect(Date.now() - started).toBeGreaterThanOrEqual(MAX_LEASE_MS);
    expect((await poll(apiKey)).status).toBe(401);
    expect(await env.EDGE.get(`key:${await sha256(apiKey)}`)).toBeNull();
  });
});

describe("an unknown API key", () => {
  it("costs no database statement after many others in the same second, and then gets 429 with Retry-After", async () => {
    const counter = countedDatabase();
    const { apiKey } = await newWorld();
    stopClock();
    await features(counter, apiKey);
    counter.statements = 0;
    const unknown = Array.from({ length: 300 }, (_, n) => String(n).padStart(64, "u"));
    const answers = await Promise.all(unknown.map((key) => features(counter, key)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ headers }) => headers.get("Retry-After")))).toEqual(
      new Set(["1"]),
    );
    expect(counter.statements).toBe(300 - refused.length);
    expect((await features(counter, apiKey)).status).toBe(200);
  });
});

describe("the rules of an environment", () => {
  it("are built once for 20 concurrent polls after a new revision", async () => {
    const { apiKey, projectId, environmentId } = await newWorld();
    const flag = await newFlag(projectId);
    stopClock();
    await poll(apiKey);
    const revisionOnly = env.DB.prepare(
      "UPDATE environments SET revision = revision + 1 WHERE id = ?",
    );
    await revisionOnly.bind(environmentId).run();
    pass(1_100);
    const counter = countedDatabase();
    const burst = await Promise.all(Array.from({ length: 20 }, () => features(counter, apiKey)));
    expect(burst.every((answer) => answer.status === 200)).toBe(true);
    // The key check takes one statement, and the build of the rules takes four.
    expect(counter.statements).toBe(5);
    expect(burst[0]?.body[0].key).toBe(flag.key);
  });

  it("are those that another isolate changed after 1 second, when this isolate checks the API key again", async () => {
    const { apiKey, projectId, environmentId } = await newWorld();
    const flag = await newFlag(projectId);
    const before = await poll(apiKey);
    // The test changes the database directly, as another isolate would.
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO strategies (flag_id, environment_id, enabled, percentage, constraints, updated_at)
          VALUES (?, ?, 1, 10, '[]', 0)`,
      ).bind(flag.id, environmentId),
      env.DB.prepare("UPDATE environments SET revision = revision + 1 WHERE id = ?").bind(
        environmentId,
      ),
    ]);
    await sleep(1_050);
    const after = await poll(apiKey, { etag: before.headers.get("ETag") ?? "" });
    expect([after.status, after.body[0]?.activation.rollOut]).toEqual([200, 10]);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("D1_ERROR: the database is unavailable"))],
    ["hangs", () => new Promise<void>(() => {})],
  ])("are served from memory, marked as stale, while the database %s", async (_, fault) => {
    const { apiKey, projectId } = await newWorld();
    const flag = await newFlag(projectId);
    expect((await poll(apiKey)).status).toBe(200);
    await sleep(MAX_LEASE_MS);
    const answer = await features({ DB: watchedDatabase(fault) }, apiKey);
    expect([answer.status, answer.body[0].key]).toEqual([200, flag.key]);
    expect(answer.headers.get("Warning")).toMatch(/^110 /);
    await sleep(1_050);
    const recovered = await poll(apiKey);
    expect([recovered.status, recovered.headers.get("Warning")]).toEqual([200, null]);
  });
});
