import { describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";

const LIMIT = 10_000_000_000;

const health = (replaced: Partial<Env>) => callWith(replaced, "GET", "/actuator/health");

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

  it("queries the database once for each request", async () => {
    let statements = 0;
    const DB = watchedDatabase((count) => {
      statements += count;
    });
    await health({ DB });
    await health({ DB });
    expect(statements).toBe(2);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("D1_ERROR: secret words"))],
    ["does not respond", () => new Promise<void>(() => {})],
  ])("is DOWN with 503 within 3 seconds when the database %s", async (_, fault) => {
    const began = Date.now();
    const { status, body, headers } = await health({ DB: watchedDatabase(fault) });
    expect(Date.now() - began).toBeLessThan(3_000);
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

  it("is UP again when the database recovers", async () => {
    await health({ DB: watchedDatabase(() => Promise.reject(new Error("away"))) });
    expect((await health({})).status).toBe(200);
  });

  it("is UP when the database responds after 1.5 seconds, within the timeout of 2 seconds", async () => {
    const DB = watchedDatabase(() => new Promise((resolve) => setTimeout(resolve, 1_500)));
    expect((await health({ DB })).body.status).toBe("UP");
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
