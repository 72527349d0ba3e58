import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { callWith, watchedDatabase } from "../support/call-with.ts";
import { call } from "../support/client.ts";
import { failuresOf, firstRefusal, login as loginWith, setFailures } from "../support/locks.ts";
import { newMember, PASSWORD } from "../support/mailbox.ts";
import { actionsAbout } from "../support/records.ts";
import { outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { me, refresh } from "../support/sessions.ts";

const STEP_MS = 30_000;
const codeOf = (secret: string, at: number = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
const mfa = (token: string, path: string, body?: object) =>
  call("POST", `/api/v1/auth/mfa/${path}`, { token, body });
/** The body of a request that only the current password permits. */
const confirmed = { currentPassword: PASSWORD };
const login = (email: string) => loginWith(email, PASSWORD);
const verify = (mfaToken: string, code: string) =>
  call("POST", "/api/v1/auth/mfa/verify", { body: { mfaToken, code } });

/** Creates a user whose second factor is on. The TOTP code of the current time step is used up. */
async function protectedMember() {
  const member = await newMember();
  const { body } = await mfa(member.token, "enroll", confirmed);
  const active = await mfa(member.token, "activate", { code: codeOf(body.secret) });
  if (active.status !== 200) throw new Error(`activate: ${active.status}`);
  const recoveryCodes = active.body.recoveryCodes as string[];
  return { ...member, secret: body.secret as string, recoveryCodes };
}

/** The TOTP code of the next time step. The code is unused, and the service already accepts it. */
const nextCode = (secret: string) => codeOf(secret, Date.now() + STEP_MS);

describe("a second factor", () => {
  it("accepts a token of at most 2,048 characters for the verification", async () => {
    expect((await verify("t".repeat(2048), "000000")).status).toBe(401);
    const tooLong = await verify("t".repeat(2049), "000000");
    expect([tooLong.status, tooLong.body.details[0].field]).toEqual([400, "mfaToken"]);
  });

  it("is enrolled with a secret that is stored encrypted, and turned on with a TOTP code", async () => {
    const member = await newMember();
    const enrolled = await mfa(member.token, "enroll", confirmed);
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
    expect((await mfa(member.token, "enroll", confirmed)).status).toBe(409);
    const status = await call("GET", "/api/v1/auth/mfa", { token: member.token });
    expect(status.body).toEqual({
      enabled: true,
      recoveryCodesLeft: 10,
      mfaEnrollmentDeadline: null,
    });
  });

  it("is required at login, and MFA tokens and access tokens are not interchangeable", async () => {
    const member = await protectedMember();
    const first = await login(member.email);
    expect([first.status, Object.keys(first.body)]).toEqual([
      200,
      ["mfaRequired", "mfaToken", "secondFactors"],
    ]);
    const { mfaToken } = first.body;
    expect((await me(mfaToken)).status).toBe(401);
    expect((await verify(member.token, nextCode(member.secret))).status).toBe(401);
    const done = await verify(mfaToken, nextCode(member.secret));
    expect(done.status).toBe(200);
    expect((await me(done.body.token)).status).toBe(200);
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

  it("opens no session with an MFA token that was made with an old password", async () => {
    const member = await protectedMember();
    const { mfaToken } = (await login(member.email)).body;
    await member.mailbox.call("POST", "/api/v1/auth/forgot-password", {
      body: { email: member.email },
    });
    const token = member.mailbox.lastToken(member.email);
    const body = { token, password: "a newer password" };
    expect((await call("POST", "/api/v1/auth/reset-password", { body })).status).toBe(200);
    const [code = ""] = member.recoveryCodes;
    const refused = await verify(mfaToken, code);
    expect([refused.status, refused.body.code]).toEqual([401, "UNAUTHORIZED"]);
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
    const actions = await actionsAbout(member.id);
    expect(actions.filter((action) => action === "mfa.locked")).toHaveLength(1);
    expect(actions.filter((action) => action === "mfa.failed")).toHaveLength(4);
  });

  it("is turned off only with a valid code; new recovery codes make the old ones invalid", async () => {
    const member = await protectedMember();
    const change = (path: string, code: string) => mfa(member.token, path, { ...confirmed, code });
    const [first = "", second = ""] = member.recoveryCodes;
    expect((await change("disable", "123456")).status).toBe(400);
    const renewed = await change("recovery-codes", first);
    expect(renewed.status).toBe(200);
    expect((await change("disable", second)).status).toBe(400);
    const [fresh = ""] = renewed.body.recoveryCodes;
    expect((await change("disable", fresh)).status).toBe(204);
    expect((await login(member.email)).body.token).toBeDefined();
    expect((await change("disable", fresh)).status).toBe(409);
  });

  it("is not enrolled with an access token alone: the current password is required, and wrong ones are limited", async () => {
    const member = await newMember();
    const hash = await firstRefusal(member.token);
    const refused = [{}, { currentPassword: "" }, { currentPassword: "not the password" }];
    for (const body of refused) {
      const answer = await mfa(member.token, "enroll", body);
      expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
      expect(answer.body.details[0].field).toBe("currentPassword");
    }
    expect(await actionsAbout(member.id)).toContain("user.password-refused");
    expect((await failuresOf(hash))?.failures).toBe(2);
    const row = env.DB.prepare("SELECT count(*) AS n FROM user_mfa WHERE user_id = ?");
    expect(await row.bind(member.id).first("n")).toBe(0);
    expect(outcome(await mfa(member.token, "activate", { code: "123456" }))).toBe("409 CONFLICT");
    await setFailures(hash, 9);
    await mfa(member.token, "enroll", { currentPassword: "not the password" });
    expect(outcome(await mfa(member.token, "enroll", confirmed))).toBe("429 RATE_LIMIT_EXCEEDED");
  });

  it("is not enrolled when the password changes while the request checks the old one", async () => {
    const member = await newMember();
    const DB = watchedDatabase(async (count) => {
      if (count > 1)
        await env.DB.prepare("UPDATE users SET version = version + 1 WHERE id = ?")
          .bind(member.id)
          .run();
    });
    const path = "/api/v1/auth/mfa/enroll";
    const answer = await callWith({ DB }, "POST", path, { token: member.token, body: confirmed });
    expect(outcome(answer)).toBe("409 CONFLICT");
    const activated = await mfa(member.token, "activate", { code: "123456" });
    expect(activated.body.error).toContain("Request a secret");
  });

  it.each(["disable", "recovery-codes"])(
    "requires the current password for POST /api/v1/auth/mfa/%s, and does not use up the code without it",
    async (path) => {
      const member = await protectedMember();
      const [code = ""] = member.recoveryCodes;
      for (const body of [{ code }, { code, currentPassword: "not the password" }]) {
        const answer = await mfa(member.token, path, body);
        expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
        expect(answer.body.details[0].field).toBe("currentPassword");
      }
      expect(await actionsAbout(member.id)).toContain("user.password-refused");
      const done = await mfa(member.token, path, { ...confirmed, code });
      expect(done.status).toBe(path === "disable" ? 204 : 200);
    },
  );

  it("locks after five wrong codes in a row while it is turned on, and a new secret ends the lock", async () => {
    const member = await newMember();
    const { secret } = (await mfa(member.token, "enroll", confirmed)).body;
    const activate = (code: string) => mfa(member.token, "activate", { code });
    for (let n = 0; n < 5; n++)
      expect(outcome(await activate("000000"))).toBe("400 VALIDATION_ERROR");
    const right = await activate(codeOf(secret));
    expect(outcome(right)).toBe("429 RATE_LIMIT_EXCEEDED");
    expect(Number(right.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(
      (await actionsAbout(member.id)).filter((action) => action === "mfa.locked"),
    ).toHaveLength(1);
    const next = await mfa(member.token, "enroll", confirmed);
    expect((await activate(codeOf(next.body.secret))).status).toBe(200);
  });

  it("can be reset by an administrator, and the reset ends the sessions of the user", async () => {
    const member = await protectedMember();
    const path = `/api/v1/users/${member.id}/mfa`;
    expect((await call("DELETE", path, { token: member.token })).status).toBe(403);
    expect((await call("DELETE", path, { token: await adminToken() })).status).toBe(204);
    expect((await call("DELETE", path, { token: await adminToken() })).status).toBe(404);
    expect((await refresh(member.refreshToken)).status).toBe(401);
    expect((await login(member.email)).body.token).toBeDefined();
    expect(await actionsAbout(member.id)).toContain("mfa.reset");
  });
});
