import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { auditOf, newMember, PASSWORD } from "../support/mailbox.ts";
import { adminToken } from "../support/people.ts";

const STEP_MS = 30_000;
const codeOf = (secret: string, at: number = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
const mfa = (token: string, path: string, body?: object) =>
  call("POST", `/api/v1/auth/mfa/${path}`, { token, body });
const login = (email: string) =>
  call("POST", "/api/v1/auth/login", { body: { email, password: PASSWORD } });
const verify = (mfaToken: string, code: string) =>
  call("POST", "/api/v1/auth/mfa/verify", { body: { mfaToken, code } });

/** Creates a user whose second factor is on. The TOTP code of the current time step is used up. */
async function protectedMember() {
  const member = await newMember();
  const { body } = await mfa(member.token, "enroll");
  const active = await mfa(member.token, "activate", { code: codeOf(body.secret) });
  if (active.status !== 200) throw new Error(`activate: ${active.status}`);
  const recoveryCodes = active.body.recoveryCodes as string[];
  return { ...member, secret: body.secret as string, recoveryCodes };
}

/** The TOTP code of the next time step, which is unused and accepted already. */
const nextCode = (secret: string) => codeOf(secret, Date.now() + STEP_MS);

describe("a second factor", () => {
  it("is enrolled with a secret that is stored encrypted, and turned on with a TOTP code", async () => {
    const member = await newMember();
    const enrolled = await mfa(member.token, "enroll");
    const { secret, otpauthUrl } = enrolled.body;
    expect(otpauthUrl).toMatch(/^otpauth:\/\/totp\/Feature%20Flags:/);
    expect(otpauthUrl).toContain(`secret=${secret}`);
    const stored = await env.DB.prepare("SELECT secret FROM user_mfa WHERE user_id = ?")
      .bind(member.id)
      .first<string>("secret");
    expect(stored).toMatch(/^v1\./);
    expect(stored).not.toContain(secret);
    expect((await login(member.email)).body.token).toBeDefined();
    const wrong = await mfa(member.token, "activate", { code: "000000" });
    expect([wrong.status, wrong.body.details[0].field]).toEqual([400, "code"]);
    const active = await mfa(member.token, "activate", { code: codeOf(secret) });
    expect(active.status).toBe(200);
    expect(new Set(active.body.recoveryCodes).size).toBe(10);
    expect((await mfa(member.token, "enroll")).status).toBe(409);
    const status = await call("GET", "/api/v1/auth/mfa", { token: member.token });
    expect(status.body).toEqual({
      enabled: true,
      recoveryCodesLeft: 10,
      mfaEnrollmentDeadline: null,
    });
  });

  it("is required at login; an MFA token is not accepted as an access token, nor an access token as an MFA token", async () => {
    const member = await protectedMember();
    const first = await login(member.email);
    expect([first.status, Object.keys(first.body)]).toEqual([200, ["mfaRequired", "mfaToken"]]);
    const { mfaToken } = first.body;
    expect((await call("GET", "/api/v1/auth/me", { token: mfaToken })).status).toBe(401);
    expect((await verify(member.token, nextCode(member.secret))).status).toBe(401);
    const done = await verify(mfaToken, nextCode(member.secret));
    expect(done.status).toBe(200);
    expect((await call("GET", "/api/v1/auth/me", { token: done.body.token })).status).toBe(200);
  });

  it("accepts a TOTP code once, even when ten requests use the code at the same time", async () => {
    const member = await protectedMember();
    const { mfaToken } = (await login(member.email)).body;
    const code = nextCode(member.secret);
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(mfaToken, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const again = await verify(mfaToken, code);
    expect([401, 429]).toContain(again.status);
  });

  it("accepts a recovery code once, also in upper case and with spaces instead of dashes, and stores only its hash", async () => {
    const member = await protectedMember();
    const [code = ""] = member.recoveryCodes;
    const { mfaToken } = (await login(member.email)).body;
    expect((await verify(mfaToken, code.toUpperCase().replaceAll("-", " "))).status).toBe(200);
    expect((await verify(mfaToken, code)).status).toBe(401);
    const stored = await env.DB.prepare("SELECT hash FROM recovery_codes WHERE user_id = ?")
      .bind(member.id)
      .all();
    expect(stored.results).toHaveLength(9);
    expect(JSON.stringify(stored.results)).not.toContain(code);
  });

  it("locks after five wrong codes in a row, and then returns 429 with Retry-After even for the right code", async () => {
    const member = await protectedMember();
    const { mfaToken } = (await login(member.email)).body;
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => verify(mfaToken, String(n).padStart(6, "9"))),
    );
    expect(guesses.filter((answer) => answer.status === 401)).toHaveLength(5);
    expect(guesses.filter((answer) => answer.status === 429)).toHaveLength(15);
    const right = await verify(mfaToken, nextCode(member.secret));
    expect([right.status, right.body.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(Number(right.headers.get("Retry-After"))).toBeGreaterThan(0);
    await env.DB.prepare("UPDATE user_mfa SET locked_until = 1 WHERE user_id = ?")
      .bind(member.id)
      .run();
    expect((await verify(mfaToken, nextCode(member.secret))).status).toBe(200);
    const actions = await auditOf(member.id);
    expect(actions.filter((action) => action === "mfa.locked")).toHaveLength(1);
    expect(actions.filter((action) => action === "mfa.failed")).toHaveLength(4);
  });

  it("is turned off only with a valid code; new recovery codes make the old ones invalid", async () => {
    const member = await protectedMember();
    const [first = "", second = ""] = member.recoveryCodes;
    expect((await mfa(member.token, "disable", { code: "123456" })).status).toBe(400);
    const renewed = await mfa(member.token, "recovery-codes", { code: first });
    expect(renewed.status).toBe(200);
    expect((await mfa(member.token, "disable", { code: second })).status).toBe(400);
    const [fresh = ""] = renewed.body.recoveryCodes;
    expect((await mfa(member.token, "disable", { code: fresh })).status).toBe(204);
    expect((await login(member.email)).body.token).toBeDefined();
    expect((await mfa(member.token, "disable", { code: fresh })).status).toBe(409);
  });

  it("is reset by an administrator for a user who lost the device, which ends the user's sessions", async () => {
    const member = await protectedMember();
    const path = `/api/v1/users/${member.id}/mfa`;
    expect((await call("DELETE", path, { token: member.token })).status).toBe(403);
    expect((await call("DELETE", path, { token: await adminToken() })).status).toBe(204);
    expect((await call("DELETE", path, { token: await adminToken() })).status).toBe(404);
    const body = { refreshToken: member.refreshToken };
    expect((await call("POST", "/api/v1/auth/refresh", { body })).status).toBe(401);
    expect((await login(member.email)).body.token).toBeDefined();
    expect(await auditOf(member.id)).toContain("mfa.reset");
  });
});
