import { describe, expect, it } from "vitest";
import { Edge } from "../../src/client/edge.ts";
import { DATABASE_TIMEOUT_MS, LEASE_MS, STORE_TIMEOUT_MS } from "../../src/client/leases.ts";
import { LOOK_MS, REPAIR_AFTER_MS } from "../../src/client/rule-loader.ts";
import { isolate, KEY, known, OTHER_KEY, snapshotAt } from "./isolate.ts";

describe("a database that hangs", () => {
  it("keeps one request waiting for its bound, and the next ones of that second not at all", async () => {
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

  it("is asked once for all who come with the same key, and they wait no longer", async () => {
    const { database, pass, poll } = isolate();
    await poll();
    pass(3 * LEASE_MS);
    Object.assign(database, { keyCheck: "hangs", questions: 0 });
    const both = await Promise.all([poll(), poll(), poll()]);
    expect(new Set(both.map(([revision]) => revision))).toEqual(new Set(["1*"]));
    expect(Math.max(...both.map(([, ms]) => ms))).toBeLessThan(DATABASE_TIMEOUT_MS + 50);
    expect(database.questions).toBe(1);
  });

  it("is asked by one request at a time whether it is back, whatever the number of keys", async () => {
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

  it("is believed again at once, for every key, when it answers one", async () => {
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

  it("is waited for by all, for a moment, when somebody asks whether it is back", async () => {
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

  it("is 503 for a key that nobody remembers, in time, and then without waiting", async () => {
    const { database, poll } = isolate();
    database.keyCheck = "hangs";
    expect(await poll()).toEqual(["503", DATABASE_TIMEOUT_MS]);
    expect(await poll()).toEqual(["503", 0]);
  });

  it("costs its own bound and the store's at most, whatever hangs", async () => {
    const { database, store, poll } = isolate();
    Object.assign(database, { keyCheck: "hangs", build: "hangs" });
    store.mood = "hangs";
    const [status, ms] = await poll();
    expect(status).toBe("503");
    expect(ms).toBeLessThanOrEqual(DATABASE_TIMEOUT_MS + STORE_TIMEOUT_MS);
  });
});

describe("a build of the rules that", () => {
  it("hangs is not waited for longer than the database, and not again in that second", async () => {
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

  it("is only slow goes on, and what it brings is there for the next request", async () => {
    const { database, rest, poll } = isolate();
    database.build = "hangs";
    expect(await poll()).toEqual(["503", DATABASE_TIMEOUT_MS]);
    database.release();
    await rest();
    expect(await poll()).toEqual(["1", 0]);
  });

  it.each<[string, unknown[][]]>([
    ["brings an older revision", [[{ revision: 1, changedAt: 0 }], [], [], []]],
    ["brings a revision that is none", [[{ revision: Number.NaN, changedAt: 0 }], [], [], []]],
    ["misses a column", [[{ revision: 2, changedAt: 0 }], [{ key: "a", name: "A" }], [], []]],
    ["misses a part", [[{ revision: 2, changedAt: 0 }]]],
    ["knows no environment", [[], [], [], []]],
  ])("%s changes nothing, and is marked as stale", async (_, rows) => {
    const { database, pass, poll } = isolate();
    await poll();
    pass(2 * LEASE_MS);
    Object.assign(database, { revision: 2, rows });
    expect(await poll()).toEqual(["1*", 0]);
  });
});

describe("while the database cannot be asked from here", () => {
  it("newer rules are found in the store, where others publish them", async () => {
    const { database, store, pass, poll } = isolate();
    await poll();
    database.keyCheck = "fails";
    for (const revision of [2, 3, 4]) {
      store.snapshot = snapshotAt(revision);
      pass(2 * LEASE_MS);
      expect(await poll()).toEqual([`${revision}*`, 0]);
    }
  });

  it("the store is looked into once a second for an environment, not with every request", async () => {
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

  it("a store that hangs keeps one request waiting, and memory serves", async () => {
    const { database, store, pass, poll } = isolate();
    await poll();
    database.keyCheck = "fails";
    store.mood = "hangs";
    pass(2 * LEASE_MS);
    expect(await poll()).toEqual(["1*", STORE_TIMEOUT_MS]);
    expect(await poll()).toEqual(["1*", 0]);
  });

  it("a key that memory knows to be deleted stays dead, whatever the store still has", async () => {
    const { database, store, pass, poll } = isolate();
    Object.assign(store, { key: known, snapshot: snapshotAt(1) });
    database.isKeyAlive = false;
    expect(await poll()).toEqual(["401", 0]);
    pass(2 * LEASE_MS);
    database.keyCheck = "fails";
    expect(await poll()).toEqual(["401", 0]);
  });

  it("a key that was deleted here is dead at once", async () => {
    const { database, edge, store, poll } = isolate();
    store.key = known;
    await poll();
    database.keyCheck = "fails";
    const { hash } = edge.leases.current(KEY, 0) ?? { hash: "" };
    edge.leases.forget(hash);
    expect(await poll()).toEqual(["401", 0]);
  });
});

describe("a store that hangs", () => {
  it("keeps a read waiting for its bound, and the next one not at all", async () => {
    const { store, poll } = isolate();
    store.mood = "hangs";
    expect(await poll()).toEqual(["1", STORE_TIMEOUT_MS]);
    expect(await poll(KEY, new Edge())).toEqual(["1", STORE_TIMEOUT_MS]);
  });
});

describe("rules that an isolate has built", () => {
  it.each([
    ["are not put into the store while their writer does it", REPAIR_AFTER_MS - 1, []],
    ["repair a publish that was lost", REPAIR_AFTER_MS, [1]],
  ])("%s", async (_, age, puts) => {
    const { database, store, rest, poll } = isolate();
    database.changedAt = Date.UTC(2026, 0, 2) - age;
    await poll();
    await rest();
    expect(store.puts).toEqual(puts);
  });
});
