import { OpenAPIHono, z } from "@hono/zod-openapi";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { clientApi } from "../../src/client/routes.ts";
import { CONTRACTS, describeSurfaces } from "../../src/client/contracts.ts";
import { type ClientEnv, mountSurfaces, type Surface } from "../../src/client/edge/surface.ts";
import { conflict, notFound } from "../../src/core/errors/api-error.ts";
import { errorResponse } from "../../src/http/error-response.ts";
import { isolate, KEY } from "./isolate.ts";

/**
 * A surface for these tests, mounted beside the client API. It has two root paths, a route with a
 * parameter, its own header for the API key and its own error bodies.
 */
const flagApi: Surface = {
  roots: ["/api/other/v1", "/other/v1"],
  routes: [
    {
      operationId: "evaluateOneFlag",
      method: "post",
      path: "/flags/{key}",
      permission: "rules:evaluate",
      respond: ({ c, served }) => {
        const key = c.req.param("key") ?? "";
        if (key === "broken") throw conflict("The flag is broken");
        if (key === "faulty") throw new Error("the details of a fault");
        const { revision } = served.set.snapshot;
        return { status: 200, headers: new Headers(), body: JSON.stringify({ key, revision }) };
      },
    },
    {
      operationId: "getAllFlags",
      method: "get",
      path: "/manifest",
      permission: "rules:read",
      respond: () => ({ status: 200, headers: new Headers(), body: "[]" }),
    },
  ],
  apiKey: (headers) => headers.get("X-API-Key") ?? undefined,
  exposedHeaders: ["ETag", "Retry-After"],
  errorBody: ({ code, message }, _traceId, c) => ({
    key: c.req.param("key"),
    errorCode: code,
    errorDetails: message,
  }),
};

function testApp() {
  const { edge, ports } = isolate();
  const app = new Hono<ClientEnv>();
  const counted: string[] = [];
  const fallback = mountSurfaces(app, [clientApi, flagApi], {
    world: () => ({ edge, ports }),
    record: (c, route, status) => counted.push(`${c.req.method} ${route} ${status}`),
  });
  app.notFound(async (c) => (await fallback(c)) ?? errorResponse(notFound("The path"), c));
  const send = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const response = await app.request(path, { method, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  return { app, counted, send };
}

const withKey = { "X-API-Key": KEY };
const ROOTS = flagApi.roots;

it.each(ROOTS)(
  "an API surface serves a route with a path parameter under its root %s",
  async (root) => {
    const { send } = testApp();
    const { status, headers, text } = await send("POST", `${root}/flags/new-checkout`, withKey);
    expect([status, JSON.parse(text)]).toEqual([200, { key: "new-checkout", revision: 1 }]);
    expect(headers.get("X-B3-TraceId")).toMatch(/^[0-9a-f]{32}$/);
  },
);

it.each(ROOTS)(
  "an API surface records a request under %s by its route pattern, not by its path",
  async (root) => {
    const { send, counted } = testApp();
    for (const key of ["a", "b", "broken"]) await send("POST", `${root}/flags/${key}`, withKey);
    await send("POST", `${root}/flags/c`);
    expect(counted).toEqual([
      `POST ${root}/flags/{key} 200`,
      `POST ${root}/flags/{key} 200`,
      `POST ${root}/flags/{key} 409`,
      `POST ${root}/flags/{key} 401`,
    ]);
  },
);

it("an API surface records requests for unknown paths and methods under the route UNKNOWN", async () => {
  const { send, counted } = testApp();
  const sent = ["GET /api/client/1", "GET /api/client/2/3", "GET /other/v1/4"].map((request) => {
    const [method = "", path = ""] = request.split(" ");
    return send(method, path);
  });
  await Promise.all(sent);
  await send("DELETE", "/other/v1/flags/5");
  expect(counted).toEqual([
    "GET UNKNOWN 404",
    "GET UNKNOWN 404",
    "GET UNKNOWN 404",
    "DELETE UNKNOWN 405",
  ]);
});

it("an API surface neither answers nor records requests outside of its root paths", async () => {
  const { send, counted } = testApp();
  expect(JSON.parse((await send("GET", "/api/clients")).text)).toMatchObject({ code: "NOT_FOUND" });
  expect(counted).toEqual([]);
});

it.each([
  ["PUT", "/other/v1/flags/a", "POST"],
  ["GET", "/api/other/v1/flags/a", "POST"],
  ["OPTIONS", "/other/v1/flags/a", "POST"],
  ["POST", "/other/v1/manifest", "GET, HEAD"],
  ["PURGE", "/api/client/features", "GET, HEAD"],
  ["GET", "/api/client/metrics", "POST"],
])(
  "an API surface returns 405 and lists the allowed methods for %s %s",
  async (method, path, allow) => {
    const { send } = testApp();
    const { status, headers } = await send(method, path, withKey);
    expect([status, headers.get("Allow")]).toEqual([405, allow]);
  },
);

it.each([
  ["/other/v1/flags/a", "POST"],
  ["/api/other/v1/manifest", "GET,HEAD"],
  ["/api/client/evaluate", "POST"],
])(
  "an API surface allows every origin in the response to a CORS preflight for %s",
  async (path, methods) => {
    const { send } = testApp();
    const { status, headers } = await send("OPTIONS", path, {
      Origin: "https://shop.test",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "x-api-key,content-type",
    });
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
    expect(headers.get("Access-Control-Allow-Methods")).toBe(methods);
    expect(headers.get("Access-Control-Allow-Headers")).toBe("x-api-key,content-type");
    expect(headers.get("Access-Control-Max-Age")).toBe("86400");
  },
);

it("an API surface lets web pages of every origin read its responses, its errors and its exposed headers", async () => {
  const { send } = testApp();
  const Origin = "https://shop.test";
  for (const [method, path, status] of [
    ["POST", "/other/v1/flags/a", 200],
    ["POST", "/other/v1/flags/broken", 409],
    ["PUT", "/other/v1/flags/a", 405],
  ] as const) {
    const response = await send(method, path, { ...withKey, Origin });
    expect(response.status).toBe(status);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Access-Control-Expose-Headers")).toBe("ETag,Retry-After");
  }
});

it.each<[string, string, Record<string, string>, object]>([
  ["POST", "flags/a", {}, { status: 401, key: "a", errorCode: "UNAUTHORIZED" }],
  ["POST", "flags/broken", withKey, { status: 409, key: "broken", errorCode: "CONFLICT" }],
  ["POST", "flags/faulty", withKey, { status: 500, key: "faulty", errorCode: "INTERNAL_ERROR" }],
  ["PUT", "flags/a", withKey, { status: 405, errorCode: "METHOD_NOT_ALLOWED" }],
  ["POST", "nothing", withKey, { status: 404, errorCode: "NOT_FOUND" }],
])(
  "an API surface returns errors in its own format, without internal details: %s %s",
  async (method, path, headers, shown) => {
    const { status, text } = await testApp().send(method, `/other/v1/${path}`, headers);
    const body = JSON.parse(text) as object;
    expect({ status, ...body }).toEqual({ ...shown, errorDetails: expect.any(String) });
    expect(text).not.toContain("details of a fault");
  },
);

it("the client API returns errors with error, code and traceId", async () => {
  const { text, headers } = await testApp().send("GET", "/api/client/features");
  expect(JSON.parse(text)).toEqual({
    error: "A valid token or key is required",
    code: "UNAUTHORIZED",
    traceId: headers.get("X-B3-TraceId"),
  });
});

it("the OpenAPI document has each route of an API surface once, under the first root path, with its permission", () => {
  const described = new OpenAPIHono();
  describeSurfaces(described.openAPIRegistry, [clientApi, flagApi], {
    ...CONTRACTS,
    evaluateOneFlag: {
      request: { params: z.object({ key: z.string() }) },
      responses: { 200: { description: "The value of the flag" } },
    },
    getAllFlags: { responses: { 200: { description: "All flags" } } },
  });
  const { paths } = described.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
  });
  expect(Object.keys(paths ?? {})).toEqual([
    "/api/client/features",
    "/api/client/evaluate",
    "/api/client/metrics",
    "/api/client/stream",
    "/api/other/v1/flags/{key}",
    "/api/other/v1/manifest",
  ]);
  expect(paths?.["/api/other/v1/flags/{key}"]?.post).toMatchObject({
    security: [{ bearer: [] }],
    "x-permission": "rules:evaluate",
  });
});

it("an API surface registers one handler for a route, and no middleware", () => {
  const { app } = testApp();
  for (const [method, path] of [
    ["GET", "/api/client/features"],
    ["POST", "/other/v1/flags/a"],
  ] as const)
    expect(app.router.match(method, path)[0]).toHaveLength(1);
});
