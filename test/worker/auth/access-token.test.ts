import { generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { outcome } from "../support/answers.ts";
import { call } from "../support/client.ts";
import { person, tokenOf } from "../support/people.ts";
import { forge, SECRET } from "../support/sessions.ts";

const me = (token: string) => call("GET", "/api/v1/auth/me", { token });
const base64 = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");

async function validClaims() {
  const { id } = await person("VIEWER");
  const iat = Math.floor(Date.now() / 1000);
  return { sub: String(id), iat, exp: iat + 900, roles: ["VIEWER"] };
}

describe("an access token", () => {
  it("is good when its HMAC-SHA256 signature verifies and exp is in the future", async () => {
    expect((await me(await forge(await validClaims()))).status).toBe(200);
  });

  it("is refused once it has expired", async () => {
    const { id } = await person("ADMIN");
    expect(outcome(await me(await tokenOf(id, "ADMIN", Date.now() - 899_000)))).toBe("200");
    expect(outcome(await me(await tokenOf(id, "ADMIN", Date.now() - 901_000)))).toBe(
      "401 UNAUTHORIZED",
    );
  });

  it("is refused when it was signed with another secret", async () => {
    const other = new TextEncoder().encode("another secret of 32 bytes and more");
    expect(outcome(await me(await forge(await validClaims(), other)))).toBe("401 UNAUTHORIZED");
  });

  it("is refused when claims or signature were altered", async () => {
    const claims = await validClaims();
    const [header, , signature] = (await forge(claims)).split(".");
    const altered = `${header}.${base64({ ...claims, sub: "1" })}.${signature}`;
    expect(outcome(await me(altered))).toBe("401 UNAUTHORIZED");
  });

  it("is refused with alg none, with or without a signature", async () => {
    const claims = await validClaims();
    const signature = (await forge(claims)).split(".")[2];
    const unsigned = `${base64({ alg: "none", typ: "JWT" })}.${base64(claims)}.`;
    expect(outcome(await me(unsigned))).toBe("401 UNAUTHORIZED");
    expect(outcome(await me(unsigned + signature))).toBe("401 UNAUTHORIZED");
  });

  it.each(["HS384", "HS512"])("is refused with alg %s and the right secret", async (alg) => {
    const secret = new Uint8Array(64);
    secret.set(SECRET);
    expect(outcome(await me(await forge(await validClaims(), SECRET, alg)))).toBe(
      "401 UNAUTHORIZED",
    );
  });

  it("is refused when it is an RS256 token", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const token = await new SignJWT(await validClaims())
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .sign(privateKey);
    expect(outcome(await me(token))).toBe("401 UNAUTHORIZED");
  });

  it.each(["exp", "iat", "sub"])("is refused without the claim %s", async (name) => {
    const { [name]: _, ...claims } = (await validClaims()) as Record<string, unknown>;
    expect(outcome(await me(await forge(claims)))).toBe("401 UNAUTHORIZED");
  });

  it.each([
    ["a subject that is no id", { sub: "admin@example.com" }],
    ["a subject beyond 2^53", { sub: "9007199254740993" }],
    ["a session id that is no text", { sid: 5 }],
    ["a project that is no id", { projectId: "1" }],
    ["an expiry that is no number", { exp: "tomorrow" }],
    ["a start in the future", { nbf: Math.floor(Date.now() / 1000) + 600 }],
  ])("is refused with %s", async (_, change) => {
    const claims = { ...(await validClaims()), ...change } as Record<string, unknown>;
    expect(outcome(await me(await forge(claims)))).toBe("401 UNAUTHORIZED");
  });

  it.each([
    ["nothing", undefined],
    ["an empty header", ""],
    ["a scheme without a token", "Bearer"],
    ["another scheme", "Basic YWRtaW46YWRtaW4="],
    ["two tokens", "Bearer a.b.c d.e.f"],
    ["no JWT and no key", "Bearer nonsense"],
    ["an empty JWT", "Bearer .."],
    ["a JWT of garbage", "Bearer %%%.%%%.%%%"],
    ["a key that nobody made", `Bearer ${"k".repeat(64)}`],
  ])("is required: %s is 401 with a challenge", async (_, authorization) => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const answer = await call("GET", "/api/v1/auth/me", { headers });
    expect(outcome(answer)).toBe("401 UNAUTHORIZED");
    expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  it("may be sent with the scheme in any case (RFC 9110)", async () => {
    const token = await forge(await validClaims());
    const answer = await call("GET", "/api/v1/auth/me", {
      headers: { Authorization: `bearer ${token}` },
    });
    expect(answer.status).toBe(200);
  });
});
