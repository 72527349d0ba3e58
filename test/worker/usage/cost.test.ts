import { beforeAll, describe, expect, it } from "vitest";
import type { UsageMessage } from "../../../src/core/usage/message-types.ts";
import { countsOf, reportOf, rollUp, rows, usedWorld } from "../support/usage.ts";
import { watchedDatabase } from "../support/call-with.ts";

const BATCHES = 100;
/** The most messages of a queue batch: `max_batch_size` of the usage queue in wrangler.toml. */
const BATCH = 100;
const INSTANCES = 50;

let world: Awaited<ReturnType<typeof usedWorld>>;
beforeAll(async () => {
  world = await usedWorld();
});

/**
 * Rolls the usage messages up as one queue batch. Returns how many D1 statements and transactions
 * the roll-up took.
 */
async function costOf(messages: readonly UsageMessage[]) {
  const cost = { statements: 0, transactions: 0 };
  const DB = watchedDatabase((count) => {
    cost.statements += count;
    cost.transactions += 1;
  });
  await rollUp(messages, { DB });
  return cost;
}

/**
 * A queue batch at the time `at`: `size` usage reports of up to 50 instances, and two messages with
 * last-seen marks.
 */
function batchAt(at: number, size = BATCH): UsageMessage[] {
  const { environmentId, a, b, keyId } = world;
  const seen = (n: number) => ({
    environmentId,
    appName: "app",
    instanceId: `i${n % INSTANCES}`,
    sdkVersion: "1.0",
    revision: 3,
    at,
  });
  const sightings = (n: number): UsageMessage => ({
    kind: "sightings",
    keys: [[keyId, at]],
    instances: [seen(n)],
  });
  const reports = Array.from({ length: size }, (_, n) => {
    const { appName, instanceId } = seen(n);
    const evaluations = [
      [a.key, 1, 2],
      [b.key, 0, 1],
    ] as const;
    return reportOf(environmentId, evaluations, { at, instance: { appName, instanceId } });
  });
  return [...reports, sightings(1), sightings(2)];
}

const START = Math.floor(Date.now() / 3_600_000) * 3_600_000;

describe("the D1 statements of the roll-up", () => {
  it("are at most 500 for 10,000 usage reports in a minute, and no report is lost", async () => {
    const costs: number[] = [];
    for (let n = 0; n < BATCHES; n++)
      costs.push((await costOf(batchAt(START + n * (60_000 / BATCHES)))).statements);
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    console.log(`10,000 reports: ${total} D1 statements, ${Math.max(...costs)} at most a batch`);
    expect(total).toBeLessThanOrEqual(500);
    // The statement that limits the number of instances runs only when an instance may be new.
    expect([costs[0], Math.max(...costs.slice(1))]).toEqual([7, 4]);
    expect(await countsOf(world.a.id, world.environmentId)).toEqual([10_000, 20_000]);
    const found = await rows(
      "SELECT evaluations FROM instance_usage WHERE environment_id = ?",
      world.environmentId,
    );
    expect(found).toHaveLength(INSTANCES);
    const ofEach = 10_000 / INSTANCES;
    const expected = { [world.a.key]: [ofEach, ofEach * 2], [world.b.key]: [0, ofEach] };
    expect(found.map(({ evaluations }) => JSON.parse(evaluations))).toEqual(
      found.map(() => expected),
    );
  });

  it("are 6 in one transaction, both for 10 and for 100 usage reports", async () => {
    const few = await costOf(batchAt(START + 200_000, 10));
    const many = await costOf(batchAt(START + 300_000, 100));
    expect([few, many]).toEqual([few, few]);
    expect(few).toEqual({ statements: 6, transactions: 1 });
  });

  it("are two more when reports have variants: one reads the variants of the flags, one adds the counts", async () => {
    const { environmentId, a, b } = world;
    const batch = (...variants: [{ on: number; off: number }?]) =>
      [a, b].map(({ key }) => reportOf(environmentId, [[key, 1, 1, ...variants]]));
    await costOf(batch());
    const without = await costOf(batch());
    const having = await costOf(batch({ on: 1, off: 1 }));
    expect(having.statements - without.statements).toBe(2);
    expect(having.transactions - without.transactions).toBe(1);
  });

  it("take one transaction per million bytes of queue messages, rounded up", async () => {
    const { environmentId } = world;
    const evaluations = Array.from({ length: 2_000 }, (_, n) => [`unknown-${n}`, 1, 1] as const);
    const messages = Array.from({ length: 60 }, () => reportOf(environmentId, evaluations));
    const bytes = new TextEncoder().encode(JSON.stringify(messages)).length;
    const { transactions } = await costOf(messages);
    expect(bytes).toBeGreaterThan(2_000_000);
    expect(transactions).toBe(Math.ceil(bytes / 1_000_000));
  });

  it("take only two transactions for a queue batch that was already counted", async () => {
    const { environmentId, a } = world;
    const messages = [
      reportOf(environmentId, [[a.key, 1, 0]]),
      reportOf(environmentId, [[a.key, 1, 0]]),
    ];
    await rollUp(messages);
    // The first transaction is rejected. The second reads which reports were counted.
    const { transactions } = await costOf(messages);
    expect(transactions).toBe(2);
  });
});
