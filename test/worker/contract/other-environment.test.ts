import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "@feature-flags/permissions/permissions";
import { api } from "../../../src/api.ts";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { call } from "../support/client.ts";
import { outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { wholeDatabase } from "../support/records.ts";
import { newToken } from "../support/tokens.ts";
import { newEnvironment, newKey } from "../support/world.ts";
import { everything, type Known } from "./known.ts";
import { properly, titled } from "./route.ts";
import { ROUTES } from "./routes.ts";

/**
 * What a route does for a caller of another environment. `refuses`: 403, and nothing is written.
 * `reads`: everybody in the project may read. `people`: a list of names of people, which API keys never see.
 * `open`: anybody may call it.
 */
type Class = "refuses" | "reads" | "people" | "open";

/** Every route of change requests, ramps and schedules. The test fails while a route is missing here. */
const CLASSES: Readonly<Record<string, Class>> = {
  "GET /api/v1/change-requests": "reads",
  "POST /api/v1/change-requests": "refuses",
  "GET /api/v1/change-requests/{id}": "reads",
  "PUT /api/v1/change-requests/{id}": "refuses",
  "GET /api/v1/change-requests/reviewers": "people",
  "POST /api/v1/change-requests/{id}/reviewers": "refuses",
  "POST /api/v1/change-requests/{id}/reviews": "refuses",
  "POST /api/v1/change-requests/{id}/comments": "refuses",
  "POST /api/v1/change-requests/{id}/apply": "refuses",
  "POST /api/v1/change-requests/{id}/close": "refuses",
  "POST /api/v1/change-requests/{id}/rebase": "refuses",
  "GET /api/v1/ramps": "reads",
  "POST /api/v1/ramps": "refuses",
  "GET /api/v1/ramps/{id}": "reads",
  "POST /api/v1/ramps/{id}/pause": "refuses",
  "POST /api/v1/ramps/{id}/resume": "refuses",
  "POST /api/v1/ramps/{id}/advance": "refuses",
  "POST /api/v1/ramps/{id}/abort": "refuses",
  "POST /api/v1/ramps/{id}/stop-url": "refuses",
  "POST /api/v1/ramp-stops/{token}": "open",
  "GET /api/v1/schedule": "reads",
};

const CALLERS = ["key", "token", "service account"] as const;
const tokens = {} as Record<(typeof CALLERS)[number], string>;
let known: Known;

beforeAll(async () => {
  known = await everything();
  const other = await newEnvironment(known.projectId);
  const limited = { scopes: SCOPES, environmentIds: [other.id as number] };
  const { id: userId } = await person("ADMIN");
  tokens.key = (await newKey(other.id)).apiKey;
  tokens.token = (await newToken({ ...limited, userId })).token;
  tokens["service account"] = (
    await newToken({ ...limited, serviceAccountId: known.serviceAccountId })
  ).token;
  // Without a recent use, the service records the use of a token after the response.
  await env.DB.prepare("UPDATE access_tokens SET last_used_at = ?")
    .bind(Date.now() + DAY_MS)
    .run();
});

const classed = (wanted: Class) => ROUTES.filter(({ name }) => CLASSES[name] === wanted);

it("every mounted route of change requests, ramps and schedules is classified", () => {
  const mounted = api.routes
    .filter(({ method, path }) => method !== "ALL" && !path.includes("*"))
    .filter(({ path }) => /^\/api\/v1\/(?:change-requests|ramps|ramp-stops|schedule)\b/.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect([...new Set(mounted)].toSorted()).toEqual(Object.keys(CLASSES).toSorted());
});

const soon = () => new Date(Date.now() + 3_600_000).toISOString();

/** Bodies that `ROUTES` does not have. */
const MORE: Readonly<Record<string, (k: Known) => readonly object[]>> = {
  "PUT /api/v1/change-requests/{id}": () => [
    { title: "Another one" },
    { description: "Another one" },
    { applyAt: soon() },
    { applyAt: null },
  ],
  "POST /api/v1/change-requests": (k) => [
    { projectId: k.projectId, title: "More", operations: [starting(k)], applyAt: soon() },
  ],
};

const starting = ({ otherFlagId: flagId, environmentId }: Known) => ({
  kind: "ramp.start",
  target: { flagId, environmentId },
  input: { steps: [{ exactPercentage: 20, holdMinutes: null }] },
});

describe.each(CALLERS)("a %s of another environment", (caller) => {
  it.each(titled(classed("refuses")))("is refused, and writes nothing: %s", async (name, route) => {
    const [method, path, options] = properly(route, known);
    const before = await wholeDatabase();
    for (const body of [options.body, ...(MORE[name]?.(known) ?? [])])
      for (const query of name === "POST /api/v1/ramps" ? ["", "?propose=true"] : [""]) {
        const headers = { ...options.headers, "X-Change-Reason": "More" };
        const sent = { ...options, body, headers, token: tokens[caller] };
        const answer = await call(method, path + query, sent);
        expect(outcome(answer)).toBe("403 FORBIDDEN");
      }
    expect(await wholeDatabase()).toEqual(before);
  });

  it("is refused before the hash and the state of a change request are compared", async () => {
    const { id } = known.requests.applied;
    for (const verb of ["apply", "rebase"]) {
      const options = { token: tokens[caller], body: {}, headers: { "If-Match": '"other"' } };
      const answer = await call("POST", `/api/v1/change-requests/${id}/${verb}`, options);
      expect(outcome(answer)).toBe("403 FORBIDDEN");
    }
  });

  it.each(titled(classed("reads")))("reads: %s", async (_, route) => {
    const [method, path, options] = properly(route, known);
    expect((await call(method, path, { ...options, token: tokens[caller] })).status).toBe(200);
  });
});
