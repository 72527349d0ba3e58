import { expect, it } from "vitest";
import { buildSnapshot } from "../../../src/core/rules/snapshot.ts";
import { DEFAULT_STRATEGY, type StrategyContent } from "../../../src/core/strategies/strategy.ts";

const inGermany = { field: "country", operator: "in", values: ["DE"], contextType: "string" };

const snapshotOf = (strategies: readonly StrategyContent[], changedKeys: readonly string[] = []) =>
  buildSnapshot({
    environmentId: 1,
    revision: 7,
    changedAt: 0,
    flags: strategies.map((strategy, n) => ({
      key: `flag-${n}`,
      name: `Flag ${n}`,
      archived: false,
      strategy,
    })),
    segments: new Map([[5, { name: "Staff", constraints: [inGermany] }]]),
    changes: changedKeys.map((key) => ({ key, name: "Gone", revision: 6, changedAt: 0 })),
  });

// SDKs keep ETags across deploys. A release that changes these bytes makes every SDK fetch all
// rules.
it("a snapshot contains the same bytes for the same rules in every release", () => {
  const strategy = {
    enabled: true,
    percentage: 25,
    constraints: [inGermany, { ...inGermany, caseInsensitive: true, inverted: false }],
    segmentIds: [5, 404],
    stickiness: "company",
  };
  expect(snapshotOf([DEFAULT_STRATEGY, strategy]).body).toBe(
    '[{"key":"flag-0","name":"Flag 0","enabled":false,' +
      '"activation":{"rollOut":100,"constraints":[],"segments":[]}},' +
      '{"key":"flag-1","name":"Flag 1","enabled":true,' +
      '"activation":{"rollOut":25,"constraints":[' +
      '{"field":"country","operator":"in","values":["DE"],"contextType":"string"},' +
      '{"field":"country","operator":"in","values":["DE"],"contextType":"string",' +
      '"caseInsensitive":true,"inverted":false}],' +
      '"segments":[{"name":"Staff","constraints":[' +
      '{"field":"country","operator":"in","values":["DE"],"contextType":"string"}]},' +
      '{"name":"","constraints":[]}],' +
      '"stickiness":"company"}}]',
  );
});

it("a snapshot has the same ETag for the same rules in every release", () => {
  expect(snapshotOf([DEFAULT_STRATEGY]).etag).toBe('"7-40b2f684"');
});

it("a snapshot contains a deleted flag among its changes, as off and archived", () => {
  expect(snapshotOf([], ["gone"]).changes).toEqual([
    {
      revision: 6,
      changedAt: 0,
      tombstone: {
        key: "gone",
        name: "Gone",
        enabled: false,
        archived: true,
        activation: { rollOut: 0, constraints: [], segments: [] },
      },
    },
  ]);
});
