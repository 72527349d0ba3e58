import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, call, type Json } from "../support/client.ts";
import { outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { newKey } from "../support/world.ts";
import { type Fuzz, requests } from "./fuzz-requests.ts";
import { visibleText } from "./fuzz-values.ts";
import type { Caller } from "./callers.ts";
import { everything, type Known } from "./known.ts";

const SEED = 20_261_120;
const RUNS = 800;
/**
 * The error codes that a request may cause (docs/use/api.md). INTERNAL_ERROR and
 * SERVICE_UNAVAILABLE are missing, because a request must never cause them.
 */
const CODES = `BAD_REQUEST VALIDATION_ERROR UNAUTHORIZED INVALID_CREDENTIALS TOKEN_REUSE FORBIDDEN
  NOT_FOUND METHOD_NOT_ALLOWED CONFLICT QUOTA_EXCEEDED RATE_LIMIT_EXCEEDED AUTHORIZATION_PENDING
  SLOW_DOWN EXPIRED_TOKEN ACCESS_DENIED`.split(/\s+/);

let known: Known;
const tokens = {} as Record<Caller, string>;

beforeAll(async () => {
  known = await everything();
  tokens.ADMIN = known.token;
  for (const role of ["VIEWER", "DEVELOPER"] as const) tokens[role] = (await person(role)).token;
  for (const type of ["SERVER", "FRONTEND"] as const)
    tokens[type] = (await newKey(known.environmentId, type)).apiKey;
});

async function send({ method, path, caller, headers, body }: Fuzz): Promise<Answer<Json>> {
  const answer = await call(method, path, { token: caller && tokens[caller], headers, body });
  // A logout ends the session of the caller's access token, so the next requests need another one.
  const isUser = caller === "VIEWER" || caller === "DEVELOPER" || caller === "ADMIN";
  // A generated slug can be `%2e%2e`, with which another path leads to the logout.
  const { pathname } = new URL(path, "https://flags.test");
  if (isUser && answer.status === 204 && pathname.startsWith("/api/v1/auth/logout"))
    tokens[caller] = (await person(caller)).token;
  return answer;
}

/**
 * Returns the first problem of a response: a 5xx, a missing trace id or an unknown error code.
 * Returns undefined if there is none. `call` compares the response with the API description.
 */
function problemOf(fuzz: Fuzz, answer: Answer<Json>): string | undefined {
  if (answer.status >= 500) return `a ${answer.status}`;
  if (!/^(?:[0-9a-f]{16}){1,2}$/.test(answer.headers.get("X-B3-TraceId") ?? "")) return "no trace";
  if (answer.status >= 400 && fuzz.method !== "HEAD") {
    const code = outcome(answer).split(" ")[1] ?? "";
    if (!CODES.includes(code)) return `the code ${code}`;
  }
  return undefined;
}

describe("the API, given generated requests,", () => {
  it("returns responses that match the API description, and never a 5xx", async () => {
    const statuses = new Map<number, number>();
    const property = fc.asyncProperty(requests(known), async (fuzz) => {
      const answer = await send(fuzz);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const wrong = problemOf(fuzz, answer);
      if (wrong !== undefined) throw new Error(`${wrong}: ${JSON.stringify(answer.body)}`);
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
    // Each of these statuses must occur at least 5 times. This shows that the generated requests
    // are varied enough.
    for (const status of [200, 201, 204, 400, 401, 403, 404, 405])
      expect([status, (statuses.get(status) ?? 0) > 4]).toEqual([status, true]);
  });

  it("returns 401 for an invalid token, whatever the authentication scheme", async () => {
    const property = fc.asyncProperty(
      fc.constantFrom("", "Bearer ", "bearer ", "Basic ", "Bearer a.b.", "Bearer eyJ."),
      visibleText(80),
      fc.constantFrom("/api/v1/flags", "/api/client/features"),
      async (scheme, text, path) => {
        const answer = await call("GET", path, { headers: { Authorization: scheme + text } });
        expect(outcome(answer)).toBe("401 UNAUTHORIZED");
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: 100 });
  });

  it("still lists flags and serves rules afterwards", async () => {
    expect((await call("GET", "/api/v1/flags", { token: tokens.ADMIN })).status).toBe(200);
    expect((await call("GET", "/api/client/features", { token: tokens.SERVER })).status).toBe(200);
  });
});
