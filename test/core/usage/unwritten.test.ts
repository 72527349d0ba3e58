import { expect, it } from "vitest";
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
