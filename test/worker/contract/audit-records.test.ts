import { beforeAll, describe, expect, it } from "vitest";
import { auditOf } from "../support/records.ts";
import { callWith } from "../support/call-with.ts";
import { everything, type Known } from "./known.ts";
import { properly, type Route, titled } from "./route.ts";
import { ROUTES } from "./routes.ts";

/** The routes that write no audit record although their method is not GET, each with the reason. */
const UNRECORDED = new Map([
  ["POST /api/client/evaluate", "it only reads"],
  ["POST /api/ofrep/v1/evaluate/flags", "it only reads"],
  ["POST /api/ofrep/v1/evaluate/flags/{key}", "it only reads"],
  ["POST /api/unleash/frontend", "it only reads"],
  ["POST /api/unleash/client/register", "it only marks an SDK instance as seen"],
  ["POST /api/unleash/frontend/client/register", "it only marks an SDK instance as seen"],
  ["POST /api/unleash/client/metrics", "it counts usage, and changes no configuration"],
  ["POST /api/unleash/frontend/client/metrics", "it counts usage, and changes no configuration"],
  ["POST /api/v1/projects/{id}/plan", "it only reads"],
  ["POST /api/v1/auth/invitation", "it only reads"],
  ["POST /api/mcp", "it lists the tools; test/worker/mcp has the records of the tools that write"],
  ["POST /api/v1/auth/device", "the decision about the login is audited"],
  ["POST /api/v1/auth/device/lookup", "it only reads"],
  ["POST /api/oauth/request", "it only reads"],
  ["POST /api/v1/auth/passkeys/sign-in/options", "the sign-in is audited when a passkey is used"],
  ["POST /api/v1/auth/sign-on/{slug}", "the sign-in is audited when the provider has answered"],
  ["POST /api/client/metrics", "it counts usage, and changes no configuration"],
  [
    "POST /api/v1/auth/refresh",
    "it continues a session whose login is audited; a refused refresh is audited",
  ],
  [
    "POST /api/v1/auth/me/preferences",
    "it changes what the dashboard shows to one user, and no configuration",
  ],
]);

let known: Known;
beforeAll(async () => {
  known = await everything();
});

async function recordsOf(route: Route): Promise<number> {
  const answer = await callWith({}, ...properly(route, known));
  // `callWith` has compared the response with the API description, field by field.
  expect(answer.status).toBeLessThan(400);
  return (await auditOf(answer)).length;
}

const leavesRecord = ({ method, name }: Route) => method !== "GET" && !UNRECORDED.has(name);

describe("a route that changes data", () => {
  it.each(titled(ROUTES.filter(leavesRecord)))(
    "writes an audit record with the trace id of its request: %s",
    async (_, route) => {
      expect(await recordsOf(route)).toBeGreaterThan(0);
    },
  );
});

describe("a route that uses GET or is in the list UNRECORDED", () => {
  it.each(titled(ROUTES.filter((route) => !leavesRecord(route))))(
    "writes no audit record: %s",
    async (_, route) => {
      expect(await recordsOf(route)).toBe(0);
    },
  );

  it("exists, because the list names no other routes", () => {
    const names = new Set(ROUTES.map(({ name }) => name));
    expect([...UNRECORDED.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
