import { describe, expect, it } from "vitest";
import manifest from "../../../package.json";
import { outcome } from "../support/outcomes.ts";
import { type Answer, call, type Json } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";

const ALL = ["health", "info", "metrics", "prometheus"];
const PATHS = ["", ...ALL.map((name) => `/${name}`), "/metrics/cache_gets_total"];
const ORIGIN = "https://flags.test/actuator";
const TOKEN = "a-token-of-the-operators";

const only = (endpoints: string) => ({ MANAGEMENT_ENDPOINTS: endpoints });
const withToken = (token: string) => ({ ACTUATOR_TOKEN: token }) as Partial<Env>;
const get = (replaced: Partial<Env>, path: string, token?: string) =>
  callWith(replaced, "GET", `/actuator${path}`, { token });

const linksOf = ({ body }: Answer<Json>) => {
  const { _links: links } = body;
  return Object.keys(links);
};

describe("the operational endpoints", () => {
  it("are listed with their URLs by GET /actuator", async () => {
    const link = (path: string, templated = false) => ({ href: ORIGIN + path, templated });
    expect((await call("GET", "/actuator")).body).toEqual({
      _links: {
        self: link(""),
        health: link("/health"),
        info: link("/info"),
        metrics: link("/metrics"),
        "metrics-requiredMetricName": link("/metrics/{requiredMetricName}", true),
        prometheus: link("/prometheus"),
      },
    });
  });

  it("name the running version and its deployment in GET /actuator/info", async () => {
    const { body } = await call("GET", "/actuator/info");
    expect(body).toEqual({
      name: manifest.name,
      version: manifest.version,
      deployment: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tag: expect.any(String),
        timestamp: expect.any(String),
      },
    });
  });

  it.each(PATHS)(
    "send Cache-Control: no-store, a trace id, and no body for HEAD: /actuator%s",
    async (path) => {
      const { status, headers } = await call("GET", `/actuator${path}`);
      expect([status, headers.get("Cache-Control")]).toEqual([200, "no-store"]);
      expect(headers.get("X-B3-TraceId")).toMatch(/^[0-9a-f]{32}$/);
      const head = await call("HEAD", `/actuator${path}`);
      expect([head.status, head.body]).toEqual([200, ""]);
    },
  );

  it.each([
    "/nothing",
    "/env",
    "/",
    "/health/db",
    "/prometheus/all",
    "/metrics/nothing_total",
    "/metrics/constructor",
    "nothing",
  ])("return 404 for any other path: /actuator%s", async (path) => {
    expect(outcome(await call("GET", `/actuator${path}`))).toBe("404 NOT_FOUND");
  });
});

describe("the setting MANAGEMENT_ENDPOINTS", () => {
  it.each(ALL)(
    "exposes and links only the endpoint %s when the setting names only that endpoint",
    async (name) => {
      const listed = linksOf(await get(only(name), ""));
      const links = ["self", name, ...(name === "metrics" ? ["metrics-requiredMetricName"] : [])];
      expect(listed.toSorted()).toEqual(links.toSorted());
      for (const path of PATHS.slice(1)) {
        const isServed = path.split("/")[1] === name;
        const answer = await get(only(name), path);
        expect([path, outcome(answer)]).toEqual([path, isServed ? "200" : "404 NOT_FOUND"]);
      }
    },
  );

  it("returns 404 for endpoints that it does not name, whatever the method", async () => {
    const answer = await callWith(only("health"), "POST", "/actuator/info");
    expect(outcome(answer)).toBe("404 NOT_FOUND");
  });

  it("ignores spaces and unknown names, and exposes no endpoint when it is empty", async () => {
    const links = async (endpoints: string) => linksOf(await get(only(endpoints), ""));
    expect(await links(" health , info ")).toEqual(["self", "health", "info"]);
    expect(await links("")).toEqual(["self"]);
    expect(await links("env,health")).toEqual(["self", "health"]);
  });

  it("exposes all endpoints when it is not set", async () => {
    const missing = { MANAGEMENT_ENDPOINTS: undefined } as unknown as Partial<Env>;
    for (const path of PATHS) expect((await get(missing, path)).status).toBe(200);
  });
});

describe("the setting ACTUATOR_TOKEN", () => {
  const closed = PATHS.filter((path) => path !== "/health");

  it.each(closed)("is required as a bearer token for /actuator%s", async (path) => {
    expect((await get(withToken(TOKEN), path, TOKEN)).status).toBe(200);
    for (const wrong of [undefined, "x", `${TOKEN}x`, TOKEN.slice(1)]) {
      const answer = await get(withToken(TOKEN), path, wrong);
      expect(outcome(answer)).toBe("401 UNAUTHORIZED");
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    }
  });

  it("is not required for /actuator/health", async () => {
    expect((await get(withToken(TOKEN), "/health")).status).toBe(200);
  });

  it("leads to 401 for a request without the token, whether its path is exposed, hidden or unknown", async () => {
    const replaced = { ...withToken(TOKEN), ...only("info") };
    for (const path of ["/info", "/metrics", "/nothing"])
      expect(outcome(await get(replaced, path))).toBe("401 UNAUTHORIZED");
  });

  it("is rejected as the password of the Basic authentication scheme", async () => {
    const headers = { Authorization: `Basic ${btoa(`x:${TOKEN}`)}` };
    const answer = await callWith(withToken(TOKEN), "GET", "/actuator/info", { headers });
    expect(outcome(answer)).toBe("401 UNAUTHORIZED");
  });

  it("is not required when it is empty", async () => {
    for (const path of PATHS) expect((await get(withToken(""), path)).status).toBe(200);
  });
});
