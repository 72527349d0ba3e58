import { describe, expect, it } from "vitest";
import {
  addUsage,
  type FlagCounts,
  MAX_COUNTED_VARIANTS,
  usageList,
} from "../../../src/core/usage/flag-counts.ts";
import { OTHER_APP } from "../../../src/core/usage/message-types.ts";
import { MAX_APP_COUNTS, MAX_FLAG_COUNTS } from "../../../src/core/usage/usage-hour.ts";
import { MAX_INSTANCE_COUNTS, UsageState } from "../../../src/core/usage/usage-state.ts";
import { batchOf, HOUR, reportOf } from "./usage-world.ts";

const variants = (count: number, prefix = "v") =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 1]));

describe("the counts of flags", () => {
  it("are added up by flag and variant, and say how many are new", () => {
    const counts: FlagCounts = new Map();
    expect(
      addUsage(counts, [
        ["__proto__", 1, 2, { x: 1 }],
        ["a", 1, 0],
      ]),
    ).toBe(3);
    expect(addUsage(counts, [["__proto__", 1, 2, { x: 1, __proto__x: 4 }]])).toBe(1);
    expect(usageList(counts)).toEqual([
      ["__proto__", 2, 4, { x: 2, __proto__x: 4 }],
      ["a", 1, 0],
    ]);
  });

  it("have at most 200 variants of a flag, and no new variants when the caller allows none", () => {
    const counts: FlagCounts = new Map();
    addUsage(counts, [["a", 1, 0, variants(MAX_COUNTED_VARIANTS + 50)]]);
    addUsage(
      counts,
      [
        ["a", 1, 0, { v0: 1, new: 1 }],
        ["b", 1, 0, { v0: 1 }],
      ],
      false,
    );
    const [a, b] = usageList(counts);
    expect([Object.keys(a?.[3] ?? {}).length, a?.[3]?.["v0"], b]).toEqual([
      MAX_COUNTED_VARIANTS,
      2,
      ["b", 1, 0],
    ]);
  });
});

describe("a usage object whose callers invent names", () => {
  const unwritten = (state: UsageState, appName?: string) =>
    state.unwritten({ environmentIds: [1], appName });

  it("counts every flag, but no new variants above the limit of an hour", () => {
    const state = new UsageState();
    const reports = Math.ceil((2 * MAX_FLAG_COUNTS) / 200);
    for (let n = 0; n < reports; n++)
      state.add(
        batchOf({ reports: [reportOf({ evaluations: [[`flag ${n}`, 1, 0, variants(200)]] })] }),
      );
    const usage = unwritten(state).flatMap((hour) => hour.usage);
    expect(usage).toHaveLength(reports);
    const counted = usage.reduce((sum, flag) => sum + 1 + Object.keys(flag[3] ?? {}).length, 0);
    expect(counted).toBeLessThanOrEqual(MAX_FLAG_COUNTS + 201 + reports);
  });

  it("counts usage of applications above the limit as usage of `other`", () => {
    const state = new UsageState();
    const flags = Array.from({ length: 1_000 }, (_, n) => [`flag ${n}`, 1, 0] as const);
    const apps = 2 * (MAX_APP_COUNTS / 1_000);
    for (let n = 0; n < apps; n++)
      state.add(
        batchOf({
          reports: [reportOf({ appName: `app ${n}`, instanceId: "i", evaluations: flags })],
        }),
      );
    expect(unwritten(state, "app 0")[0]?.usage).toHaveLength(1_000);
    const other = unwritten(state, OTHER_APP)[0]?.usage ?? [];
    expect(other).toHaveLength(1_000);
    expect(other[0]).toEqual(["flag 0", apps - MAX_APP_COUNTS / 1_000, 0]);
  });

  it("keeps the usage of the first SDK instances, and counts the usage of further instances for their flags only", () => {
    const state = new UsageState();
    const flags = Array.from({ length: 5_000 }, (_, n) => [`flag ${n}`, 1, 0] as const);
    const full = MAX_INSTANCE_COUNTS / 5_000;
    for (let n = 0; n <= full; n++)
      state.add(batchOf({ reports: [reportOf({ instanceId: `i${n}`, evaluations: flags })] }));
    state.add(
      batchOf({
        reports: [
          reportOf({
            instanceId: "i0",
            evaluations: [
              ["flag 0", 1, 0],
              ["new", 1, 0],
            ],
          }),
        ],
      }),
    );
    const of = (instanceId: string, flagKey: string) =>
      state.instanceUsage({ environmentIds: [1], instanceId, flagKey, from: HOUR, to: HOUR });
    expect([of("i0", "flag 0")[0]?.usage, of("i0", "new"), of(`i${full}`, "flag 0")]).toEqual([
      ["flag 0", 2, 0],
      [],
      [],
    ]);
    expect(unwritten(state)[0]?.usage[0]).toEqual(["flag 0", full + 2, 0]);
  });
});
