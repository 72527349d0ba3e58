import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../support/client.ts";
import { callIn, callWith, responseWith, watchedDatabase } from "../support/call-with.ts";
import { tally } from "../support/outcomes.ts";
import { delaysIn } from "../support/timers.ts";

const LIMIT = 10_000_000_000;

const HEALTH = ["GET", "/actuator/health"] as const;
const health = (replaced: Partial<Env>) => callWith(replaced, ...HEALTH);

/** A replacement of the database binding that reports the given size in bytes. */
const sized = (bytes: number) => ({
  DB: {
    withSession: () => ({
      prepare: () => ({ run: async () => ({ results: [], meta: { size_after: bytes } }) }),
    }),
  } as unknown as D1Database,
});

describe("GET /actuator/health", () => {
  it("is UP, and reports the used and free bytes of the database, when the database responds", async () => {
    const { status, body } = await call("GET", "/actuator/health");
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "UP",
      components: {
        db: { status: "UP" },
        diskSpace: {
          status: "UP",
          details: { total: LIMIT, used: expect.any(Number), free: expect.any(Number) },
        },
      },
    });
    const { used, free } = body.components.diskSpace.details;
    expect(used).toBeGreaterThan(10_000);
    expect(used + free).toBe(LIMIT);
  });

  it("queries the database once for 300 requests within a second, also when they arrive at the same time", async () => {
    let statements = 0;
    const DB = watchedDatabase((count) => {
      statements += count;
    });
    const isolate = { ...env, DB };
    const ask = () => callIn(isolate, "GET", "/actuator/health");
    // Only the test advances the clock, so that all requests arrive within a second.
    vi.useFakeTimers({ toFake: ["Date"] });
    const answers = await Promise.all(Array.from({ length: 150 }, ask));
    for (let n = 0; n < 150; n++) answers.push(await ask());
    expect(tally(answers)).toEqual({ "200": 300 });
    expect(statements).toBe(1);
    vi.setSystemTime(Date.now() + 1_000);
    expect((await ask()).status).toBe(200);
    expect(statements).toBe(2);
    vi.useRealTimers();
  });

  it.each([
    ["fails", () => Promise.reject(new Error("D1_ERROR: secret words"))],
    ["does not respond", () => new Promise<void>(() => {})],
  ])("is DOWN with 503 after at most 2 seconds when the database %s", async (_, fault) => {
    const world = { DB: watchedDatabase(fault) };
    const { result, delays } = await delaysIn(() => responseWith(world, ...HEALTH));
    expect(Math.min(...delays)).toBe(2_000);
    const { status, body, headers } = result.answer;
    expect([status, body.status]).toEqual([503, "DOWN"]);
    expect(body.components).toEqual({
      db: { status: "DOWN", details: { error: "The database does not respond" } },
      diskSpace: {
        status: "DOWN",
        details: { error: "Unknown while the database does not respond" },
      },
    });
    expect(headers.get("Cache-Control")).toBe("no-store");
  });

  it.each([
    [0.95 * LIMIT, 200, "UP", 0.05 * LIMIT],
    [0.95 * LIMIT + 1, 503, "DOWN", 0.05 * LIMIT - 1],
    [LIMIT + 1, 503, "DOWN", 0],
  ])(
    "reports for a database of %d bytes the HTTP status %d and the health status %s",
    async (used, expected, word, free) => {
      const { status, body } = await health(sized(used));
      expect([status, body.status]).toEqual([expected, word]);
      expect(body.components.db).toEqual({ status: "UP" });
      expect(body.components.diskSpace).toEqual({
        status: word,
        details: { total: LIMIT, used, free },
      });
    },
  );

  it("is DOWN with 503 when SERVICE_JWT_SECRET is too short, and names that setting", async () => {
    const { status, body } = await health({ SERVICE_JWT_SECRET: "short" });
    expect([status, body.status]).toEqual([503, "DOWN"]);
    expect(body.components.configuration).toEqual({
      status: "DOWN",
      details: { error: "SERVICE_JWT_SECRET must have at least 32 bytes" },
    });
  });
});
