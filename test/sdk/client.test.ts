import { createOfflineClient, type EvaluationContext, type Snapshot } from "@feature-flags/sdk";
import { describe, expect, it } from "vitest";
import type { FakeService } from "./support/fake-service.ts";
import { closeAll, start } from "./support/start.ts";

closeAll();

const IN_GERMANY = { field: "country", operator: "in", values: ["DE"], contextType: "string" };
const MATCHES = { ...IN_GERMANY, operator: "matches", values: ["^D"] };

/** Returns a snapshot that throws as soon as somebody reads its rules. */
const unreadable = (): Snapshot => ({
  format: 1,
  revision: 1,
  etag: '"1-a"',
  rules: new Proxy([], {
    get: () => {
      throw new Error("no");
    },
  }),
});

function withFlags(service: FakeService): void {
  service.set("plain", { constraints: [IN_GERMANY] });
  service.set("colour", {}, { valueType: "string", variants: [{ key: "red", value: "#f00" }] });
  service.set("limit", {}, { valueType: "number", variants: [{ key: "low", value: 5 }] });
  service.set("layout", {}, { valueType: "json", variants: [{ key: "a", value: { columns: 3 } }] });
  service.set("half", { percentage: 50 });
}

describe("a client of the SDK", () => {
  it("checks flags of all types by the rules of the service", async () => {
    const { client } = start({}, withFlags);
    await client.ready();
    expect(client.boolean("plain", false, { country: "DE" })).toBe(true);
    expect(client.boolean("plain", true, { country: "FR" })).toBe(false);
    expect(client.string("colour", "none")).toBe("#f00");
    expect(client.number("limit", 0)).toBe(5);
    expect(client.json("layout", { columns: 1 })).toEqual({ columns: 3 });
    expect(client.details("plain", false, { country: "DE" })).toEqual({
      value: true,
      variant: "on",
      reason: "TARGETING_MATCH",
      revision: 5,
    });
  });

  it("returns the default with an error code when a flag has no value for the caller", async () => {
    const { client } = start({}, withFlags);
    expect(client.boolean("plain", true)).toBe(true);
    expect(client.details("plain", true)).toMatchObject({
      reason: "ERROR",
      errorCode: "NOT_READY",
    });
    await client.ready();
    for (const [key, errorCode] of [
      ["missing", "FLAG_NOT_FOUND"],
      ["colour", "TYPE_MISMATCH"],
      ["half", "TARGETING_KEY_MISSING"],
    ] as const) {
      expect(client.boolean(key, true)).toBe(true);
      expect(client.details(key, true)).toMatchObject({ value: true, reason: "ERROR", errorCode });
    }
  });

  it("never throws when the context is not an object", async () => {
    const { client } = start({}, withFlags);
    await client.ready();
    const hostile = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new Error("no");
        },
      },
    );
    for (const context of [hostile, null, "text", 5] as unknown as EvaluationContext[])
      expect(client.boolean("plain", true, context)).toBe(false);
  });

  it("returns the default for a key that is not a text, and counts nothing", async () => {
    const { client, service } = start({ updates: "manual" }, withFlags);
    const offline = createOfflineClient({ on: true });
    await client.ready();
    for (const key of [undefined, null, 5, Symbol("key"), ["plain"]] as unknown as string[])
      for (const one of [client, offline]) {
        expect(one.boolean(key, true)).toBe(true);
        expect(one.details(key, "x")).toMatchObject({ value: "x", errorCode: "FLAG_NOT_FOUND" });
      }
    await client.flush();
    expect(service.reports).toEqual([]);
  });

  it("returns frozen JSON values, so that no caller can change them for other callers", async () => {
    const { client } = start({}, withFlags);
    await client.ready();
    expect(() => Object.assign(client.json("layout", {}), { columns: 9 })).toThrow(TypeError);
    expect(client.json("layout", {})).toEqual({ columns: 3 });
  });

  it("returns a JSON value with very many entries", async () => {
    const value = Array.from({ length: 300_000 }, (_, n) => n);
    const withLarge = (one: FakeService) =>
      one.set("large", {}, { valueType: "json", variants: [{ key: "a", value }] });
    const { client } = start({}, withLarge);
    await client.ready();
    expect(client.json<number[]>("large", [])).toHaveLength(300_000);
  });

  it("evaluates all flags for one context", async () => {
    const { client } = start({}, withFlags);
    await client.ready();
    expect(client.all({ country: "DE", targetingKey: "ann" })).toMatchObject({
      plain: { enabled: true, variant: "on", value: true, reason: "TARGETING_MATCH" },
      layout: { enabled: true, variant: "a", value: { columns: 3 }, reason: "STATIC" },
    });
  });

  it("leaves out the flags that browsers do not get, also if an override sets their values", async () => {
    const { client } = start({}, (one) => {
      one.set("shown");
      one.set("hidden", {}, { clients: "server" });
    });
    await client.ready();
    client.override("hidden", true);
    client.override("new", true);
    expect(Object.keys(client.all())).toEqual(["shown", "hidden", "new"]);
    expect(Object.keys(client.all({}, { for: "browser" }))).toEqual(["shown", "new"]);
  });

  it("returns all flags as a plain object, which has a flag with the key __proto__ as a field", async () => {
    const { client } = start({}, (one) => one.set("__proto__"));
    await client.ready();
    const results = client.all();
    expect(Object.getPrototypeOf(results)).toBe(Object.prototype);
    expect(Object.entries(results)).toMatchObject([["__proto__", { enabled: true }]]);
  });

  it("loads the engine for regular expressions when a rule first needs it, even after an update", async () => {
    const { client, service, clock } = start({}, (one) => one.set("first"));
    await client.ready();
    service.set("second", { constraints: [MATCHES] });
    await clock.advance(0);
    await expect.poll(() => client.boolean("second", false, { country: "DE" })).toBe(true);
    expect(client.boolean("second", true, { country: "FR" })).toBe(false);
    const other = start({}, (one) => one.set("second", { constraints: [MATCHES] }));
    await other.client.ready();
    expect(other.client.boolean("second", false, { country: "DE" })).toBe(true);
  });
});

describe("a client with a stream", () => {
  it("applies a change at once, without a request", async () => {
    const { client, service, clock, events } = start({}, withFlags);
    await clock.advance(0);
    expect(service.openStreams).toBe(1);
    const before = service.requests.length;
    service.set("plain", { enabled: false });
    await clock.advance(0);
    expect(client.details("plain", true, { country: "DE" })).toMatchObject({
      value: false,
      reason: "DISABLED",
      revision: 6,
    });
    service.delete("plain");
    await clock.advance(0);
    expect(client.details("plain", true)).toMatchObject({ errorCode: "FLAG_NOT_FOUND" });
    expect(service.requests.length).toBe(before);
    expect(events).toEqual(["ready", "change: plain", "change: plain"]);
  });

  it("applies several changes that arrive together", async () => {
    const { client, service, clock } = start({}, withFlags);
    await clock.advance(0);
    for (let n = 0; n < 5; n++) service.set(`new-${n}`);
    await clock.advance(0);
    expect(client.status.revision).toBe(service.revision);
    expect(client.boolean("new-4", false)).toBe(true);
  });

  it("fetches a change that is too large for an event, and demands its revision", async () => {
    const { client, service, clock } = start({}, withFlags);
    await clock.advance(0);
    const values = Array.from({ length: 2000 }, (_, n) => `a value of the constraint ${n}`);
    service.set("large", { constraints: [{ ...IN_GERMANY, values }] });
    await clock.advance(0);
    expect(client.status.revision).toBe(6);
    expect(service.count("features")).toBe(2);
    expect(service.headers.at(-1)?.get("X-Min-Revision")).toBe("6");
  });

  it("asks again when an event arrives during a request whose response is older than the event", async () => {
    const waiting: (() => void)[] = [];
    let isSlow = false;
    const { client, service, clock } = start(
      {
        fetch: async (...given) => {
          // Waits for the first request, which the client makes before `start` returns the service.
          await Promise.resolve();
          const response = await service.fetch(...given);
          if (isSlow && service.requests.at(-1)?.includes("features") === true)
            await new Promise<void>((resolve) => {
              waiting.push(resolve);
            });
          return response;
        },
      },
      withFlags,
    );
    await clock.advance(0);
    isSlow = true;
    const refreshed = client.refresh();
    await clock.advance(0);
    service.set("plain", { enabled: false });
    service.set("new");
    await clock.advance(0);
    expect(client.status.revision).toBe(5);
    isSlow = false;
    for (const resolve of waiting) resolve();
    await refreshed;
    await clock.advance(100);
    expect(client.status.revision).toBe(7);
    expect(service.count("features")).toBe(3);
  });

  it("reports the flags that require a changed flag as changed", async () => {
    const { service, clock, events } = start({}, (one) => {
      one.set("parent");
      one.set("child", {}, { prerequisites: [{ flagKey: "parent" }] });
      one.set("grandchild", {}, { prerequisites: [{ flagKey: "child" }] });
    });
    await clock.advance(0);
    service.set("parent", { enabled: false });
    await clock.advance(0);
    expect(events).toEqual(["ready", "change: parent child grandchild"]);
  });

  it("polls every five minutes, by ETag", async () => {
    const { service, clock } = start({}, withFlags);
    for (let minute = 0; minute < 60; minute++) {
      service.heartbeat();
      await clock.advance(30_000);
      service.heartbeat();
      await clock.advance(30_000);
    }
    expect(service.count("features")).toBe(13);
    expect(service.count("stream")).toBe(1);
    expect(service.headers.at(-1)?.get("If-None-Match")).toMatch(/^"5-/);
  });

  it("ends a stream that is silent for 60 seconds, and gets the missed changes from the next stream", async () => {
    const { client, service, clock } = start({}, withFlags);
    await clock.advance(0);
    service.silence();
    service.set("plain", { enabled: false });
    await clock.advance(59_000);
    expect(service.count("stream")).toBe(1);
    expect(client.status.revision).toBe(5);
    await clock.advance(4_000);
    expect(service.count("stream")).toBe(2);
    expect(client.status.revision).toBe(6);
  });

  it("polls every 30 seconds after five failures within a minute, and tries the stream again later", async () => {
    const { service, clock } = start({}, (one) => {
      withFlags(one);
      one.troubles.stream = 500;
    });
    await clock.advance(60_000);
    expect(service.count("stream")).toBe(5);
    await clock.advance(200_000);
    expect(service.count("stream")).toBe(5);
    expect(service.count("features")).toBe(11);
    delete service.troubles.stream;
    await clock.advance(100_000);
    expect(service.openStreams).toBe(1);
  });

  it("waits as long as the service demands before it opens a stream again", async () => {
    const { service, clock } = start({}, (one) => {
      one.troubles.stream = 429;
      one.retryAfter = "600";
    });
    await clock.advance(590_000);
    expect(service.count("stream")).toBe(1);
    delete service.troubles.stream;
    await clock.advance(200_000);
    expect(service.openStreams).toBe(1);
  });
});

describe("after the database of the service is restored", () => {
  it.each(["stream", "poll"] as const)(
    "a client drops the rules that the restore undid, although the revisions have the same numbers (%s)",
    async (updates) => {
      const { client, service, clock, events } = start({ updates }, withFlags);
      await clock.advance(0);
      const restore = service.backup();
      service.set("undone");
      service.set("plain", { enabled: false });
      await clock.advance(40_000);
      expect(client.boolean("undone", false)).toBe(true);
      restore();
      service.set("colour", { enabled: false });
      service.set("new");
      // The client and the service are both at revision 7, but with different rules.
      expect(client.status.revision).toBe(service.revision);
      service.set("half", { percentage: 60 });
      await clock.advance(40_000);
      expect(client.snapshot()?.rules).toEqual(service.rules);
      expect(client.status).toMatchObject({ state: "ready", revision: 8, error: undefined });
      expect(new Set(events.at(-1)?.split(" ").slice(1))).toEqual(
        new Set(["undone", "plain", "colour", "new", "half"]),
      );
    },
  );

  it("a client applies deltas again after it has fetched all rules", async () => {
    const { client, service, clock } = start({}, withFlags);
    await clock.advance(0);
    const restore = service.backup();
    service.set("undone");
    await clock.advance(0);
    restore();
    service.set("new");
    service.set("newer");
    await clock.advance(0);
    expect(client.snapshot()?.rules).toEqual(service.rules);
    const before = service.requests.length;
    service.set("plain", { enabled: false });
    await clock.advance(0);
    expect(client.status.revision).toBe(service.revision);
    expect(service.requests.length).toBe(before);
  });
});

describe("the listeners of a client", () => {
  it("are not called for an event during which another listener adds them", async () => {
    const { client, service, clock } = start({}, withFlags);
    await clock.advance(0);
    let calls = 0;
    const listen = () => {
      const remove = client.on("change", () => {
        calls++;
        remove();
        // Limits the number of calls, so that a fault ends this test instead of hanging it.
        if (calls < 100) listen();
      });
    };
    listen();
    for (const expected of [1, 2]) {
      service.set("plain", { enabled: expected > 1 });
      await clock.advance(0);
      expect(calls).toBe(expected);
    }
  });

  it("are called once when they were added with once, also if they cause the same event", () => {
    const client = createOfflineClient();
    const heard: string[] = [];
    client.once("change", () => {
      heard.push("once");
      client.override("flag", false);
    });
    const remove = client.once("change", () => void heard.push("removed"));
    remove();
    client.override("flag", true);
    client.override("flag", true);
    expect(heard).toEqual(["once"]);
  });

  it("are removed by off, one by one if they were added more than once", () => {
    const client = createOfflineClient();
    let calls = 0;
    const listener = () => void calls++;
    client.on("change", listener);
    client.once("change", listener);
    client.off("change", listener);
    client.off("stale", listener);
    client.override("flag", true);
    client.override("flag", true);
    expect(calls).toBe(2);
    client.off("change", listener);
    client.override("flag", true);
    expect(calls).toBe(2);
  });

  it("are not called for an event during which another listener removes them", async () => {
    const { client, service, clock } = start({}, withFlags);
    await clock.advance(0);
    const heard: string[] = [];
    client.on("change", () => {
      heard.push("first");
      remove();
    });
    const remove = client.on("change", () => void heard.push("second"));
    service.set("plain", { enabled: false });
    await clock.advance(0);
    expect(heard).toEqual(["first"]);
  });
});

describe("a client that polls", () => {
  it("gets changes as deltas", async () => {
    const { client, service, clock } = start({ updates: "poll" }, withFlags);
    await client.ready();
    service.set("plain", { enabled: false });
    service.delete("limit");
    await clock.advance(30_000);
    expect(client.status.revision).toBe(7);
    expect(client.snapshot()?.rules).toEqual(service.rules);
    expect(service.requests.at(-1)).toMatch(/since=/);
    expect(service.count("stream")).toBe(0);
  });
});

describe("a client with a bootstrap", () => {
  it("answers checks before the first request, and then gets the rules of the service", async () => {
    const first = start({}, withFlags);
    await first.client.ready();
    const bootstrap = first.client.snapshot();
    const { client, service, clock } = start({ bootstrap }, (one) => {
      withFlags(one);
      one.set("plain", { enabled: false });
    });
    expect(client.boolean("plain", false, { country: "DE" })).toBe(true);
    expect(client.status).toMatchObject({ state: "ready", revision: 5, confirmedAt: undefined });
    await clock.advance(0);
    expect(client.boolean("plain", true, { country: "DE" })).toBe(false);
    expect(client.snapshot()?.rules).toEqual(service.rules);
  });

  it("sends the ETag, and gets deltas after a 304", async () => {
    const first = start({}, withFlags);
    await first.client.ready();
    const { client, service, clock } = start(
      { bootstrap: () => Promise.resolve(first.client.snapshot()), updates: "poll" },
      withFlags,
    );
    await clock.advance(0);
    expect(service.headers[0]?.get("If-None-Match")).toBe(first.client.snapshot()?.etag);
    service.set("plain", { enabled: false });
    await clock.advance(30_000);
    expect(service.requests.at(-1)).toMatch(/since=/);
    expect(client.status.revision).toBe(6);
  });

  it("takes all rules of the service, even if the snapshot of another environment is newer", async () => {
    const other = start({}, (one) => {
      for (let n = 0; n < 50; n++) one.set(`other-${n}`);
    });
    await other.client.ready();
    const { client, service, clock } = start({ bootstrap: other.client.snapshot() }, withFlags);
    await clock.advance(0);
    expect(client.snapshot()?.rules).toEqual(service.rules);
    expect(client.status.revision).toBe(5);
  });

  it.each([
    ["null", null as never],
    ["a function that returns null", () => Promise.resolve(null)],
    ["a function that returns undefined", () => undefined],
  ])("treats %s as no bootstrap", async (_, bootstrap) => {
    for (const updates of ["poll", "manual"] as const) {
      const { client, events, messages } = start({ bootstrap, updates }, withFlags);
      await client.ready();
      expect(client.status.revision).toBe(5);
      expect(events).toEqual(["ready"]);
      expect(messages).toEqual([]);
    }
  });

  it.each([
    ["fails", () => Promise.reject(new Error("no file"))],
    ["is not a snapshot", { format: 2 } as never],
    ["throws when it is read", unreadable()],
    ["is a function whose result throws when it is read", unreadable],
    ["does not end", () => new Promise<never>(() => {})],
  ])("starts with the rules of the service when the bootstrap %s", async (_, bootstrap) => {
    const { client, clock, events } = start({ bootstrap }, withFlags);
    await clock.advance(1_000);
    expect(client.boolean("plain", false, { country: "DE" })).toBe(true);
    expect(events.filter((event) => event !== "ready").length).toBeLessThan(2);
  });

  it.each(["stream", "poll", "manual"] as const)(
    "reports a bootstrap that throws when it is read, and ready waits for the service (%s)",
    async (updates) => {
      for (const bootstrap of [unreadable(), unreadable]) {
        const { client, events } = start({ bootstrap, updates }, withFlags);
        await client.ready();
        expect(client.boolean("plain", false, { country: "DE" })).toBe(true);
        expect(client.status).toMatchObject({ state: "ready", revision: 5 });
        expect(events).toEqual(["error: BOOTSTRAP_FAILED", "ready"]);
      }
    },
  );
});

describe("a client with manual updates", () => {
  it("sets no timers, and asks for changes only when refresh is called", async () => {
    const { client, service, clock } = start({ updates: "manual" }, withFlags);
    await clock.advance(100_000);
    expect(service.requests).toEqual([]);
    await client.ready();
    client.boolean("plain", false);
    expect(clock.size).toBe(0);
    service.set("plain", { enabled: false });
    await clock.advance(1_000);
    expect(await client.refresh()).toBe(true);
    expect(client.status.revision).toBe(6);
    expect(await client.flush()).toBe(true);
    expect(service.reports).toHaveLength(1);
    expect(clock.size).toBe(0);
  });

  it("calls its bootstrap at the first ready, and then makes no request", async () => {
    const first = start({}, withFlags);
    await first.client.ready();
    let calls = 0;
    const bootstrap = () => {
      calls++;
      return first.client.snapshot();
    };
    const { client, service } = start({ updates: "manual", bootstrap }, withFlags);
    expect(calls).toBe(0);
    await client.ready();
    await client.ready();
    expect(calls).toBe(1);
    expect(client.boolean("plain", false, { country: "DE" })).toBe(true);
    expect(service.requests).toEqual([]);
    await client.refresh();
    expect(service.headers[0]?.get("If-None-Match")).toBe(first.client.snapshot()?.etag);
  });

  it("has the newest rules after simultaneous requests whose responses arrive in the wrong order", async () => {
    const responses: (() => void)[] = [];
    const { client, service, clock } = start(
      {
        updates: "manual",
        fetch: async (...given) => {
          const response = await service.fetch(...given);
          await new Promise<void>((resolve) => {
            responses.push(resolve);
          });
          return response;
        },
      },
      withFlags,
    );
    const ready = client.ready();
    await expect.poll(() => responses.length).toBe(1);
    responses[0]?.();
    await ready;
    service.set("plain", { enabled: false });
    await clock.advance(1_000);
    const older = client.refresh();
    await expect.poll(() => responses.length).toBe(2);
    service.set("new");
    await clock.advance(1_000);
    const newer = client.refresh();
    await expect.poll(() => responses.length).toBe(3);
    responses[2]?.();
    expect(await newer).toBe(true);
    responses[1]?.();
    await older;
    expect(client.snapshot()?.rules).toEqual(service.rules);
    expect(client.status.revision).toBe(service.revision);
  });

  it("asks at most once a second, and reports at most every ten seconds", async () => {
    const { client, service, clock } = start({ updates: "manual" }, withFlags);
    await Promise.all([client.ready(), client.ready()]);
    const before = service.count("features");
    for (let request = 0; request < 100; request++) {
      await client.ready();
      client.boolean("plain", false);
      expect(await Promise.all([client.refresh(), client.flush()])).toEqual([true, true]);
      await clock.advance(100);
    }
    expect(service.count("features") - before).toBe(9);
    expect(service.reports).toHaveLength(1);
    expect(await client.flush()).toBe(true);
    const counts = service.reports.map(({ evaluations }) => evaluations["plain"]);
    expect(counts).toEqual([
      { t: 0, f: 1 },
      { t: 0, f: 99 },
    ]);
    client.boolean("plain", false);
    await client.close();
    expect(service.reports).toHaveLength(3);
  });

  it("asks at most once a second while the service fails, and waits for the delay that the service demands", async () => {
    const { client, service, clock } = start({ updates: "manual" }, withFlags);
    await client.ready();
    await clock.advance(1_000);
    service.troubles.features = 500;
    expect(await client.refresh()).toBe(false);
    expect(await client.refresh()).toBe(false);
    expect(service.count("features")).toBe(2);
    await clock.advance(1_000);
    service.retryAfter = "60";
    expect(await client.refresh()).toBe(false);
    delete service.troubles.features;
    await clock.advance(59_000);
    expect(await client.refresh()).toBe(false);
    expect(service.count("features")).toBe(3);
    await clock.advance(15_000);
    expect(await client.refresh()).toBe(true);
    clock.shift(-3_600_000);
    expect(await client.refresh()).toBe(true);
    expect(service.count("features")).toBe(5);
  });

  it("sends no usage before the delay that the service demands, and then sends all of it", async () => {
    const { client, service, clock } = start({ updates: "manual" }, withFlags);
    await client.ready();
    client.boolean("plain", false);
    service.troubles.metrics = 429;
    service.retryAfter = "120";
    expect(await client.flush()).toBe(false);
    delete service.troubles.metrics;
    for (let second = 0; second < 119; second += 7) {
      client.boolean("plain", false);
      expect(await client.flush()).toBe(false);
      await clock.advance(7_000);
    }
    expect(service.count("metrics")).toBe(1);
    await clock.advance(1_000);
    expect(await client.flush()).toBe(true);
    expect(service.reports[0]?.evaluations).toEqual({ plain: { t: 0, f: 18 } });
  });

  it("rejects ready when the client is closed before the bootstrap ends", async () => {
    const bootstrap = () => new Promise<never>(() => {});
    const { client, clock } = start({ updates: "manual", bootstrap }, withFlags);
    let code: unknown;
    const ready = client.ready().catch((error: { code?: string }) => {
      code = error.code;
    });
    await clock.advance(500);
    void client.close();
    await clock.advance(0);
    expect(code).toBe("CLOSED");
    await ready;
  });

  it("rejects ready after its timeout when neither the bootstrap nor the service answers", async () => {
    const bootstrap = () => new Promise<never>(() => {});
    for (const options of [{}, { bootstrap }]) {
      const { client, clock, service } = start({ updates: "manual", ...options }, (one) => {
        withFlags(one);
        one.troubles.features = "hanging";
      });
      const codes: unknown[] = [];
      const keep = (error: { code?: string }) => void codes.push(error.code);
      void client.ready({ timeout: 500 }).catch(keep);
      await clock.advance(499);
      expect(codes).toEqual([]);
      await clock.advance(1);
      expect(codes).toEqual(["TIMEOUT"]);
      delete service.troubles.features;
      await client.ready();
      expect(client.boolean("plain", false, { country: "DE" })).toBe(true);
    }
  });

  it("rejects ready with the reason when the service does not answer", async () => {
    const { client } = start({ updates: "manual" }, (one) => {
      one.troubles.features = 500;
    });
    await expect(client.ready()).rejects.toMatchObject({ code: "UNAVAILABLE", status: 500 });
    expect(await client.refresh()).toBe(false);
  });
});

describe("the test doubles of the SDK", () => {
  it("use the value of an override instead of the flag's own value until the override is cleared", async () => {
    const { client, events } = start({}, withFlags);
    await client.ready();
    client.override("plain", true);
    client.override("unknown", "text");
    expect(client.boolean("plain", false)).toBe(true);
    expect(client.details("unknown", "x")).toMatchObject({ value: "text", reason: "OVERRIDE" });
    expect(client.details("unknown", 5)).toMatchObject({ errorCode: "TYPE_MISMATCH" });
    expect(client.all()["plain"]).toMatchObject({ value: true, reason: "OVERRIDE" });
    client.clearOverrides();
    expect(client.boolean("plain", true)).toBe(false);
    expect(client.details("unknown", "x").errorCode).toBe("FLAG_NOT_FOUND");
    expect(events).toEqual(["ready", "change: plain", "change: unknown", "change: plain unknown"]);
  });

  it("include an offline client that has the given values and no other flags", async () => {
    const client = createOfflineClient({ on: true, colour: "red", layout: { columns: 2 } });
    await client.ready();
    expect(client.boolean("on", false)).toBe(true);
    expect(client.string("colour", "")).toBe("red");
    expect(client.json("layout", {})).toEqual({ columns: 2 });
    expect(client.details("missing", 1)).toMatchObject({ value: 1, errorCode: "FLAG_NOT_FOUND" });
    client.override("on", false);
    expect(client.boolean("on", true)).toBe(false);
    client.clearOverrides();
    expect(client.boolean("on", false)).toBe(true);
    expect(client.status.state).toBe("ready");
    await client.close();
    expect(client.status.state).toBe("closed");
  });
});
