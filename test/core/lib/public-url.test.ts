import { describe, expect, it } from "vitest";
import { loopbackOrigin, publicUrlError } from "../../../src/core/lib/public-url.ts";

describe("publicUrlError", () => {
  it.each([
    "https://flags.example.com",
    "https://flags.example.com:8443/dashboard",
    "http://localhost:8787",
    "http://127.0.0.1:8787",
    "http://[::1]:8787",
  ])("allows %s", (url) => {
    expect(publicUrlError(url)).toBeUndefined();
  });

  it.each([
    "",
    "flags.example.com",
    "http://flags.example.com",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "javascript:alert(1)",
  ])("rejects %j", (url) => {
    expect(publicUrlError(url)).toContain("must be an https URL");
  });
});

describe("loopbackOrigin", () => {
  it.each(["http://localhost:8787", "https://localhost", "http://127.0.0.1:1", "http://[::1]:2"])(
    "returns the origin %s",
    (origin) => {
      expect(loopbackOrigin(`${origin}/api/v1/users/invite?a=b`)).toBe(origin);
    },
  );

  it.each(["https://evil.example/", "http://192.168.1.5:8787/", "http://localhost.evil.example/"])(
    "returns undefined for the host of %s, which the caller may have chosen",
    (url) => {
      expect(loopbackOrigin(url)).toBeUndefined();
    },
  );
});
