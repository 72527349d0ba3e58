import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { MAX_LEASE_MS } from "../../../src/client/leases.ts";
import { call } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { poll } from "../support/sdk.ts";
import { newFlag, newKey, newWorld, setStrategy } from "../support/world.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";
import { snapshotKey } from "../../../src/platform/edge-store.ts";

const features = (replaced: Partial<Env>, token: string) =>
  callWith(replaced, "GET", "/api/client/features", { token });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function counted() {
  const counter = { statements: 0, DB: env.DB };
  counter.DB = watchedDatabase((count) => {
    counter.statements += count;
  });
  return counter;
}

describe("an API key", () => {
  it("is rejected once the response to its deletion has arrived, which takes at least the longest lease", async () => {
    const { apiKey, keyId } = await newWorld();
    expect((await poll(apiKey)).status).toBe(200);
    const started = Date.now();
    const answer = await call("DELETE", `/api/v1/api-keys/${keyId}`, { token: await adminToken() });
    expect(answer.status).toBe(204);
    // Another isolate may have checked the API key just before the deletion. Its lease of that key
    // then lasts MAX_LEASE_MS.
    expect(Date.now() - started).toBeGreaterThanOrEqual(MAX_LEASE_MS);
    expect((await poll(apiKey)).status).toBe(401);
    expect(await env.EDGE.get(`key:${await sha256(apiKey)}`)).toBeNull();
  });

  it("is accepted by the first poll after its creation", async () => {
    const { environmentId } = await newWorld();
    const key = await newKey(environmentId);
    expect((await poll(key.apiKey)).status).toBe(200);
  });

  it("costs one database statement for 50 concurrent polls after its lease has expired", async () => {
    const { apiKey, projectId } = await newWorld();
    await newFlag(projectId);
    const counter = counted();
    await features(counter, apiKey);
    await sleep(1_100);
    counter.statements = 0;
    const burst = await Promise.all(Array.from({ length: 50 }, () => features(counter, apiKey)));
    expect(burst.every((answer) => answer.status === 200)).toBe(true);
    expect(counter.statements).toBe(1);
  });
});

describe("an API key that is new to the isolate", () => {
  it("costs one key check and at most one build of the rules for 40 concurrent polls", async () => {
    const { apiKey, projectId } = await newWorld();
    await newFlag(projectId);
    const counter = counted();
    const burst = await Promise.all(Array.from({ length: 40 }, () => features(counter, apiKey)));
    expect(burst.every((answer) => answer.status === 200)).toBe(true);
    // One statement for the key check, and four for the build of the rules, unless KV has the rules
    // already.
    expect([1, 5]).toContain(counter.statements);
  });
});

describe("the rules of an environment", () => {
  it("are built once for 20 concurrent polls after a new revision", async () => {
    const { apiKey, projectId, environmentId } = await newWorld();
    const flag = await newFlag(projectId);
    await poll(apiKey);
    const revisionOnly = env.DB.prepare(
      "UPDATE environments SET revision = revision + 1 WHERE id = ?",
    );
    await revisionOnly.bind(environmentId).run();
    await sleep(1_100);
    const counter = counted();
    const burst = await Promise.all(Array.from({ length: 20 }, () => features(counter, apiKey)));
    expect(burst.every((answer) => answer.status === 200)).toBe(true);
    // One statement for the key check, and four for the build of the rules.
    expect(counter.statements).toBe(5);
    expect(burst[0]?.body[0].key).toBe(flag.key);
  });

  it("reach an isolate with the first poll after its key lease has expired, when another isolate changed them", async () => {
    const { apiKey, projectId, environmentId } = await newWorld();
    const flag = await newFlag(projectId);
    const before = await poll(apiKey);
    // Written directly to the database, as if by another isolate.
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
