import { describe, expect, it } from "vitest";
import type { Instance } from "../../src/client/instance.ts";
import type { ClientPorts } from "../../src/client/ports.ts";
import { FLUSH_MS, LastSeen, MAX_MARKS } from "../../src/client/last-seen.ts";
import {
  MIN_MARK_INTERVAL_MS,
  type LastSeenMarks as Message,
  type UsageMessage,
} from "../../src/core/usage/message-types.ts";

const app = { environmentId: 1, appName: "app", sdkVersion: "1.0" };
const one = { ...app, instanceId: "one" };

/**
 * An isolate with its own clock and a fake usage queue. Time passes, and last-seen marks are sent,
 * only when a test calls `after`.
 */
function isolate() {
  const lastSeen = new LastSeen();
  let time = 1_000_000;
  let waiting: { readonly at: number; readonly end: () => void }[] = [];
  const sent: Message[] = [];
  const left: Promise<unknown>[] = [];
  const faults: unknown[] = [];
  const queue = { isDown: false };
  const ports = {
    now: () => time,
    wait: (ms: number) =>
      new Promise<void>((end) => {
        waiting.push({ at: time + ms, end });
      }),
    later: (work: Promise<unknown>) => {
      left.push(work);
    },
    sendUsage: async (messages: readonly UsageMessage[]) => {
      if (queue.isDown) throw new Error("the queue is unavailable");
      sent.push(...(messages as Message[]));
    },
    fault: (_: string, error: unknown) => {
      faults.push(error);
    },
  } as unknown as ClientPorts;
  return {
    key: (id: number) => lastSeen.key(ports, id),
    instance: (which: Instance = one, revision: number | null = 4, fetchesRules = false) =>
      lastSeen.instance(ports, which, { revision, fetchesRules }),
    /**
     * Advances the time by `ms` milliseconds. Returns the messages that the queue received since
     * the last call.
     */
    after: async (ms: number) => {
      time += ms;
      const due = waiting.filter(({ at }) => at <= time);
      waiting = waiting.filter(({ at }) => at > time);
      for (const { end } of due) end();
      await Promise.all(due.length > 0 ? left.splice(0, due.length) : []);
      return sent.splice(0);
    },
    /**
     * Drops the unfinished work that requests left, as the platform does when it cancels requests.
     */
    loseWork: () => {
      waiting = [];
      left.length = 0;
    },
    /** The number of pending flushes of last-seen marks. */
    flushes: () => left.length,
    faults,
    queue,
  };
}

const keysOf = (messages: readonly Message[]) =>
  messages.flatMap(({ keys }) => keys.map(([id]) => id));
const instancesOf = (messages: readonly Message[]) =>
  messages.flatMap(({ instances }) =>
    instances.map(({ instanceId, revision }) => `${instanceId}: ${revision}`),
  );

describe("the last-seen marks of an API key and an instance", () => {
  it("are sent two seconds after the first use, with the time of that use", async () => {
    const { key, instance, after } = isolate();
    key(7);
    instance();
    expect(await after(FLUSH_MS - 1)).toEqual([]);
    expect(await after(1)).toEqual([
      {
        kind: "sightings",
        keys: [[7, 1_000_000]],
        instances: [{ ...one, revision: 4, at: 1_000_000 }],
      },
    ]);
  });

  it("are sent in one queue message when 30 keys and 30 instances are used", async () => {
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

  it("is not sent again when the instance reports no revision and then its earlier revision", async () => {
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

  it("keeps the SDK version of the previous use when the next use has none", async () => {
    const { instance, after } = isolate();
    instance(one, null);
    instance({ ...one, sdkVersion: null as unknown as string }, 5);
    const [message] = await after(FLUSH_MS);
    expect(message?.instances).toMatchObject([{ sdkVersion: "1.0", revision: 5 }]);
  });

  it("is separate for each instance id, application and environment", async () => {
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
  const evaluator = ({ instances: [mark] }: Message) => [mark?.sdkFeatures, mark?.rulesFetchedAt];
  const START = 1_000_000;

  it("has the features of the SDK, none if it names none, and the time of the fetch", async () => {
    const { instance, after } = isolate();
    instance({ ...one, sdkFeatures: ["rules"] }, 4, true);
    expect((await after(FLUSH_MS)).map(evaluator)).toEqual([[["rules"], START]]);
    await after(MIN_MARK_INTERVAL_MS);
    instance(one, 4, true);
    expect((await after(FLUSH_MS)).map(evaluator)).toEqual([
      [[], START + FLUSH_MS + MIN_MARK_INTERVAL_MS],
    ]);
  });

  it("does not say when rules were fetched if the instance has not fetched any, but has the features that it names", async () => {
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

  it("says in the next mark that rules were fetched within a minute after the last one", async () => {
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

describe("a flush of last-seen marks that is lost", () => {
  it("reports the fault when the queue fails, and the next use sends the marks within two seconds", async () => {
    const { key, instance, after, queue, faults } = isolate();
    queue.isDown = true;
    key(7);
    instance();
    expect(await after(FLUSH_MS)).toEqual([]);
    expect(faults).toEqual([new Error("the queue is unavailable")]);
    queue.isDown = false;
    key(7);
    instance();
    const messages = await after(FLUSH_MS);
    expect([keysOf(messages), instancesOf(messages)]).toEqual([[7], ["one: 4"]]);
  });

  it("is replaced by the flush of a later request when its own request is cancelled", async () => {
    const { key, after, loseWork } = isolate();
    key(7);
    loseWork();
    await after(20_000);
    key(8);
    expect(keysOf(await after(FLUSH_MS))).toEqual([7, 8]);
  });
});

it("LastSeen keeps at most 10,000 marks of keys and 10,000 of instances, and accepts more only after the next flush", async () => {
  const { key, instance, after } = isolate();
  const seeAll = () => {
    for (let n = 1; n <= MAX_MARKS + 5; n++) {
      key(n);
      instance({ ...one, instanceId: `i${n}` });
    }
  };
  seeAll();
  const first = await after(FLUSH_MS);
  expect([keysOf(first).length, instancesOf(first).length]).toEqual([MAX_MARKS, MAX_MARKS]);
  key(MAX_MARKS + 5);
  expect(keysOf(await after(FLUSH_MS))).toEqual([MAX_MARKS + 5]);
});
