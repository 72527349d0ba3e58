import { describe, expect, it } from "vitest";
import { kindOfToken } from "../../../src/core/credentials/token-kind.ts";

describe("kindOfToken", () => {
  it("returns api-key for 64 base64url characters", () => {
    expect(kindOfToken(`${"aZ09".repeat(15)}_-_-`)).toBe("api-key");
  });

  it("returns access-token for three base64url parts with dots between them", () => {
    expect(kindOfToken("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-_")).toBe("access-token");
  });

  it.each([
    ["no characters", ""],
    ["63 characters", "x".repeat(63)],
    ["65 characters", "x".repeat(65)],
    ["64 characters, one of them from base64 only", `${"x".repeat(63)}+`],
    ["an API key with a line break", `${"x".repeat(64)}\n`],
    ["two parts", "a.b"],
    ["four parts", "a.b.c.d"],
    ["a JWT without a signature", "a.b."],
  ])("returns undefined for %s", (_, token) => {
    expect(kindOfToken(token)).toBeUndefined();
  });
});
