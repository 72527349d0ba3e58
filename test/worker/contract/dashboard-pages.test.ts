import { exports } from "cloudflare:workers";
import { expect, it } from "vitest";

const get = (path: string, method = "GET") =>
  exports.default.fetch(new Request(`https://flags.test${path}`, { method }));

it.each(["/projects/1/flags", "/unknown", "/ofrep/v1/evaluate/flags/on", "/ofrep/about"])(
  "GET of a path with neither a file nor a route shows the dashboard: %s",
  async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate, no-transform");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect((await get(path, "HEAD")).status).toBe(200);
  },
);

it.each(["/assets/FlagPage-removed.js", "/vendor/removed.js", "/v3/removed", "/api/removed"])(
  "GET of a file or route that does not exist returns 404 and no page: %s",
  async (path) => {
    const { status, headers } = await get(path);
    expect(status).toBe(404);
    expect(headers.get("Content-Type")).toContain("json");
    expect(headers.get("Cache-Control") ?? "").not.toContain("max-age");
  },
);

it("GET below /api/ofrep returns 405", async () => {
  expect((await get("/api/ofrep/v1/evaluate/flags")).status).toBe(405);
});
