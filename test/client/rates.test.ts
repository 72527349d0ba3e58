import { describe, expect, it } from "vitest";
import type { ClientPorts } from "../../src/client/sources/ports.ts";
import type { KeyRow } from "../../src/client/sources/queries.ts";
import { Edge, WEIGHT } from "../../src/client/edge/edge.ts";
import { ApiError } from "../../src/core/errors/api-error.ts";
import { FakeClock } from "../support/clock.ts";

const keyOf = (id: number, keyType: KeyRow["keyType"]): KeyRow => ({
  id,
  keyType,
  environmentId: 1,
  projectId: 1,
  revision: 1,
});
const SERVER = keyOf(1, "SERVER");
const FRONTEND = keyOf(2, "FRONTEND");

/**
 * A fake rate limit binding of one Cloudflare location. It counts calls per minute of the clock.
 */
function counter(limit: number, minute: () => number) {
  const counts = new Map<string, number>();
  return {
    counts,
    works: true,
    async limit({ key }: { readonly key: string }) {
      if (!this.works) throw new Error("the counter is unavailable");
      const name = `${minute()} ${key}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return { success: (counts.get(name) ?? 0) <= limit };
    },
  };
}

/**
 * A fake Cloudflare location, whose isolates share the rate limit counters and the clock. Each
 * limit is the maximum number of counter calls in one minute.
 */
function location({ perKey = 1e9, perBrowser = 1e9 }) {
  const clock = new FakeClock(600_000);
  const minute = () => Math.floor(clock.now() / 60_000);
  const faults: string[] = [];
  const left: Promise<unknown>[] = [];
  const key = counter(perKey, minute);
  const browser = counter(perBrowser, minute);
  const ports = {
    now: clock.now,
    later: (work: Promise<unknown>) => {
      left.push(work);
    },
    fault: (what: string) => {
      faults.push(what);
    },
    rates: { key, browser },
  } as unknown as ClientPorts;
  return {
    key,
    browser,
    faults,
    pass: (ms: number) => clock.advance(ms),
    isolate: () => {
      const edge = new Edge();
      /** Sends a request. Returns `Retry-After` in seconds, or 0 if the request is admitted. */
      return async (row: KeyRow, address = "192.0.2.1"): Promise<number> => {
        try {
          edge.admit(ports, row, () => address);
          return 0;
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 429) throw error;
          return Number(error.headers["Retry-After"]);
        } finally {
          await Promise.all(left.splice(0));
        }
      };
    },
  };
}

/** Sends `times` requests one after the other, and returns how many of them are admitted. */
async function admitted(times: number, call: () => Promise<number>): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n++) if ((await call()) === 0) count++;
  return count;
}

describe("requests with one API key in one Cloudflare location", () => {
  it("are admitted up to the limit, which the isolate counts in steps of ten requests", async () => {
    const call = location({ perKey: 5 }).isolate();
    // Expects ten requests more than the limit: each call of the counter admits ten requests, and
    // the isolate learns only from the sixth call that the limit is exceeded.
    expect(await admitted(1_000, () => call(SERVER))).toBe(WEIGHT * 6);
  });

  it("get 429 with the rest of the minute in Retry-After above the limit, and are admitted in the next minute", async () => {
    const { isolate, pass } = location({ perKey: 0 });
    const call = isolate();
    pass(17_400);
    await admitted(WEIGHT, () => call(SERVER));
    expect(await call(SERVER)).toBe(43);
    pass(42_599);
    expect(await call(SERVER)).toBe(1);
    pass(1);
    expect(await call(SERVER)).toBe(0);
  });

  it("cause one call of the rate limit counter for every ten requests, and no call after the limit is exceeded", async () => {
    const { isolate, key } = location({ perKey: 2 });
    const call = isolate();
    await admitted(5_000, () => call(SERVER));
    expect([...key.counts.values()]).toEqual([3]);
  });

  it("share one limit across all isolates of the location", async () => {
    const { isolate } = location({ perKey: 5 });
    const isolates = Array.from({ length: 4 }, isolate);
    const counts = await Promise.all(isolates.map((call) => admitted(200, () => call(SERVER))));
    const all = counts.reduce((sum, count) => sum + count, 0);
    expect(all).toBeGreaterThanOrEqual(WEIGHT * 6);
    // Allows one counter call per isolate above the limit, because each isolate learns from its own
    // call that the limit is exceeded.
    expect(all).toBeLessThanOrEqual(WEIGHT * (5 + isolates.length));
  });

  it("do not use up the limit of another API key", async () => {
    const call = location({ perKey: 0 }).isolate();
    await admitted(WEIGHT, () => call(SERVER));
    expect(await call(SERVER)).toBeGreaterThan(0);
    expect(await call(keyOf(3, "SERVER"))).toBe(0);
    expect(await call(FRONTEND)).toBe(0);
  });
});

describe("an IP address that floods the client API", () => {
  const floods = async (address: string, other: string) => {
    const { isolate } = location({ perBrowser: 0 });
    const call = isolate();
    await admitted(WEIGHT, () => call(FRONTEND, address));
    return [(await call(FRONTEND, address)) > 0, (await call(FRONTEND, other)) > 0];
  };

  it("gets 429 with a FRONTEND key, and another IPv4 address does not", async () => {
    expect(await floods("192.0.2.1", "192.0.2.2")).toEqual([true, false]);
  });

  it("gets 429 with a FRONTEND key for its whole IPv6 network (/64), and other networks do not", async () => {
    expect(await floods("2001:db8:1:2::1", "2001:db8:1:2:ffff::9")).toEqual([true, true]);
    expect(await floods("2001:db8:1:2::1", "2001:db8:1:3::1")).toEqual([true, false]);
  });

  it("does not use up the limit of the FRONTEND key while it gets 429", async () => {
    const { isolate, key } = location({ perBrowser: 2 });
    const call = isolate();
    await admitted(10_000, () => call(FRONTEND));
    expect([...key.counts.values()]).toEqual([3]);
  });

  it("is not limited with a SERVER key, because many servers can share one IP address", async () => {
    const { isolate, browser } = location({ perBrowser: 0 });
    const call = isolate();
    expect(await admitted(1_000, () => call(SERVER))).toBe(1_000);
    expect(browser.counts.size).toBe(0);
  });
});

describe("an isolate whose rate limit counter fails", () => {
  it("admits every request, and reports the fault once a minute", async () => {
    const { isolate, key, faults, pass } = location({ perKey: 0 });
    const call = isolate();
    key.works = false;
    expect(await admitted(500, () => call(SERVER))).toBe(500);
    expect(faults).toEqual(["rate limit of API keys"]);
    pass(60_000);
    expect(await admitted(500, () => call(SERVER))).toBe(500);
    expect(faults).toHaveLength(2);
  });

  it("calls the counter again a minute later, and then limits requests", async () => {
    const { isolate, key, pass } = location({ perKey: 0 });
    const call = isolate();
    key.works = false;
    await admitted(100, () => call(SERVER));
    key.works = true;
    pass(60_000);
    expect(await admitted(100, () => call(SERVER))).toBeLessThanOrEqual(WEIGHT);
  });
});
