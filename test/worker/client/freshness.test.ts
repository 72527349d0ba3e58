import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { MAX_LEASE_MS } from "../../../src/client/keys/leases.ts";
import { call } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { poll } from "../support/sdk.ts";
import { newFlag, newKey, newWorld, setStrategy } from "../support/world.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";
import { snapshotKey } from "../../../src/platform/bindings/edge-store.ts";

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

function counted() {
  const counter = { statements: 0, DB: env.DB };
  counter.DB = watchedDatabase((count) => {
    counter.statements += count;
  });
  return counter;
}

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

  it("is accepted by the first poll after its creation", async () => {
    const { environmentId } = await newWorld();
    const key = await newKey(environmentId);
    expect((await poll(key.apiKey)).status).toBe(200);
  });

  it("is checked with one database statement for 50 concurrent polls, 1.1 seconds after the previous check", async () => {
    const { apiKey, projectId } = await newWorld();
    await newFlag(projectId);
    const counter = counted();
    stopClock();
    await features(counter, apiKey);
    pass(1_100);
    counter.statements = 0;
    const burst = await Promise.all(Array.from({ length: 50 }, () => features(counter, apiKey)));
    expect(burst.every((answer) => answer.status === 200)).toBe(true);
    expect(counter.statements).toBe(1);
  });
});

describe("an unknown API key", () => {
  it("costs one database statement", async () => {
    const counter = counted();
    const answer = await features(counter, "u".repeat(64));
    expect([answer.status, counter.statements]).toEqual([401, 1]);
  });

  it("costs no database statement after many others in the same second, and then gets 429 with Retry-After", async () => {
    const counter = counted();
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

describe("an API key that is new to the isolate", () => {
  it("is written to KV again when KV has lost its copy", async () => {
    const { environmentId } = await newWorld();
    const { apiKey, id } = await newKey(environmentId);
    const name = `key:${await sha256(apiKey)}`;
    await expect.poll(() => env.EDGE.get(name)).not.toBeNull();
    await env.EDGE.delete(name);
    await env.DB.prepare("UPDATE api_keys SET created_at = 0 WHERE id = ?").bind(id).run();
    expect((await features({}, apiKey)).status).toBe(200);
    expect(await env.EDGE.get(name, "json")).toMatchObject({ id, environmentId });
  });

  it("causes one key check and at most one build of the rules for 40 concurrent polls", async () => {
    const { apiKey, projectId } = await newWorld();
    await newFlag(projectId);
    const counter = counted();
    stopClock();
    const burst = await Promise.all(Array.from({ length: 40 }, () => features(counter, apiKey)));
    expect(burst.every((answer) => answer.status === 200)).toBe(true);
    // The key check takes one statement. The build of the rules takes four, unless KV already has
    // the rules.
    expect([1, 5]).toContain(counter.statements);
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
    const counter = counted();
    const burst = await Promise.all(Array.from({ length: 20 }, () => features(counter, apiKey)));
    expect(burst.every((answer) => answer.status === 200)).toBe(true);
    // The key check takes one statement, and the build of the rules takes four.
    expect(counter.statements).toBe(5);
    expect(burst[0]?.body[0].key).toBe(flag.key);
  });

  it("that another isolate changed are served after 1 second, when this isolate checks the API key again", async () => {
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

  it("have the new percentage in the first poll after each of four changes", async () => {
    const { apiKey, projectId, environmentId } = await newWorld();
    const flag = await newFlag(projectId);
    for (const percentage of [1, 25, 50, 100]) {
      await setStrategy(flag.id, { environmentId, enabled: true, percentage });
      const answer = await poll(apiKey);
      expect(answer.body[0]?.activation.rollOut).toBe(percentage);
    }
  });
});

describe("while the database is unavailable", () => {
  const broken = () => {
    throw new Error("D1_ERROR: the database is unavailable");
  };
  const hanging = () => new Promise<void>(() => {});

  it.each([
    ["fails", broken],
    ["hangs", hanging],
  ])(
    "the client API serves the rules in memory, marked as stale, when the database %s",
    async (_, fault) => {
      const { apiKey, projectId } = await newWorld();
      const flag = await newFlag(projectId);
      expect((await poll(apiKey)).status).toBe(200);
      await sleep(MAX_LEASE_MS);
      const outage = { DB: watchedDatabase(fault) };
      const answer = await features(outage, apiKey);
      expect([answer.status, answer.body[0].key]).toEqual([200, flag.key]);
      expect(answer.headers.get("Warning")).toMatch(/^110 /);
      await sleep(1_050);
      const recovered = await poll(apiKey);
      expect([recovered.status, recovered.headers.get("Warning")]).toEqual([200, null]);
    },
  );

  it("the client API serves stale rules from KV for an API key that is new to the isolate", async () => {
    const { environmentId, projectId } = await newWorld();
    const key = await newKey(environmentId);
    await newFlag(projectId);
    await expect.poll(() => env.EDGE.get(snapshotKey(environmentId))).not.toBeNull();
    const answer = await features({ DB: watchedDatabase(broken) }, key.apiKey);
    expect([answer.status, answer.body.length]).toEqual([200, 1]);
    expect(answer.headers.get("Warning")).toMatch(/^110 /);
  });

  it("the client API returns 503 with Retry-After for an unknown API key, not 401", async () => {
    const answer = await features({ DB: watchedDatabase(broken) }, "y".repeat(64));
    expect([answer.status, answer.body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(answer.headers.get("Retry-After")).toBe("5");
  });
});

describe("while KV fails", () => {
  it("the client API serves the rules from the database", async () => {
    const { apiKey, projectId } = await newWorld();
    await newFlag(projectId);
    const fail = () => Promise.reject(new Error("KV is unavailable"));
    const EDGE = { get: fail, put: fail, delete: fail } as unknown as KVNamespace;
    const answer = await features({ EDGE }, apiKey);
    expect([answer.status, answer.body.length]).toEqual([200, 1]);
  });
});
