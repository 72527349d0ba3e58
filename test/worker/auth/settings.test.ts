import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { callWith } from "../support/call-with.ts";
import { ADMIN } from "../support/people.ts";
import { forge } from "../support/sessions.ts";

const login = { body: ADMIN };
const unset = (name: keyof Env) => ({ [name]: undefined }) as Partial<Env>;

describe("the service", () => {
  it.each<[string, Partial<Env>, string]>([
    ["a missing secret", unset("SERVICE_JWT_SECRET"), "SERVICE_JWT_SECRET"],
    ["an empty secret", { SERVICE_JWT_SECRET: "" }, "SERVICE_JWT_SECRET"],
    ["a secret of 31 bytes", { SERVICE_JWT_SECRET: "x".repeat(31) }, "SERVICE_JWT_SECRET"],
    ["a token lifetime of zero", { SERVICE_JWT_ACCESS_TOKEN_TTL_MINUTES: "0" }, "ACCESS_TOKEN_TTL"],
    [
      "a lifetime that is not a number",
      { SERVICE_JWT_REFRESH_TOKEN_TTL_DAYS: "long" },
      "REFRESH_TOKEN_TTL",
    ],
    ["a negative quota", { QUOTA_FLAGS: "-1" }, "QUOTA_FLAGS"],
    ["a negative audit retention", { AUDIT_RETENTION_DAYS: "-1" }, "AUDIT_RETENTION_DAYS"],
    ["half a day of audit retention", { AUDIT_RETENTION_DAYS: "0.5" }, "AUDIT_RETENTION_DAYS"],
    ["a fractional quota", { QUOTA_TAGS: "1.5" }, "QUOTA_TAGS"],
  ])(
    "returns 503 with the name of the invalid setting, even for a login, when the settings have %s",
    async (_, changes, named) => {
      const routes = [
        ["POST", "/api/v1/auth/login"],
        ["GET", "/api/v1/flags"],
        ["GET", "/api/client/features"],
      ] as const;
      for (const [method, path] of routes) {
        const answer = await callWith(changes, method, path, method === "POST" ? login : {});
        expect(outcome(answer)).toBe("503 SERVICE_UNAVAILABLE");
        expect(answer.body.error).toContain(named);
      }
    },
  );

  it("does not return the value of an invalid setting", async () => {
    const secret = "a-short-secret";
    const answer = await callWith({ SERVICE_JWT_SECRET: secret }, "GET", "/api/v1/flags");
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  });

  it("returns 503 while the JWT secret is shorter than 32 bytes, even for an access token signed with that secret", async () => {
    const secret = "x".repeat(31);
    const iat = Math.floor(Date.now() / 1000);
    const claims = { sub: "1", iat, exp: iat + 900, roles: ["ADMIN"] };
    const token = await forge(claims, new TextEncoder().encode(secret));
    const changes = { SERVICE_JWT_SECRET: secret };
    const answer = await callWith(changes, "GET", "/api/v1/flags", { token });
    expect(answer.status).toBe(503);
  });

  it("accepts a secret of 16 characters that has 32 bytes", async () => {
    const changes = { SERVICE_JWT_SECRET: "ä".repeat(16) };
    const answer = await callWith(changes, "GET", "/api/v1/flags");
    expect(outcome(answer)).toBe("401 UNAUTHORIZED");
  });
});
