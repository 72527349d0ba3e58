import { describe, expect, it } from "vitest";
import { challengeOf } from "../../../src/core/oauth/endpoints.ts";

describe("challengeOf", () => {
  const METADATA =
    'resource_metadata="https://flags.test/.well-known/oauth-protected-resource/api/mcp"';

  it("names the metadata of the resource, the error and the scopes", () => {
    expect(challengeOf("https://flags.test")).toBe(`Bearer ${METADATA}`);
    expect(
      challengeOf("https://flags.test", {
        error: "insufficient_scope",
        scopes: ["read", "write"],
      }),
    ).toBe(`Bearer error="insufficient_scope", scope="read write", ${METADATA}`);
  });

  it("has no parameters if the address of the service is unknown", () => {
    expect(challengeOf(undefined)).toBe("Bearer");
  });
});
