import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { UsageState } from "../../../src/core/usage/usage-state.ts";

const HOUR = 500_000 * HOUR_MS;
const filter = { environmentIds: [1] };

function used(): UsageState {
  const state = new UsageState();
  state.add({
    kind: "batch",
    projectId: 1,
    sender: "s",
    sequence: 1,
    reports: [1, 2].map((environmentId) => ({
      environmentId,
      at: HOUR + 5,
      appName: "shop",
      instanceId: "",
      evaluations: [["a", 1, 2]],
    })),
    keys: [],
    instances: [],
  });
  return state;
}

/** Returns a function that returns "id-1", "id-2" and so on. */
function ids(): () => string {
  let count = 0;
  return () => `id-${(count += 1)}`;
}

it("a reader of the current hour's usage gets the id that the write of this hour will have", () => {
  const [state, newId] = [used(), ids()];
  const usage = { environmentId: 1, hour: HOUR, usage: [["a", 1, 2]] };
  expect(state.unwritten(filter, newId)).toEqual([{ ...usage, writeId: "id-1" }]);
  expect(state.unwritten({ ...filter, appName: "shop" }, newId)).toEqual([
    { ...usage, writeId: "id-1" },
  ]);
  state.completeHours(HOUR + 2 * HOUR_MS, newId);
  expect(state.unwritten(filter, newId)).toEqual([{ ...usage, writeId: "id-1" }]);
  expect(state.unconfirmedWrites()).toMatchObject([
    { environmentId: 1, id: "id-1" },
    { environmentId: 2, id: "id-2" },
  ]);
});

describe("the deletion of a flag", () => {
  const deletion = { kind: "deleted", flags: [["a", HOUR + 10]] } as const;
  const batch = (sequence: number, at: number) =>
    ({
      kind: "batch",
      projectId: 1,
      sender: "t",
      sequence,
      reports: [
        { environmentId: 1, at, appName: "shop", instanceId: "i", evaluations: [["a", 5, 0]] },
      ],
      keys: [],
      instances: [],
    }) as const;
  const readers = (state: UsageState) => ({
    usage: state.unwritten(filter).map(({ usage }) => usage),
    app: state.unwritten({ ...filter, appName: "shop" }).map(({ usage }) => usage),
    instance: state
      .instanceUsage({ ...filter, flagKey: "a", instanceId: "i", from: HOUR, to: HOUR })
      .map(({ usage }) => usage),
    lastUse: state.lastUses().flags,
  });
  const nothing = { usage: [], app: [], instance: [], lastUse: [] };
  const one = ["a", 5, 0];

  it("removes its usage and that of late reports, and keeps the usage of later reports", () => {
    const state = used();
    state.add(deletion);
    expect(readers(state)).toEqual(nothing);
    state.add(batch(1, HOUR + 10));
    expect(readers(state)).toEqual(nothing);
    state.add(batch(2, HOUR + 11));
    const later = { usage: [[one]], app: [[one]], instance: [one], lastUse: [["a", HOUR + 11]] };
    expect(readers(state)).toEqual(later);
    state.add(deletion);
    const restarted = new UsageState();
    for (const entry of state.entries()) restarted.add(entry);
    restarted.add(batch(3, HOUR + 9));
    restarted.add(deletion);
    expect(readers(restarted)).toEqual(later);
  });
});

it("usage that arrives after its hour was completed gets a write of its own with another id", () => {
  const [state, newId] = [used(), ids()];
  state.unwritten(filter, newId);
  state.completeHours(HOUR + 2 * HOUR_MS, newId);
  state.add({
    kind: "hour",
    environmentId: 1,
    hour: HOUR,
    flags: [["a", 10, 20]],
    apps: [],
    instances: [],
  });
  const found = state.unwritten(filter, newId).map(({ writeId, usage }) => [writeId, usage]);
  expect(found).toEqual([
    ["id-3", [["a", 10, 20]]],
    ["id-1", [["a", 1, 2]]],
  ]);
});
