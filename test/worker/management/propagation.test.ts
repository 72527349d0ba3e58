import { describe, expect, it } from "vitest";
import { asAdmin } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import { addBatch } from "../support/usage.ts";
import { iso, type Seen, seen } from "../support/usage-rows.ts";
import { newFlag, newWorld, setStrategy } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

async function receiptOf(environmentId: number): Promise<Json> {
  const answer = await asAdmin("GET", `/api/v1/environments/${environmentId}/propagation`);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** Creates an environment in which a flag is on for everyone. Returns its newest revision. */
async function live() {
  const world = await newWorld();
  const flag = await newFlag(world.projectId, { flagType: "KILLSWITCH" });
  const { environmentId } = world;
  await setStrategy(flag.id, { environmentId, enabled: true });
  const { revision, changedAt } = await receiptOf(environmentId);
  return { ...world, flagId: flag.id as number, revision, changedAt: Date.parse(changedAt) };
}

type Live = Awaited<ReturnType<typeof live>>;

/** Adds an SDK instance that was first seen a minute before the change, and last seen now. */
const instance = (
  { projectId, environmentId, changedAt }: Live,
  instanceId: string,
  more: Partial<Seen>,
) =>
  seen({
    projectId,
    environmentId,
    instanceId,
    firstSeenAt: changedAt - 60_000,
    lastSeenAt: Date.now(),
    revision: null,
    ...more,
  });

interface Poll {
  readonly instanceId: string;
  readonly revision: number;
  readonly changedAt: number;
  readonly ms: number;
}

/** Adds the mark of an instance that got the revision `ms` milliseconds after the change. */
const polls = (
  { projectId, environmentId }: Live,
  { instanceId, revision, changedAt, ms }: Poll,
) => {
  const mark = { environmentId, appName: "shop", instanceId, sdkVersion: null, revision };
  return addBatch(projectId, { instances: [{ ...mark, at: changedAt + ms }] });
};

it("after a kill switch, the propagation has fewer pending instances with each poll, until it is complete", async () => {
  const world = await live();
  const { environmentId, revision } = world;
  const now = Date.now();
  const names = ["shop-1", "shop-2", "shop-3"];
  for (const [n, name] of names.entries())
    await instance(world, name, { appName: "shop", revision, lastSeenAt: now - 1000 * n });
  expect(await receiptOf(environmentId)).toMatchObject({
    instances: { known: 3, upToDate: 3, pending: 0 },
    complete: true,
  });

  await setStrategy(world.flagId, { environmentId, enabled: false });
  const pulled = await receiptOf(environmentId);
  const changedAt = Date.parse(pulled.changedAt);
  const pendingOne = (n: number) => ({
    instanceId: names[n],
    appName: "shop",
    revision,
    lastSeenAt: iso(now - 1000 * n),
  });
  expect(pulled).toEqual({
    environmentId,
    revision: revision + 1,
    changedAt: pulled.changedAt,
    seenWithinSeconds: 300,
    instances: { known: 3, upToDate: 0, pending: 3 },
    complete: false,
    slowestMs: null,
    pendingInstances: [pendingOne(2), pendingOne(1), pendingOne(0)],
  });
  expect(changedAt).toBeGreaterThan(world.changedAt);

  await polls(world, { instanceId: "shop-2", revision: revision + 1, changedAt, ms: 9_000 });
  await polls(world, { instanceId: "shop-3", revision: revision + 1, changedAt, ms: 4_000 });
  expect(await receiptOf(environmentId)).toMatchObject({
    instances: { known: 3, upToDate: 2, pending: 1 },
    complete: false,
    slowestMs: 9_000,
    pendingInstances: [pendingOne(0)],
  });

  await polls(world, { instanceId: "shop-1", revision: revision + 1, changedAt, ms: 28_412 });
  expect(await receiptOf(environmentId)).toMatchObject({
    revision: revision + 1,
    instances: { known: 3, upToDate: 3, pending: 0 },
    complete: true,
    slowestMs: 28_412,
    pendingInstances: [],
  });
});

it("the propagation counts an instance as up to date after the instance has polled the newest rules", async () => {
  const { environmentId, apiKey, flagId } = await live();
  const headers = { "X-Instance-Id": "shop-1", "X-App-Name": "shop" };
  const pollRules = () => callWith({}, "GET", "/api/client/features", { token: apiKey, headers });
  await pollRules();
  const known = { instances: { known: 1, upToDate: 1, pending: 0 }, complete: true };
  expect(await receiptOf(environmentId)).toMatchObject(known);
  const began = Date.now();
  await setStrategy(flagId, { environmentId, enabled: false });
  expect(await receiptOf(environmentId)).toMatchObject({
    instances: { known: 1, upToDate: 0, pending: 1 },
    pendingInstances: [{ instanceId: "shop-1", appName: "shop" }],
  });
  await pollRules();
  const { slowestMs, ...receipt } = await receiptOf(environmentId);
  expect(receipt).toMatchObject(known);
  expect(slowestMs).toBeGreaterThanOrEqual(0);
  expect(slowestMs).toBeLessThanOrEqual(Date.now() - began);
});

describe("the propagation of a revision", () => {
  /**
   * Returns the SDK instances of a test case, by the newest revision and the time of its change.
   */
  type Instances = (revision: number, changedAt: number) => Record<string, Partial<Seen>>;

  it.each<[string, Instances, object]>([
    [
      "is complete, and has no slowest instance, when there are no instances",
      () => ({}),
      { instances: { known: 0, upToDate: 0, pending: 0 }, complete: true, slowestMs: null },
    ],
    [
      "ignores an instance that was last seen more than 5 minutes ago",
      () => ({
        gone: { revision: 1, firstSeenAt: 1, lastSeenAt: Date.now() - 301_000 },
        slow: { revision: 1, firstSeenAt: 1, lastSeenAt: Date.now() - 290_000 },
      }),
      {
        instances: { known: 1, upToDate: 0, pending: 1 },
        pendingInstances: [{ instanceId: "slow", appName: null }],
      },
    ],
    [
      "counts an instance that was first seen after the change as up to date, also without a reported revision",
      (revision, changedAt) => ({
        new: { firstSeenAt: changedAt + 1, revision, revisionSeenAt: changedAt + 50_000 },
        mute: { firstSeenAt: changedAt + 1 },
      }),
      { instances: { known: 2, upToDate: 2, pending: 0 }, slowestMs: null },
    ],
    [
      "is not complete while an instance reports an older revision",
      (revision, changedAt) => ({
        new: { firstSeenAt: changedAt + 1, revision: revision - 1 },
      }),
      { instances: { pending: 1 }, complete: false },
    ],
    [
      "is not complete while an instance that was first seen before the change reports no revision",
      () => ({ mute: {} }),
      {
        instances: { pending: 1 },
        complete: false,
        pendingInstances: [{ instanceId: "mute", revision: null }],
      },
    ],
    [
      "takes 0 ms for an instance that reported the revision before the time of the change, because clocks differ",
      (revision, changedAt) => ({ early: { revision, revisionSeenAt: changedAt - 3 } }),
      { slowestMs: 0 },
    ],
  ])("%s", async (_, instances, expected) => {
    const world = await live();
    for (const [name, more] of Object.entries(instances(world.revision, world.changedAt)))
      await instance(world, name, more);
    expect(await receiptOf(world.environmentId)).toMatchObject(expected);
  });

  it("counts all pending instances, and lists the 20 that were last seen longest ago", async () => {
    const world = await live();
    const now = Date.now();
    for (let n = 0; n < 23; n++)
      await instance(world, `i-${n}`, { revision: 1, lastSeenAt: now - n * 1000 });
    const { instances, pendingInstances } = await receiptOf(world.environmentId);
    expect(instances.pending).toBe(23);
    const named = Array.from({ length: 20 }, (_, n) => `i-${22 - n}`);
    expect(pendingInstances.map((one: Json) => one.instanceId)).toEqual(named);
  });

  it("counts only the instances of its environment", async () => {
    const [mine, other] = [await live(), await live()];
    await instance(other, "theirs", { revision: 1 });
    expect((await receiptOf(mine.environmentId)).instances.known).toBe(0);
  });
});
