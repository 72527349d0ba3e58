import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, type CallOptions, type Json } from "../support/client.ts";
import { callWith, intercept } from "../support/call-with.ts";
import { adminToken } from "../support/people.ts";
import { newEnvironment, newFlag, newKey, newSegment, newWorld } from "../support/world.ts";

/**
 * A database replica that repeats its first answer to each statement for `lagMs` milliseconds. A
 * session at the primary, or one that starts at a bookmark, sees the newest data.
 */
function laggingDatabase(lagMs: number, inner: D1Database = env.DB): D1Database {
  const seen = new Map<string, { readonly until: number; readonly result: unknown }>();
  const remembered = async (name: string, read: () => Promise<unknown>) => {
    const known = seen.get(name);
    if (known && Date.now() < known.until) return known.result;
    const result = await read();
    seen.set(name, { until: Date.now() + lagMs, result });
    return result;
  };
  const statement = (sql: string, original: D1PreparedStatement): D1PreparedStatement =>
    intercept(original, (name, value: Json) => {
      if (name === "bind")
        return (...values: unknown[]) =>
          statement(`${sql} ${JSON.stringify(values)}`, original.bind(...values));
      if (name === "all") return () => remembered(sql, () => value.call(original));
      return undefined;
    });
  const replica = (session: D1DatabaseSession) =>
    intercept(session, (name, value: Json) =>
      name === "prepare" ? (sql: string) => statement(sql, value.call(session, sql)) : undefined,
    );
  return intercept(inner, (name) =>
    name === "withSession"
      ? (from: string) => {
          const session = inner.withSession(from);
          return from === "first-unconstrained" ? replica(session) : session;
        }
      : undefined,
  );
}

/**
 * A location of KV that repeats what it read first, as KV does for the 30 seconds that it caches a
 * value.
 */
function cachingStore(): KVNamespace {
  const cached = new Map<string, unknown>();
  return intercept(env.EDGE, (name, value: Json) =>
    name === "get"
      ? async (key: string, options: object) => {
          if (!cached.has(key)) cached.set(key, await value.call(env.EDGE, key, options));
          return cached.get(key);
        }
      : undefined,
  );
}

const OFREP = "/api/ofrep/v1/evaluate/flags";

/**
 * How to call each route, and where its response contains the revision and the effect of the
 * percentage.
 */
const ROUTES: Record<string, { readonly call: [string, string]; readonly body?: object }> = {
  features: { call: ["GET", "/api/client/features"] },
  evaluate: { call: ["POST", "/api/client/evaluate"], body: { context: {} } },
  "OFREP, one flag": { call: ["POST", `${OFREP}/flag`], body: { context: {} } },
  "OFREP, all flags": { call: ["POST", OFREP], body: { context: {} } },
};

async function newFlagWorld() {
  const world = await newWorld();
  const flag = await newFlag(world.projectId, { key: "flag" });
  const path = `/api/v1/flags/${flag.id}/strategies`;
  let on = false;
  /** Switches the flag, and returns the revision of the write. */
  const write = async (): Promise<string> => {
    on = !on;
    const body = { environmentId: world.environmentId, enabled: on };
    const { headers } = await call("PUT", path, { token: await adminToken(), body });
    return headers.get("X-Revision") ?? "";
  };
  return { ...world, write };
}

describe.each(Object.entries(ROUTES))("the header X-Min-Revision, %s:", (_, route) => {
  let world: Awaited<ReturnType<typeof newFlagWorld>>;
  const send = (replaced: Partial<Env>, options: CallOptions & { readonly query?: string } = {}) =>
    callWith(replaced, route.call[0], `${route.call[1]}${options.query ?? ""}`, {
      token: world.apiKey,
      ...options,
      ...(route.body && { body: route.body }),
    });
  const revisionOf = (answer: { readonly headers: Headers }) => answer.headers.get("X-Revision");

  beforeAll(async () => {
    world = await newFlagWorld();
    await world.write();
  });

  it("returns rules of that revision while the replica lags by 10 s and KV returns old rules", async () => {
    const old = { DB: laggingDatabase(10_000), EDGE: cachingStore() };
    const before = revisionOf(await send(old));
    const written = await world.write();
    // Without the header, this location still responds with the old rules.
    expect(revisionOf(await send(old))).toBe(before);
    const answer = await send(old, { headers: { "X-Min-Revision": written } });
    expect([revisionOf(answer), answer.headers.get("Warning")]).toEqual([written, null]);
    expect(Number(written)).toBe(Number(before) + 1);
  });

  it("returns the newest rules with Warning: 110 when no such revision exists", async () => {
    const newest = await world.write();
    const answer = await send({}, { headers: { "X-Min-Revision": String(Number(newest) + 1) } });
    expect([answer.status, revisionOf(answer)]).toEqual([200, newest]);
    expect(answer.headers.get("Warning")).toMatch(/^110 /);
    expect((await send({})).headers.get("Warning")).toBeNull();
  });

  it.each(["", "x", "-1", "1.5", "1e3", "9999999999999999", '"3"', "8;environment=x", "1,2"])(
    "returns 400 for the value %j",
    async (text) => {
      const answer = await send({}, { headers: { "X-Min-Revision": text } });
      expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
      const errorCode = route.call[1].startsWith(OFREP) ? "PARSE_ERROR" : undefined;
      expect(answer.body.errorCode).toBe(errorCode);
    },
  );

  it("returns 401 for an unknown key, even if the value is invalid", async () => {
    const answer = await send({}, { token: "x".repeat(64), headers: { "X-Min-Revision": "x" } });
    expect(answer.status).toBe(401);
  });
});

describe("the X-Revision of a write to several environments, as X-Min-Revision,", () => {
  it("returns rules of the revision that the list has for the environment of the key", async () => {
    const { projectId, environmentId, apiKey } = await newWorld();
    const other = await newEnvironment(projectId);
    const { apiKey: otherKey } = await newKey(other.id);
    const segment = await newSegment(projectId, []);
    const flag = await newFlag(projectId, { key: "flag" });
    for (const id of [environmentId, other.id])
      await call("PUT", `/api/v1/flags/${flag.id}/strategies`, {
        token: await adminToken(),
        body: { environmentId: id, enabled: true, segmentIds: [segment.id] },
      });
    const old = { DB: laggingDatabase(10_000), EDGE: cachingStore() };
    for (const token of [apiKey, otherKey])
      await callWith(old, "GET", "/api/client/features", { token });
    const { headers } = await call("PUT", `/api/v1/flags/${flag.id}`, {
      token: await adminToken(),
      body: { name: "renamed" },
    });
    const list = headers.get("X-Revision") ?? "";
    expect(list).toMatch(/^\d+;environment=\d+, \d+;environment=\d+$/);
    for (const [token, id] of [
      [apiKey, environmentId],
      [otherKey, other.id],
    ] as const) {
      const answer = await callWith(old, "GET", "/api/client/features", {
        token,
        headers: { "X-Min-Revision": list },
      });
      expect(list).toContain(`${answer.headers.get("X-Revision")};environment=${id}`);
      expect(answer.headers.get("Warning")).toBeNull();
    }
  });

  it("returns the rules without a warning when the list does not name the environment of the key", async () => {
    const { apiKey } = await newWorld();
    const headers = { "X-Min-Revision": "999;environment=999999999" };
    const answer = await call("GET", "/api/client/features", { token: apiKey, headers });
    expect([answer.status, answer.headers.get("Warning")]).toEqual([200, null]);
  });
});

describe("flagConfigEtag of OFREP", () => {
  const bulk = (token: string, etag: string, replaced: Partial<Env> = {}) =>
    callWith(replaced, "POST", `${OFREP}?flagConfigEtag=${encodeURIComponent(etag)}`, {
      token,
      body: { context: {} },
    });

  it.each([(n: string) => `"${n}"`, (n: string) => n, (n: string) => `W/"${n}"`])(
    "is a minimum revision, with or without quotes (form %#)",
    async (form) => {
      const { apiKey, write } = await newFlagWorld();
      const old = { DB: laggingDatabase(10_000), EDGE: cachingStore() };
      const { headers } = await callWith(old, "POST", OFREP, {
        token: apiKey,
        body: { context: {} },
      });
      const written = await write();
      const answer = await bulk(apiKey, form(written), old);
      expect([answer.status, answer.body.metadata.version]).toEqual([200, written]);
      expect(Number(written)).toBeGreaterThan(Number(headers.get("X-Revision")));
    },
  );

  it("may be the ETag of a bulk evaluation, which then matches (304)", async () => {
    const { apiKey, write } = await newFlagWorld();
    await write();
    const { headers } = await call("POST", OFREP, { token: apiKey, body: { context: {} } });
    const etag = headers.get("ETag") ?? "";
    const answer = await call("POST", `${OFREP}?flagConfigEtag=${encodeURIComponent(etag)}`, {
      token: apiKey,
      headers: { "If-None-Match": etag },
      body: { context: {} },
    });
    expect(answer.status).toBe(304);
  });

  it.each(["", "x", '"', "99999999999999999", '"1" OR 1', "%00"])(
    "is refused with 400: %j",
    async (etag) => {
      const { apiKey } = await newWorld();
      const answer = await bulk(apiKey, etag);
      expect([answer.status, answer.body.errorCode]).toEqual([400, "PARSE_ERROR"]);
    },
  );
});
