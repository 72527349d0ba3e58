import { generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { person, tokenOf } from "../support/people.ts";
import { claimsOf, forge, SECRET } from "../support/sessions.ts";

const me = (token: string) => call("GET", "/api/v1/auth/me", { token });
const base64 = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");

async function validClaims() {
  const { token } = await person("VIEWER");
  return claimsOf(token);
}

describe("an access token", () => {
  it("is accepted when its HMAC-SHA256 signature is valid and exp is in the future", async () => {
    expect((await me(await forge(await validClaims()))).status).toBe(200);
  });

  it("is rejected once it has expired", async () => {
    const user = await person("ADMIN");
    expect(outcome(await me(await tokenOf(user, "ADMIN", Date.now() - 899_000)))).toBe("200");
    expect(outcome(await me(await tokenOf(user, "ADMIN", Date.now() - 901_000)))).toBe(
      "401 UNAUTHORIZED",
    );
  });

  it("is rejected when it was signed with another secret", async () => {
    const other = new TextEncoder().encode("another secret of 32 bytes and more");
    expect(outcome(await me(await forge(await validClaims(), other)))).toBe("401 UNAUTHORIZED");
  });

  it("is rejected when its claims were altered after it was signed", async () => {
    const claims = await validClaims();
    const [header, , signature] = (await forge(claims)).split(".");
    const altered = `${header}.${base64({ ...claims, sub: "1" })}.${signature}`;
    expect(outcome(await me(altered))).toBe("401 UNAUTHORIZED");
  });

  it("is rejected when its header has alg none, with or without a signature", async () => {
    const claims = await validClaims();
    const signature = (await forge(claims)).split(".")[2];
    const unsigned = `${base64({ alg: "none", typ: "JWT" })}.${base64(claims)}.`;
    expect(outcome(await me(unsigned))).toBe("401 UNAUTHORIZED");
    expect(outcome(await me(unsigned + signature))).toBe("401 UNAUTHORIZED");
  });

  it.each(["HS384", "HS512"])(
    "is rejected when it was signed with alg %s and the right secret",
    async (alg) => {
      expect(outcome(await me(await forge(await validClaims(), SECRET, alg)))).toBe(
        "401 UNAUTHORIZED",
      );
    },
  );

  it("is rejected when it was signed with alg RS256", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const token = await new SignJWT(await validClaims())
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .sign(privateKey);
    expect(outcome(await me(token))).toBe("401 UNAUTHORIZED");
  });

  it.each(["exp", "iat", "sub", "sid", "iss", "aud"])(
    "is rejected without the claim %s",
    async (name) => {
      const { [name]: _, ...claims } = (await validClaims()) as Record<string, unknown>;
      expect(outcome(await me(await forge(claims)))).toBe("401 UNAUTHORIZED");
    },
  );

  it.each([
    ["a subject that is not an id", { sub: "admin@example.com" }],
    ["a subject beyond 2^53", { sub: "9007199254740993" }],
    ["a session id that is not a string", { sid: 5 }],
    ["a project that is not an id", { projectId: "1" }],
    ["the issuer of another environment", { iss: "https://staging.flags.test" }],
    ["the audience of an MFA token", { aud: "second-factor" }],
    ["a session that does not exist", { sid: "A".repeat(22) }],
    ["an expiry that is not a number", { exp: "tomorrow" }],
    ["a not-before time in the future", { nbf: Math.floor(Date.now() / 1000) + 600 }],
  ])("is rejected with %s", async (_, change) => {
    const claims = { ...(await validClaims()), ...change } as Record<string, unknown>;
    expect(outcome(await me(await forge(claims)))).toBe("401 UNAUTHORIZED");
  });

  it("is rejected when its session belongs to another user", async () => {
    const { sessionId: sid } = await person("ADMIN");
    const claims = await validClaims();
    expect(outcome(await me(await forge({ ...claims, sid })))).toBe("401 UNAUTHORIZED");
  });

  it("is rejected by an environment with the same secret and another PUBLIC_URL", async () => {
    const { token } = await person("VIEWER");
    const staging = { PUBLIC_URL: "https://staging.flags.test" };
    const answer = await callWith(staging, "GET", "/api/v1/auth/me", { token });
    expect(outcome(answer)).toBe("401 UNAUTHORIZED");
  });

  it.each([
    ["nothing", undefined],
    ["an empty header", ""],
    ["a scheme without a token", "Bearer"],
    ["another scheme", "Basic YWRtaW46YWRtaW4="],
    ["two tokens", "Bearer a.b.c d.e.f"],
    ["neither a JWT nor an API key", "Bearer nonsense"],
    ["an empty JWT", "Bearer .."],
    ["a JWT of garbage", "Bearer %%%.%%%.%%%"],
    ["an API key that does not exist", `Bearer ${"k".repeat(64)}`],
  ])(
    "is required: a request with %s returns 401 with a WWW-Authenticate challenge",
    async (_, authorization) => {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const answer = await call("GET", "/api/v1/auth/me", { headers });
      expect(outcome(answer)).toBe("401 UNAUTHORIZED");
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    },
  );

  it("is accepted with the scheme Bearer in lower case, because RFC 9110 ignores the case", async () => {
    const token = await forge(await validClaims());
    const answer = await call("GET", "/api/v1/auth/me", {
      headers: { Authorization: `bearer ${token}` },
    });
    expect(answer.status).toBe(200);
  });
});
