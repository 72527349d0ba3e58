import { describe, expect, it } from "vitest";
import type { Instance } from "../../src/client/usage/instance.ts";
import { LastSeen, MAX_MARKS } from "../../src/client/usage/last-seen.ts";
import type { KeyRow } from "../../src/client/sources/queries.ts";
import { UsageBuffer } from "../../src/client/usage/usage-buffer.ts";
import { MIN_MARK_INTERVAL_MS } from "../../src/core/usage/message-types.ts";
import type { UsageBatch } from "../../src/core/usage/usage-batch.ts";
import { fakeIsolate, FLUSH_MS } from "./usage-isolate.ts";

const app = { environmentId: 1, appName: "app", sdkVersion: "1.0" };
const one = { ...app, instanceId: "one" };
const keyOf = (id: number) => ({ id, projectId: 1, environmentId: 1 }) as unknown as KeyRow;

/** An isolate whose last-seen marks are sent only when a test calls `after`. */
function isolate() {
  const fake = fakeIsolate();
  const lastSeen = new LastSeen(new UsageBuffer());
  return {
    ...fake,
    key: (id: number) => lastSeen.key(fake.ports, keyOf(id)),
    instance: (which: Instance = one, revision: number | null = 4, fetchesRules = false) =>
      lastSeen.instance(fake.ports, which, { key: keyOf(7), revision, fetchesRules }),
    after: async (ms: number): Promise<UsageBatch[]> => (await fake.after(ms)).flat(),
  };
}

const keysOf = (messages: readonly UsageBatch[]) =>
  messages.flatMap(({ keys }) => keys.map(([id]) => id));
const instancesOf = (messages: readonly UsageBatch[]) =>
  messages.flatMap(({ instances }) =>
    instances.map(({ instanceId, revision }) => `${instanceId}: ${revision}`),
  );

describe("the last-seen marks of an API key and an instance", () => {
  it("are sent five seconds after the first use, with the time of that use", async () => {
    const { key, instance, after } = isolate();
    key(7);
    instance();
    expect(await after(FLUSH_MS - 1)).toEqual([]);
    expect(await after(1)).toMatchObject([
      {
        reports: [],
        keys: [[7, 1_000_000]],
        instances: [{ ...one, revision: 4, at: 1_000_000 }],
      },
    ]);
  });

  it("are sent in one batch when 30 keys and 30 instances are used", async () => {
    const { key, instance, after, flushes } = isolate();
    for (let id = 1; id <= 30; id++) key(id);
    for (let n = 0; n < 30; n++) instance({ ...one, instanceId: `i${n}` });
    expect(flushes()).toBe(1);
    const messages = await after(FLUSH_MS);
    expect([messages.length, keysOf(messages).length, instancesOf(messages).length]).toEqual([
      1, 30, 30,
    ]);
  });

  it("are sent again for the next use after one minute, but not earlier", async () => {
    const { key, instance, after, flushes } = isolate();
    key(7);
    instance();
    await after(FLUSH_MS);
    await after(MIN_MARK_INTERVAL_MS - FLUSH_MS - 1);
    key(7);
    instance();
    expect(flushes()).toBe(0);
    await after(1);
    key(7);
    instance();
    const messages = await after(FLUSH_MS);
    expect([keysOf(messages), instancesOf(messages)]).toEqual([[7], ["one: 4"]]);
  });

  it("are not sent again while no key is used", async () => {
    const { key, after, flushes } = isolate();
    key(7);
    await after(FLUSH_MS);
    expect([await after(MIN_MARK_INTERVAL_MS * 5), flushes()]).toEqual([[], 0]);
  });
});

describe("the last-seen mark of an instance", () => {
  it("is sent with the next flush when the instance reports a newer revision, but not for the same, an older or no revision", async () => {
    const { instance, after } = isolate();
    instance(one, 4);
    await after(FLUSH_MS);
    for (const revision of [4, 3, null]) instance(one, revision);
    expect(await after(FLUSH_MS)).toEqual([]);
    instance(one, 5);
    expect(instancesOf(await after(FLUSH_MS))).toEqual(["one: 5"]);
    instance(one, 4);
    expect(await after(FLUSH_MS)).toEqual([]);
  });

  it("is not sent again when the instance reports no revision and then its old revision", async () => {
    const { instance, after } = isolate();
    instance(one, 4);
    await after(MIN_MARK_INTERVAL_MS);
    instance(one, null);
    expect(instancesOf(await after(FLUSH_MS))).toEqual(["one: null"]);
    instance(one, 4);
    expect(await after(FLUSH_MS)).toEqual([]);
  });

  it("is sent with the next flush when the instance reports its first revision", async () => {
    const { instance, after } = isolate();
    instance(one, null);
    await after(FLUSH_MS);
    instance(one, 0);
    expect(instancesOf(await after(FLUSH_MS))).toEqual(["one: 0"]);
  });

  it("has the version of the SDK that an earlier request within the minute named", async () => {
    const { instance, after } = isolate();
    const unnamed = { ...one, sdkVersion: null };
    instance(unnamed, 4, true);
    instance(one, null);
    instance(unnamed, 4, true);
    const versionsOf = (messages: readonly UsageBatch[]) =>
      messages.flatMap(({ instances }) => instances.map(({ sdkVersion }) => sdkVersion));
    expect(versionsOf(await after(MIN_MARK_INTERVAL_MS))).toEqual([null]);
    instance(unnamed, 4, true);
    expect(versionsOf(await after(FLUSH_MS))).toEqual(["1.0"]);
  });

  it("is sent separately for each instance id, application and environment", async () => {
    const { instance, after } = isolate();
    const others = [
      one,
      { ...one, environmentId: 2 },
      { ...one, appName: "", instanceId: "appone" },
      { ...one, appName: "ap", instanceId: "pone" },
      { ...one, instanceId: "two" },
    ];
    for (const other of [...others, ...others]) instance(other);
    expect(instancesOf(await after(FLUSH_MS))).toHaveLength(others.length);
  });
});

describe("the last-seen mark of an instance that fetches rules", () => {
  const evaluator = ({ instances: [mark] }: UsageBatch) => [
    mark?.sdkFeatures,
    mark?.rulesFetchedAt,
  ];
  const START = 1_000_000;

  it("has the features and the time of the fetch, and an empty list if the SDK names no features", async () => {
    const { instance, after } = isolate();
    instance({ ...one, sdkFeatures: ["rules"] }, 4, true);
    expect((await after(FLUSH_MS)).map(evaluator)).toEqual([[["rules"], START]]);
    await after(MIN_MARK_INTERVAL_MS);
    instance(one, 4, true);
    expect((await after(FLUSH_MS)).map(evaluator)).toEqual([
      [[], START + FLUSH_MS + MIN_MARK_INTERVAL_MS],
    ]);
  });

  it("has the features but no time of a fetch if the instance has not fetched rules", async () => {
    const { instance, after } = isolate();
    instance();
    instance({ ...one, instanceId: "two", sdkFeatures: ["rules"] });
    const [message] = await after(FLUSH_MS);
    const marks = message?.instances.map((mark) => [mark.sdkFeatures, mark.rulesFetchedAt]);
    expect(marks).toEqual([
      [undefined, undefined],
      [["rules"], undefined],
    ]);
  });

  it("has the time of a fetch that came less than a minute after the previous mark", async () => {
    const { instance, after } = isolate();
    instance();
    await after(FLUSH_MS);
    instance({ ...one, sdkFeatures: ["rules"] }, 4, true);
    expect(await after(MIN_MARK_INTERVAL_MS - FLUSH_MS)).toEqual([]);
    instance();
    expect((await after(FLUSH_MS)).map(evaluator)).toEqual([[["rules"], START + FLUSH_MS]]);
    await after(MIN_MARK_INTERVAL_MS);
    instance();
    expect((await after(FLUSH_MS)).map(evaluator)).toEqual([[undefined, undefined]]);
  });
});

it("LastSeen remembers at most 10,000 marks of keys and 10,000 of instances: the oldest are sent again", async () => {
  const { key, instance, after } = isolate();
  for (let n = 1; n <= MAX_MARKS + 1; n++) {
    key(n);
    instance({ ...one, instanceId: `i${n}` });
  }
  const first = await after(FLUSH_MS);
  expect([keysOf(first).length, instancesOf(first).length]).toEqual([MAX_MARKS + 1, MAX_MARKS + 1]);
  for (const n of [1, MAX_MARKS + 1]) {
    key(n);
    instance({ ...one, instanceId: `i${n}` });
  }
  const again = await after(FLUSH_MS);
  expect([keysOf(again), instancesOf(again)]).toEqual([[1], ["i1: 4"]]);
});
