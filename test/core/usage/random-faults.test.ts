import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/lib/time.ts";
import type { UsageBatch } from "../../../src/core/usage/usage-batch.ts";
import { seeded } from "../../../scripts/lib/seeded.ts";
import { addTo, batchOf, HOUR, reportOf, type Step, type Sums, UsageWorld } from "./usage-world.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

const totalOf = (batches: Iterable<UsageBatch>) =>
  [...batches]
    .flatMap(({ reports }) => reports.flatMap(({ evaluations }) => evaluations))
    .reduce((sum, [, t]) => sum + t, 0);

/**
 * Sends random batches through random faults and restarts. Repeats each batch until the object
 * accepts it, and sends some accepted batches again, as the usage queue does.
 */
async function simulate(seed: number) {
  const random = seeded(seed);
  const below = (n: number) => Math.floor(random() * n);
  const world = new UsageWorld();
  const steps = new Set<Step>([
    "append",
    "replace",
    "alarm",
    "projectExists",
    "writeHour",
    "writeUses",
  ]);
  let faultRate = 0;
  let lost = 0;
  world.failureOf = (step) =>
    steps.has(step) && random() < faultRate ? (random() < 0.5 ? "before" : "after") : undefined;

  const sent: UsageBatch[] = [];
  const accepted = new Set<UsageBatch>();
  const expected: Sums = {};
  const sequences = new Map<string, number>();
  const newBatch = () => {
    const sender = `isolate ${below(4)}`;
    const sequence = (sequences.get(sender) ?? 0) + 1;
    sequences.set(sender, sequence);
    const reports = Array.from({ length: 1 + below(3) }, () => {
      const at = world.clock.now() - below(20 * MINUTE_MS);
      const [environmentId, key, t] = [1 + below(2), `flag ${below(3)}`, 1 + below(9)];
      const hour = (at - (at % HOUR_MS) - HOUR) / HOUR_MS;
      addTo(expected, `${environmentId}/${hour}/${key}`, t);
      const [appName, instanceId] = [below(2) ? "app" : "", `i${below(3)}`];
      return reportOf({ environmentId, at, appName, instanceId, evaluations: [[key, t, 0]] });
    });
    sent.push(batchOf({ sender, sequence, reports }));
  };
  const deliver = (batch: UsageBatch | undefined) => {
    if (batch)
      world.add(batch).then(
        () => accepted.add(batch),
        () => {},
      );
  };
  const pick = <T>(items: readonly T[]): T | undefined => items[below(items.length)];
  const advance = async (ms: number) => {
    world.clock.advance(ms);
    await settle();
  };

  for (let n = 0; n < 300; n++) {
    faultRate = n % 50 < 25 ? 0 : 0.2;
    newBatch();
    if (random() < 0.8) deliver(sent.at(-1));
    if (random() < 0.5) deliver(pick(sent));
    await settle();
    if (random() < 0.1) world.restart();
    await advance(below(2 * MINUTE_MS));
    const rings = world.alarmAt !== null && world.alarmAt <= world.clock.now();
    if (rings && random() < 0.8) {
      world.alarmAt = null;
      // Ignores the error, because the platform repeats an alarm that throws.
      void world.store.onAlarm().catch(() => {
        world.alarmAt = world.clock.now();
      });
      if (random() < 0.8) await settle();
      else world.alarmAt ??= world.clock.now();
    }
    // Checks after every restart that each accepted batch is counted.
    if (n % 20 === 0) {
      const least = totalOf(accepted);
      world.restart();
      const counted = Object.values(world.sums(world.store.state()));
      lost += Math.max(0, least - counted.reduce((all, one) => all + one, 0));
    }
  }
  faultRate = 0;
  world.restart();
  for (const batch of sent) if (!accepted.has(batch) || random() < 0.3) await world.saved(batch);
  world.alarmAt ??= world.clock.now();
  await world.complete();
  world.restart();
  const sums = world.sums(world.store.state());
  const byInstance: Sums = {};
  for (const { environmentId, hour, instances } of world.completed)
    for (const [, , usage] of instances)
      for (const [key, t] of usage)
        addTo(byInstance, `${environmentId}/${(hour - HOUR) / HOUR_MS}/${key}`, t);
  return { sums, byInstance, expected, lost, world };
}

describe("random batches, repetitions, faults and restarts", () => {
  it.each(Array.from({ length: 30 }, (_, n) => n))(
    "are counted exactly once, for flags and for instances (seed %i)",
    async (seed) => {
      const { sums, byInstance, expected, lost, world } = await simulate(seed);
      expect(lost).toBe(0);
      expect(sums).toEqual(expected);
      expect(byInstance).toEqual(expected);
      expect(world.faults.length).toBeGreaterThan(0);
      expect(world.clock.now() - HOUR).toBeLessThan(2 * DAY_MS);
    },
  );
});
