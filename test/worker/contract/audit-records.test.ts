import { beforeAll, describe, expect, it } from "vitest";
import { auditOf } from "../support/records.ts";
import { callWith } from "../support/wrapped.ts";
import { everything, type Known } from "./known.ts";
import { properly, type Route } from "./route.ts";
import { ROUTES } from "./routes.ts";

/** The routes that are no GET and yet leave no record, and why. */
const UNRECORDED = new Map([
  ["POST /api/client/evaluate", "it reads"],
  ["POST /api/client/metrics", "usage is counted, by machines, and changes nothing for anybody"],
  ["POST /api/v1/auth/refresh", "it goes on with a session that is on record; a reuse is recorded"],
  ["POST /api/v1/auth/select-project", "it is a choice within the session, and changes no data"],
]);

let known: Known;
beforeAll(async () => {
  known = await everything();
});

async function recordsOf(route: Route): Promise<number> {
  const answer = await callWith({}, ...properly(route, known));
  if (answer.status >= 300) throw new Error(`${route.name}: ${answer.status}`);
  return (await auditOf(answer)).length;
}

const titled = (routes: readonly Route[]) => routes.map((route) => [route.name, route] as const);
const leavesRecord = ({ method, name }: Route) => method !== "GET" && !UNRECORDED.has(name);

describe("every change is on record, with the trace of its request", () => {
  it.each(titled(ROUTES.filter(leavesRecord)))("%s", async (_, route) => {
    expect(await recordsOf(route)).toBeGreaterThan(0);
  });
});

describe("what changes nothing leaves no record", () => {
  it.each(titled(ROUTES.filter((route) => !leavesRecord(route))))("%s", async (_, route) => {
    expect(await recordsOf(route)).toBe(0);
  });

  it("and is no route that is gone", () => {
    const names = new Set(ROUTES.map(({ name }) => name));
    expect([...UNRECORDED.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
