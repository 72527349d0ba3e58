import { createClient, type FlagClient } from "@feature-flags/sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FakeService, KEY, type Trouble } from "./support/fake-service.ts";
import { closeAll, start } from "./support/start.ts";

closeAll();

const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);
beforeEach(() => void process.on("unhandledRejection", onRejection));
afterEach(() => {
  process.off("unhandledRejection", onRejection);
  const [first] = rejections.splice(0);
  if (first !== undefined) throw new Error("A rejection was not handled", { cause: first });
});

const withFlag = (service: FakeService) => service.set("flag");

/** The troubles of the service, each with the code of the error that the client reports. */
const TROUBLES: readonly (readonly [Trouble, string])[] = [
  ["down", "UNREACHABLE"],
  ["hanging", "TIMEOUT"],
  ["truncated", "INVALID_RESPONSE"],
  ["html", "INVALID_RESPONSE"],
  [302, "INVALID_RESPONSE"],
  [401, "UNAUTHORIZED"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"],
  [429, "RATE_LIMITED"],
  [500, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
];
const FATAL: ReadonlySet<string> = new Set(["UNAUTHORIZED", "FORBIDDEN"]);

/** Returns "resolved", or the code with which a promise was rejected. */
const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "resolved",
    (error: { code?: string }) => String(error.code),
  );

function troubled(service: FakeService, trouble: Trouble): void {
  Object.assign(service.troubles, { features: trouble, stream: trouble, metrics: trouble });
}

const recover = (service: FakeService): void => {
  for (const part of ["features", "stream", "metrics"] as const) delete service.troubles[part];
};

const snapshotOf = async (): Promise<ReturnType<FlagClient["snapshot"]>> => {
  const { client } = start({}, withFlag);
  await client.ready();
  return client.snapshot();
};

describe.each(TROUBLES)("while the service answers %s", (trouble, code) => {
  it("a client without a bootstrap reports one error, returns defaults, and has the rules afterwards", async () => {
    const { client, service, clock, events, messages } = start({}, (one) => {
      withFlag(one);
      troubled(one, trouble);
    });
    const ready = outcome(client.ready());
    await clock.advance(60_000);
    expect(await ready).toBe(code);
    expect(client.details("flag", true)).toMatchObject({ value: true, errorCode: "NOT_READY" });
    expect(events).toEqual([`error: ${code}`]);
    expect(messages).toHaveLength(1);
    expect(client.status).toMatchObject({
      state: FATAL.has(code) ? "error" : "starting",
      revision: undefined,
      error: { code },
    });
    recover(service);
    await clock.advance(400_000);
    expect(client.boolean("flag", false)).toBe(true);
    expect(client.status).toMatchObject({ state: "ready", revision: 1, error: undefined });
    expect(events).toEqual([`error: ${code}`, "ready"]);
  });

  it("a client with a bootstrap answers checks from the bootstrap, and is ready", async () => {
    const bootstrap = await snapshotOf();
    const { client, clock, events } = start({ bootstrap }, (one) => {
      withFlag(one);
      one.set("other");
      troubled(one, trouble);
    });
    await client.ready();
    await clock.advance(200_000);
    expect(client.boolean("flag", false)).toBe(true);
    const stale = FATAL.has(code) ? [] : ["stale"];
    expect(events).toEqual([`error: ${code}`, ...stale]);
    expect(client.status.state).toBe(FATAL.has(code) ? "error" : "stale");
  });

  it("a running client serves the last good rules, and reports the state stale", async () => {
    const { client, service, clock, events } = start({}, withFlag);
    await clock.advance(0);
    service.set("other");
    await clock.advance(0);
    troubled(service, trouble);
    service.cut();
    service.set("flag", { enabled: false });
    await clock.advance(300_000);
    expect(client.boolean("flag", false)).toBe(true);
    expect(client.boolean("other", false)).toBe(true);
    const state = FATAL.has(code) ? "error" : "stale";
    expect(client.status).toMatchObject({ state, revision: 2 });
    recover(service);
    await clock.advance(400_000);
    expect(client.boolean("flag", true)).toBe(false);
    const stale = FATAL.has(code) ? [] : ["stale"];
    expect(events).toEqual([
      "ready",
      "change: other",
      `error: ${code}`,
      ...stale,
      "change: flag",
      "ready",
    ]);
  });

  it("a client reports the error again when the trouble returns after a success", async () => {
    const { service, clock, events } = start({ updates: "poll" }, withFlag);
    for (let times = 0; times < 2; times++) {
      await clock.advance(600_000);
      troubled(service, trouble);
      service.set("flag", { percentage: 10 * times });
      await clock.advance(600_000);
      recover(service);
    }
    expect(events.filter((event) => event === `error: ${code}`)).toHaveLength(2);
  });

  it("a client can be closed at any time", async () => {
    for (const wait of [0, 500, 5_000, 40_000]) {
      const { client, clock, service } = start({}, (one) => {
        withFlag(one);
        troubled(one, trouble);
      });
      const ready = outcome(client.ready());
      await clock.advance(wait);
      client.boolean("flag", true);
      const requests = service.count("features");
      const closed = client.close();
      await clock.advance(5_000);
      await closed;
      expect(clock.size).toBe(0);
      expect(["CLOSED", code]).toContain(await ready);
      await clock.advance(600_000);
      expect(service.count("features")).toBe(requests);
      expect(client.status.state).toBe("closed");
    }
  });
});

describe("a client of the SDK", () => {
  it.each(["ready", "change"] as const)(
    "keeps no timer when a listener of %s closes it",
    async (event) => {
      const { client, service, clock } = start({}, withFlag);
      let closed: Promise<void> | undefined;
      client.on(event, () => void (closed ??= client.close()));
      await clock.advance(0);
      service.set("flag", { percentage: 5 });
      await clock.advance(1_000);
      await closed;
      expect(client.status.state).toBe("closed");
      expect(clock.size).toBe(0);
    },
  );

  it("asks for changes, and keeps its stream, after an event that is not JSON", async () => {
    const { service, clock } = start({}, withFlag);
    await clock.advance(0);
    const before = service.count("features");
    service.writeAll("event: revision\nid: 2\ndata: nonsense\n\n");
    await clock.advance(0);
    expect([service.count("features"), service.count("stream")]).toEqual([before + 1, 1]);
  });

  it("reports that a proxy answers the stream with a page, and polls", async () => {
    const { service, clock, messages, events } = start({}, (one) => {
      withFlag(one);
      one.troubles.stream = "html";
    });
    await clock.advance(60_000);
    expect(messages.join()).toContain("is not an event stream");
    service.set("flag", { enabled: false });
    await clock.advance(60_000);
    expect(events).toEqual(["ready", "error: INVALID_RESPONSE", "change: flag"]);
  });

  it("keeps its rules when its key is deleted, and reports the error once", async () => {
    const { client, service, clock, events } = start({}, withFlag);
    await clock.advance(0);
    service.key = "another key";
    service.cut();
    await clock.advance(3_600_000);
    expect(client.boolean("flag", false)).toBe(true);
    expect(events).toEqual(["ready", "error: UNAUTHORIZED"]);
    expect(client.status.state).toBe("error");
    expect(service.count("features") + service.count("stream")).toBeLessThan(40);
    service.key = KEY;
    await clock.advance(400_000);
    expect(events).toEqual(["ready", "error: UNAUTHORIZED", "ready"]);
  });

  it("waits before the next request for as long as the service demands", async () => {
    const { client, service, clock } = start({ updates: "poll" }, (one) => {
      withFlag(one);
      troubled(one, 503);
      one.retryAfter = "120";
    });
    await clock.advance(119_000);
    expect(service.count("features")).toBe(1);
    recover(service);
    await clock.advance(30_000);
    expect(client.status.state).toBe("ready");
  });

  it.each([429, 503])(
    "waits as long as the service demands with %i, also when events arrive and the stream ends",
    async (status) => {
      const { client, service, clock } = start({}, withFlag);
      await clock.advance(0);
      service.troubles.features = status;
      service.retryAfter = "600";
      const values = Array.from({ length: 2_000 }, (_, n) => `a value of the constraint ${n}`);
      const large = { field: "country", operator: "in", values, contextType: "string" };
      for (let n = 0; n < 20; n++) {
        service.set(`large-${n}`, { constraints: [large] });
        await clock.advance(1_000);
      }
      expect(service.count("features")).toBe(2);
      service.cut();
      await clock.advance(570_000);
      expect(service.count("features")).toBe(2);
      delete service.troubles.features;
      await clock.advance(150_000);
      expect(client.status).toMatchObject({ state: "ready", revision: 21 });
    },
  );

  it("is stale after a response that the service could not compare with its database, and asks again soon", async () => {
    const { client, service, clock, events } = start({}, (one) => {
      withFlag(one);
      one.troubles.features = "stale";
    });
    await client.ready();
    expect(client.status.state).toBe("stale");
    recover(service);
    await clock.advance(2_000);
    expect(client.status.state).toBe("ready");
    expect(events).toEqual(["ready", "stale", "ready"]);
  });

  it("does not go back to older rules, unless the service has no newer rules for ten minutes", async () => {
    const { client, service, clock } = start({ updates: "poll" }, (one) => {
      for (let n = 0; n < 5; n++) one.set(`flag-${n}`);
    });
    await client.ready();
    service.reset();
    await clock.advance(500_000);
    expect(client.status).toMatchObject({ state: "stale", revision: 5 });
    expect(client.boolean("flag-4", false)).toBe(true);
    await clock.advance(200_000);
    expect(client.status).toMatchObject({ state: "ready", revision: 0 });
    service.set("new");
    await clock.advance(40_000);
    expect(client.boolean("new", false)).toBe(true);
  });

  it("forgets the revision of an event when the service does not have this revision for ten minutes", async () => {
    const { client, service, clock } = start({}, withFlag);
    await clock.advance(0);
    service.announce(9);
    const advance = async (ms: number) => {
      for (let past = 0; past < ms; past += 25_000) {
        service.heartbeat();
        await clock.advance(25_000);
      }
    };
    await advance(500_000);
    expect(client.status).toMatchObject({ state: "stale", revision: 1 });
    service.set("other", { enabled: true });
    await clock.advance(0);
    expect(client.boolean("other", false)).toBe(true);
    await advance(200_000);
    expect(client.status).toMatchObject({ state: "ready", revision: 2 });
    const before = service.count("features");
    await advance(3_600_000);
    expect(service.count("features") - before).toBeLessThan(20);
  });

  it("reports that the poll interval is in milliseconds when the interval is too short", () => {
    const { messages } = start({ pollInterval: 30 });
    expect(messages[0]).toContain("at least 1000: pollInterval is in milliseconds");
  });

  it("is stale only after three poll intervals when the interval is long, not between two polls", async () => {
    const pollInterval = 300_000;
    const { client, service, clock, events } = start({ updates: "poll", pollInterval }, withFlag);
    await clock.advance(3_000_000);
    expect(events).toEqual(["ready"]);
    service.troubles.features = "down";
    await clock.advance(800_000);
    expect(client.status.state).toBe("ready");
    await clock.advance(400_000);
    expect(client.status.state).toBe("stale");
  });

  it("reports an outage within seconds, and opens its stream within seconds after the next poll", async () => {
    const { client, service, clock } = start({}, withFlag);
    // The last poll was long ago when the outage begins.
    await clock.advance(100_000);
    troubled(service, "down");
    service.cut();
    await clock.advance(5_000);
    expect(client.status.error).toMatchObject({ code: "UNREACHABLE" });
    await clock.advance(145_000);
    recover(service);
    while (client.status.error !== undefined) await clock.advance(1_000);
    expect(service.openStreams).toBe(0);
    await clock.advance(5_000);
    expect(service.openStreams).toBe(1);
  });

  it("opens its stream after an outage not before the delay that the service demands for it", async () => {
    const { service, clock } = start({}, (one) => {
      withFlag(one);
      one.retryAfter = "100";
      one.troubles.stream = 503;
    });
    await clock.advance(0);
    service.retryAfter = undefined;
    service.troubles.features = "down";
    await clock.advance(40_000);
    recover(service);
    await clock.advance(55_000);
    expect(service.count("stream")).toBe(1);
    await clock.advance(30_000);
    expect(service.openStreams).toBe(1);
  });

  it("is not stale while a stream with heartbeats is open, and is stale when the stream is silent", async () => {
    const { client, service, clock, events } = start({ staleAfter: 8_000 }, withFlag);
    for (let n = 0; n < 12; n++) {
      await clock.advance(25_000);
      service.heartbeat();
      // The stream ends as at a deploy, and the client opens another one.
      if (n === 6) service.cut();
    }
    expect(events).toEqual(["ready"]);
    troubled(service, "hanging");
    service.silence();
    await clock.advance(59_000);
    expect(client.status.state).toBe("ready");
    await clock.advance(10_000);
    expect(client.status.state).toBe("stale");
  });

  it("clears the error in its status when the service answers again, even with rules that may be old", async () => {
    const { client, service, clock } = start({ updates: "poll" }, withFlag);
    await client.ready();
    service.troubles.features = 503;
    await clock.advance(60_000);
    expect(client.status.error).toMatchObject({ code: "UNAVAILABLE" });
    service.troubles.features = "stale";
    await clock.advance(60_000);
    expect(client.status).toMatchObject({ state: "stale", error: undefined });
  });

  it.each([
    ["url", { url: "flags.example.com" }],
    ["url", { url: "ftp://flags.example.com" }],
    ["key", { key: "" }],
    ["key", { key: "with\na line break" }],
    ["pollInterval", { pollInterval: Number.NaN }],
    ["pollInterval", { pollInterval: 30 }],
    ["streamPollInterval", { streamPollInterval: 300 }],
    ["staleAfter", { staleAfter: -1 }],
    ["staleAfter", { staleAfter: 0 }],
    ["updates", { updates: "often" as never }],
    ["fetch", { fetch: "https://proxy.test" as never }],
    ["random", { random: 0.5 as never }],
  ])("with a wrong option %s reports one error, and returns defaults", async (option, wrong) => {
    const { client, clock, events, messages, service } = start(wrong);
    await expect(client.ready()).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await clock.advance(0);
    expect(events).toEqual(["error: INVALID_OPTION"]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(`option ${option} must`);
    expect(client.boolean("flag", true)).toBe(true);
    expect(client.status.state).toBe("error");
    expect(await client.refresh()).toBe(false);
    expect(service.requests).toEqual([]);
  });

  it.each([undefined, null, "text", { url: "https://flags.test", key: KEY, clock: {} }])(
    "does not throw when the options are %j, and reports one error",
    async (wrong) => {
      const messages: string[] = [];
      const { console: before } = globalThis;
      vi.stubGlobal("console", { ...before, error: (text: string) => void messages.push(text) });
      try {
        const client = createClient(wrong as never);
        await expect(client.ready()).rejects.toMatchObject({ code: "INVALID_OPTION" });
        expect(client.boolean("flag", true)).toBe(true);
        await client.close();
      } finally {
        vi.unstubAllGlobals();
      }
      expect(messages).toEqual([expect.stringContaining("option")]);
    },
  );

  it.each(["https://flags.test/", "https://flags.test/api", "https://flags.test/api/"])(
    "takes the address %s",
    async (url) => {
      const { client } = start({ url }, withFlag);
      await client.ready();
      expect(client.boolean("flag", false)).toBe(true);
    },
  );

  it.each([
    [-600_000, "fast"],
    [600_000, "slow"],
  ])("reports once that the clock of the machine is wrong by %i ms", async (skew, direction) => {
    const { service, clock, events, messages } = start({ updates: "poll" }, (one) => {
      withFlag(one);
      one.skew = skew;
    });
    await clock.advance(300_000);
    expect(service.count("features")).toBeGreaterThan(5);
    expect(events).toEqual(["error: CLOCK_SKEW", "ready"]);
    expect(messages[0]).toContain(`600 s ${direction}`);
  });

  it.each([
    ["6 hours", 6 * 3_600_000],
    ["60 days", 60 * 86_400_000],
  ])("notices as usual that its rules are stale after the clock was set back %s", async (_, ms) => {
    const delays: number[] = [];
    const { client, service, clock } = start({}, withFlag);
    await clock.advance(0);
    const { setTimeout } = clock;
    Object.assign(clock, {
      setTimeout: (work: () => void, delay: number) => {
        delays.push(delay);
        return setTimeout(work, delay);
      },
    });
    clock.shift(-ms);
    troubled(service, "down");
    service.cut();
    await clock.advance(300_000);
    expect(client.status.state).toBe("stale");
    expect(Math.max(...delays)).toBeLessThan(600_000);
    recover(service);
    await clock.advance(60_000);
    expect(client.status.state).toBe("ready");
  });

  it("polls at the usual times when the clock was set back before a stream opens", async () => {
    const { client, service, clock } = start({}, (one) => {
      withFlag(one);
      one.troubles.stream = "down";
    });
    await clock.advance(500);
    clock.shift(-6 * 3_600_000);
    delete service.troubles.stream;
    await clock.advance(10_000);
    expect(service.openStreams).toBe(1);
    const before = service.count("features");
    for (let tick = 0; tick < 16; tick++) {
      await clock.advance(25_000);
      service.heartbeat();
    }
    expect(service.count("features")).toBeGreaterThan(before);
    expect(client.status.state).toBe("ready");
  });

  it("becomes stale when its bootstrap arrives late and the service does not answer", async () => {
    const snapshot = await snapshotOf();
    let arrive = () => {};
    const bootstrap = () =>
      new Promise<typeof snapshot>((resolve) => {
        arrive = () => resolve(snapshot);
      });
    const { client, clock, events } = start({ bootstrap }, (one) => troubled(one, "down"));
    await clock.advance(200_000);
    arrive();
    await clock.advance(0);
    expect(client.status.state).toBe("ready");
    await clock.advance(121_000);
    expect(client.status.state).toBe("stale");
    expect(events).toEqual(["error: UNREACHABLE", "ready", "stale"]);
  });

  it("works as usual when a listener or the logger throws", async () => {
    const { client, service, clock } = start(
      {
        logger: {
          warn: () => {},
          error: () => {
            throw new Error("no log");
          },
        },
      },
      withFlag,
    );
    client.on("change", () => {
      throw new Error("a bug of the caller");
    });
    await clock.advance(0);
    service.set("flag", { enabled: false });
    service.set("other");
    await clock.advance(0);
    expect(client.status.revision).toBe(3);
  });

  it("ends a fetch that ignores its signal, and a fetch that throws at once", async () => {
    const deaf = start({ fetch: () => new Promise(() => {}) });
    await deaf.clock.advance(15_000);
    expect(deaf.events).toEqual(["error: TIMEOUT"]);
    const broken = start({
      fetch: () => {
        throw new Error("no network in this place");
      },
    });
    await broken.clock.advance(15_000);
    expect(broken.events).toEqual(["error: UNREACHABLE"]);
  });

  it("reports an error for a response body that does not end, and keeps its rules", async () => {
    const { client, service, clock, messages } = start({ updates: "poll" }, withFlag);
    await client.ready();
    service.troubles = { features: "endless", metrics: "endless" };
    await clock.advance(40_000);
    await expect.poll(() => client.status.error).toMatchObject({ code: "INVALID_RESPONSE" });
    expect(messages).toEqual([expect.stringContaining("more than 64 MB")]);
    expect(client.boolean("flag", false)).toBe(true);
    service.troubles = {};
    await clock.advance(60_000);
    expect(client.status).toMatchObject({ state: "ready", error: undefined });
  });

  it.each([
    ["a line", "x".repeat(1_000)],
    ["an event of many lines", `data: ${"x".repeat(1_000)}\n`],
  ])("reports a stream with %s that does not end, and polls", async (_, text) => {
    const { client, service, clock, events, messages } = start({}, withFlag);
    await clock.advance(0);
    for (let n = 0; n < 1_200; n++) service.writeAll(text);
    await clock.advance(0);
    expect(service.openStreams).toBe(0);
    expect(messages).toEqual([expect.stringContaining("more than 1024 KB")]);
    service.set("other");
    await clock.advance(60_000);
    expect(client.boolean("other", false)).toBe(true);
    expect(service.count("stream")).toBe(1);
    expect(events).toEqual(["ready", "error: INVALID_RESPONSE", "change: other"]);
    // Makes the stream work again. The same fault later must not be reported again.
    await clock.advance(250_000);
    expect(service.openStreams).toBe(1);
    for (let n = 0; n < 1_200; n++) service.writeAll(text);
    await clock.advance(0);
    expect(messages).toHaveLength(1);
  });

  it("opens its stream again at the usual time when the clock was set back between failures", async () => {
    const { service, clock } = start({}, withFlag);
    await clock.advance(0);
    for (let n = 0; n < 8; n++) {
      clock.shift(-3_600_000);
      service.cut();
      await clock.advance(10_000);
      expect(service.openStreams).toBe(1);
    }
  });

  it("closes in time when the clock is set back while the last report fails", async () => {
    const { client, service, clock } = start({}, withFlag);
    await client.ready();
    client.boolean("flag", false);
    service.troubles.metrics = 503;
    const closed = client.close();
    await clock.advance(100);
    clock.shift(-3_600_000);
    await clock.advance(40_000);
    await closed;
    expect(service.count("metrics")).toBeLessThan(6);
  });

  it("rejects a partial list of rules that it has not asked for", async () => {
    const { client, service, clock, events } = start(
      {
        fetch: async (...given) => {
          await Promise.resolve();
          const response = await service.fetch(...given);
          if (service.count("features") < 2) response.headers.set("X-Delta", "partial");
          return response;
        },
      },
      withFlag,
    );
    await clock.advance(0);
    expect(client.status).toMatchObject({
      revision: undefined,
      error: { code: "INVALID_RESPONSE" },
    });
    await clock.advance(2_000);
    expect(client.boolean("flag", false)).toBe(true);
    expect(events).toEqual(["error: INVALID_RESPONSE", "ready"]);
  });

  it.each([
    ["a redirect", () => Response.redirect("https://new.test/", 301)],
    ["the opaque redirect of browsers and Deno", () => Response.error()],
  ])("never follows a redirect, and says so, when fetch returns %s", async (_, redirect) => {
    const requests: string[] = [];
    const { client, service, clock, messages } = start(
      {
        updates: "poll",
        fetch: async (input, init) => {
          // Waits for the first request, which the client makes before `start` returns the service.
          await Promise.resolve();
          const { pathname } = new URL(new Request(input).url);
          requests.push(pathname);
          return init?.redirect === "manual" ? redirect() : service.fetch(input, init);
        },
      },
      withFlag,
    );
    await clock.advance(0);
    client.boolean("flag", false);
    expect(client.status).toMatchObject({
      revision: undefined,
      error: { code: "INVALID_RESPONSE" },
    });
    expect(messages).toEqual([expect.stringContaining("redirects: configure")]);
    expect(new Set(requests)).toEqual(new Set(["/api/client/features"]));
    expect(service.requests).toEqual([]);
  });

  it("works with the clock and the timers of the runtime", async () => {
    const { service } = start({}, withFlag);
    const logger = { warn: () => {}, error: () => {} };
    const url = "https://flags.test";
    const client = createClient({ url, key: KEY, fetch: service.fetch, logger });
    await client.ready();
    expect(client.boolean("flag", false)).toBe(true);
    await client.close();
  });
});
