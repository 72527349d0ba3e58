import { describe, expect, it } from "vitest";
import { Edge } from "../../src/client/edge/edge.ts";
import { DATABASE_TIMEOUT_MS, LEASE_MS, STORE_TIMEOUT_MS } from "../../src/client/keys/leases.ts";
import { LOOK_MS, REPAIR_AFTER_MS } from "../../src/client/rules/rule-loader.ts";
import { isolate, KEY, oldCopy, OTHER_KEY, snapshotAt } from "./isolate.ts";

describe("an isolate whose database hangs", () => {
  it("makes one request wait for the database timeout, and serves the next requests at once", async () => {
    const { database, pass, poll } = isolate();
    await poll();
    await poll(OTHER_KEY);
    pass(2 * LEASE_MS);
    Object.assign(database, { keyCheck: "hangs", questions: 0 });
    expect(await poll()).toEqual(["1*", DATABASE_TIMEOUT_MS]);
    expect(await poll()).toEqual(["1*", 0]);
    expect(await poll(OTHER_KEY)).toEqual(["1*", 0]);
    expect(database.questions).toBe(1);
  });

  it("checks the API key of three concurrent requests once, and no request waits longer than the database timeout", async () => {
    const { database, pass, poll } = isolate();
    await poll();
    pass(3 * LEASE_MS);
    Object.assign(database, { keyCheck: "hangs", questions: 0 });
    const both = await Promise.all([poll(), poll(), poll()]);
    expect(new Set(both.map(([revision]) => revision))).toEqual(new Set(["1*"]));
    expect(Math.max(...both.map(([, ms]) => ms))).toBeLessThan(DATABASE_TIMEOUT_MS + 50);
    expect(database.questions).toBe(1);
  });

  it("makes at most one request a second wait for the database, even if clients poll with two API keys", async () => {
    const { database, pass, poll } = isolate();
    await poll();
    await poll(OTHER_KEY);
    pass(2 * LEASE_MS);
    database.keyCheck = "hangs";
    await poll();
    const waited: number[] = [];
    for (let second = 0; second < 10; second++) {
      pass(LEASE_MS);
      for (const key of [KEY, OTHER_KEY, KEY, OTHER_KEY]) waited.push((await poll(key))[1]);
    }
    expect(waited.filter((ms) => ms > 0).length).toBeLessThanOrEqual(10);
  });

  it("serves fresh rules to all API keys as soon as the database responds to the check of one key", async () => {
    const { database, pass, poll } = isolate();
    await poll();
    await poll(OTHER_KEY);
    pass(2 * LEASE_MS);
    database.keyCheck = "hangs";
    await poll();
    await poll(OTHER_KEY);
    pass(LEASE_MS);
    Object.assign(database, { keyCheck: "works", revision: 2 });
    expect(await poll()).toEqual(["2", 0]);
    expect(await poll(OTHER_KEY)).toEqual(["2", 0]);
  });

  it("serves fresh rules to a request that waits for the key check of another request", async () => {
    const { database, pass, poll } = isolate();
    await poll();
    await poll(OTHER_KEY);
    pass(2 * LEASE_MS);
    database.keyCheck = "hangs";
    await poll();
    await poll(OTHER_KEY);
    pass(LEASE_MS);
    database.keyCheck = "is slow";
    const both = await Promise.all([poll(), poll(OTHER_KEY)]);
    expect(both.map(([revision]) => revision)).toEqual(["1", "1"]);
  });

  it("returns 503 for an unknown API key, first after the database timeout, and then at once", async () => {
    const { database, poll } = isolate();
    database.keyCheck = "hangs";
    expect(await poll()).toEqual(["503", DATABASE_TIMEOUT_MS]);
    expect(await poll()).toEqual(["503", 0]);
  });

  it("returns 503 within the sum of the database timeout and the KV timeout when KV hangs too", async () => {
    const { database, store, poll } = isolate();
    Object.assign(database, { keyCheck: "hangs", build: "hangs" });
    store.mood = "hangs";
    const [status, ms] = await poll();
    expect(status).toBe("503");
    expect(ms).toBeLessThanOrEqual(DATABASE_TIMEOUT_MS + STORE_TIMEOUT_MS);
  });
});

describe("when a build of the rules", () => {
  it("hangs, one request waits for the database timeout, and the isolate starts no other build in that second", async () => {
    const { database, faults, pass, poll } = isolate();
    await poll();
    pass(2 * LEASE_MS);
    Object.assign(database, { build: "hangs", revision: 2 });
    expect(await poll()).toEqual(["1*", DATABASE_TIMEOUT_MS]);
    expect(await poll()).toEqual(["1*", 0]);
    expect(faults).toEqual(["rule build"]);
    pass(LEASE_MS);
    database.build = "works";
    expect(await poll()).toEqual(["2", 0]);
  });

  it("takes longer than the timeout, the request gets 503, and the next request gets the finished rules", async () => {
    const { database, rest, poll } = isolate();
    database.build = "hangs";
    expect(await poll()).toEqual(["503", DATABASE_TIMEOUT_MS]);
    database.release();
    await rest();
    expect(await poll()).toEqual(["1", 0]);
  });

  it.each<[string, unknown[][]]>([
    [
      "returns an older revision",
      [[{ revision: 1, changedAt: 0, archivedKeys: "[]", archivedServerKeys: "[]" }], [], [], []],
    ],
    [
      "returns an invalid revision",
      [
        [{ revision: Number.NaN, changedAt: 0, archivedKeys: "[]", archivedServerKeys: "[]" }],
        [],
        [],
        [],
      ],
    ],
    [
      "returns rows without a column",
      [
        [{ revision: 2, changedAt: 0, archivedKeys: "[]", archivedServerKeys: "[]" }],
        [{ key: "a", name: "A" }],
        [],
        [],
      ],
    ],
    [
      "returns too few results",
      [[{ revision: 2, changedAt: 0, archivedKeys: "[]", archivedServerKeys: "[]" }]],
    ],
    ["returns no environment", [[], [], [], []]],
  ])("%s, the isolate serves the older rules as stale", async (_, rows) => {
    const { database, pass, poll } = isolate();
    await poll();
    pass(2 * LEASE_MS);
    Object.assign(database, { revision: 2, rows });
    expect(await poll()).toEqual(["1*", 0]);
  });
});

describe("an isolate whose database is unavailable", () => {
  it("serves newer rules that another isolate wrote to KV, marked as stale", async () => {
    const { database, store, pass, poll } = isolate();
    await poll();
    database.keyCheck = "fails";
    for (const revision of [2, 3, 4]) {
      store.snapshot = snapshotAt(revision);
      pass(2 * LEASE_MS);
      expect(await poll()).toEqual([`${revision}*`, 0]);
    }
  });

  it("reads the rules of an environment from KV once a second, not with every request", async () => {
    const { database, store, pass, poll } = isolate();
    await poll();
    database.keyCheck = "fails";
    pass(2 * LEASE_MS);
    await poll();
    await poll(OTHER_KEY);
    store.key = oldCopy;
    const { looks } = store;
    for (let n = 0; n < 50; n++) await poll();
    expect(store.looks).toBe(looks);
    pass(LOOK_MS);
    await poll();
    expect(store.looks).toBe(looks + 1);
  });

  it("waits for the KV timeout once when KV hangs, too, and then serves the rules in memory", async () => {
    const { database, store, pass, poll } = isolate();
    await poll();
    database.keyCheck = "fails";
    store.mood = "hangs";
    pass(2 * LEASE_MS);
    expect(await poll()).toEqual(["1*", STORE_TIMEOUT_MS]);
    expect(await poll()).toEqual(["1*", 0]);
  });

  it("rejects an API key that it knows to be deleted, even if KV still has the key", async () => {
    const { database, store, pass, poll } = isolate();
    Object.assign(store, { key: oldCopy, snapshot: snapshotAt(1) });
    database.isKeyAlive = false;
    expect(await poll()).toEqual(["401", 0]);
    pass(2 * LEASE_MS);
    database.keyCheck = "fails";
    expect(await poll()).toEqual(["401", 0]);
  });

  it("rejects an API key as soon as the isolate revokes the key, even if KV still has the key", async () => {
    const { database, edge, store, poll } = isolate();
    store.key = oldCopy;
    await poll();
    database.keyCheck = "fails";
    const { hash } = edge.leases.freshLease(KEY, 0) ?? { hash: "" };
    edge.leases.forget(hash);
    expect(await poll()).toEqual(["401", 0]);
  });
});

describe("an isolate whose KV hangs", () => {
  it("serves the rules of the database to its first request, after the KV timeout", async () => {
    const { store, poll } = isolate();
    store.mood = "hangs";
    expect(await poll()).toEqual(["1", STORE_TIMEOUT_MS]);
    expect(await poll(KEY, new Edge())).toEqual(["1", STORE_TIMEOUT_MS]);
  });
});

describe("rules that an isolate built", () => {
  it.each([
    ["zero times while the writer of the change may still publish them", REPAIR_AFTER_MS - 1, []],
    ["once when the writer's publish was lost", REPAIR_AFTER_MS, [1]],
  ])("are written to KV %s", async (_, age, puts) => {
    const { database, store, rest, poll } = isolate();
    database.changedAt = Date.UTC(2026, 0, 2) - age;
    await poll();
    await rest();
    expect(store.puts).toEqual(puts);
  });
});
