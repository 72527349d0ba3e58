import { describe, expect, it } from "vitest";
import { adminToken } from "../support/people.ts";
import { growthOf } from "../support/scrape.ts";
import { newEnvironment, newFlag, newKey, newWorld } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

const COUNT = "http_server_requests_seconds_count";

/**
 * Returns the increase of each series while `during` ran, without the series of /actuator, which
 * the test itself requests.
 */
async function counted(during: () => Promise<unknown>): Promise<Record<string, number>> {
  const grown = Object.entries(await growthOf(COUNT, during));
  return Object.fromEntries(grown.filter(([labels]) => !labels.includes('uri="/actuator/')));
}

const series = (method: string, uri: string, status: number) =>
  `{method="${method}",uri="${uri}",status="${status}"}`;

describe("the request metric", () => {
  it("counts 90 concurrent requests exactly", async () => {
    const { apiKey } = await newWorld();
    const token = await adminToken();
    const N = 60;
    const grown = await counted(async () => {
      const polls = Array.from({ length: N }, () =>
        callWith({}, "GET", "/api/client/features", { token: apiKey }),
      );
      const reads = Array.from({ length: N / 2 }, () =>
        callWith({}, "GET", "/api/v1/projects", { token }),
      );
      await Promise.all([...polls, ...reads]);
    });
    expect(grown).toEqual({
      [series("GET", "/api/client/features", 200)]: N,
      [series("GET", "/api/v1/projects", 200)]: N / 2,
    });
  });

  it("is labelled with the pattern of the route, not with the path", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId);
    const token = await adminToken();
    const get = (path: string) => callWith({}, "GET", path, { token });
    const grown = await counted(async () => {
      await get(`/api/v1/flags/${id}`);
      await get("/api/v1/flags/999999999");
      await get(`/api/v1/flags/by-environment?environmentId=${environmentId}`);
      await get("/api/v1/flags?projectId=1");
      await get(`/api/v1/flags/${id}/strategies/${environmentId}`);
    });
    expect(grown).toEqual({
      [series("GET", "/api/v1/flags/{id}", 200)]: 1,
      [series("GET", "/api/v1/flags/{id}", 404)]: 1,
      [series("GET", "/api/v1/flags/by-environment", 200)]: 1,
      [series("GET", "/api/v1/flags", 200)]: 1,
      [series("GET", "/api/v1/flags/{flagId}/strategies/{environmentId}", 200)]: 1,
    });
  });

  it("is labelled with the response status, also of errors", async () => {
    const { environmentId, apiKey } = await newWorld();
    const { apiKey: published } = await newKey(environmentId, "FRONTEND");
    const client = (method: string, path: string, token?: string, body?: unknown) =>
      callWith({}, method, `/api/client/${path}`, { token, body });
    const grown = await counted(async () => {
      await client("GET", "features");
      await client("GET", "features", published);
      await client("POST", "evaluate", apiKey, "{");
      await client("POST", "evaluate", apiKey, { context: {} });
      await callWith({}, "GET", "/api/v1/flags");
      await callWith({}, "POST", "/api/v1/projects", { token: await adminToken(), body: {} });
      await callWith({ SERVICE_JWT_SECRET: "" }, "GET", "/api/v1/flags");
      await callWith({ SERVICE_JWT_SECRET: "" }, "GET", "/api/client/features");
    });
    expect(grown).toEqual({
      [series("GET", "/api/client/features", 401)]: 1,
      [series("GET", "/api/client/features", 403)]: 1,
      [series("GET", "/api/client/features", 503)]: 1,
      [series("POST", "/api/client/evaluate", 400)]: 1,
      [series("POST", "/api/client/evaluate", 200)]: 1,
      [series("GET", "/api/v1/flags", 401)]: 1,
      [series("POST", "/api/v1/projects", 400)]: 1,
      [series("GET", "/api/v1/flags", 503)]: 1,
    });
  });

  it("has separate series for 304 and HEAD", async () => {
    const { apiKey } = await newWorld();
    const features = (method: string, headers: Record<string, string> = {}) =>
      callWith({}, method, "/api/client/features", { token: apiKey, headers });
    const etag = (await features("GET")).headers.get("ETag") ?? "";
    const grown = await counted(async () => {
      await features("GET", { "If-None-Match": etag });
      await features("HEAD");
    });
    expect(grown).toEqual({
      [series("GET", "/api/client/features", 304)]: 1,
      [series("HEAD", "/api/client/features", 200)]: 1,
    });
  });

  it("has one series for all requests that match no route, whatever their path and method", async () => {
    const token = await adminToken();
    const grown = await counted(async () => {
      for (const [n, method] of ["PROPFIND", "MKCOL", "PURGE", "SEARCH", "COPY"].entries()) {
        await callWith({}, "GET", `/api/nothing/${n}`);
        await callWith({}, "GET", `/api/client/${n}`);
        await callWith({}, "GET", `/api/v1/nothing/${n}`, { token });
        await callWith({}, "GET", `/swagger-ui/${n}`);
        await callWith({}, method, "/api/v1/flags", { token });
      }
      await callWith({}, "DELETE", "/api/v1/flags", { token });
      await callWith({}, "PUT", "/api/client/features", { token });
    });
    expect(grown).toEqual({
      [series("GET", "UNKNOWN", 404)]: 20,
      [series("OTHER", "UNKNOWN", 405)]: 5,
      [series("DELETE", "UNKNOWN", 405)]: 1,
      [series("PUT", "UNKNOWN", 405)]: 1,
    });
  });

  it("counts a CORS preflight as OPTIONS without a route", async () => {
    const headers = { Origin: "https://app.test", "Access-Control-Request-Method": "GET" };
    const grown = await counted(() => callWith({}, "OPTIONS", "/api/client/features", { headers }));
    expect(grown).toEqual({ [series("OPTIONS", "UNKNOWN", 204)]: 1 });
  });

  it("measures the duration of a request in buckets", async () => {
    const { projectId } = await newWorld();
    const token = await adminToken();
    const { id } = await newEnvironment(projectId);
    const { id: keyId } = await newKey(id);
    // The deletion of an API key takes 2 seconds, until no isolate has the key in its cache.
    const grown = await growthOf("http_server_requests_seconds_bucket", () =>
      callWith({}, "DELETE", `/api/v1/api-keys/${keyId}`, { token }),
    );
    const bucket = (le: string) =>
      grown[`{method="DELETE",uri="/api/v1/api-keys/{id}",status="204",le="${le}"}`] ?? 0;
    expect([bucket("1"), bucket("2.5"), bucket("5"), bucket("+Inf")]).toEqual([0, 1, 1, 1]);
  });
});
