import { describe, expect, it } from "vitest";
import { MAX_PAUSE_MS, MAX_WAIT_MS } from "../../src/client/rules/catch-up.ts";
import { Edge } from "../../src/client/edge/edge.ts";
import { DATABASE_TIMEOUT_MS } from "../../src/client/keys/leases.ts";
import type { Snapshot } from "../../src/core/rules/snapshot.ts";
import { isolate, KEY, OTHER_KEY, snapshotAt } from "./isolate.ts";

/** How long a location of KV serves a value after it read the value, milliseconds. */
const KV_CACHE_MS = 30_000;

/** Returns an isolate that has polled once, at revision 1. The database replica lags by `lagMs`. */
async function polledIsolate(lagMs = 10_000) {
  const one = isolate();
  one.database.lagMs = lagMs;
  const first = one.commit() - 1;
  one.database.committedAt.length = 0;
  one.database.revision = first;
  await one.poll();
  Object.assign(one.database, { questions: 0, atPrimary: 0 });
  one.store.looks = 0;
  const demand = (revision: number, key = KEY) => one.poll(key, one.edge, revision);
  return { ...one, demand };
}

/**
 * Makes KV behave as at one location: it returns what it read first for 30 seconds, whatever the
 * writer publishes. Returns the function that publishes.
 */
function cachedStore({ store, ports }: Pick<ReturnType<typeof isolate>, "store" | "ports">) {
  let published: Snapshot | undefined = snapshotAt(1);
  let cached = { at: -Infinity, snapshot: published as Snapshot | undefined };
  Object.defineProperty(store, "snapshot", {
    get: () => {
      if (ports.now() - cached.at >= KV_CACHE_MS) cached = { at: ports.now(), snapshot: published };
      return cached.snapshot;
    },
  });
  return (revision: number) => {
    published = snapshotAt(revision);
  };
}

describe("a request that demands a revision", () => {
  it("causes no read of KV or the database when the isolate has the revision", async () => {
    const { database, store, demand } = await polledIsolate();
    expect(await demand(1)).toEqual(["1", 0]);
    expect(await demand(0)).toEqual(["1", 0]);
    expect([database.questions, store.looks]).toEqual([0, 0]);
  });

  it("gets the rules from KV, without an SQL statement, while the key lease is valid", async () => {
    const { database, store, commit, demand } = await polledIsolate();
    store.snapshot = snapshotAt(commit());
    expect(await demand(2)).toEqual(["2", 0]);
    expect([database.questions, store.looks]).toEqual([0, 1]);
  });

  it("costs one statement at the primary and one build of the rules when KV lacks the revision", async () => {
    const { database, commit, demand } = await polledIsolate();
    commit();
    expect(await demand(2)).toEqual(["2", 0]);
    expect([database.questions, database.atPrimary]).toEqual([2, 1]);
    expect(await demand(2, OTHER_KEY)).toEqual(["2", 0]);
    expect(database.atPrimary).toBe(2);
  });

  it.each([0, 100, 1_000, 3_000, 10_000])(
    "never gets an older revision when the replica lags by %i ms and KV returns old rules for 30 s",
    async (lagMs) => {
      const one = await polledIsolate(lagMs);
      const { edge, ports, commit, pass, poll } = one;
      const publish = cachedStore(one);
      const edges = [edge, new Edge(), new Edge()];
      let newest = 1;
      let older = 0;
      for (let n = 0; n < 200; n++) {
        if (n % 3 === 0) {
          newest = commit();
          publish(newest);
        }
        for (const at of edges) {
          if (n % 5 === 0 && (await poll(KEY, at))[0] !== String(newest)) older += 1;
          expect(await poll(KEY, at, newest)).toEqual([String(newest), 0]);
        }
        pass((n * 37) % 700);
      }
      expect(ports.now()).toBeGreaterThan(KV_CACHE_MS);
      // The same isolates serve old rules when the request demands no revision. So the test above
      // can fail.
      expect(older).toBeGreaterThan(0);
    },
  );

  it("shares one statement and one build with all requests that arrive at the same time", async () => {
    const { database, commit, demand } = await polledIsolate();
    Object.assign(database, { keyCheck: "is slow", build: "is slow" });
    commit();
    const answers = await Promise.all(Array.from({ length: 100 }, () => demand(2)));
    expect(new Set(answers.map(([revision]) => revision))).toEqual(new Set(["2"]));
    expect(database.questions).toBe(2);
  });

  it("gets the older rules at once, marked as stale, when the primary lacks the revision", async () => {
    const { database, demand } = await polledIsolate();
    expect(await demand(5)).toEqual(["1*", 0]);
    expect(database.questions).toBe(1);
  });

  it("gets the older rules, marked as stale, after at most 2 s while the database fails", async () => {
    const { database, commit, demand } = await polledIsolate();
    commit();
    database.keyCheck = "fails";
    expect(await demand(2)).toEqual(["1*", MAX_WAIT_MS]);
    expect(database.questions).toBeLessThan(10);
  });

  it("gets the revision as soon as the database works again", async () => {
    const { database, commit, demand } = await polledIsolate();
    commit();
    const keyCheck = { get: () => (database.questions < 4 ? "fails" : "works") };
    Object.defineProperty(database, "keyCheck", keyCheck);
    const [revision, ms] = await demand(2);
    expect(revision).toBe("2");
    expect(ms).toBeLessThan(MAX_WAIT_MS);
  });

  it("waits for a database that hangs until its timeout, and the next request does not wait", async () => {
    const { database, commit, demand } = await polledIsolate();
    commit();
    database.keyCheck = "hangs";
    const [revision, ms] = await demand(2);
    expect(revision).toBe("1*");
    expect(ms).toBeLessThanOrEqual(MAX_WAIT_MS);
    expect(ms).toBeGreaterThanOrEqual(DATABASE_TIMEOUT_MS);
    expect(database.questions).toBe(1);
    expect((await demand(2))[1]).toBeLessThan(200);
  });

  it("gets the rules from KV when the build of the rules hangs and the writer publishes meanwhile", async () => {
    const { database, store, commit, demand } = await polledIsolate();
    commit();
    database.build = "hangs";
    expect((await demand(2))[0]).toBe("1*");
    store.snapshot = snapshotAt(2);
    expect((await demand(2))[0]).toBe("2");
  });
});

describe("a caller that demands revisions that do not exist", () => {
  it("costs the primary at most a few statements, however many requests it sends at once", async () => {
    const { database, demand } = await polledIsolate();
    database.keyCheck = "is slow";
    const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => demand(100 + n)));
    expect(new Set(answers.map(([revision]) => revision))).toEqual(new Set(["1*"]));
    expect(Math.max(...answers.map(([, ms]) => ms))).toBeLessThan(MAX_WAIT_MS);
    expect(database.questions).toBeLessThanOrEqual(2);
  });

  it("costs the primary about one statement a second, however long it continues", async () => {
    const { database, ports, pass, demand } = await polledIsolate();
    const began = ports.now();
    for (let n = 0; n < 2_000; n++) {
      expect((await demand(1_000_000))[0]).toBe("1*");
      pass(5);
    }
    const seconds = (ports.now() - began) / 1_000;
    // Adds 10 statements, because the isolate also checks the API key once a second.
    expect(database.questions).toBeLessThan(2 * seconds + 10);
  });

  it("does not keep other callers from a revision that exists, however often it asks first", async () => {
    const { commit, demand } = await polledIsolate();
    for (let n = 0; n < 20; n++) await demand(1_000_000);
    commit();
    const hostile = Array.from({ length: 100 }, () => demand(1_000_000));
    const [revision, ms] = await demand(2);
    expect(revision).toBe("2");
    expect(ms).toBeLessThanOrEqual(MAX_PAUSE_MS + 80);
    for (const answer of await Promise.all(hostile)) expect(answer[0]).toBe("2*");
  });

  it("delays other callers by at most the longest pause", async () => {
    const { commit, demand } = await polledIsolate();
    for (let n = 0; n < 20; n++) await demand(1_000_000);
    commit();
    const [revision, ms] = await demand(2);
    expect(revision).toBe("2");
    expect(ms).toBeLessThanOrEqual(MAX_PAUSE_MS + 80);
    commit();
    expect(await demand(3)).toEqual(["3", 0]);
  });
});
