import { afterEach, describe, expect, it, vi } from "vitest";
import { env } from "cloudflare:workers";
import { asAdmin } from "../support/outcomes.ts";
import { recordingObjects } from "../support/queue.ts";
import { NATIVE, newSwitch, ofrepUrl, openStreams } from "../support/streams.ts";
import { newKey } from "../support/world.ts";

const { openWith } = openStreams();

const HEARTBEAT_MS = 25_000;
const HEADERS = { "X-App-Name": "shop", "X-Instance-Id": "shop-1", "X-Sdk-Version": "js:2.0" };

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Waits longer than an isolate collects marks. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 500));

/**
 * Returns how to open a stream, and the marks of SDK instances that the isolate sends to its usage
 * objects. Waits until the isolate has sent the marks of earlier requests to their objects.
 */
async function observe() {
  await settle();
  const objects = recordingObjects();
  const marks = () => objects.batches().flatMap(({ instances }) => instances);
  return {
    marks,
    revisions: () => marks().map(({ revision }) => revision),
    open: (path: string, token?: string, headers: Record<string, string> = HEADERS) =>
      openWith({ USAGE_OBJECTS: objects.USAGE_OBJECTS }, path, { token, headers }),
    /** Delivers the marks to the usage objects of their projects. */
    deliver: async () => {
      for (const batch of objects.batches())
        await env.USAGE_OBJECTS.getByName(String(batch.projectId)).add([JSON.stringify(batch)]);
    },
  };
}

const propagationOf = async (environmentId: number) =>
  (await asAdmin("GET", `/api/v1/environments/${environmentId}/propagation`)).body;

/** Stops the clock, and returns a function that lets the time of one heartbeat pass. */
function heartbeats() {
  vi.useFakeTimers({ toFake: ["Date"] });
  const setTimer = vi.spyOn(globalThis, "setInterval");
  return () => {
    vi.setSystemTime(Date.now() + HEARTBEAT_MS);
    for (const [ping, ms] of setTimer.mock.calls) if (ms === HEARTBEAT_MS) ping();
  };
}

describe("an SDK instance with a stream", () => {
  it("is up to date in the propagation when it got the rules of a change as an event, without a fetch", async () => {
    const { apiKey, environmentId, write, revision } = await newSwitch();
    const before = await revision();
    const { open, marks, revisions, deliver: count } = await observe();
    const stream = await open(`${NATIVE}?revision=${before}`, apiKey);
    await expect.poll(revisions, { timeout: 10_000 }).toEqual([before]);
    const [first] = marks();
    expect(first).toMatchObject({
      environmentId,
      appName: "shop",
      instanceId: "shop-1",
      sdkVersion: "js:2.0",
    });
    expect([first?.sdkFeatures, first?.rulesFetchedAt]).toEqual([undefined, undefined]);
    await count();
    const written = await write();
    expect(await propagationOf(environmentId)).toMatchObject({
      revision: written,
      instances: { known: 1, upToDate: 0, pending: 1 },
    });
    await expect.poll(() => stream.revisions).toEqual([written]);
    await expect.poll(revisions, { timeout: 10_000 }).toEqual([before, written]);
    await count();
    expect(await propagationOf(environmentId)).toMatchObject({
      revision: written,
      instances: { known: 1, upToDate: 1, pending: 0 },
      complete: true,
    });
  });

  it("is marked again after 200 seconds without an event, so it stays in the propagation between its polls", async () => {
    const { apiKey, revision } = await newSwitch();
    const newest = await revision();
    const { open, marks, revisions } = await observe();
    const pass = heartbeats();
    const connectedAt = Date.now();
    const stream = await open(`${NATIVE}?revision=${newest}`, apiKey);
    await expect.poll(marks, { timeout: 10_000 }).toHaveLength(1);
    for (const marked of [2, 3]) {
      for (let n = 0; n < 8; n++) {
        const { length } = stream.comments;
        pass();
        await expect.poll(() => stream.comments).toHaveLength(length + 1);
      }
      await expect.poll(marks, { timeout: 10_000 }).toHaveLength(marked);
    }
    await settle();
    // `expect.poll` moves the clock a little, too.
    const heartbeatsAt = marks().map(({ at }) => Math.floor((at - connectedAt) / HEARTBEAT_MS));
    expect(heartbeatsAt).toEqual([0, 8, 16]);
    expect(revisions()).toEqual([newest, newest, newest]);
  });

  it("gets its revision from its own fetch when the event has no rules, or when it has other rules than those before the change", async () => {
    const { apiKey, projectId, revision, environmentId, flag } = await newSwitch();
    const before = await revision();
    const { open, revisions } = await observe();
    const stream = await open(NATIVE, apiKey);
    await expect.poll(() => stream.revisions).toEqual([before]);
    await expect.poll(revisions, { timeout: 10_000 }).toEqual([null]);
    const values = Array.from({ length: 200 }, (_, n) => `${n}-${"x".repeat(100)}`);
    const constraint = { field: "plan", operator: "in", values, contextType: "string" };
    const body = { environmentId, enabled: true, constraints: [constraint] };
    await asAdmin("PUT", `/api/v1/flags/${flag.id}/strategies`, body);
    await expect.poll(() => stream.revisions).toEqual([before, before + 1]);
    expect(stream.events[1]?.data).toEqual({ revision: before + 1 });
    await settle();
    expect(revisions()).toEqual([null]);
    // The event contains only the rules that this change affected.
    await asAdmin("POST", "/api/v1/flags", {
      key: "small",
      name: "Small",
      flagType: "RELEASE",
      projectId,
    });
    await expect.poll(() => stream.events.at(-1)?.data.from).toBe(before + 1);
    await expect.poll(revisions, { timeout: 10_000 }).toEqual([null, before + 2]);
  });

  it("has no revision while it names one that does not exist", async () => {
    const { apiKey, revision } = await newSwitch();
    const newest = await revision();
    const { open, revisions } = await observe();
    const stream = await open(`${NATIVE}?revision=${newest + 1_000}`, apiKey);
    await expect.poll(() => stream.revisions).toEqual([newest]);
    await expect.poll(revisions, { timeout: 10_000 }).toEqual([null]);
  });
});

describe("a stream of no SDK instance", () => {
  it("has no marks: without an instance id, and of OFREP with either type of key", async () => {
    const { apiKey, environmentId, write } = await newSwitch();
    const { apiKey: frontend } = await newKey(environmentId, "FRONTEND");
    const url = await ofrepUrl(apiKey);
    const { open, marks } = await observe();
    const streams = [
      await open(NATIVE, apiKey, {}),
      await open(url),
      await open("/api/ofrep/v1/stream", apiKey),
      await open("/api/ofrep/v1/stream", frontend),
    ];
    const written = await write();
    for (const stream of streams) await expect.poll(() => stream.revisions).toContain(written);
    await settle();
    expect(marks()).toEqual([]);
  });
});
