import { changedSince } from "@feature-flags/client-api/changes";
import { describe, expect, it } from "vitest";
import { buildSnapshot, type EnvironmentRules } from "../../../src/core/rules/snapshot.ts";
import { DEFAULT_STRATEGY, type StrategyContent } from "../../../src/core/strategies/strategy.ts";

const inGermany = { field: "country", operator: "in", values: ["DE"], contextType: "string" };

const snapshotOf = (
  strategies: readonly StrategyContent[],
  changedKeys: readonly string[] = [],
  more: EnvironmentRules["flags"] = [],
) =>
  buildSnapshot({
    environmentId: 1,
    revision: 7,
    changedAt: 0,
    flags: strategies
      .map((strategy, n) => ({
        key: `flag-${n}`,
        name: `Flag ${n}`,
        archived: false,
        strategy,
      }))
      .concat(more),
    segments: new Map([[5, { name: "Staff", constraints: [inGermany] }]]),
    archivedKeys: [],
    archivedServerKeys: [],
    changes: changedKeys.map((key) => ({ key, name: "Gone", revision: 6, changedAt: 0 })),
  });

// Must not change: SDKs keep ETags across deploys. A release that changes these bytes makes every
// SDK fetch all rules.
it("a snapshot contains the same bytes for the same rules in every release", () => {
  const strategy = {
    ...DEFAULT_STRATEGY,
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

it("the rule of a flag that browsers do not get says so in its last field, and gives the ETag the form 3", () => {
  const flag = { key: "beta", name: "Beta", archived: false, strategy: DEFAULT_STRATEGY };
  const [plain, all, hidden] = [{}, { clients: "all" }, { clients: "server" }].map((more) =>
    snapshotOf([], [], [{ ...flag, ...(more as { clients?: "all" | "server" }) }]),
  );
  expect(all).toEqual(plain);
  expect(hidden?.body).toBe(plain?.body.replace("}]", ',"clients":"server"}]'));
  expect(hidden?.etag).toMatch(/^"7-[0-9a-f]+-3"$/);
});

it("the changes of a snapshot list a deleted flag as off and archived", () => {
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

const layout = {
  key: "layout",
  name: "Layout",
  archived: false,
  valueType: "json",
  variants: [
    { key: "narrow", value: { columns: 1 }, description: "For phones" },
    { key: "wide", value: { columns: 3 } },
  ],
  offVariant: "narrow",
  prerequisites: [{ flagKey: "flag-0", enabled: true }],
  strategy: { ...DEFAULT_STRATEGY, enabled: true },
};

/** The snapshot of revision 7, in which one flag changed at revision 6. */
const snapshotWith = (flag: EnvironmentRules["flags"][number]) =>
  buildSnapshot({
    environmentId: 1,
    revision: 7,
    changedAt: 0,
    flags: [flag],
    segments: new Map(),
    archivedKeys: [],
    archivedServerKeys: [],
    changes: [{ key: flag.key, name: flag.name, revision: 6, changedAt: 0 }],
  });

it("a snapshot contains the values, the off variant and the prerequisites of a flag, without descriptions", () => {
  expect(snapshotWith(layout).body).toBe(
    '[{"key":"layout","name":"Layout","enabled":true,' +
      // SDKs that know only booleans read `rollOut`. The strategy serves the off variant, so
      // `rollOut` is 0 and the flag is off for these SDKs. Other SDKs read `exactRollOut`.
      '"activation":{"rollOut":0,"constraints":[],"segments":[],"exactRollOut":100,"serve":"narrow"},' +
      '"type":"json","variants":{"narrow":{"columns":1},"wide":{"columns":3}},' +
      '"offVariant":"narrow","prerequisites":[{"flagKey":"flag-0"}]}]',
  );
});

it("the tombstone of an archived flag has only the fields of a boolean flag without values and ordered rules", () => {
  const [change] = snapshotWith({ ...layout, archived: true }).changes;
  expect(change).toEqual({
    revision: 6,
    changedAt: 0,
    tombstone: {
      key: "layout",
      name: "Layout",
      enabled: false,
      archived: true,
      activation: { rollOut: 100, constraints: [], segments: [] },
    },
  });
});

describe("a caller with an ETag of older rules", () => {
  const plain = { key: "flag", name: "Flag", archived: false, strategy: DEFAULT_STRATEGY };
  const rules = { plain: snapshotWith(plain), extended: snapshotWith(layout) };

  it.each([
    ["the changes", "plain", '"5-abc"', 1],
    ["the changes", "extended", '"5-abc-2"', 1],
    ["no changes, because the revision is the newest change", "plain", '"6-abc"', 0],
    ["the changes, because flags with values were archived", "plain", '"5-abc-2"', 1],
    ["all rules, because it has plain rules only", "extended", '"5-abc"', undefined],
    ["all rules, because it has other rules of this revision", "plain", '"7-abc"', undefined],
    ["all rules, because it has other rules of this revision", "extended", '"7-abc-2"', undefined],
  ] as const)("gets %s: %s rules, ETag %s", (_, form, etag, count) => {
    expect(changedSince(rules[form], 1, etag, 10)?.length).toBe(count);
  });
});
