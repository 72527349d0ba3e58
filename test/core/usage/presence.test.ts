import { describe, expect, it } from "vitest";
import { type InstanceMark, MAX_INSTANCES } from "../../../src/core/usage/message-types.ts";
import {
  KEEP_INSTANCES_MS,
  MAX_OBJECT_INSTANCES,
  Presence,
} from "../../../src/core/usage/presence.ts";
import { seeded } from "../../../scripts/lib/seeded.ts";

const mark = (at: number, more: Partial<InstanceMark> = {}): InstanceMark => ({
  environmentId: 1,
  appName: "app",
  instanceId: "one",
  sdkVersion: "1",
  revision: 4,
  at,
  ...more,
});

function presenceOf(marks: readonly InstanceMark[]): Presence {
  const presence = new Presence();
  for (const one of marks) presence.mark(one);
  return presence;
}

describe("the marks of an SDK instance", () => {
  const marks = [
    mark(1),
    mark(6, { revision: 5, sdkFeatures: ["older"], rulesFetchedAt: 1 }),
    mark(3, { revision: 5 }),
    mark(8, { revision: 5, rulesFetchedAt: 5 }),
    mark(9, { revision: null, sdkVersion: "2", sdkFeatures: ["old"], rulesFetchedAt: 3 }),
  ];
  const whole = {
    environmentId: 1,
    appName: "app",
    instanceId: "one",
    sdkVersion: "2",
    sdkFeatures: ["old"],
    rulesFetchedAt: 5,
    firstSeenAt: 1,
    lastSeenAt: 9,
    revision: 5,
    revisionSeenAt: 3,
  };

  it("are merged in any order, also when they arrive twice: first and last time, newest revision and the first time of that revision", () => {
    for (let seed = 0; seed < 50; seed++) {
      const random = seeded(seed);
      const shuffled = [...marks, ...marks]
        .map((one) => [random(), one] as const)
        .toSorted(([one], [other]) => one - other)
        .map(([, one]) => one);
      expect(presenceOf(shuffled).all()).toEqual([whole]);
    }
  });

  it("keep the values that only some marks have, and take empty features from a later fetch", () => {
    expect(presenceOf([mark(1, { revision: null })]).all()).toMatchObject([
      { revision: null, revisionSeenAt: null },
    ]);
    const unsaid = { sdkVersion: null, revision: null };
    const late = [mark(5, unsaid), mark(1, { sdkFeatures: ["a"] }), mark(7, unsaid)];
    expect(presenceOf(late).all()).toMatchObject([
      { sdkVersion: "1", sdkFeatures: ["a"], revision: 4, revisionSeenAt: 1, lastSeenAt: 7 },
    ]);
    const fetched = [
      mark(1, { sdkFeatures: ["rules"], rulesFetchedAt: 1 }),
      mark(2, { sdkFeatures: [], rulesFetchedAt: 2 }),
    ];
    expect(presenceOf(fetched).all()).toMatchObject([{ sdkFeatures: [], rulesFetchedAt: 2 }]);
  });

  it("are separate for each environment, application and instance id", () => {
    const others = [
      mark(1),
      mark(1, { environmentId: 2 }),
      mark(1, { appName: "", instanceId: "appone" }),
      mark(1, { appName: "ap", instanceId: "pone" }),
    ];
    expect(presenceOf(others).all()).toHaveLength(others.length);
  });
});

describe("the SDK instances of a usage object", () => {
  const many = (count: number, more: Partial<InstanceMark> = {}) =>
    Array.from({ length: count }, (_, n) => mark(1 + n, { instanceId: `i${n}`, ...more }));
  const list = (presence: Presence, environmentId: number) =>
    presence.list({ environmentIds: [environmentId] }, { limit: Infinity, now: 0 });

  it("are the 10,000 most recently seen instances of an environment", () => {
    const presence = presenceOf([...many(MAX_INSTANCES + 1_500), mark(0, { environmentId: 2 })]);
    const found = list(presence, 1);
    expect(found).toHaveLength(MAX_INSTANCES);
    expect(found.at(-1)?.instanceId).toBe("i1500");
    expect(list(presence, 2)).toHaveLength(1);
    expect(presence.all().length).toBeLessThanOrEqual(MAX_INSTANCES * 1.1 + 1);
  });

  it("are the about 100,000 most recently seen instances of all environments", () => {
    const presence = new Presence();
    for (let environmentId = 1; environmentId <= 12; environmentId++)
      for (const one of many(MAX_INSTANCES, { environmentId, at: environmentId }))
        presence.mark(one);
    expect(presence.all().length).toBeLessThanOrEqual(MAX_OBJECT_INSTANCES * 1.1);
    expect(list(presence, 12)).toHaveLength(MAX_INSTANCES);
    expect(list(presence, 1)).toEqual([]);
  });

  it("are forgotten seven days after they were last seen", () => {
    const presence = presenceOf([mark(1), mark(2, { instanceId: "two" })]);
    presence.forgetOld(2 + KEEP_INSTANCES_MS);
    expect(presence.all().map(({ instanceId }) => instanceId)).toEqual(["two"]);
  });
});
