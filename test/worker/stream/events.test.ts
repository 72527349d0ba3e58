import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LEAVES, leafOf } from "../../../src/platform/objects/stream-leaves.ts";
import { callWith } from "../support/call-with.ts";
import { call } from "../support/client.ts";
import { fail, faultyEnvironment } from "../support/faulty-bindings.ts";
import { asAdmin } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { NATIVE, newSwitch, ofrepUrl, openStreams, settle } from "../support/streams.ts";
import { newFlag, newKey, newWorld } from "../support/world.ts";
import { minute } from "../support/minute.ts";

const { open, openWith } = openStreams();
const BULK = "/api/ofrep/v1/evaluate/flags";

/** Signs a stream token with the secret of the service. */
async function signedToken(keyId: number, environmentId: number): Promise<string> {
  const encoder = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const secret = encoder.encode(env.SERVICE_JWT_SECRET);
  const key = await crypto.subtle.importKey("raw", secret, hmac, false, ["sign"]);
  const text = encoder.encode(`event stream\n${keyId}.${environmentId}`);
  const signature = Buffer.from(await crypto.subtle.sign("HMAC", key, text)).toString("base64url");
  return `${keyId}.${environmentId}.${signature}`;
}

describe("the native stream", () => {
  it("sends an event with the changed rules after a write", async () => {
    const { apiKey, flag, write, revision } = await newSwitch();
    const before = await revision();
    const stream = await open(`${NATIVE}?revision=${before}`, { token: apiKey });
    expect(stream.status).toBe(200);
    expect(stream.headers.get("Content-Type")).toBe("text/event-stream");
    expect(stream.headers.get("Cache-Control")).toBe("no-cache, no-transform");
    const written = await write();
    await expect.poll(() => stream.events).toHaveLength(1);
    const features = await call("GET", "/api/client/features", { token: apiKey });
    expect(stream.events[0]).toEqual({
      event: "revision",
      id: String(written),
      data: {
        revision: written,
        from: before,
        etag: features.headers.get("ETag"),
        digest: features.headers.get("X-Rules-Digest"),
        nextSince: features.headers.get("X-Next-Since"),
        rules: [expect.objectContaining({ key: flag.key })],
      },
    });
    expect(stream.events[0]?.data.rules).toEqual(features.body);
  });

  it("sends an event with a change that the scheduler makes at its time, without a cron", async () => {
    const { apiKey, projectId, flag, environmentId, revision } = await newSwitch();
    const stream = await open(`${NATIVE}?revision=${await revision()}`, { token: apiKey });
    const target = { flagId: flag.id, environmentId };
    const operations = [{ kind: "strategy.set", target, input: { percentage: 42 } }];
    const applyAt = new Date(Date.now() + 1_000).toISOString();
    const request = { projectId, title: "Later", operations, applyAt };
    expect((await asAdmin("POST", "/api/v1/change-requests", request)).status).toBe(201);
    await expect.poll(() => stream.events).toHaveLength(1);
    expect(stream.events[0]?.data.rules).toMatchObject([
      { key: flag.key, activation: { rollOut: 42 } },
    ]);
  });

  it("sends a tombstone for an archived flag", async () => {
    const { apiKey, flag, revision } = await newSwitch();
    const stream = await open(`${NATIVE}?revision=${await revision()}`, { token: apiKey });
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    await expect.poll(() => stream.events).toHaveLength(1);
    expect(stream.events[0]?.data.rules).toEqual([
      expect.objectContaining({ key: flag.key, enabled: false, archived: true }),
    ]);
  });

  it("sends only the revision when the changed rules have more than 16 KB", async () => {
    const { apiKey, projectId, flag, environmentId, revision } = await newSwitch();
    const stream = await open(`${NATIVE}?revision=${await revision()}`, { token: apiKey });
    const values = Array.from({ length: 200 }, (_, n) => `${n}-${"x".repeat(100)}`);
    const constraint = { field: "plan", operator: "in", values, contextType: "string" };
    const body = { environmentId, enabled: true, constraints: [constraint] };
    expect((await asAdmin("PUT", `/api/v1/flags/${flag.id}/strategies`, body)).status).toBe(200);
    await expect.poll(() => stream.events).toHaveLength(1);
    const newest = await revision();
    expect(stream.events[0]?.data).toEqual({ revision: newest });
    // The next small change has its rules again.
    await newFlag(projectId);
    await expect.poll(() => stream.events).toHaveLength(2);
    expect(stream.events[1]?.data).toMatchObject({ revision: newest + 1, from: newest });
  });
});

describe("the OFREP stream", () => {
  it.each(["SERVER", "FRONTEND"] as const)(
    "has a URL in the bulk evaluation of a %s key, and sends a refetchEvaluation after a write",
    async (type) => {
      const { environmentId, write } = await newSwitch();
      const { apiKey } = await newKey(environmentId, type);
      const url = await ofrepUrl(apiKey);
      expect(url).toMatch(/^\/api\/ofrep\/v1\/stream\?token=[\w.-]+$/);
      const stream = await open(url);
      await expect.poll(() => stream.events).toHaveLength(1);
      const written = await write();
      await expect.poll(() => stream.revisions).toContain(written);
      const data = { type: "refetchEvaluation", etag: `"${written}"` };
      expect(stream.events.at(-1)).toEqual({ event: "message", id: String(written), data });
      // The etag of the event is a minimum revision for the next bulk evaluation.
      const query = `?flagConfigEtag=${encodeURIComponent(data.etag)}`;
      const bulk = await call("POST", BULK + query, { token: apiKey, body: { context: {} } });
      expect(bulk.body.metadata.version).toBe(String(written));
    },
  );

  it("has the same URL as long as the key exists, also after a 304 without a body", async () => {
    const { apiKey, write } = await newSwitch();
    const url = await ofrepUrl(apiKey);
    await write();
    expect(await ofrepUrl(apiKey)).toBe(url);
    const bulk = await call("POST", BULK, { token: apiKey, body: { context: {} } });
    const headers = { "If-None-Match": bulk.headers.get("ETag") ?? "" };
    const again = await call("POST", BULK, { token: apiKey, headers, body: { context: {} } });
    expect([again.status, again.body]).toEqual([304, ""]);
    expect((await open(url)).status).toBe(200);
  });

  it("has a URL of its own for every key, which still works while the secret is rotated", async () => {
    const { environmentId, apiKey } = await newWorld();
    const url = await ofrepUrl(apiKey);
    expect(await ofrepUrl((await newKey(environmentId)).apiKey)).not.toBe(url);
    const rotated = {
      SERVICE_JWT_SECRET: "another secret of the tests, 32 bytes or more",
      SERVICE_JWT_SECRET_PREVIOUS: env.SERVICE_JWT_SECRET,
    };
    expect((await openWith(rotated, url)).status).toBe(200);
    const { SERVICE_JWT_SECRET } = rotated;
    expect((await openWith({ SERVICE_JWT_SECRET }, url)).status).toBe(401);
  });

  it("has a new URL after the secret or the limit changed, so the ETag of an earlier bulk evaluation returns 200", async () => {
    const { apiKey } = await newWorld();
    const bulk = (replaced: Partial<Env>, etag = "") =>
      callWith(replaced, "POST", BULK, {
        token: apiKey,
        headers: { "If-None-Match": etag },
        body: { context: {} },
      });
    const before = await bulk({});
    const etag = before.headers.get("ETag") ?? "";
    expect((await bulk({}, etag)).status).toBe(304);
    const changes: Partial<Env>[] = [
      { SERVICE_JWT_SECRET: "another secret of the tests, 32 bytes or more" },
      { STREAMS_PER_LEAF: "0" },
    ];
    for (const changed of changes) {
      const after = await bulk(changed, etag);
      expect(after.status).toBe(200);
      expect(after.body.eventStreams).not.toEqual(before.body.eventStreams);
      expect((await bulk(changed, after.headers.get("ETag") ?? "")).status).toBe(304);
    }
  });

  it("accepts an API key in a header, too", async () => {
    const { apiKey } = await newWorld();
    const path = "/api/ofrep/v1/stream";
    expect((await open(path, { token: apiKey })).status).toBe(200);
    expect((await open(path, { headers: { "X-API-Key": apiKey } })).status).toBe(200);
    expect((await open(path)).status).toBe(401);
  });

  it("can be read by pages of other origins, without credentials", async () => {
    const { apiKey } = await newWorld();
    const url = await ofrepUrl(apiKey);
    for (const path of [url, "/api/ofrep/v1/stream?token=x"]) {
      const { headers } = await open(path, { headers: { Origin: "https://shop.test" } });
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(headers.get("Access-Control-Expose-Headers")).toContain("Retry-After");
    }
    const preflight = await call("OPTIONS", url, {
      headers: {
        Origin: "https://shop.test",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "cache-control,last-event-id",
      },
    });
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe(
      "cache-control,last-event-id",
    );
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("GET");
  });
});

describe("a connect", () => {
  it("names a delay of 1 to 5 seconds before the next connect, at random", async () => {
    const { apiKey } = await newWorld();
    const connects = Array.from({ length: 8 }, () => open(NATIVE, { token: apiKey }));
    const streams = await Promise.all(connects);
    await expect.poll(() => streams.every(({ retry }) => retry > 0)).toBe(true);
    const delays = streams.map(({ retry }) => retry);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(5_000);
    expect(new Set(delays).size).toBeGreaterThan(1);
  });

  it.each([
    ["an older Last-Event-ID", (n: number) => String(n - 1)],
    ["a Last-Event-ID of the future", (n: number) => String(n + 1_000)],
    ["a Last-Event-ID that is not a revision", () => "x'; DROP"],
    ["an empty Last-Event-ID", () => ""],
    ["no Last-Event-ID", () => undefined],
  ])("with %s gets the newest revision at once", async (_, id) => {
    const { apiKey, write } = await newSwitch();
    const newest = await write();
    const last = id(newest);
    const headers: Record<string, string> = last === undefined ? {} : { "Last-Event-ID": last };
    const url = await ofrepUrl(apiKey);
    const streams = [await open(NATIVE, { token: apiKey, headers }), await open(url, { headers })];
    for (const stream of streams) await expect.poll(() => stream.revisions).toEqual([newest]);
    expect(streams[0]?.events[0]?.data).toEqual({ revision: newest });
    // The event after that belongs to the next change.
    const next = await write();
    for (const stream of streams) await expect.poll(() => stream.revisions).toEqual([newest, next]);
  });

  it("with the newest Last-Event-ID or revision gets nothing until the next change", async () => {
    const { apiKey, write } = await newSwitch();
    const newest = await write();
    const headers = { "Last-Event-ID": String(newest) };
    const streams = [
      await open(NATIVE, { token: apiKey, headers }),
      await open(`${NATIVE}?revision=${newest}`, { token: apiKey }),
      await open(`${NATIVE}?revision=1`, { token: apiKey, headers }),
      await open(await ofrepUrl(apiKey), { headers }),
    ];
    await settle();
    expect(streams.flatMap(({ events }) => events)).toEqual([]);
    const next = await write();
    for (const stream of streams) await expect.poll(() => stream.revisions).toEqual([next]);
  });

  it.each(["x", "-1", "1.5", "", "9999999999999999"])(
    "with the revision %j in the query returns 400",
    async (revision) => {
      const { apiKey } = await newWorld();
      expect((await open(`${NATIVE}?revision=${revision}`, { token: apiKey })).status).toBe(400);
    },
  );

  it("by HEAD opens no stream", async () => {
    const { apiKey } = await newWorld();
    const answer = await call("HEAD", NATIVE, { token: apiKey });
    expect([answer.status, answer.body]).toEqual([200, ""]);
  });

  it("gets no event of another environment", async () => {
    const one = await newSwitch();
    const other = await newSwitch();
    const stream = await open(`${NATIVE}?revision=${await one.revision()}`, { token: one.apiKey });
    await other.write();
    const own = await one.write();
    await expect.poll(() => stream.revisions).toEqual([own]);
  });
});

describe("a stream token", () => {
  it("is rejected with 401 when it is forged or of another purpose", async () => {
    const { apiKey, keyId, environmentId } = await newWorld();
    const other = await newKey(environmentId);
    const token = (await ofrepUrl(apiKey)).split("=")[1] ?? "";
    const signature = token.split(".")[2] ?? "";
    const altered = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    for (const forged of [
      "",
      "x",
      apiKey,
      `${keyId}.${environmentId}.${altered}`,
      `${keyId}.${environmentId}.`,
      `${other.id}.${environmentId}.${signature}`,
      `${keyId}.${environmentId + 1}.${signature}`,
      `${token}x`,
      `${token}.${signature}`,
      `eyJhbGciOiJIUzI1NiJ9.e30.${signature}`,
    ]) {
      const { status, headers } = await open(
        `/api/ofrep/v1/stream?token=${encodeURIComponent(forged)}`,
      );
      expect([forged, status, headers.get("WWW-Authenticate")]).toEqual([forged, 401, "Bearer"]);
    }
  });

  it("is rejected with 401 when it is for another environment than that of its API key", async () => {
    const { apiKey, keyId, environmentId } = await newWorld();
    const other = await newWorld();
    const own = (await ofrepUrl(apiKey)).split("=")[1];
    expect(await signedToken(keyId, environmentId)).toBe(own);
    const foreign = await signedToken(keyId, other.environmentId);
    expect((await open(`/api/ofrep/v1/stream?token=${foreign}`)).status).toBe(401);
    expect((await open(`/api/ofrep/v1/stream?token=${own}`)).status).toBe(200);
  });

  it("gives access to nothing but the stream", async () => {
    const { apiKey } = await newWorld();
    const token = (await ofrepUrl(apiKey)).split("=")[1] ?? "";
    for (const path of ["/api/client/features", NATIVE, "/api/v1/flags"])
      expect((await call("GET", path, { token })).status).toBe(401);
    expect((await call("POST", BULK, { token, body: { context: {} } })).status).toBe(401);
  });
});

describe("the end of a stream", () => {
  it("comes with the deletion of its key, before the response, and no stream opens again", async () => {
    const { apiKey, keyId, environmentId, write } = await newSwitch();
    const url = await ofrepUrl(apiKey);
    const native = await open(NATIVE, { token: apiKey });
    const ofrep = await open(url);
    const other = await open(NATIVE, { token: (await newKey(environmentId)).apiKey });
    expect((await asAdmin("DELETE", `/api/v1/api-keys/${keyId}`)).status).toBe(204);
    expect([native.isClosed, ofrep.isClosed, other.isClosed]).toEqual([true, true, false]);
    expect((await open(NATIVE, { token: apiKey })).status).toBe(401);
    expect((await open(url)).status).toBe(401);
    const written = await write();
    await expect.poll(() => other.revisions).toContain(written);
  });

  /** Deletes an API key while its streams cannot be closed. */
  async function deleteKeyButNotItsStreams(keyId: number) {
    const faulty = faultyEnvironment();
    faulty.at.STREAM_HUBS.fault = fail;
    const token = await adminToken();
    const path = `/api/v1/api-keys/${keyId}`;
    expect((await callWith(faulty.env, "DELETE", path, { token })).status).toBe(204);
  }

  it("comes with the next minute cron when the Durable Objects failed at the deletion of its key", async () => {
    const { apiKey, keyId, environmentId, write } = await newSwitch();
    const url = await ofrepUrl(apiKey);
    const streams = [await open(NATIVE, { token: apiKey }), await open(url)];
    const other = await open(NATIVE, { token: (await newKey(environmentId)).apiKey });
    await deleteKeyButNotItsStreams(keyId);
    expect(streams.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    await minute();
    for (const stream of streams) await expect.poll(() => stream.isClosed).toBe(true);
    expect((await open(url)).status).toBe(401);
    const written = await write();
    await expect.poll(() => other.revisions).toContain(written);
    expect(other.isClosed).toBe(false);
  });

  it.each(["environments", "projects"] as const)(
    "comes with the deletion of its environment by DELETE /api/v1/%s, even if the deletion of its key did not close it",
    async (collection) => {
      const { apiKey, keyId, projectId, environmentId, write } = await newSwitch();
      const other = await newSwitch();
      const stays = await open(`${NATIVE}?revision=${await other.revision()}`, {
        token: other.apiKey,
      });
      await write();
      const url = await ofrepUrl(apiKey);
      const streams = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          n % 2 === 0 ? open(NATIVE, { token: apiKey }) : open(url),
        ),
      );
      await deleteKeyButNotItsStreams(keyId);
      expect(streams.map(({ isClosed }) => isClosed)).not.toContain(true);
      const id = collection === "projects" ? projectId : environmentId;
      expect((await asAdmin("DELETE", `/api/v1/${collection}/${id}`)).status).toBe(204);
      for (const stream of streams) await expect.poll(() => stream.isClosed).toBe(true);
      expect((await open(NATIVE, { token: apiKey })).status).toBe(401);
      expect((await open(url)).status).toBe(401);
      // While the database is down, the Worker accepts the token, and the stream object (the leaf)
      // rejects it.
      const faulty = faultyEnvironment();
      faulty.at.DB.fault = fail;
      const { status } = await openWith(faulty.env, url);
      expect(status).toBe(401);
      const written = await other.write();
      await expect.poll(() => stays.revisions).toEqual([written]);
    },
  );

  it("leaves nothing in the storage of the hub and the leaves of a deleted environment", async () => {
    const { apiKey, keyId, environmentId, write } = await newSwitch();
    await open(NATIVE, { token: apiKey });
    await write();
    const hub = env.STREAM_HUBS.getByName(String(environmentId));
    const leaves = Array.from({ length: LEAVES }, (_, leaf) => leafOf(env, environmentId, leaf));
    const stored = async () => {
      const sizes = [await runInDurableObject(hub, async (_, { storage }) => storage.list())];
      for (const leaf of leaves)
        sizes.push(await runInDurableObject(leaf, async (_, { storage }) => storage.list()));
      return sizes.map(({ size }) => size);
    };
    expect((await asAdmin("DELETE", `/api/v1/api-keys/${keyId}`)).status).toBe(204);
    const path = `/api/v1/environments/${environmentId}`;
    expect((await callWith({}, "DELETE", path, { token: await adminToken() })).status).toBe(204);
    expect(await stored()).not.toContain(0);
    expect(await runDurableObjectAlarm(hub)).toBe(true);
    expect(await stored()).toEqual([0, 0, 0, 0, 0]);
  });
});
