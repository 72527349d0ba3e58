import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { invalidFields, outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { ADMIN, signIn } from "../support/people.ts";
import { auditOf, wholeDatabase } from "../support/records.ts";
import { claimsOf, member } from "../support/sessions.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PASSWORD = "a quite secret password";
const login = (email: unknown, password: unknown) =>
  call("POST", "/api/v1/auth/login", { body: { email, password } });

const sessions = () => env.DB.prepare("SELECT count(*) AS n FROM sessions").first<{ n: number }>();

describe("POST /auth/login", () => {
  it("returns the access token as token and as accessToken, the refresh token and the user", async () => {
    const answer = await login(ADMIN.email, ADMIN.password);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      accessToken: answer.body.token,
      refreshToken: expect.any(String),
      deviceToken: expect.any(String),
      user: {
        id: expect.any(Number),
        email: ADMIN.email,
        name: "admin",
        role: "ADMIN",
        status: "ACTIVE",
        avatar: null,
        locale: "en",
        createdAt: expect.stringMatching(TIME),
        lastActiveAt: expect.stringMatching(TIME),
        invitationPending: false,
        // Bootstrap creates this administrator.
        breakGlass: true,
      },
    });
  });

  it("issues an access token with the claims iss, aud, sub (a string), iat, exp (15 minutes later), roles and sid", async () => {
    const began = Math.floor(Date.now() / 1000);
    const { token, user, refreshToken } = await signIn();
    const claims = claimsOf(token);
    expect(claims).toEqual({
      iss: env.PUBLIC_URL,
      aud: "management-api",
      sub: String(user.id),
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 900,
      roles: ["ADMIN"],
      sid: refreshToken.split(".")[0],
    });
    expect(claims.iat).toBeGreaterThanOrEqual(began);
    expect(claims.iat).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  });

  it("takes the lifetime of the access token from SERVICE_JWT_ACCESS_TOKEN_TTL_MINUTES", async () => {
    const changes = { SERVICE_JWT_ACCESS_TOKEN_TTL_MINUTES: "2" };
    const answer = await callWith(changes, "POST", "/api/v1/auth/login", { body: ADMIN });
    const { iat = 0, exp } = claimsOf(answer.body.token);
    expect(exp).toBe(iat + 120);
  });

  it("accepts the e-mail address in upper or lower case and with surrounding spaces", async () => {
    expect((await login(" ADMIN@Example.COM ", ADMIN.password)).status).toBe(200);
  });

  it("accepts a password in either Unicode normalization form", async () => {
    const { email } = await member("VIEWER", "pässword-nfc".normalize("NFC"));
    expect((await login(email, "pässword-nfc".normalize("NFD"))).status).toBe(200);
  });

  it("returns the same 401 for a wrong password, an unknown address, a disabled user and an invited user", async () => {
    const disabled = await member("DEVELOPER", PASSWORD, "DISABLED");
    const invited = await member("DEVELOPER", PASSWORD, "INVITED");
    await signIn();
    const answers = await Promise.all([
      login(ADMIN.email, "wrong-password"),
      login("nobody@example.com", ADMIN.password),
      login(disabled.email, PASSWORD),
      login(invited.email, PASSWORD),
    ]);
    expect(answers.map(outcome)).toEqual(Array(4).fill("401 INVALID_CREDENTIALS"));
    for (const { body } of answers)
      expect(body).toEqual({ ...answers[0]?.body, traceId: body.traceId });
  });

  it("returns 400 with an error for each invalid field of the body", async () => {
    const answer = await login(7, "");
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(["email", "password"]);
  });

  it("writes an audit record of the category security, and starts no session when the password is wrong", async () => {
    const good = await login(ADMIN.email, ADMIN.password);
    expect(await auditOf(good)).toMatchObject([
      { action: "session.started", category: "security", actor_name: ADMIN.email },
    ]);
    const before = await sessions();
    await login(ADMIN.email, "wrong-password");
    expect(await sessions()).toEqual(before);
  });

  it("stores no password and no token in the database, and no password hash in the audit trail", async () => {
    const wrong = "a-wrong-password-nobody-uses";
    await login(ADMIN.email, wrong);
    const { token, refreshToken } = await signIn();
    const text = JSON.stringify(await wholeDatabase());
    const secrets = [ADMIN.password, wrong, token, refreshToken, refreshToken.split(".")[1]];
    expect(secrets.filter((secret) => text.includes(secret ?? ""))).toEqual([]);
    expect(JSON.stringify((await wholeDatabase())["audit"])).not.toContain("scrypt");
  });
});
