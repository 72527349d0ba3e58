import { describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { callWith } from "../support/call-with.ts";
import { newWorld } from "../support/world.ts";

const DASHBOARD = "https://dashboard.test";
const settings = { DASHBOARD_ORIGINS: `https://other.test, ${DASHBOARD}` };
const allowed = ({ headers }: { headers: Headers }) => headers.get("Access-Control-Allow-Origin");
const preflight = (Origin: string, method: string) => ({
  headers: { Origin, "Access-Control-Request-Method": method },
});

describe("a request from a page of another origin", () => {
  it("is allowed by the client API for every origin, and the page may read the ETag", async () => {
    const { apiKey } = await newWorld();
    const headers = { Origin: "https://app.test" };
    const answer = await call("GET", "/api/client/features", { token: apiKey, headers });
    expect([answer.status, allowed(answer)]).toEqual([200, "*"]);
    expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("ETag");
    const asked = preflight("https://app.test", "GET");
    const before = await call("OPTIONS", "/api/client/features", {
      headers: {
        ...asked.headers,
        "Access-Control-Request-Headers": "authorization,if-none-match",
      },
    });
    expect([before.status, allowed(before)]).toEqual([204, "*"]);
    expect(before.headers.get("Access-Control-Allow-Headers")).toContain("if-none-match");
  });

  it("is allowed by the management API only for the origins in DASHBOARD_ORIGINS", async () => {
    const token = await adminToken();
    const from = (Origin: string) =>
      callWith(settings, "GET", "/api/v1/flags", { token, headers: { Origin } });
    expect(allowed(await from(DASHBOARD))).toBe(DASHBOARD);
    for (const origin of ["https://evil.test", "null", `${DASHBOARD}.evil.test`, "https://test"])
      expect([origin, allowed(await from(origin))]).toEqual([origin, null]);
    const asked = await callWith(
      settings,
      "OPTIONS",
      "/api/v1/flags",
      preflight(DASHBOARD, "POST"),
    );
    expect([asked.status, allowed(asked)]).toEqual([204, DASHBOARD]);
  });

  it("is not allowed by the management API by default", async () => {
    const token = await adminToken();
    const headers = { Origin: DASHBOARD };
    expect(allowed(await call("GET", "/api/v1/flags", { token, headers }))).toBeNull();
    const asked = await call("OPTIONS", "/api/v1/flags", preflight(DASHBOARD, "POST"));
    expect(allowed(asked)).toBeNull();
  });
});
