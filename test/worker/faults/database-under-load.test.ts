import { expect, it } from "vitest";
import {
  fail,
  type Fault,
  garbage,
  hang,
  loseAnswer,
  MALFORMED,
  slow,
} from "../support/faulty-bindings.ts";
import { expectNothingLost, type FaultGroup, underLoad } from "./under-load.ts";

const database = (fault: Fault): FaultGroup => ({ DB: fault, BATCHES: fault });

it("the client API returns correct rules to every SDK, some of them stale, while the database fails, is slow, loses responses or hangs", async () => {
  const run = await underLoad([
    database(fail),
    database(slow(2_500)),
    { BATCHES: loseAnswer },
    database(hang),
  ]);
  expectNothingLost(run);
  expect(run.counts.stale).toBeGreaterThan(0);
  expect([run.writes.refused > 0, run.writes.unconfirmed > 0]).toEqual([true, true]);
});

it("the client API returns correct rules to every SDK, some of them stale, while the database returns invalid data", async () => {
  const malformed = ["undefined", "an HTML page", "values of wrong types", "an empty object"];
  const run = await underLoad(malformed.map((name) => database(garbage(MALFORMED[name]))));
  expectNothingLost(run);
  expect(run.counts.stale).toBeGreaterThan(0);
});
