import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import type {
  InstanceMark,
  UsageMessage,
  UsageReport,
} from "../../../src/core/usage/message-types.ts";
import { flagName, totalsOf, withKnownVariants } from "../../../src/core/usage/roll-up.ts";

const HOUR = 500_000 * HOUR_MS;

let ids = 0;
const report = (more: Partial<UsageReport> = {}): UsageReport => ({
  kind: "report",
  id: `id-${(ids += 1)}`,
  environmentId: 1,
  at: HOUR,
  instance: null,
  evaluations: [["a", 1, 2]],
  ...more,
});

/**
 * Returns each total as a text, `environment/hour: key t f`. The hour is counted from HOUR; t and f
 * are the numbers of true and false evaluations.
 */
const environmentsOf = (messages: readonly UsageMessage[]) =>
  totalsOf(messages).environments.flatMap(({ environmentId, hour, flags }) =>
    [...flags].map(
      ([key, { t, f }]) => `${environmentId}/${(hour - HOUR) / HOUR_MS}: ${key} ${t} ${f}`,
    ),
  );

describe("totalsOf, given usage reports,", () => {
  it("adds up by environment, hour and flag", () => {
    const messages = [
      report(),
      report({
        at: HOUR + HOUR_MS - 1,
        evaluations: [
          ["a", 10, 0],
          ["b", 0, 5],
        ],
      }),
      report({ at: HOUR + HOUR_MS }),
      report({ environmentId: 2 }),
    ];
    expect(environmentsOf(messages)).toEqual([
      "1/0: a 11 2",
      "1/0: b 0 5",
      "1/1: a 1 2",
      "2/0: a 1 2",
    ]);
  });

  it("counts a usage report once when the queue delivers it twice", () => {
    const twice = report();
    expect(environmentsOf([twice, report(), twice])).toEqual(["1/0: a 2 4"]);
    expect(totalsOf([twice, twice]).ids).toEqual([twice.id]);
  });

  it("treats __proto__ as an ordinary flag key", () => {
    const evaluations: UsageReport["evaluations"] = [
      ["__proto__", 1, 0],
      ["constructor", 2, 0],
    ];
    expect(environmentsOf([report({ evaluations }), report({ evaluations })])).toEqual([
      "1/0: __proto__ 2 0",
      "1/0: constructor 4 0",
    ]);
  });

  it("returns the last report time of each flag, whatever the order of the reports", () => {
    const messages = [report({ at: HOUR + 9 }), report({ at: HOUR + 4 })];
    const [total] = totalsOf(messages).environments;
    expect(total?.flags.get("a")?.lastAt).toBe(HOUR + 9);
  });

  it("also adds up by SDK instance when the reports name an instance", () => {
    const one = { appName: "app", instanceId: "one" };
    const messages = [report({ instance: one }), report({ instance: one }), report()];
    const { instances, environments } = totalsOf(messages);
    expect(instances).toEqual([
      {
        ...one,
        environmentId: 1,
        hour: HOUR,
        flags: new Map([["a", { t: 2, f: 4, lastAt: HOUR }]]),
      },
    ]);
    expect(environments[0]?.flags.get("a")?.t).toBe(3);
  });

  it("does not mix up SDK instances whose application name and id are equal when joined", () => {
    const named = (appName: string, instanceId: string) =>
      report({ instance: { appName, instanceId } });
    expect(totalsOf([named("a", "bc"), named("ab", "c"), named("", "abc")]).instances).toHaveLength(
      3,
    );
  });
});

describe("totalsOf, given usage reports with variants,", () => {
  const one = { appName: "app", instanceId: "one" };
  const variantsOf = (totals: readonly { readonly flags: ReadonlyMap<string, FlagTotal> }[]) =>
    totals.map(({ flags }) => [...flags].map(([key, flag]) => [key, [...(flag.variants ?? [])]]));
  type FlagTotal = { readonly variants?: ReadonlyMap<string, number> | undefined };

  it("adds the variants up by flag, also when other reports have none", () => {
    const messages = [
      report({ evaluations: [["a", 3, 0, { x: 1, y: 2 }]], instance: one }),
      report({ instance: one }),
      report({
        evaluations: [
          ["a", 5, 0, { y: 4, __proto__x: 1 }],
          ["b", 1, 0],
        ],
      }),
    ];
    const { environments, instances } = totalsOf(messages);
    const x = ["x", 1];
    expect(variantsOf(environments)).toEqual([
      [
        ["a", [x, ["y", 6], ["__proto__x", 1]]],
        ["b", []],
      ],
    ]);
    expect(variantsOf(instances)).toEqual([[["a", [x, ["y", 2]]]]]);
    expect(environments[0]?.flags.get("a")).toMatchObject({ t: 9, f: 2 });
  });

  it("counts the variants of a usage report once when the queue delivers it twice", () => {
    const twice = report({ evaluations: [["a", 1, 0, { x: 1 }]] });
    expect(variantsOf(totalsOf([twice, twice]).environments)).toEqual([[["a", [["x", 1]]]]]);
  });

  it("has no variants when the reports have none, as those of the release before", () => {
    const [total] = totalsOf([report()]).environments;
    expect(total?.flags.get("a")?.variants).toBeUndefined();
  });

  it("leaves out the variants that the flag of that environment does not have, with `withKnownVariants`", () => {
    const evaluations: UsageReport["evaluations"] = [
      ["a", 9, 1, { x: 1, y: 2, z: 4 }],
      ["b", 1, 1, { x: 1 }],
    ];
    const messages = [1, 2].map((environmentId) =>
      report({ environmentId, evaluations, instance: one }),
    );
    const known = new Map([
      [flagName(1, "a"), new Set(["y", "z"])],
      [flagName(2, "b"), new Set(["x"])],
    ]);
    const { environments, instances } = withKnownVariants(totalsOf(messages), known);
    const y = ["y", 2];
    const expected = [
      [
        ["a", [y, ["z", 4]]],
        ["b", []],
      ],
      [
        ["a", []],
        ["b", [["x", 1]]],
      ],
    ];
    expect([variantsOf(environments), variantsOf(instances)]).toEqual([expected, expected]);
    expect(environments[0]?.flags.get("a")).toMatchObject({ t: 9, f: 1 });
    expect(environments[0]?.flags.get("b")?.variants).toBeUndefined();
  });
});

describe("totalsOf, given last-seen messages,", () => {
  const seen = (
    at: number,
    revision: number | null,
    sdkVersion: string | null = "1",
    more: Partial<InstanceMark> = {},
  ): UsageMessage => ({
    kind: "sightings",
    keys: [[7, at]],
    instances: [
      { environmentId: 1, appName: "app", instanceId: "one", sdkVersion, revision, at, ...more },
    ],
  });

  it("returns the time of the last use of each API key", () => {
    expect(totalsOf([seen(3, 1), seen(5, 1), seen(4, 1)]).keys).toEqual(new Map([[7, 5]]));
  });

  it("merges the messages of an SDK instance in any order: first and last time, newest revision and first time of that revision", () => {
    const messages = [
      seen(1, 4),
      seen(6, 5, "2"),
      seen(3, 5),
      seen(8, 5, null),
      seen(9, null, null),
    ];
    const whole = {
      environmentId: 1,
      appName: "app",
      instanceId: "one",
      sdkVersion: "2",
      firstSeenAt: 1,
      lastSeenAt: 9,
      revision: 5,
      revisionSeenAt: 3,
    };
    expect(totalsOf(messages).seen).toEqual([whole]);
    expect(totalsOf(messages.toReversed()).seen).toEqual([whole]);
  });

  it("returns no revision for an SDK instance that never sent a revision", () => {
    expect(totalsOf([seen(1, null), seen(2, null)]).seen).toMatchObject([
      { revision: null, revisionSeenAt: null },
    ]);
  });

  it("returns the newest features of an SDK instance, and when it last fetched rules, in any order", () => {
    const marks = [
      seen(1, 1, "1", { sdkFeatures: ["old"], rulesFetchedAt: 1 }),
      seen(2, 1, "1", { sdkFeatures: ["rules"] }),
      seen(8, 1, "1", { sdkFeatures: [], rulesFetchedAt: 5 }),
      seen(9, 1, "1", { rulesFetchedAt: 3 }),
    ];
    const whole = { sdkFeatures: [], rulesFetchedAt: 5, lastSeenAt: 9 };
    expect(totalsOf(marks).seen).toMatchObject([whole]);
    expect(totalsOf(marks.toReversed()).seen).toMatchObject([whole]);
    expect(totalsOf([seen(1, 1)]).seen).toMatchObject([
      { sdkFeatures: undefined, rulesFetchedAt: undefined },
    ]);
  });

  it("ignores an older revision that arrives late", () => {
    expect(totalsOf([seen(5, 9), seen(7, 8)]).seen).toMatchObject([
      { revision: 9, revisionSeenAt: 5, lastSeenAt: 7 },
    ]);
  });
});
