import { expect, it } from "vitest";
import { linesOf } from "../../../src/core/platform-usage/bill.ts";
import { DAY_MS } from "../../../src/core/lib/time.ts";

const TODAY = 20_000 * DAY_MS;
const day = (ago: number, counter: string, amount: number) => ({
  day: TODAY - ago * DAY_MS,
  counter,
  amount,
});
const lineOf = (name: string, ...given: Parameters<typeof linesOf>) =>
  linesOf(...given).find((line) => line.name === name);

it("adds up the days and what was counted since, and charges what is beyond the included amount", () => {
  const days = [day(2, "workerRequests", 8e6), day(0, "workerRequests", 6e6), day(1, "kvReads", 1)];
  const line = lineOf("workerRequests", days, { workerRequests: 1e6 }, TODAY);
  expect(line).toMatchObject({ unit: "requests", amount: 15e6, since: TODAY - 2 * DAY_MS });
  // 5 million beyond the included 10 million, at 0.30 a million.
  expect(line?.usd).toBeCloseTo(1.5);
});

it("charges nothing up to the included amount", () => {
  expect(lineOf("kvWrites", [day(0, "kvWrites", 1e6)], {}, TODAY)?.usd).toBe(0);
  expect(lineOf("kvWrites", [day(0, "kvWrites", 1e6)], { kvWrites: 1e6 }, TODAY)?.usd).toBe(5);
});

it("has no first day before anything was counted, and today when only the last minutes were", () => {
  expect(lineOf("kvReads", [], {}, TODAY)).toMatchObject({ amount: 0, usd: 0, since: undefined });
  expect(lineOf("kvReads", [], { kvReads: 4 }, TODAY)?.since).toBe(TODAY);
});

it("ignores the counters of another release", () => {
  const lines = linesOf([day(0, "aCounterOfAnotherRelease", 5)], {}, TODAY);
  expect(lines.map(({ amount }) => amount)).toEqual(lines.map(() => 0));
});
