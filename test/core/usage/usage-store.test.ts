import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/lib/time.ts";
import type { FlagUsage } from "../../../src/core/usage/message-types.ts";
import { COMPLETE_AFTER_MS, KEEP_WRITTEN_MS } from "../../../src/core/usage/usage-state.ts";
import { CLEAN_MS, LATE_MS, RETRY_MS } from "../../../src/core/usage/usage-store.ts";
import type { UsageBatch } from "../../../src/core/usage/usage-batch.ts";
import {
  batchOf,
  type Failure,
  HOUR,
  reportOf,
  SAVE_MS,
  type Step,
  UsageWorld,
} from "./usage-world.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));
const failing = (step: Step, failure: Failure = "before") => {
  return (name: Step) => (name === step ? failure : undefined);
};
const flagsOf = (...flags: readonly FlagUsage[]) =>
  batchOf({ reports: [reportOf({ evaluations: flags })] });

describe("the usage store", () => {
  it("stores the first batch at once, and further batches of the next 10 seconds in one row", async () => {
    const world = new UsageWorld();
    const first = world.add(batchOf());
    world.clock.advance(0);
    await first;
    expect(world.log).toHaveLength(1);
    const others = Promise.all([world.add(batchOf()), world.add(batchOf(), batchOf())]);
    world.clock.advance(SAVE_MS - 1);
    await settle();
    expect(world.log).toHaveLength(1);
    world.clock.advance(1);
    await others;
    expect(world.log).toHaveLength(2);
    expect(world.sums(world.store.state())).toEqual({ "1/0/a": 4 });
  });

  it("stores usage before the 10 seconds have passed when there is much of it", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf());
    const long = Array.from({ length: 100 }, (_, n) => [`${n}`.padStart(128, "k"), 1, 1] as const);
    const adding = Array.from({ length: 150 }, () => world.add(flagsOf(...long)));
    expect(world.log.length).toBeGreaterThan(1);
    world.clock.advance(SAVE_MS);
    await Promise.all(adding);
  });

  it("confirms a batch only when it is stored, also when the batch is repeated meanwhile", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf());
    const batch = batchOf();
    const done: number[] = [];
    const adding = [1, 2].map((n) => world.add(batch).then(() => done.push(n)));
    await settle();
    expect(done).toEqual([]);
    world.clock.advance(SAVE_MS);
    await Promise.all(adding);
    expect(world.sums(world.store.state())).toEqual({ "1/0/a": 2 });
  });

  it("rejects a batch when the storage fails, and counts the batch once when it is added again", async () => {
    const world = new UsageWorld();
    for (const failure of ["before", "after"] as const) {
      world.failureOf = failing("append", failure);
      const batch = batchOf();
      const refused = world.add(batch).catch((error: unknown) => error);
      world.clock.advance(SAVE_MS);
      expect(await refused).toBeInstanceOf(Error);
      world.failureOf = () => undefined;
      await world.saved(batch);
    }
    expect(world.sums(world.store.state())).toEqual({ "1/0/a": 2 });
  });

  it("rejects a batch when another change to the storage fails before the batch is stored", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf());
    world.clock.advance(2 * HOUR_MS);
    // Makes the alarm compact the log while the batch waits for its turn.
    await world.saved(batchOf({ reports: [reportOf({ at: world.clock.now() })] }));
    const late = batchOf({ reports: [reportOf({ at: world.clock.now() })] });
    const refused = world.add(late).catch((error: unknown) => error);
    world.failureOf = failing("replace");
    await world.store.onAlarm();
    world.clock.advance(SAVE_MS);
    expect(await refused).toBeInstanceOf(Error);
    world.failureOf = () => undefined;
    await world.saved(late);
    expect(world.sums(world.store.state())).toEqual({ "1/0/a": 1, "1/2/a": 2 });
  });

  it("keeps a batch when the alarm compacts the log while the batch waits", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf());
    world.clock.advance(2 * HOUR_MS);
    await world.saved(batchOf());
    const adding = world.add(batchOf());
    await world.store.onAlarm();
    world.clock.advance(SAVE_MS);
    await adding;
    world.restart();
    expect(world.sums(world.store.state())).toEqual({ "1/0/a": 3 });
  });

  it("leaves the state unchanged when a batch is malformed", async () => {
    const world = new UsageWorld();
    const bad = { ...batchOf(), reports: [reportOf(), null] } as unknown as UsageBatch;
    await expect(world.add(batchOf(), bad)).rejects.toThrow("null");
    expect(world.sums(world.store.state())).toEqual({});
    await world.saved(batchOf());
    expect(world.sums(world.store.state())).toEqual({ "1/0/a": 1 });
  });

  it("sets the alarm again when setting it failed", async () => {
    const world = new UsageWorld();
    const batch = batchOf();
    world.failureOf = failing("alarm");
    await expect(world.saved(batch)).rejects.toThrow("alarm failed");
    world.failureOf = () => undefined;
    await world.saved(batch);
    expect(world.alarmAt).toBe(HOUR + HOUR_MS + COMPLETE_AFTER_MS);
    await world.complete();
    expect(world.sums(world.store.state())).toEqual({ "1/0/a": 1 });
  });
});

describe("the alarm of a usage object", () => {
  it("stays at its time when it is earlier than the object needs after a restart", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf());
    world.restart();
    const earlier = world.clock.now() + MINUTE_MS;
    world.alarmAt = earlier;
    await world.saved(batchOf());
    expect(world.alarmAt).toBe(earlier);
  });

  it("is set to a minute after the end of the hour, and writes the hour to the database once", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf(), batchOf());
    expect(world.alarmAt).toBe(HOUR + HOUR_MS + MINUTE_MS);
    await world.ring();
    await world.store.onAlarm();
    expect(world.attempts).toEqual(["write-1"]);
    expect([...world.hours.values()]).toMatchObject([
      { environmentId: 1, hour: HOUR, flags: [["a", 2, 4]] },
    ]);
  });

  it("completes only the hours that have ended", async () => {
    const world = new UsageWorld();
    const at = HOUR + HOUR_MS;
    await world.saved(batchOf(), batchOf({ reports: [reportOf({ at: at - 1 })] }));
    await world.saved(batchOf({ reports: [reportOf({ at })] }));
    await world.ring();
    expect([...world.hours.values()].map(({ hour, flags }) => [hour, flags])).toEqual([
      [HOUR, [["a", 2, 4]]],
    ]);
    expect(world.alarmAt).toBe(HOUR + 2 * HOUR_MS + MINUTE_MS);
  });

  it("writes late usage of a written hour separately, a minute later", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf());
    await world.ring();
    const now = world.clock.now();
    await world.saved(batchOf());
    await world.saved(batchOf());
    expect(world.alarmAt).toBe(now + SAVE_MS + LATE_MS);
    await world.ring();
    expect([...world.hours.values()].map(({ flags }) => flags)).toEqual([
      [["a", 1, 2]],
      [["a", 2, 4]],
    ]);
  });

  it("keeps a written hour for 10 minutes, so that readers of a replica find the usage", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf());
    await world.ring();
    const unwritten = async () => world.store.state().unwritten({ environmentIds: [1] });
    expect(await unwritten()).toMatchObject([{ writeId: "write-1", usage: [["a", 1, 2]] }]);
    world.clock.advance(KEEP_WRITTEN_MS + HOUR_MS);
    await world.store.onAlarm();
    expect(await unwritten()).toEqual([]);
  });

  it.each(["projectExists", "writeHour"] as const)(
    "tries again after a minute when the database fails (%s), and writes the hour once",
    async (step) => {
      const world = new UsageWorld();
      await world.saved(batchOf());
      world.failureOf = failing(step);
      await world.ring();
      expect(world.alarmAt).toBe(world.clock.now() + RETRY_MS);
      world.restart();
      await world.ring();
      expect(world.faults).toHaveLength(2);
      world.failureOf = () => undefined;
      await world.ring();
      expect([...world.hours.values()].map(({ flags }) => flags)).toEqual([[["a", 1, 2]]]);
      expect(world.completed).toEqual([]);
    },
  );

  it("repeats a write whose response was lost under the same id, also after a restart", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf());
    world.failureOf = failing("writeHour", "after");
    await world.ring();
    world.restart();
    await world.ring();
    world.failureOf = () => undefined;
    await world.ring();
    expect(world.attempts).toEqual(["write-1", "write-1", "write-1"]);
    expect(world.hours.size).toBe(1);
    await world.store.onAlarm();
    expect(world.attempts).toHaveLength(3);
  });

  it("writes the other hours when the database rejects one hour", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf(), batchOf({ reports: [reportOf({ environmentId: 2 })] }));
    let writes = 0;
    world.failureOf = (step) =>
      step === "writeHour" && (writes += 1) === 1 ? "before" : undefined;
    await world.ring();
    expect([...world.hours.values()].map(({ environmentId }) => environmentId)).toEqual([2]);
    await world.ring();
    expect([...world.hours.values()].map(({ environmentId }) => environmentId)).toEqual([2, 1]);
  });

  it("moves the usage by SDK instance from memory to storage while the database is down", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf({ reports: [reportOf({ instanceId: "one" })] }));
    world.failureOf = failing("projectExists");
    await world.ring();
    expect(world.completed).toMatchObject([
      { hour: HOUR, instances: [["", "one", [["a", 1, 2]]]] },
    ]);
    world.failureOf = () => undefined;
    await world.ring();
    expect(world.completed).toHaveLength(1);
    expect(world.hours.size).toBe(1);
  });

  it("deletes everything when the project was deleted", async () => {
    const world = new UsageWorld();
    await world.saved(batchOf({ keys: [[7, HOUR]] }));
    world.isProjectDeleted = true;
    await world.ring();
    expect([world.isCleared, world.log, world.hours.size, world.alarmAt]).toEqual([
      true,
      [],
      0,
      null,
    ]);
    world.isCleared = false;
    await world.saved(batchOf());
    await world.ring();
    expect([world.isCleared, world.log]).toEqual([true, []]);
  });

  it("rings once a day for an object that has only last-seen marks", async () => {
    const world = new UsageWorld();
    const now = world.clock.now();
    await world.saved(batchOf({ reports: [], keys: [[7, HOUR]] }));
    expect(world.alarmAt).toBe(now + SAVE_MS + CLEAN_MS);
    world.isProjectDeleted = true;
    await world.ring();
    expect(world.isCleared).toBe(true);
  });
});

describe("the log of a usage object", () => {
  it("has rows of less than 2 MB when names are long and not in the Latin alphabet", async () => {
    const world = new UsageWorld();
    const name = (n: number) => `${n}`.padStart(200, "漢");
    const variants = (n: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, v) => [`${n}-${v}`.padStart(64, "v"), 1]));
    const evaluations = Array.from(
      { length: 300 },
      (_, n) => [`${n}`.padStart(128, '"'), 1, 1, variants(n)] as const,
    );
    for (let n = 0; n < 20; n++)
      await world.saved(
        batchOf({
          reports: [reportOf({ appName: name(n), instanceId: name(n), evaluations })],
          instances: Array.from({ length: 300 }, (_, i) => ({
            environmentId: 1,
            appName: name(n),
            instanceId: name(i),
            sdkVersion: name(0),
            revision: 1,
            at: HOUR,
          })),
        }),
      );
    world.failureOf = failing("writeHour");
    await world.ring();
    const sizes = (rows: readonly string[]) => rows.map((row) => Buffer.byteLength(row));
    expect(world.log.length).toBeGreaterThan(10);
    expect(Math.max(...sizes(world.log))).toBeLessThan(2_000_000);
    const completed = world.completed.map((hour) => JSON.stringify(hour));
    expect(Math.max(...sizes(completed))).toBeLessThan(2_000_000);
    // Compares the state from the rows with the state in memory.
    const before = world.store.state().unwritten({ environmentIds: [1] });
    world.restart();
    const state = world.store.state();
    expect(state.unwritten({ environmentIds: [1] })).toEqual(before);
    expect(state.presence.all()).toHaveLength(20 * 300);
    expect(
      world.completed.flatMap(({ instances }) => instances.flatMap(([, , usage]) => usage)),
    ).toHaveLength(20 * 300);
  });

  it("is compacted in less than an hour when it grows fast", async () => {
    const world = new UsageWorld();
    const many = Array.from(
      { length: 3_000 },
      (_, n) => [`${n}`.padStart(128, "k"), 1, 1] as const,
    );
    for (let n = 0; n < 25; n++) await world.saved(flagsOf(...many));
    await settle();
    const length = world.log.reduce((sum, row) => sum + row.length, 0);
    expect(length).toBeLessThan(3_000_000);
    world.restart();
    const sums = world.sums(world.store.state());
    expect(Object.values(sums)).toEqual(many.map(() => 25));
  });
});

describe("the last uses of flags and API keys", () => {
  const used = (at: number) => batchOf({ reports: [reportOf({ at })], keys: [[7, at]] });

  it("are written after the batch is stored, and at most once a minute", async () => {
    const world = new UsageWorld();
    for (let n = 0; n < 12; n++) {
      await world.saved(used(world.clock.now()));
      await settle();
    }
    expect(world.uses.map(({ flags, keys }) => [flags, keys])).toEqual(
      [0, 60_000].map((after) => [[["a", HOUR + after]], [[7, HOUR + after]]]),
    );
  });

  it("are written with a later batch, or by the alarm, after the database was down", async () => {
    const world = new UsageWorld();
    world.failureOf = failing("writeUses");
    await world.saved(used(HOUR));
    await settle();
    expect([world.uses, world.faults.length]).toEqual([[], 1]);
    world.restart();
    world.failureOf = () => undefined;
    await world.ring();
    expect(world.uses).toEqual([{ flags: [["a", HOUR]], keys: [[7, HOUR]] }]);
  });
});
