import { expect, it } from "vitest";
import { fail, garbage, hang, slow } from "../support/faulty-bindings.ts";
import { expectNothingLost, underLoad } from "./under-load.ts";

it("the client API serves no stale rules while KV fails, hangs, is slow or returns invalid data", async () => {
  const run = await underLoad([
    { EDGE: hang },
    { EDGE: slow(2_000) },
    { EDGE: fail },
    { EDGE: garbage("<html>") },
  ]);
  expectNothingLost(run);
  expect([run.writes.refused, run.counts.stale]).toEqual([0, 0]);
});

it("the service loses no change, webhook event or accepted usage report while queues and metrics shards fail or hang", async () => {
  const run = await underLoad([
    { WEBHOOKS: hang, USAGE_OBJECTS: hang, USAGE: hang, METRICS: hang },
    { WEBHOOKS: fail, USAGE_OBJECTS: fail, USAGE: fail, METRICS: fail },
  ]);
  expectNothingLost(run);
  expect([run.writes.refused, run.counts.stale]).toEqual([0, 0]);
  expect(run.counts.refusedReports).toBe(0);
});

it("the client API returns correct rules, some of them stale, while all bindings fail, hang or are slow at once", async () => {
  const run = await underLoad([
    {
      DB: slow(3_000),
      BATCHES: hang,
      EDGE: fail,
      WEBHOOKS: hang,
      USAGE_OBJECTS: hang,
      USAGE: hang,
      METRICS: fail,
    },
    {
      DB: fail,
      BATCHES: fail,
      EDGE: hang,
      WEBHOOKS: fail,
      USAGE_OBJECTS: fail,
      USAGE: fail,
      METRICS: hang,
    },
  ]);
  expectNothingLost(run);
  expect([run.counts.stale > 0, run.writes.refused > 0]).toEqual([true, true]);
});
