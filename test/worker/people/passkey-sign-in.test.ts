import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Authenticator, type Tricks } from "../support/authenticator.ts";
import { callWith } from "../support/call-with.ts";
import { call } from "../support/client.ts";
import { codeOf, enrolled, signedInWithPassword } from "../support/factors.ts";
import { login as loginWith } from "../support/locks.ts";
import { Mailbox, PASSWORD } from "../support/mailbox.ts";
import { asAdmin, outcome, tally } from "../support/outcomes.ts";
import { newPasskey, sendUse, signInOptions, signInWith } from "../support/passkeys.ts";
import {
  from,
  newAddress,
  sendSequentially,
  SmallRate,
  stopAtHalfAMinute,
  TOO_MANY,
} from "../support/rates.ts";
import { actionsAbout, rows } from "../support/records.ts";
import { me, refresh } from "../support/sessions.ts";
import { emailOf } from "../support/sign-on.ts";

const REFUSED = "401 UNAUTHORIZED";

/** Creates a user with a password and a passkey. */
async function owner() {
  const { id, token } = await signedInWithPassword();
  const { authenticator, id: passkeyId } = await newPasskey(token);
  return { id, token, email: await emailOf(id), authenticator, passkeyId };
}

const login = (email: string) => loginWith(email, PASSWORD);

describe("a sign-in with a passkey", () => {
  it("opens a session with two factors, without an e-mail address or a code", async () => {
    const { id, authenticator, token } = await owner();
    const answer = await signInWith(authenticator);
    expect([answer.status, answer.body.user.id]).toEqual([200, id]);
    expect((await me(answer.body.token)).status).toBe(200);
    expect((await refresh(answer.body.refreshToken)).status).toBe(200);
    const [session] = await rows(
      "SELECT method, mfa, issuer FROM sessions WHERE user_id = ? ORDER BY created_at DESC",
      id,
    );
    expect(session).toEqual({ method: "passkey", mfa: 1, issuer: null });
    const { body } = await call("GET", "/api/v1/auth/passkeys", { token });
    expect(body[0].lastUsedAt).not.toBeNull();
  });

  const TRICKS: Readonly<Record<string, Tricks>> = {
    "from another origin": { origin: "https://evil.example" },
    "from a page in a frame of another site": { crossOrigin: true },
    "for another domain": { rpId: "evil.example" },
    "with an invented challenge": { challenge: "aW52ZW50ZWQgY2hhbGxlbmdl" },
    "of a registration": { type: "webauthn.create" },
    "without the verification of the person": { userVerified: false },
    "of an unknown passkey": { credentialId: new Uint8Array(16) },
    "that names another user": { userHandle: "MQ" },
  };
  it.each(Object.entries(TRICKS))("refuses a response %s", async (_, tricks) => {
    const { authenticator } = await owner();
    expect(outcome(await signInWith(authenticator, tricks))).toBe(REFUSED);
  });

  it("refuses a response that another passkey has signed, or that names no user", async () => {
    const { authenticator } = await owner();
    const other = await owner();
    const options = await signInOptions();
    const own = await authenticator.get(options);
    const theirs = await other.authenticator.get(options);
    const { userHandle, ...anonymous } = own.response;
    expect(userHandle).not.toBe("");
    const { signature } = theirs.response;
    const forged = { ...own, response: { ...own.response, signature } };
    expect(outcome(await sendUse(forged))).toBe(REFUSED);
    expect(outcome(await sendUse({ ...own, response: anonymous }))).toBe(REFUSED);
    expect(outcome(await sendUse(own))).toBe("200");
  });

  it("accepts each response once, also when ten requests send it at the same time", async () => {
    const { authenticator } = await owner();
    const response = await authenticator.get(await signInOptions());
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendUse(response)));
    expect(tally(answers)).toEqual({ "200": 1, [REFUSED]: 9 });
  });

  it("refuses a challenge after five minutes, and one of another purpose", async () => {
    const { authenticator, email, token } = await owner();
    const options = await call("POST", "/api/v1/auth/passkeys/options", {
      token,
      body: { currentPassword: PASSWORD },
    });
    const { mfaToken } = (await login(email)).body;
    const second = await signInOptions({ mfaToken });
    const first = await signInOptions();
    const use = (challenge: string, more: object = {}) =>
      authenticator
        .get({ rpId: "flags.test", challenge })
        .then((response) => sendUse(response, more));
    expect(outcome(await use(options.body.challenge))).toBe(REFUSED);
    expect(outcome(await use(second.challenge))).toBe(REFUSED);
    expect(outcome(await use(first.challenge, { mfaToken }))).toBe(REFUSED);
    vi.setSystemTime(Date.now() + 301_000);
    expect(outcome(await use(first.challenge))).toBe(REFUSED);
    vi.useRealTimers();
  });

  it("refuses a counter that has not grown, writes an audit record and tells the user", async () => {
    const { id, email, authenticator } = await owner();
    expect(outcome(await signInWith(authenticator, { counter: 7 }))).toBe("200");
    const mailbox = new Mailbox();
    const response = await authenticator.get(await signInOptions(), { counter: 7 });
    const path = "/api/v1/auth/passkeys/sign-in";
    const copied = await mailbox.call("POST", path, { body: { response } });
    expect(outcome(copied)).toBe(REFUSED);
    expect(await actionsAbout(id)).toContain("passkey.copied");
    expect(mailbox.mails.map(({ to }) => to)).toEqual([email]);
    expect(outcome(await signInWith(authenticator, { counter: 8 }))).toBe("200");
  });

  it("refuses a disabled user", async () => {
    const { id, authenticator } = await owner();
    await asAdmin("PUT", `/api/v1/users/${id}`, { status: "DISABLED" });
    expect(outcome(await signInWith(authenticator))).toBe(REFUSED);
  });

  it("counts refused responses against the limit of failed sign-ins of the network", async () => {
    stopAtHalfAMinute();
    onTestFinished(() => void vi.useRealTimers());
    const FAILURE_RATE = new SmallRate(1);
    const address = newAddress();
    const response = await (await Authenticator.make()).get(await signInOptions());
    const answers = await sendSequentially(3, () =>
      callWith({ FAILURE_RATE }, "POST", "/api/v1/auth/passkeys/sign-in", {
        body: { response },
        headers: from(address),
      }),
    );
    expect(tally(answers)).toEqual({ [REFUSED]: 2, [TOO_MANY]: 1 });
  });

  it("has options that name no passkey, so that they do not tell who has one", async () => {
    await owner();
    expect(await signInOptions()).toEqual({
      challenge: expect.any(String),
      rpId: "flags.test",
      timeout: 300_000,
      userVerification: "required",
      allowCredentials: [],
    });
  });
});

it("is 503 while the service does not know its URL, which passkeys are made for", async () => {
  const path = "/api/v1/auth/passkeys/sign-in/options";
  const answer = await callWith({ PUBLIC_URL: "" }, "POST", path, { body: {} });
  expect(outcome(answer)).toBe("503 SERVICE_UNAVAILABLE");
});

describe("a passkey as the second factor", () => {
  it("is asked for after a password, and completes the sign-in", async () => {
    const { id, email, authenticator } = await owner();
    const first = await login(email);
    expect(first.body).toMatchObject({ mfaRequired: true, secondFactors: ["passkey"] });
    const { mfaToken } = first.body;
    const options = await signInOptions({ mfaToken });
    expect(options.allowCredentials).toHaveLength(1);
    const answer = await sendUse(await authenticator.get(options), { mfaToken });
    expect([answer.status, answer.body.user.id]).toEqual([200, id]);
    const [session] = await rows(
      "SELECT method, mfa FROM sessions WHERE user_id = ? ORDER BY created_at DESC",
      id,
    );
    expect(session).toEqual({ method: "password", mfa: 1 });
  });

  it("is one of two if the user also has an authenticator app, either of which suffices", async () => {
    const { id, token, secret } = await enrolled();
    await call("POST", "/api/v1/auth/mfa/activate", { token, body: { code: codeOf(secret) } });
    const { authenticator } = await newPasskey(token);
    const { body } = await login(await emailOf(id));
    expect(body.secondFactors).toEqual(["totp", "passkey"]);
    const { mfaToken } = body;
    const response = await authenticator.get(await signInOptions({ mfaToken }));
    expect((await sendUse(response, { mfaToken })).status).toBe(200);
  });

  it("must belong to the user who has entered the password", async () => {
    const one = await owner();
    const other = await owner();
    const { mfaToken } = (await login(one.email)).body;
    const response = await other.authenticator.get(await signInOptions({ mfaToken }));
    expect(outcome(await sendUse(response, { mfaToken }))).toBe(REFUSED);
  });

  it("does not complete a sign-in with a forged MFA token, or one of an old password", async () => {
    const { id, email, authenticator } = await owner();
    const path = "/api/v1/auth/passkeys/sign-in/options";
    const forged = await call("POST", path, { body: { mfaToken: "forged" } });
    expect(outcome(forged)).toBe(REFUSED);
    const { mfaToken } = (await login(email)).body;
    const response = await authenticator.get(await signInOptions({ mfaToken }));
    await rows("UPDATE users SET password_hash = 'another' WHERE id = ?", id);
    expect(outcome(await sendUse(response, { mfaToken }))).toBe(REFUSED);
  });

  it("is not asked for any more after the removal of the last passkey", async () => {
    const { email, token, authenticator, passkeyId } = await owner();
    const body = { currentPassword: PASSWORD };
    await call("DELETE", `/api/v1/auth/passkeys/${passkeyId}`, { token, body });
    expect((await login(email)).body.token).toBeDefined();
    expect(outcome(await signInWith(authenticator))).toBe(REFUSED);
  });
});
