import { createExecutionContext, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../../src/worker.ts";
import { LEAVES, leafOf } from "../../../src/platform/objects/stream-leaves.ts";
import { snapshotKey } from "../../../src/platform/bindings/edge-store.ts";
import { callWith, intercept } from "../support/call-with.ts";
import { countedDatabase } from "../support/statements.ts";
import { fail, faultyEnvironment, hang } from "../support/faulty-bindings.ts";
import { consoleDuring } from "../support/logs.ts";
import { growthOf } from "../support/scrape.ts";
import {
  type EventReader,
  NATIVE,
  newSwitch,
  ofrepUrl,
  openStreams,
  settle,
} from "../support/streams.ts";
import { adminToken } from "../support/people.ts";
import { newEnvironment, newKey, newWorld, unique } from "../support/world.ts";
import { from, newAddress } from "../support/rates.ts";
import { minute } from "../support/minute.ts";

const { open, openWith } = openStreams();
const BULK = "/api/ofrep/v1/evaluate/flags";

/** Evicts all leaves of an environment from memory. */
async function evictLeaves(environmentId: number, webSockets: "close" | "hibernate") {
  for (let leaf = 0; leaf < LEAVES; leaf++) {
    const stub = leafOf(env, environmentId, leaf);
    // A leaf that is not in memory cannot be evicted.
    await stub.send({ revision: 0 });
    await evictDurableObject(stub, { webSockets });
  }
}

/**
 * Opens so many streams that each leaf (a Durable Object that holds streams) of the environment has
 * some.
 */
const openSome = async (apiKey: string, revision: number, count = 12): Promise<EventReader[]> =>
  Promise.all(
    Array.from({ length: count }, () => open(`${NATIVE}?revision=${revision}`, { token: apiKey })),
  );

describe("an event", () => {
  it("costs as many database statements for 20 streams as for one", async () => {
    const { apiKey, write, revision } = await newSwitch();
    const database = countedDatabase();
    const { DB } = database;
    const streams: EventReader[] = [];
    const costs: number[] = [];
    for (const count of [1, 20]) {
      const path = `${NATIVE}?revision=${await revision()}`;
      while (streams.length < count) streams.push(await openWith({ DB }, path, { token: apiKey }));
      const ofWrites: number[] = [];
      for (let n = 0; n < 3; n++) {
        database.statements = 0;
        const written = await write({ DB });
        for (const stream of streams) await expect.poll(() => stream.revisions).toContain(written);
        ofWrites.push(database.statements);
      }
      // A write now and then reads again what the isolate keeps in memory.
      costs.push(Math.min(...ofWrites));
    }
    expect(costs[0]).toBeGreaterThan(0);
    expect(costs[1]).toBe(costs[0]);
  });

  it("reaches streams whose leaf hibernates", async () => {
    const { apiKey, environmentId, write, revision } = await newSwitch();
    const streams = await openSome(apiKey, await revision());
    await evictLeaves(environmentId, "hibernate");
    const written = await write();
    for (const stream of streams) await expect.poll(() => stream.revisions).toEqual([written]);
    expect(streams.some(({ isClosed }) => isClosed)).toBe(false);
  });

  it("is not lost when the leaf is lost: the streams end, and a reconnect gets it", async () => {
    const { apiKey, environmentId, write, revision } = await newSwitch();
    const before = await revision();
    const streams = await openSome(apiKey, before);
    await evictLeaves(environmentId, "close");
    for (const stream of streams) await expect.poll(() => stream.isClosed).toBe(true);
    const written = await write();
    const headers = { "Last-Event-ID": String(before) };
    const again = await open(NATIVE, { token: apiKey, headers });
    await expect.poll(() => again.revisions).toEqual([written]);
  });

  it("is not sent to a client that knows a newer revision than its leaf and the isolate", async () => {
    const { apiKey, environmentId, revision, write } = await newSwitch();
    await revision();
    // Another isolate has written, and the notification is lost.
    await env.DB.prepare("UPDATE environments SET revision = revision + 1 WHERE id = ?")
      .bind(environmentId)
      .run();
    const known = (await revision()) + 1;
    const headers = { "Last-Event-ID": String(known) };
    const stream = await open(NATIVE, { token: apiKey, headers });
    await settle();
    expect(stream.revisions).toEqual([]);
    const written = await write();
    await expect.poll(() => stream.revisions).toEqual([written]);
  });

  it.each([["fails", fail] as const, ["hangs", hang] as const])(
    "is sent by the minute cron, once, when the hub %s during the write",
    async (_, fault) => {
      const { apiKey, write, revision } = await newSwitch();
      const streams = await openSome(apiKey, await revision());
      const faulty = faultyEnvironment();
      faulty.at.STREAM_HUBS.fault = fault;
      const written = await write(faulty.env);
      await settle();
      expect(streams.flatMap(({ revisions }) => revisions)).toEqual([]);
      await minute();
      for (const stream of streams) await expect.poll(() => stream.revisions).toEqual([written]);
      await minute();
      await settle();
      for (const stream of streams) expect(stream.revisions).toEqual([written]);
    },
  );
});

describe("a write that changes two environments", () => {
  it("notifies the streams of the second environment before it writes the rules of the first to KV again", async () => {
    const { projectId, environmentId, apiKey, revision } = await newSwitch();
    const other = await newEnvironment(projectId);
    const key = await newKey(other.id);
    const streams = [
      await open(`${NATIVE}?revision=${await revision()}`, { token: apiKey }),
      await open(NATIVE, { token: key.apiKey }),
    ];
    await settle();
    const before = streams.map(({ events }) => events.length);
    const steps: string[] = [];
    const snapshot = snapshotKey(environmentId);
    const EDGE = intercept(env.EDGE, (name, value) =>
      name === "put"
        ? async (...args: unknown[]) => {
            steps.push(`put ${String(args[0])}`);
            if (args[0] === snapshot) throw new Error("KV PUT failed: 429 Too Many Requests");
            return value.apply(env.EDGE, args);
          }
        : undefined,
    );
    const STREAM_HUBS = intercept(env.STREAM_HUBS, (name) =>
      name === "getByName"
        ? (hub: string) => {
            if (!hub.startsWith("project")) steps.push(`notify ${hub}`);
            return env.STREAM_HUBS.getByName(hub);
          }
        : undefined,
    );
    const token = await adminToken();
    const body = { projectId, key: unique("flag"), name: "A flag", flagType: "RELEASE" };
    const replaced = { EDGE, STREAM_HUBS, LOGGING_LEVEL_APP: "OFF" };
    expect((await callWith(replaced, "POST", "/api/v1/flags", { token, body })).status).toBe(201);
    expect(steps).toEqual([
      `put ${snapshot}`,
      `notify ${environmentId}`,
      `put ${snapshotKey(other.id)}`,
      `notify ${other.id}`,
      `put ${snapshot}`,
      `put ${snapshot}`,
    ]);
    for (const [n, stream] of streams.entries())
      await expect.poll(() => stream.events).toHaveLength((before[n] ?? 0) + 1);
  });
});

describe("a client that does not read", () => {
  it("loses its stream when 256 KB of events wait for it", async () => {
    const { apiKey, environmentId, revision } = await newSwitch();
    const newest = await revision();
    const path = `${NATIVE}?revision=${newest}`;
    const reading = await open(path, { token: apiKey });
    const headers = { Authorization: `Bearer ${apiKey}` };
    const response = await worker.fetch(
      new Request(`https://flags.test${path}`, { headers }),
      env,
      createExecutionContext(),
    );
    const hub = env.STREAM_HUBS.getByName(String(environmentId));
    const delta = JSON.stringify({ rules: "x".repeat(16_000) });
    for (let n = 1; n <= 40; n++) await hub.notify({ revision: newest + n, delta });
    await expect.poll(() => reading.events).toHaveLength(40);
    // The stream has ended. So the client can read only what was waiting for it.
    const { byteLength } = await response.arrayBuffer();
    expect(byteLength).toBeGreaterThan(262_144 - 16_100);
    expect(byteLength).toBeLessThan(262_144 + 16_100);
    expect(reading.isClosed).toBe(false);
  });
});

describe("while the Durable Objects are down", () => {
  it.each([["fail", fail] as const, ["hang", hang] as const])(
    "a connect returns 503 with Retry-After, while writes, polls and evaluations succeed (calls %s)",
    async (_, fault) => {
      const { apiKey, write } = await newSwitch();
      const faulty = faultyEnvironment();
      const url = await ofrepUrl(apiKey);
      Object.assign(faulty.at.STREAM_LEAVES, { fault });
      Object.assign(faulty.at.STREAM_HUBS, { fault });
      for (const [path, token] of [[NATIVE, apiKey] as const, [url, undefined] as const]) {
        const { status, headers } = await openWith(faulty.env, path, { token });
        expect([status, headers.get("Retry-After")]).toEqual([503, "5"]);
      }
      expect(await write(faulty.env)).toBeGreaterThan(0);
      const bulk = await callWith(faulty.env, "POST", BULK, {
        token: apiKey,
        body: { context: {} },
      });
      expect(bulk.status).toBe(200);
      expect(bulk.body.eventStreams[0].endpoint.requestUri).toBe(url);
      const polled = await callWith(faulty.env, "GET", "/api/client/features", { token: apiKey });
      expect(polled.status).toBe(200);
    },
  );
});

describe("while the database is down", () => {
  const down = () => {
    const faulty = faultyEnvironment();
    faulty.at.DB.fault = fail;
    faulty.at.BATCHES.fault = fail;
    return faulty;
  };

  it("streams stay open, and pass on the next change", async () => {
    const { apiKey, write, revision } = await newSwitch();
    const stream = await open(`${NATIVE}?revision=${await revision()}`, { token: apiKey });
    const faulty = down();
    // The write fails.
    expect(await write(faulty.env)).toBe(0);
    await settle();
    expect(stream.isClosed).toBe(false);
    const written = await write();
    await expect.poll(() => stream.revisions).toEqual([written]);
  });

  it("a client that knows a newer revision than its leaf and the isolate gets no event until the next change", async () => {
    const { apiKey, environmentId, write, revision } = await newSwitch();
    const newest = await write();
    const url = await ofrepUrl(apiKey);
    await revision();
    // Another isolate has written, and the notification is lost.
    await env.DB.prepare("UPDATE environments SET revision = revision + 1 WHERE id = ?")
      .bind(environmentId)
      .run();
    const { env: broken } = down();
    const headers = { "Last-Event-ID": String(newest + 1) };
    const streams = [
      await openWith(broken, `${NATIVE}?revision=${newest + 1}`, { token: apiKey }),
      await openWith(broken, NATIVE, { token: apiKey, headers }),
      await openWith(broken, url, { headers }),
    ];
    await settle();
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(streams.flatMap(({ revisions }) => revisions)).toEqual([]);
    const next = await write();
    expect(next).toBe(newest + 2);
    for (const stream of streams) await expect.poll(() => stream.revisions).toEqual([next]);
    expect(streams.some(({ isClosed }) => isClosed)).toBe(false);
  });

  it("a client with a revision of the future gets no event, and is sent back when the database works again", async () => {
    const { apiKey, write, revision } = await newSwitch();
    const newest = await write();
    const url = await ofrepUrl(apiKey);
    await revision();
    const { env: broken } = down();
    const headers = { "Last-Event-ID": String(newest + 1_000) };
    const connect = async (replaced: Partial<Env>) => [
      await openWith(replaced, NATIVE, { token: apiKey, headers }),
      await openWith(replaced, url, { headers }),
    ];
    const streams = await connect(broken);
    await settle();
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect(streams.flatMap(({ revisions }) => revisions)).toEqual([]);
    // The next change makes the client notice the gap and connect again.
    const next = await write();
    for (const stream of streams) await expect.poll(() => stream.isClosed).toBe(true);
    expect(streams.flatMap(({ revisions }) => revisions)).toEqual([]);
    for (const stream of await connect({}))
      await expect.poll(() => stream.revisions).toEqual([next]);
  });

  it("streams open for a key that the isolate knows, and for a token that it does not", async () => {
    const { apiKey, write } = await newSwitch();
    const written = await write();
    const url = await ofrepUrl(apiKey);
    const { env: broken } = down();
    for (const [path, token] of [[NATIVE, apiKey] as const, [url, undefined] as const]) {
      const stream = await openWith(broken, path, { token });
      expect(stream.status).toBe(200);
      await expect.poll(() => stream.revisions).toEqual([written]);
    }
    expect((await openWith(broken, url.replace("token=", "token=1"))).status).toBe(401);
  });
});

describe("a full service", () => {
  /**
   * Opens streams until 40 connects in a row are refused. Each connect tries two leaves at random.
   * Returns the streams, and the response to the last connect.
   */
  async function fill(limit: string, path: string, token?: string, headers = {}) {
    const streams: EventReader[] = [];
    let last: EventReader | undefined;
    for (let refused = 0; refused < 40; refused += 1) {
      last = await openWith({ STREAMS_PER_LEAF: limit }, path, { token, headers });
      if (last.status !== 200) continue;
      streams.push(last);
      refused = -1;
    }
    return { streams, refused: last };
  }

  it("returns 429 with Retry-After, and has room again when a client leaves", async () => {
    const { apiKey } = await newWorld();
    const { streams, refused } = await fill("1", NATIVE, apiKey);
    expect([streams.length, refused?.status]).toEqual([LEAVES, 429]);
    const seconds = Number(refused?.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(seconds).toBeLessThanOrEqual(60);
    for (const stream of streams) await stream.close();
    const small = { STREAMS_PER_LEAF: "1" };
    const connect = async () => openWith(small, NATIVE, { token: apiKey });
    await expect.poll(async () => (await connect()).status).toBe(200);
  });

  it("keeps a quarter of each leaf for SERVER keys, however many streams FRONTEND keys open", async () => {
    const { apiKey, environmentId } = await newWorld();
    const { apiKey: frontend } = await newKey(environmentId, "FRONTEND");
    const browsers = await fill("4", await ofrepUrl(frontend));
    expect([browsers.streams.length, browsers.refused?.status]).toEqual([3 * LEAVES, 429]);
    expect(Number(browsers.refused?.headers.get("Retry-After"))).toBeGreaterThanOrEqual(10);
    const small = { STREAMS_PER_LEAF: "4" };
    const header = "/api/ofrep/v1/stream";
    expect((await openWith(small, header, { token: frontend })).status).toBe(429);
    const body = await callWith(small, "GET", header, { token: frontend });
    expect([body.status, body.body]).toMatchObject([429, { errorCode: "GENERAL" }]);
    expect(body.body.errorDetails).toContain("poll");
    const servers = await fill("4", NATIVE, apiKey);
    expect([servers.streams.length, servers.refused?.status]).toEqual([LEAVES, 429]);
  });

  it("gives one network a twentieth of each leaf with FRONTEND keys, and other networks their own share", async () => {
    const { apiKey, environmentId } = await newWorld();
    const { apiKey: frontend } = await newKey(environmentId, "FRONTEND");
    const header = "/api/ofrep/v1/stream";
    const first = await fill("20", header, frontend, from("2001:db8:9:1::1"));
    expect([first.streams.length, first.refused?.status]).toEqual([LEAVES, 429]);
    const { apiKey: another } = await newKey(environmentId, "FRONTEND");
    expect((await fill("20", header, another, from("2001:db8:9:2::1"))).streams).toEqual([]);
    expect((await fill("20", header, frontend, from(newAddress()))).streams).toHaveLength(LEAVES);
    const server = await fill("20", NATIVE, apiKey, from("2001:db8:9:1::1"));
    expect(server.streams.length).toBeGreaterThan(LEAVES);
  });

  it("gives one SERVER key half of each leaf, so that browsers and other keys get streams, too", async () => {
    const { apiKey, environmentId } = await newWorld();
    const { apiKey: other } = await newKey(environmentId, "SERVER");
    const { apiKey: frontend } = await newKey(environmentId, "FRONTEND");
    expect((await fill("4", NATIVE, apiKey)).streams).toHaveLength(2 * LEAVES);
    expect((await fill("4", await ofrepUrl(frontend))).streams).toHaveLength(LEAVES);
    expect((await fill("4", NATIVE, other)).streams).toHaveLength(LEAVES);
  });

  it("writes a comment into the streams at once, so that the service notices which clients have left", async () => {
    const { apiKey } = await newWorld();
    const { streams, refused } = await fill("1", NATIVE, apiKey);
    expect(refused?.status).toBe(429);
    for (const { comments } of streams) await expect.poll(() => comments).toEqual([":", ":"]);
  });

  it("ends the streams whose sockets have failed, and has room for as many new ones", async () => {
    const { apiKey, environmentId } = await newWorld();
    const { streams } = await fill("4", NATIVE, apiKey);
    expect(streams).toHaveLength(2 * LEAVES);
    for (let leaf = 0; leaf < LEAVES; leaf++)
      await runInDurableObject(leafOf(env, environmentId, leaf), async (instance, state) => {
        const [socket] = state.getWebSockets();
        if (socket) await instance.webSocketError(socket);
      });
    const ended = () => streams.filter(({ isClosed }) => isClosed);
    await expect.poll(ended).toHaveLength(LEAVES);
    expect((await fill("4", NATIVE, apiKey)).streams).toHaveLength(LEAVES);
  });

  it("offers no streams and calls no hub and no leaf with a limit of 0", async () => {
    const { apiKey, keyId, projectId, write } = await newSwitch();
    const token = await adminToken();
    const faulty = faultyEnvironment({ STREAMS_PER_LEAF: "0" });
    faulty.at.STREAM_HUBS.fault = fail;
    faulty.at.STREAM_LEAVES.fault = fail;
    expect(await write(faulty.env)).toBeGreaterThan(0);
    await minute(faulty.env);
    expect((await openWith(faulty.env, NATIVE, { token: apiKey })).status).toBe(429);
    const bulk = await callWith(faulty.env, "POST", BULK, { token: apiKey, body: { context: {} } });
    expect([bulk.status, bulk.body.eventStreams]).toEqual([200, undefined]);
    const changes = `/api/v1/projects/${projectId}/stream`;
    expect((await openWith(faulty.env, changes, { token })).status).toBe(429);
    for (const deleted of [`api-keys/${keyId}`, `projects/${projectId}`])
      expect((await callWith(faulty.env, "DELETE", `/api/v1/${deleted}`, { token })).status).toBe(
        204,
      );
    expect([faulty.at.STREAM_HUBS.met, faulty.at.STREAM_LEAVES.met]).toEqual([0, 0]);
  });
});

describe("the log", () => {
  it("has no stream token, also when a connect fails", async () => {
    const { apiKey } = await newWorld();
    const url = await ofrepUrl(apiKey);
    const token = url.split("=")[1] ?? "";
    const faulty = faultyEnvironment({ LOGGING_LEVEL_APP: "DEBUG", LOGGING_LEVEL_ROOT: "DEBUG" });
    const { lines } = await consoleDuring(async () => {
      const stream = await openWith(faulty.env, url);
      await stream.close();
      const error = new Error(`a failure at ${url}`);
      faulty.at.STREAM_LEAVES.fault = { mode: "fail", error };
      await openWith(faulty.env, url);
    });
    expect(lines.some((line) => line.includes("a failure at"))).toBe(true);
    const text = lines.join("\n");
    for (const secret of [token, encodeURIComponent(token), token.split(".")[2] ?? "", apiKey])
      expect(text).not.toContain(secret);
  });
});

describe("the metrics", () => {
  it("count connects by outcome, open streams and events", async () => {
    const { apiKey, write, revision } = await newSwitch();
    const newest = await revision();
    const connects = await growthOf("stream_connects_total", async () => {
      await open(NATIVE, { token: apiKey });
      await open(NATIVE, { token: apiKey, headers: { "Last-Event-ID": String(newest) } });
      await open(await ofrepUrl(apiKey));
      await openWith({ STREAMS_PER_LEAF: "0" }, NATIVE, { token: apiKey });
      const faulty = faultyEnvironment();
      faulty.at.STREAM_LEAVES.fault = fail;
      await openWith(faulty.env, NATIVE, { token: apiKey });
    });
    expect(connects).toEqual({
      '{kind="native",outcome="opened"}': 1,
      '{kind="native",outcome="resumed"}': 1,
      '{kind="native",outcome="full"}': 1,
      '{kind="native",outcome="unavailable"}': 1,
      '{kind="ofrep",outcome="opened"}': 1,
    });
    const stream = await open(`${NATIVE}?revision=${newest}`, { token: apiKey });
    let written = 0;
    const events = await growthOf("stream_events_total", async () => {
      written = await write();
      await expect.poll(() => stream.revisions).toEqual([written]);
    });
    expect(events['{kind="native"}']).toBeGreaterThanOrEqual(1);
    const closing = await growthOf("stream_connections", async () => {
      await stream.close();
    });
    expect(closing).toEqual({ '{kind="native"}': -1 });
  });
});
