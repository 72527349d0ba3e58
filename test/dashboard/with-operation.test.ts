import { expect, it } from "vitest";
import { withOperation } from "../../dashboard/src/shared/change-requests/with-operation.ts";

const content = { targetName: "a", base: {}, current: {}, after: {} };
const request = {
  operations: [
    {
      kind: "strategy.set" as const,
      targetId: 1,
      environmentId: 2,
      change: { percentage: 50 },
      ...content,
    },
    {
      kind: "flag.archive" as const,
      targetId: 1,
      environmentId: null,
      change: null,
      ...content,
    },
    {
      kind: "segment.update" as const,
      targetId: 1,
      environmentId: null,
      change: { name: "Germans" },
      ...content,
    },
  ],
};
const sent = [
  {
    kind: "strategy.set",
    target: { flagId: 1, environmentId: 2 },
    input: { percentage: 50 },
  },
  { kind: "flag.archive", target: { flagId: 1 } },
  { kind: "segment.update", target: { id: 1 }, input: { name: "Germans" } },
];

it("withOperation appends an operation with a new target", () => {
  const added = {
    kind: "strategy.set" as const,
    target: { flagId: 1, environmentId: 3 },
    input: { percentage: 7 },
  };
  expect(withOperation(request, added)).toEqual({
    operations: [...sent, added],
    replaced: undefined,
  });
});

it("withOperation replaces the operation with the same strategy, whatever it does", () => {
  const added = {
    kind: "ramp.start" as const,
    target: { flagId: 1, environmentId: 2 },
    input: { steps: [{ exactPercentage: 1, holdMinutes: null }] },
  };
  expect(withOperation(request, added)).toEqual({
    operations: [added, ...sent.slice(1)],
    replaced: request.operations[0],
  });
});
