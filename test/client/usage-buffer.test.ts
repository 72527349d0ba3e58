import { describe, expect, it } from "vitest";
import {
  LOST_AFTER_MS,
  MAX_BATCH_BYTES,
  MAX_PENDING,
  MAX_UNDELIVERED_LENGTH,
  UsageBuffer,
} from "../../src/client/usage/usage-buffer.ts";
import { HOUR_MS } from "../../src/core/lib/time.ts";
import type { FlagUsage } from "../../src/core/usage/message-types.ts";
import type { ReportedUsage, UsageBatch } from "../../src/core/usage/usage-batch.ts";
import { fakeIsolate, FLUSH_MS } from "./usage-isolate.ts";

const KEY = { id: 7, projectId: 1, environmentId: 1 };

function buffering() {
  const isolate = fakeIsolate();
  const buffer = new UsageBuffer();
  return {
    ...isolate,
    report: (more: Partial<ReportedUsage> = {}, key = KEY) =>
      buffer.addReport(isolate.ports, key, {
        environmentId: key.environmentId,
        at: isolate.clock.now(),
        appName: "",
        instanceId: "",
        evaluations: [["a", 1, 2]],
        ...more,
      }),
    mark: (instanceId: string) =>
      buffer.addInstance(isolate.ports, KEY, {
        environmentId: 1,
        appName: "",
        instanceId,
        sdkVersion: null,
        revision: 1,
        at: isolate.clock.now(),
      }),
    key: () => buffer.addKey(isolate.ports, KEY, isolate.clock.now()),
  };
}

const reportsOf = (calls: readonly (readonly UsageBatch[])[]) =>
  calls.flat().flatMap(({ reports }) => reports);
const sumOf = (reports: readonly ReportedUsage[]) =>
  reports
    .flatMap(({ evaluations }) => evaluations.map(([, t]) => t))
    .reduce((sum, t) => sum + t, 0);

describe("usage reports", () => {
  it("are added up for 5 seconds, by instance and hour, and sent in one call", async () => {
    const { report, mark, key, after, clock } = buffering();
    const one = { appName: "app", instanceId: "one" };
    clock.advance(HOUR_MS - (clock.now() % HOUR_MS) - FLUSH_MS);
    report();
    report(one);
    report({
      ...one,
      evaluations: [
        ["a", 4, 0, { x: 4 }],
        ["b", 1, 0],
      ],
    });
    report({ appName: "ap", instanceId: "pone" });
    mark("one");
    key();
    expect(await after(FLUSH_MS - 1)).toEqual([]);
    report(one);
    clock.jump(1);
    report(one);
    const calls = await after(0);
    expect([calls.length, calls[0]?.length]).toEqual([1, 1]);
    expect(
      reportsOf(calls).map(({ instanceId, evaluations }) => [instanceId, evaluations]),
    ).toEqual([
      ["", [["a", 1, 2]]],
      [
        "one",
        [
          ["a", 6, 4, { x: 4 }],
          ["b", 1, 0],
        ],
      ],
      ["pone", [["a", 1, 2]]],
      ["one", [["a", 1, 2]]],
    ]);
    const [batch] = calls.flat();
    expect([batch?.keys.length, batch?.instances.length, batch?.sequence]).toEqual([1, 1, 1]);
  });

  it("are sent to the usage object of their project, with batch numbers that each object counts from 1", async () => {
    const { report, after } = buffering();
    const other = { id: 8, projectId: 2, environmentId: 5 };
    report();
    report({}, other);
    const first = (await after(FLUSH_MS)).flat();
    report({}, other);
    const [second] = (await after(FLUSH_MS)).flat();
    expect(first.map(({ projectId, sequence }) => [projectId, sequence])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect([second?.projectId, second?.sequence, second?.sender]).toEqual([2, 2, first[0]?.sender]);
  });

  it("are sent at once when they have many counts, including counts of variants", async () => {
    const { report, after } = buffering();
    const variants = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`v${n}`, 1]));
    for (let n = 0; n < MAX_PENDING / 51; n++)
      report({ evaluations: [[`flag ${n}`, 1, 0, variants]] });
    expect(reportsOf(await after(0)).length).toBeGreaterThan(0);
  });

  it("are split into batches that fit into a queue message when they are large", async () => {
    const { report, after } = buffering();
    const flags = Array.from({ length: 5_000 }, (_, n): FlagUsage => [
      `${n}`.padStart(128, '"'),
      1,
      0,
    ]);
    report({ evaluations: flags, appName: "é".repeat(200) });
    const calls = await after(FLUSH_MS);
    expect(calls).toHaveLength(1);
    expect(reportsOf(calls).flatMap(({ evaluations }) => evaluations)).toEqual(flags);
    const sizes = calls.flat().map((batch) => Buffer.byteLength(JSON.stringify(batch)));
    expect(Math.max(...sizes)).toBeLessThan(1.1 * MAX_BATCH_BYTES);
    expect(calls.flat().map(({ sequence }) => sequence)).toEqual(sizes.map((_, n) => n + 1));
  });
});

describe("usage that the usage object rejects", () => {
  it("is sent to the queue in the same batches", async () => {
    const { report, after, at, queued, faults } = buffering();
    at.objectIsDown = true;
    report();
    await after(FLUSH_MS);
    expect(
      queued.map(({ object, body }) => [object, (JSON.parse(body) as UsageBatch).sequence]),
    ).toEqual([["1", 1]]);
    expect(faults).toHaveLength(1);
    at.objectIsDown = false;
    report();
    const [next] = (await after(FLUSH_MS)).flat();
    expect([next?.sequence, queued.length]).toEqual([2, 1]);
  });

  it("is kept when the queue fails, too, and is later sent once, under the same batch number, together with newer usage", async () => {
    const { report, after, at } = buffering();
    Object.assign(at, { objectIsDown: true, queueIsDown: true });
    for (let n = 0; n < 2; n++) {
      report();
      await after(FLUSH_MS);
    }
    Object.assign(at, { objectIsDown: false, queueIsDown: false });
    report();
    const calls = await after(FLUSH_MS);
    expect(calls.flat().map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    report();
    expect((await after(FLUSH_MS)).flat().map(({ sequence }) => sequence)).toEqual([4]);
  });

  it("is sent again when the request that sent it was cancelled, but not while that request may still be sending", async () => {
    const { report, after, at, loseWork } = buffering();
    at.objectHangs = true;
    report();
    await after(FLUSH_MS);
    loseWork();
    at.objectHangs = false;
    report();
    expect((await after(FLUSH_MS)).flat().map(({ sequence }) => sequence)).toEqual([2]);
    await after(LOST_AFTER_MS);
    report();
    expect((await after(FLUSH_MS)).flat().map(({ sequence }) => sequence)).toEqual([1, 3]);
  });

  it("is sent by a later request when the request that would have sent it was cancelled", async () => {
    const { report, after, loseWork } = buffering();
    report();
    loseWork();
    await after(20_000);
    report();
    expect(sumOf(reportsOf(await after(FLUSH_MS)))).toBe(2);
  });
});

describe("an isolate that can deliver no usage", () => {
  it("rejects reports when it holds much usage, loses none that it accepted, and accepts reports again after a delivery", async () => {
    const { report, mark, after, at } = buffering();
    Object.assign(at, { objectIsDown: true, queueIsDown: true });
    const variants = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${n}`.padStart(64, "v"), 1]),
    );
    let taken = 0;
    for (let n = 0; report({ instanceId: `i${n}`, evaluations: [["a", 1, 0, variants]] }); n++) {
      taken += 1;
      if (n % 100 === 0) await after(FLUSH_MS);
      expect(taken * 3_000).toBeLessThan(2 * MAX_UNDELIVERED_LENGTH);
    }
    expect(taken).toBeGreaterThan(1_000);
    mark("one");
    Object.assign(at, { objectIsDown: false, queueIsDown: false });
    expect(report()).toBe(false);
    const calls = await after(FLUSH_MS);
    expect(sumOf(reportsOf(calls))).toBe(taken);
    expect(report()).toBe(true);
  });
});
