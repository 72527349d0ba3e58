import { generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { person, tokenOf } from "../support/people.ts";
import { claimsOf, forge, SECRET, me } from "../support/sessions.ts";

const base64 = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
const unsigned = (claims: object) => `${base64({ alg: "none", typ: "JWT" })}.${base64(claims)}.`;
const encoded = (secret: string) => new TextEncoder().encode(secret.padEnd(32, "."));

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

  it.each<[string, (claims: JWTPayload) => Promise<string>]>([
    ["it was signed with another secret", (claims) => forge(claims, encoded("another secret"))],
    ["it was signed with the algorithm HS384", (claims) => forge(claims, SECRET, "HS384")],
    ["it was signed with the algorithm HS512", (claims) => forge(claims, SECRET, "HS512")],
    [
      "it was signed with the algorithm RS256",
      async (claims) => {
        const { privateKey } = await generateKeyPair("RS256");
        return new SignJWT(claims)
          .setProtectedHeader({ alg: "RS256", typ: "JWT" })
          .sign(privateKey);
      },
    ],
    [
      "its claims were altered after it was signed",
      async (claims) => {
        const [header, , signature] = (await forge(claims)).split(".");
        return `${header}.${base64({ ...claims, sub: "1" })}.${signature}`;
      },
    ],
    ["its header has the algorithm none", async (claims) => unsigned(claims)],
    [
      "its header has the algorithm none, and it has a signature",
      async (claims) => unsigned(claims) + (await forge(claims)).split(".")[2],
    ],
    [
      "its session belongs to another user",
      async (claims) => forge({ ...claims, sid: (await person("ADMIN")).sessionId }),
    ],
  ])("is rejected when %s", async (_, make) => {
    expect(outcome(await me(await make(await validClaims())))).toBe("401 UNAUTHORIZED");
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

  it("is rejected by another deployment of the service that has the same secret but another PUBLIC_URL", async () => {
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
