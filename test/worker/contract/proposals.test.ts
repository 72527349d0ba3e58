import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { description, resolved } from "../support/api-description.ts";
import { call, type Json } from "../support/client.ts";
import { outcome } from "../support/outcomes.ts";
import { wholeDatabase } from "../support/records.ts";
import { everything, type Known } from "./known.ts";
import { isForClients, properly, type Route, titled } from "./route.ts";
import { ROUTES } from "./routes.ts";

/** Whether the API description of a route has the query parameter `propose`. */
const canPropose = ({ method, path }: Route): boolean =>
  (description.paths[path][method.toLowerCase()].parameters ?? []).some(
    (parameter: Json) => resolved(parameter).name === "propose",
  );

const WRITES = ROUTES.filter(
  ({ method, path }) => method !== "GET" && path.startsWith("/api/v1/") && !isForClients(path),
);

let known: Known;
beforeAll(async () => {
  known = await everything();
  // Without a recent use, the service records the use of a token after the response.
  await env.DB.prepare("UPDATE access_tokens SET last_used_at = ?")
    .bind(Date.now() + DAY_MS)
    .run();
});

/** Sends a request that succeeds without `propose=true`. */
const proposed = async (route: Route, token?: string) => {
  const [method, path, options] = properly(route, known);
  const query = `${path.includes("?") ? "&" : "?"}propose=true`;
  const headers = { ...options.headers, "X-Change-Reason": "Why" };
  const who = token === undefined ? {} : { token };
  return call(method, path + query, { ...options, headers, ...who });
};

it("the routes that can propose are those of single flags, strategies, segments, ramps, bulk changes and clones", () => {
  expect(
    WRITES.filter(canPropose)
      .map(({ name }) => name.replace("/api/v1", ""))
      .toSorted(),
  ).toEqual([
    "POST /flags/bulk",
    "POST /flags/bulk/strategies",
    "POST /flags/bulk/strategies/copy",
    "POST /flags/bulk/strategies/revert",
    "POST /flags/{flagId}/strategies/revert",
    "POST /flags/{id}/archive",
    "POST /flags/{id}/clone",
    "POST /flags/{id}/revert",
    "POST /flags/{id}/unarchive",
    "POST /ramps",
    "POST /segments/{id}/revert",
    "PUT /flags/{flagId}/strategies",
    "PUT /flags/{id}",
    "PUT /segments/{id}",
  ]);
});

describe("propose=true on a route that cannot propose", () => {
  let before: Awaited<ReturnType<typeof wholeDatabase>>;
  beforeAll(async () => {
    before = await wholeDatabase();
  });

  it.each(titled(WRITES.filter((route) => !canPropose(route))))(
    "is 400 and names POST /api/v1/change-requests: %s",
    async (_, route) => {
      const answer = await proposed(route);
      expect(outcome(answer)).toBe("400 BAD_REQUEST");
      expect(answer.body.error).toContain("POST /api/v1/change-requests");
    },
  );

  it("writes nothing on all of these routes", async () => {
    expect(await wholeDatabase()).toEqual(before);
  });
});

it("a caller who may not call a route gets 401 or 403 for propose=true", async () => {
  const route = ROUTES.find(({ name }) => name === "POST /api/v1/tags") as Route;
  expect(outcome(await proposed(route, "nonsense"))).toBe("401 UNAUTHORIZED");
  expect(outcome(await proposed(route, known.apiKey))).toBe("403 FORBIDDEN");
});
