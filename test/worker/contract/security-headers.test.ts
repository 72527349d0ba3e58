import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, call, type Json } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { everything, type Known } from "./known.ts";
import { filled, isForAgents, properly, type Route, titled } from "./route.ts";
import { ROUTES } from "./routes.ts";

const ALL = {
  "X-Content-Type-Options": "nosniff",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
};
const NO_PAGE = {
  ...ALL,
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
};
const MANAGEMENT = {
  ...NO_PAGE,
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** A proxy that compresses a stream delays its events, and makes a strong ETag weak. */
const NO_TRANSFORM = { "Cache-Control": "no-store, no-transform" };

const isLeftAsItIs = (headers: Headers): boolean =>
  headers.get("Content-Type") === "text/event-stream" ||
  headers.get("ETag")?.startsWith('"') === true;

/** Returns the value of each header that `wanted` names. Null: the response has no such header. */
const sent = ({ headers }: Answer<Json>, wanted: object) =>
  Object.fromEntries(Object.keys(wanted).map((name) => [name, headers.get(name)]));

let known: Known;
beforeAll(async () => {
  known = await everything();
});

const isClient = ({ path }: Route) => path.startsWith("/api/client/");
const isManagement = ({ path }: Route) => path.startsWith("/api/v1/") || isForAgents(path);

/** The responses to two calls that fail: one without a token, one with the method PATCH. */
const refused = async ({ method, path }: Route) => {
  const target = filled(path, [1, 1]);
  return [await call(method, target), await call("PATCH", target)];
};

describe.each(titled(ROUTES.filter(isManagement)))("the management route %s", (_, route) => {
  it("sends headers that forbid caching and embedding, and the compression of streams and of responses with a strong ETag", async () => {
    const answers = [await call(...properly(route, known)), ...(await refused(route))];
    expect(answers[0]?.status).toBeLessThan(400);
    for (const answer of answers) {
      const wanted = isLeftAsItIs(answer.headers) ? { ...MANAGEMENT, ...NO_TRANSFORM } : MANAGEMENT;
      expect(sent(answer, wanted)).toEqual(wanted);
    }
  });
});

describe.each(titled(ROUTES.filter(isClient)))("the client API route %s", (_, route) => {
  it("never sends Cross-Origin-Resource-Policy, and sends Strict-Transport-Security with a success only if the request has an Origin", async () => {
    const [method, path, options] = properly(route, known);
    const headers = { Origin: "https://shop.example.com" };
    const answer = await call(method, path, { ...options, headers });
    expect(answer.status).toBeLessThan(300);
    expect(sent(answer, ALL)).toEqual(ALL);
    expect(answer.headers.has("Cross-Origin-Resource-Policy")).toBe(false);
    const toServer = await call(method, path, options);
    expect(toServer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(toServer.headers.has("Strict-Transport-Security")).toBe(false);
    for (const error of await refused(route)) {
      expect(error.status).toBeGreaterThanOrEqual(400);
      expect(sent(error, NO_PAGE)).toEqual(NO_PAGE);
      expect(error.headers.has("Cross-Origin-Resource-Policy")).toBe(false);
    }
  });
});

describe("security headers", () => {
  it("are sent with a preflight of the client API", async () => {
    const headers = { Origin: "https://a.example.com", "Access-Control-Request-Method": "GET" };
    const answer = await call("OPTIONS", "/api/client/features", { headers });
    expect(answer.status).toBe(204);
    expect(sent(answer, ALL)).toEqual(ALL);
  });

  it("are not sent with a 304 of the client API", async () => {
    const path = "/api/client/features";
    const first = await call("GET", path, { token: known.apiKey });
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    const second = await call("GET", path, { token: known.apiKey, headers });
    expect(second.status).toBe(304);
    expect(Object.keys(NO_PAGE).filter((name) => second.headers.has(name))).toEqual([]);
  });

  it("forbid pages to embed the API description, /actuator or an error response", async () => {
    const rests = new Proxy(env.DB, {
      get: () => () => {
        throw new Error("the database is unavailable");
      },
    });
    const answers = [
      await call("GET", "/api/nothing"),
      await call("GET", "/api/v1/nothing"),
      await call("GET", "/v3/api-docs"),
      await call("GET", "/v3/api-docs.yaml"),
      await call("POST", "/v3/api-docs"),
      await call("GET", "/actuator/health"),
      await call("GET", "/actuator/prometheus"),
      await call("GET", "/actuator/nothing"),
      await callWith({ DB: rests }, "GET", "/api/v1/flags", { token: known.token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      404, 404, 200, 200, 405, 200, 200, 404, 503,
    ]);
    for (const answer of answers) expect(sent(answer, NO_PAGE)).toEqual(NO_PAGE);
  });

  it("let the API reference page load scripts, styles, fonts and data only from its own origin, and images also from data URLs", async () => {
    const { status, headers } = await call("GET", "/swagger-ui.html");
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=UTF-8"]);
    const policy = (headers.get("Content-Security-Policy") ?? "").split("; ");
    expect(policy.filter((part) => !/^[a-z-]+ 'none'$/.test(part)).toSorted()).toEqual([
      "connect-src 'self'",
      "font-src 'self'",
      "img-src 'self' data:",
      "manifest-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("form-action 'none'");
    const page = { ...ALL, "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer" };
    expect(sent({ status, headers, body: "" }, page)).toEqual(page);
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
  });
});
