import { describe, expect, it, vi } from "vitest";
import { Edge } from "../../src/client/edge/edge.ts";
import {
  COPIED_AFTER_MS,
  REPAIR_EVERY_MS,
  REWRITE_AFTER_MS,
} from "../../src/client/keys/key-copies.ts";
import { LEASE_MS, MAX_LEASE_MS, UNKNOWN_KEYS_PER_SECOND } from "../../src/client/keys/leases.ts";
import { isolate, KEY, known, oldCopy, OTHER_KEY, snapshotAt } from "./isolate.ts";

/** Returns the nth of many API keys that do not exist. */
const invented = (n: number) => String(n).padStart(64, "x");

describe("an API key in use", () => {
  it("costs one database statement in each second of polls, besides the build of the rules", async () => {
    const { database, pass, poll } = isolate();
    for (let at = 0; at < 3 * LEASE_MS; at += 50) {
      expect(await poll()).toEqual(["1", 0]);
      pass(50);
    }
    expect(database.questions).toBe(3 + 1);
  });
});

describe("an unknown API key", () => {
  it("costs one database statement, and none within the next second", async () => {
    const { database, pass, poll } = isolate();
    database.isKeyAlive = false;
    expect(await poll()).toEqual(["401", 0]);
    pass(LEASE_MS - 1);
    expect(await poll()).toEqual(["401", 0]);
    expect([database.questions, database.atPrimary]).toEqual([1, 1]);
  });

  it("is rejected with 429 and without a database statement after 50 other unknown keys in the same second", async () => {
    const { database, pass, poll } = isolate();
    database.isKeyAlive = false;
    const statuses = await Promise.all(Array.from({ length: 300 }, (_, n) => poll(invented(n))));
    const refused = statuses.filter(([status]) => status === "429");
    expect(refused).toHaveLength(300 - UNKNOWN_KEYS_PER_SECOND);
    expect(database.questions).toBe(UNKNOWN_KEYS_PER_SECOND);
    pass(1_000);
    expect(await poll(invented(300))).toEqual(["401", 0]);
  });

  it("does not affect API keys that the isolate or KV knows, however many keys are invented", async () => {
    const { database, store, pass, poll } = isolate();
    await poll();
    pass(MAX_LEASE_MS);
    database.isKeyAlive = false;
    for (let n = 0; n < UNKNOWN_KEYS_PER_SECOND; n++) await poll(invented(n));
    database.isKeyAlive = true;
    expect(await poll(OTHER_KEY)).toEqual(["429", 0]);
    expect(await poll()).toEqual(["1", 0]);
    store.key = oldCopy;
    expect(await poll(OTHER_KEY)).toEqual(["1", 0]);
  });
});

describe("an API key that the nearest replica does not have yet", () => {
  it("is accepted with one statement when KV has no copy of the key, and with two when KV has a copy", async () => {
    for (const [copy, statements] of [
      [undefined, 1],
      [oldCopy, 2],
    ] as const) {
      const { database, store, poll } = isolate();
      store.key = copy;
      database.isKeyNew = true;
      const build = 1;
      expect(await poll()).toEqual(["1", 0]);
      expect(database.questions).toBe(statements + build);
    }
  });
});

describe("a deleted API key", () => {
  it.each([0, 1_000, 3_000, 10_000])(
    "is accepted for at most the lag of the replica plus the lease, when the replica lags by %i ms",
    async (lagMs) => {
      const { database, store, edge, ports, pass, poll } = isolate();
      Object.assign(database, { lagMs, keyCheck: "is slow" });
      store.key = oldCopy;
      const edges = [edge, new Edge()];
      for (let n = 0; n < 50; n++) {
        for (const one of edges) await poll(KEY, one);
        pass(n * 3);
      }
      const deletedAt = ports.now();
      database.keyDeletedAt = deletedAt;
      let acceptedMs = 0;
      while (ports.now() < deletedAt + lagMs + 5_000) {
        for (const one of edges)
          if ((await poll(KEY, one))[0] === "1") acceptedMs = ports.now() - deletedAt;
        pass(37);
      }
      expect(acceptedMs).toBeLessThanOrEqual(lagMs + MAX_LEASE_MS);
      // Checks the lower bound, too: the replica still has the key until then.
      expect(acceptedMs).toBeGreaterThanOrEqual(lagMs - LEASE_MS);
    },
  );

  it("is rejected in the isolate that deleted it, even if the replica and KV still have the key", async () => {
    const { database, store, edge, ports, pass, poll } = isolate();
    Object.assign(database, { lagMs: 10_000 });
    store.key = oldCopy;
    await poll();
    database.keyDeletedAt = ports.now();
    edge.leases.forget(edge.leases.freshLease(KEY, ports.now())?.hash ?? "");
    for (let n = 0; n < 8; n++) {
      expect(await poll()).toEqual(["401", 0]);
      pass(LEASE_MS);
    }
  });

  it.each([
    ["a renewal of its lease", true],
    ["its first check", false],
  ])(
    "is rejected in the isolate that deleted it, when %s began before the deletion and ends after it",
    async (_, isKnown) => {
      const { beginPoll, database, edge, ports, pass, poll } = isolate();
      await poll();
      const { hash } = edge.leases.freshLease(KEY, ports.now()) ?? { hash: "" };
      const one = isKnown ? edge : new Edge();
      pass(MAX_LEASE_MS);
      database.keyCheck = "hangs";
      const endEarly = await beginPoll(one);
      database.keyDeletedAt = ports.now();
      one.leases.forget(hash);
      Object.assign(database, { keyCheck: "works" });
      database.answerKeyCheck();
      expect(await endEarly()).toBe("401");
      expect(await poll(KEY, one)).toEqual(["401", 0]);
    },
  );
});

describe("an isolate that changes an environment", () => {
  it.each([
    ["ends before the next request", true],
    ["ends after the next request", false],
  ])(
    "serves the new revision from the next request on, although a key check from before the change %s",
    async (_, isEarlyFirst) => {
      const { beginPoll, database, edge, pass, poll } = isolate();
      await poll();
      pass(MAX_LEASE_MS);
      database.keyCheck = "hangs";
      const endEarly = await beginPoll();
      Object.assign(database, { keyCheck: "works", revision: 2 });
      edge.expire(new Set([1]));
      if (isEarlyFirst) {
        database.answerKeyCheck();
        await endEarly();
      }
      expect(await poll()).toEqual(["2", 0]);
      database.answerKeyCheck();
      await endEarly();
      expect(await poll()).toEqual(["2", 0]);
    },
  );

  it("serves the new revision to a request that waited for a first key check from before the change", async () => {
    const { beginPoll, database, edge, poll, store } = isolate();
    store.snapshot = snapshotAt(1);
    database.keyCheck = "hangs";
    const endEarly = await beginPoll();
    Object.assign(database, { keyCheck: "works", revision: 2 });
    edge.expire(new Set([1]));
    const late = poll();
    database.answerKeyCheck();
    await endEarly();
    expect((await late)[0]).toBe("2");
  });

  it("serves the new revision to the next request while a build of the old rules hangs", async () => {
    const { beginPoll, database, edge, pass, poll } = isolate();
    await poll();
    pass(MAX_LEASE_MS);
    Object.assign(database, { build: "hangs", revision: 2 });
    const endEarly = await beginPoll();
    Object.assign(database, { build: "works", revision: 3 });
    edge.expire(new Set([1]));
    expect(await poll()).toEqual(["3", 0]);
    database.release();
    await endEarly();
    expect(await poll()).toEqual(["3", 0]);
  });
});

describe("the copy of an API key in KV", () => {
  /** An isolate whose database has an API key that was created long ago. */
  function isolateWithOldKey() {
    const one = isolate();
    one.database.createdAt = 0;
    return one;
  }

  it("is written by an isolate that finds the key in the database and not in KV", async () => {
    const { store, poll, rest } = isolateWithOldKey();
    await poll();
    await rest();
    expect(store.key).toMatchObject(known);
  });

  it.each([
    ["is a day old", REWRITE_AFTER_MS, 1],
    ["is younger than a day", REWRITE_AFTER_MS - 1, 0],
  ])("is written %s times more when it %s", async (_, age, puts) => {
    const { ports, store, poll, rest } = isolateWithOldKey();
    store.key = { ...known, writtenAt: ports.now() - age };
    await poll();
    await rest();
    expect(store.keyPuts).toBe(puts);
  });

  it("is written by the request that creates the key, not by an isolate, while the key is new", async () => {
    const { database, ports, store, poll, rest } = isolateWithOldKey();
    database.createdAt = ports.now() - COPIED_AFTER_MS + 1;
    await poll();
    await rest();
    expect(store.keyPuts).toBe(0);
  });

  it("is written at most once a second by an isolate, and not at all while KV fails", async () => {
    const { pass, poll, rest, store } = isolateWithOldKey();
    await Promise.all(Array.from({ length: 20 }, (_, n) => poll(invented(n))));
    await rest();
    expect(store.keyPuts).toBe(1);
    Object.assign(store, { key: undefined, mood: "fails" });
    pass(REPAIR_EVERY_MS);
    await poll(invented(20));
    await rest();
    expect(store.keyPuts).toBe(1);
  });

  it("does not remain when the key is deleted while an isolate writes the copy", async () => {
    const { database, ports, store, poll, rest } = isolateWithOldKey();
    await poll();
    // Deletes the key, and with it the copy, before the isolate writes the copy again.
    database.keyDeletedAt = ports.now();
    await rest();
    expect([store.keyPuts, store.key]).toEqual([1, undefined]);
  });

  it("does not remain when the key is deleted meanwhile and the first two deletions of the copy fail", async () => {
    const { database, faults, ports, store, poll, rest } = isolateWithOldKey();
    const unavailable = new Error("unavailable");
    vi.spyOn(ports.store, "deleteKey")
      .mockRejectedValueOnce(unavailable)
      .mockRejectedValueOnce(unavailable);
    await poll();
    database.keyDeletedAt = ports.now();
    await rest();
    expect([store.keyPuts, store.key]).toEqual([1, undefined]);
    expect(faults).toEqual(["key store", "key store"]);
  });

  it("lets an isolate that has just started serve the key's rules while the database is unavailable", async () => {
    const { database, store, poll, rest } = isolateWithOldKey();
    await poll();
    await rest();
    store.snapshot = snapshotAt(1);
    database.keyCheck = "fails";
    expect(await poll(KEY, new Edge())).toEqual(["1*", 0]);
  });
});
