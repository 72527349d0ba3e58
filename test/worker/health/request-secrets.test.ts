import { describe, expect, it } from "vitest";
import { secretsOfRequest } from "../../../src/http/request-secrets.ts";

describe("secretsOfRequest", () => {
  const raw = new Request("https://flags.test/api?key=of+query", {
    headers: { Authorization: "Bearer t", "X-Change-Reason": "why", Accept: "any" },
  });

  it("returns the headers with free text, the query values and the sensitive fields of the body", () => {
    const body = { email: "a@example.com", password: "one", configJson: '{"headers":{"X":"two"}}' };
    const secrets = secretsOfRequest({ raw, valid: () => body });
    expect(secrets).toEqual(expect.arrayContaining(["Bearer t", "why", "of query", "one", "two"]));
    expect(secrets).not.toContain("a@example.com");
  });

  it("returns the token of a stop URL", () => {
    const called = new Request("https://flags.test/api/v1/ramp-stops/a-token", { method: "POST" });
    expect(secretsOfRequest({ raw: called, valid: () => undefined })).toEqual(["a-token"]);
  });

  it("returns only headers and query values for a request without a validated body", () => {
    const secrets = secretsOfRequest({ raw, valid: () => undefined });
    expect(secrets).toEqual(["Bearer t", "why", "of query"]);
  });
});
