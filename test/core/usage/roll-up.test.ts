import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { type UsageMessage, type UsageReport } from "../../../src/core/usage/message-types.ts";
import { totalsOf } from "../../../src/core/usage/roll-up.ts";

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
 * Each total as a text, `environment/hour: key t f`. The hour is the number of hours after HOUR.
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

  it("also adds up by instance when reports name one", () => {
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

  it("separates instances whose application and id make the same text when joined", () => {
    const named = (appName: string, instanceId: string) =>
      report({ instance: { appName, instanceId } });
    expect(totalsOf([named("a", "bc"), named("ab", "c"), named("", "abc")]).instances).toHaveLength(
      3,
    );
  });
});

describe("totalsOf, given last-seen marks,", () => {
  const seen = (
    at: number,
    revision: number | null,
    sdkVersion: string | null = "1",
  ): UsageMessage => ({
    kind: "sightings",
    keys: [[7, at]],
    instances: [{ environmentId: 1, appName: "app", instanceId: "one", sdkVersion, revision, at }],
  });

  it("returns the last use of each API key", () => {
    expect(totalsOf([seen(3, 1), seen(5, 1), seen(4, 1)]).keys).toEqual(new Map([[7, 5]]));
  });

  it("merges the marks of an instance, in any order: first and last seen, newest revision and the first mark with it", () => {
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

  it("returns no revision for an instance that sent none", () => {
    expect(totalsOf([seen(1, null), seen(2, null)]).seen).toMatchObject([
      { revision: null, revisionSeenAt: null },
    ]);
  });

  it("ignores an older revision that arrives late", () => {
    expect(totalsOf([seen(5, 9), seen(7, 8)]).seen).toMatchObject([
      { revision: 9, revisionSeenAt: 5, lastSeenAt: 7 },
    ]);
  });
});
