import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { signAccessToken } from "../../../src/access/jwt.ts";
import { LEAVES } from "../../../src/platform/objects/stream-leaves.ts";
import { callWith } from "../support/call-with.ts";
import { call } from "../support/client.ts";
import { fail, faultyEnvironment } from "../support/faulty-bindings.ts";
import { asAdmin } from "../support/outcomes.ts";
import { adminToken, person, signIn, TOKENS } from "../support/people.ts";
import { growthOf } from "../support/scrape.ts";
import { openStreams, settle } from "../support/streams.ts";
import {
  inCountries,
  newContext,
  newEnvironment,
  newFlag,
  newKey,
  newSegment,
  newTag,
  newValue,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";
import { minute } from "../support/minute.ts";

const { open, openWith } = openStreams();

const pathOf = (projectId: number) => `/api/v1/projects/${projectId}/stream`;

/** Returns the number of the newest change of a project. */
const newestOf = async (projectId: number): Promise<number> =>
  (await env.DB.prepare("SELECT max(id) AS id FROM audit WHERE project_id = ?")
    .bind(projectId)
    .first<number>("id")) ?? 0;

/** Opens a stream as a client that knows the newest change. */
const openAtNewest = async (projectId: number) => {
  const headers = { "Last-Event-ID": String(await newestOf(projectId)) };
  return open(pathOf(projectId), { token: await adminToken(), headers });
};

/** Switches a flag on, and loses the notification that should tell the streams of the change. */
async function changeUnnoticed(flagId: number, environmentId: number) {
  const faulty = faultyEnvironment();
  faulty.at.STREAM_HUBS.fault = fail;
  const options = { token: await adminToken(), body: { environmentId, enabled: true } };
  const path = `/api/v1/flags/${flagId}/strategies`;
  expect((await callWith(faulty.env, "PUT", path, options)).status).toBe(200);
}

interface Made {
  readonly projectId: number;
  readonly environmentId: number;
  readonly flagId: number;
  readonly segmentId: number;
  readonly tagId: number;
  readonly contextId: number;
}

async function make(): Promise<Made> {
  const { projectId, environmentId } = await newWorld();
  return {
    projectId,
    environmentId,
    flagId: (await newFlag(projectId)).id,
    segmentId: (await newSegment(projectId, [inCountries("de")])).id,
    tagId: (await newTag(projectId)).id,
    contextId: (await newContext(projectId)).id,
  };
}

describe("the stream of a project", () => {
  it.each<[string, (made: Made) => Promise<unknown>]>([
    ["a new flag", ({ projectId }) => newFlag(projectId)],
    ["an archived flag", ({ flagId }) => asAdmin("POST", `/api/v1/flags/${flagId}/archive`)],
    [
      "a strategy",
      ({ flagId, environmentId }) => setStrategy(flagId, { environmentId, enabled: true }),
    ],
    ["a new segment", ({ projectId }) => newSegment(projectId, [inCountries("at")])],
    [
      "a segment",
      ({ segmentId }) => asAdmin("PUT", `/api/v1/segments/${segmentId}`, { name: unique("s") }),
    ],
    ["a new environment", ({ projectId }) => newEnvironment(projectId)],
    [
      "an environment",
      ({ environmentId }) =>
        asAdmin("PUT", `/api/v1/environments/${environmentId}`, { name: unique("e") }),
    ],
    ["a tag", ({ tagId }) => asAdmin("PUT", `/api/v1/tags/${tagId}`, { name: unique("t") })],
    ["a deleted tag", ({ tagId }) => asAdmin("DELETE", `/api/v1/tags/${tagId}`)],
    ["a deleted context", ({ contextId }) => asAdmin("DELETE", `/api/v1/contexts/${contextId}`)],
    ["a value of a context", ({ contextId }) => newValue(contextId)],
    ["a new API key", ({ environmentId }) => newKey(environmentId)],
    [
      "the project itself",
      ({ projectId }) => asAdmin("PUT", `/api/v1/projects/${projectId}`, { name: unique("p") }),
    ],
  ])("has an event without data after a change of %s", async (_, change) => {
    const made = await make();
    const stream = await openAtNewest(made.projectId);
    expect([stream.status, stream.headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
    expect(stream.headers.get("Cache-Control")).toBe("no-store, no-transform");
    await settle();
    expect(stream.events).toEqual([]);
    await change(made);
    await expect.poll(() => stream.events.length).toBeGreaterThan(0);
    expect(stream.events[0]).toEqual({ event: "changed", id: expect.any(String), data: {} });
    expect(stream.revisions.at(-1)).toBe(await newestOf(made.projectId));
  });

  it("has no event after a change that changes nothing, and none of another project", async () => {
    const { projectId, flagId, environmentId } = await make();
    const change = { environmentId, enabled: true };
    await setStrategy(flagId, change);
    const stream = await openAtNewest(projectId);
    await setStrategy(flagId, change);
    await newFlag((await newWorld()).projectId);
    await settle();
    expect(stream.events).toEqual([]);
    await newFlag(projectId);
    await expect.poll(() => stream.events).toHaveLength(1);
  });

  it("has an event at once for a client with an older Last-Event-ID, also when the notification was lost", async () => {
    const { projectId, environmentId, flagId } = await make();
    const before = await newestOf(projectId);
    await changeUnnoticed(flagId, environmentId);
    const headers = { "Last-Event-ID": String(before) };
    const stream = await open(pathOf(projectId), { token: await adminToken(), headers });
    await expect.poll(() => stream.revisions).toEqual([await newestOf(projectId)]);
    expect(stream.revisions[0]).toBeGreaterThan(before);
  });

  it("has an event by the minute cron, once, when the notification was lost", async () => {
    const { projectId, environmentId, flagId } = await make();
    const stream = await openAtNewest(projectId);
    await changeUnnoticed(flagId, environmentId);
    await settle();
    expect(stream.events).toEqual([]);
    await minute();
    await expect.poll(() => stream.revisions).toEqual([await newestOf(projectId)]);
    await minute();
    await settle();
    expect(stream.events).toHaveLength(1);
  });

  it("stays open after a logout, with nothing but the numbers of changes, and cannot be opened again", async () => {
    const { projectId } = await newWorld();
    const { token } = await signIn();
    const headers = { "Last-Event-ID": String(await newestOf(projectId)) };
    const stream = await open(pathOf(projectId), { token, headers });
    expect((await call("POST", "/api/v1/auth/logout", { token })).status).toBe(204);
    await newTag(projectId);
    await expect.poll(() => stream.events).toHaveLength(1);
    expect(stream.events[0]?.data).toEqual({});
    expect((await open(pathOf(projectId), { token, headers })).status).toBe(401);
  });

  it("has an event at once for a client without Last-Event-ID only if the change is recent", async () => {
    const { projectId } = await make();
    const token = await adminToken();
    const recent = await open(pathOf(projectId), { token });
    await expect.poll(() => recent.revisions).toEqual([await newestOf(projectId)]);
    await env.DB.prepare("UPDATE audit SET at = at - 60000 WHERE project_id = ?")
      .bind(projectId)
      .run();
    const later = await open(pathOf(projectId), { token });
    await expect.poll(() => later.retry).toBeGreaterThan(0);
    await settle();
    expect(later.events).toEqual([]);
    await newFlag(projectId);
    await expect.poll(() => later.events).toHaveLength(1);
  });

  it("ends when the access token expires, and opens again with a new one", async () => {
    const { projectId } = await newWorld();
    const { id: userId, sessionId, token: longer } = await person("VIEWER");
    const claims = { userId, role: "VIEWER", sessionId, projectId: undefined } as const;
    const shortly = { ...TOKENS, accessTtlSeconds: 3 };
    const token = await signAccessToken(shortly, claims, Date.now());
    const stream = await open(pathOf(projectId), { token });
    const other = await open(pathOf(projectId), { token: longer });
    expect([stream.status, other.status]).toEqual([200, 200]);
    await expect.poll(() => stream.isClosed, { timeout: 20_000 }).toBe(true);
    expect((await open(pathOf(projectId), { token })).status).toBe(401);
    expect(other.isClosed).toBe(false);
    const before = other.events.length;
    await newFlag(projectId);
    await expect.poll(() => other.events.length).toBeGreaterThan(before);
  });

  it("ends with an event when the project is deleted, and cannot be opened again", async () => {
    const { id: projectId } = (await asAdmin("POST", "/api/v1/projects", { name: unique("p") }))
      .body;
    const streams = [await openAtNewest(projectId), await openAtNewest(projectId)];
    const other = await openAtNewest((await newWorld()).projectId);
    expect((await asAdmin("DELETE", `/api/v1/projects/${projectId}`)).status).toBe(204);
    for (const stream of streams) {
      await expect.poll(() => stream.isClosed).toBe(true);
      expect(stream.events).toHaveLength(1);
    }
    expect(other.isClosed).toBe(false);
    expect((await open(pathOf(projectId), { token: await adminToken() })).status).toBe(404);
  });

  it("returns 429 with Retry-After when the service is full, and 503 while the leaves are down", async () => {
    const { projectId } = await newWorld();
    const token = await adminToken();
    const full = await openWith({ STREAMS_PER_LEAF: "0" }, pathOf(projectId), { token });
    expect(full.status).toBe(429);
    expect(Number(full.headers.get("Retry-After"))).toBeGreaterThanOrEqual(10);
    const faulty = faultyEnvironment();
    faulty.at.STREAM_LEAVES.fault = fail;
    expect((await openWith(faulty.env, pathOf(projectId), { token })).status).toBe(503);
  });

  it("returns 429 to a user or API key that holds a hundredth of each leaf, while others get a stream", async () => {
    const { projectId, apiKey } = await newWorld();
    const fill = async (token: string) => {
      let opened = 0;
      for (let refused = 0; refused < 40; refused += 1) {
        const { status } = await openWith({ STREAMS_PER_LEAF: "100" }, pathOf(projectId), {
          token,
        });
        if (status !== 200) continue;
        opened += 1;
        refused = -1;
      }
      return opened;
    };
    expect(await fill(apiKey)).toBe(LEAVES);
    expect(await fill(await adminToken())).toBe(LEAVES);
    expect(await fill((await person("VIEWER")).token)).toBe(LEAVES);
  });

  it("counts connects by outcome, open streams and events in the metrics", async () => {
    const { projectId } = await newWorld();
    const token = await adminToken();
    const connects = await growthOf("stream_connects_total", async () => {
      await open(pathOf(projectId), { token });
      await openAtNewest(projectId);
      await openWith({ STREAMS_PER_LEAF: "0" }, pathOf(projectId), { token });
      const faulty = faultyEnvironment();
      faulty.at.STREAM_LEAVES.fault = fail;
      await openWith(faulty.env, pathOf(projectId), { token });
    });
    expect(connects).toEqual({
      '{kind="project",outcome="opened"}': 1,
      '{kind="project",outcome="resumed"}': 1,
      '{kind="project",outcome="full"}': 1,
      '{kind="project",outcome="unavailable"}': 1,
    });
    const other = (await newWorld()).projectId;
    const stream = await openAtNewest(other);
    const events = await growthOf("stream_events_total", async () => {
      await newTag(other);
      await expect.poll(() => stream.events).toHaveLength(1);
      const behind = await open(pathOf(other), { token, headers: { "Last-Event-ID": "1" } });
      await expect.poll(() => behind.events).toHaveLength(1);
    });
    expect(events).toEqual({ '{kind="project"}': 2 });
    const closing = await growthOf("stream_connections", async () => stream.close());
    expect(closing).toEqual({ '{kind="project"}': -1 });
  });

  it("by HEAD opens no stream", async () => {
    const { projectId } = await newWorld();
    const token = await adminToken();
    const answer = await call("HEAD", pathOf(projectId), { token });
    expect([answer.status, answer.body]).toEqual([200, ""]);
    expect((await call("HEAD", pathOf(999_999_999), { token })).status).toBe(404);
  });
});
