import { describe, expect, it } from "vitest";
import { Edge } from "../../src/client/edge.ts";
import { DATABASE_TIMEOUT_MS, LEASE_MS, STORE_TIMEOUT_MS } from "../../src/client/leases.ts";
import { LOOK_MS, REPAIR_AFTER_MS } from "../../src/client/rule-loader.ts";
import { isolate, KEY, known, OTHER_KEY, snapshotAt } from "./isolate.ts";

describe("when the database hangs", () => {
  it("makes one request wait for the timeout, and serves the others of that second at once", async () => {
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

  it("checks a key once for concurrent requests, and none waits longer than the timeout", async () => {
    const { database, pass, poll } = isolate();
    await poll();
    pass(3 * LEASE_MS);
    Object.assign(database, { keyCheck: "hangs", questions: 0 });
    const both = await Promise.all([poll(), poll(), poll()]);
    expect(new Set(both.map(([revision]) => revision))).toEqual(new Set(["1*"]));
    expect(Math.max(...both.map(([, ms]) => ms))).toBeLessThan(DATABASE_TIMEOUT_MS + 50);
    expect(database.questions).toBe(1);
  });

  it("tries the database with one request at a time, whatever the number of keys", async () => {
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

  it("renews the leases of all keys as soon as the database responds to one check", async () => {
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

  it("lets other requests wait briefly for the request that tries the database", async () => {
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

  it("returns 503 for an unknown key after the timeout, and then without waiting", async () => {
    const { database, poll } = isolate();
    database.keyCheck = "hangs";
    expect(await poll()).toEqual(["503", DATABASE_TIMEOUT_MS]);
    expect(await poll()).toEqual(["503", 0]);
  });

  it("waits at most for the timeouts of the database and the store when both hang", async () => {
    const { database, store, poll } = isolate();
    Object.assign(database, { keyCheck: "hangs", build: "hangs" });
    store.mood = "hangs";
    const [status, ms] = await poll();
    expect(status).toBe("503");
    expect(ms).toBeLessThanOrEqual(DATABASE_TIMEOUT_MS + STORE_TIMEOUT_MS);
  });
});

describe("when a build of the rules", () => {
  it("hangs, an isolate waits for the database timeout once, and does not build again in that second", async () => {
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

  it("is slow, the isolate finishes it after the response, for the next request", async () => {
    const { database, rest, poll } = isolate();
    database.build = "hangs";
    expect(await poll()).toEqual(["503", DATABASE_TIMEOUT_MS]);
    database.release();
    await rest();
    expect(await poll()).toEqual(["1", 0]);
  });

  it.each<[string, unknown[][]]>([
    ["returns an older revision", [[{ revision: 1, changedAt: 0 }], [], [], []]],
    ["returns an invalid revision", [[{ revision: Number.NaN, changedAt: 0 }], [], [], []]],
    [
      "returns rows without a column",
      [[{ revision: 2, changedAt: 0 }], [{ key: "a", name: "A" }], [], []],
    ],
    ["returns too few results", [[{ revision: 2, changedAt: 0 }]]],
    ["returns no environment", [[], [], [], []]],
  ])("%s, serves the older rules as stale", async (_, rows) => {
    const { database, pass, poll } = isolate();
    await poll();
    pass(2 * LEASE_MS);
    Object.assign(database, { revision: 2, rows });
    expect(await poll()).toEqual(["1*", 0]);
  });
});

describe("while the database is unavailable", () => {
  it("serves newer rules that another isolate wrote to the store", async () => {
    const { database, store, pass, poll } = isolate();
    await poll();
    database.keyCheck = "fails";
    for (const revision of [2, 3, 4]) {
      store.snapshot = snapshotAt(revision);
      pass(2 * LEASE_MS);
      expect(await poll()).toEqual([`${revision}*`, 0]);
    }
  });

  it("reads the store once a second for an environment, not with every request", async () => {
    const { database, store, pass, poll } = isolate();
    await poll();
    database.keyCheck = "fails";
    pass(2 * LEASE_MS);
    await poll();
    await poll(OTHER_KEY);
    store.key = known;
    const { looks } = store;
    for (let n = 0; n < 50; n++) await poll();
    expect(store.looks).toBe(looks);
    pass(LOOK_MS);
    await poll();
    expect(store.looks).toBe(looks + 1);
  });

  it("waits for a store that hangs once, and then serves from memory", async () => {
    const { database, store, pass, poll } = isolate();
    await poll();
    database.keyCheck = "fails";
    store.mood = "hangs";
    pass(2 * LEASE_MS);
    expect(await poll()).toEqual(["1*", STORE_TIMEOUT_MS]);
    expect(await poll()).toEqual(["1*", 0]);
  });

  it("rejects a deleted key that memory knows, even if the store still has it", async () => {
    const { database, store, pass, poll } = isolate();
    Object.assign(store, { key: known, snapshot: snapshotAt(1) });
    database.isKeyAlive = false;
    expect(await poll()).toEqual(["401", 0]);
    pass(2 * LEASE_MS);
    database.keyCheck = "fails";
    expect(await poll()).toEqual(["401", 0]);
  });

  it("rejects a key that this isolate deleted at once", async () => {
    const { database, edge, store, poll } = isolate();
    store.key = known;
    await poll();
    database.keyCheck = "fails";
    const { hash } = edge.leases.current(KEY, 0) ?? { hash: "" };
    edge.leases.forget(hash);
    expect(await poll()).toEqual(["401", 0]);
  });
});

describe("when the store hangs", () => {
  it("waits for the store timeout once in each isolate", async () => {
    const { store, poll } = isolate();
    store.mood = "hangs";
    expect(await poll()).toEqual(["1", STORE_TIMEOUT_MS]);
    expect(await poll(KEY, new Edge())).toEqual(["1", STORE_TIMEOUT_MS]);
  });
});

describe("rules that an isolate built", () => {
  it.each([
    [
      "are not written to the store while the writer may still publish them",
      REPAIR_AFTER_MS - 1,
      [],
    ],
    ["are written to the store when the publish was lost", REPAIR_AFTER_MS, [1]],
  ])("%s", async (_, age, puts) => {
    const { database, store, rest, poll } = isolate();
    database.changedAt = Date.UTC(2026, 0, 2) - age;
    await poll();
    await rest();
    expect(store.puts).toEqual(puts);
  });
});
