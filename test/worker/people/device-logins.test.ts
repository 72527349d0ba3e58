import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { call } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import {
  approve,
  begin,
  type Codes,
  decide,
  newDeviceLogin,
  poll,
} from "../support/device-logins.ts";
import { signedInWithPassword } from "../support/factors.ts";
import { newLink } from "../support/links.ts";
import { Mailbox, PASSWORD } from "../support/mailbox.ts";
import { asAdmin, invalidFields, outcome, tally } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import {
  from,
  newAddress,
  sendSequentially,
  SmallRate,
  standAtHalfAMinute,
  TOO_MANY,
} from "../support/rates.ts";
import { auditOf, auditOfEntity, rows } from "../support/records.ts";
import { newToken } from "../support/tokens.ts";
import { newProject } from "../support/world.ts";

const PENDING = "400 AUTHORIZATION_PENDING";
const ENDED = "400 EXPIRED_TOKEN";
const DENIED = "400 ACCESS_DENIED";
const UNKNOWN = "404 NOT_FOUND";

/** Sets columns of the row of a login. */
async function setLogin({ deviceCode }: Codes, columns: string): Promise<void> {
  const hash = await sha256(deviceCode);
  await env.DB.prepare(`UPDATE device_logins SET ${columns} WHERE device_hash = ?`)
    .bind(hash)
    .run();
}

/** Begins a login, and approves it with a new user. */
async function approved(body: object = {}) {
  const codes = await newDeviceLogin();
  const user = await signedInWithPassword();
  const answer = await approve(user.token, { ...codes, ...body });
  expect(outcome(answer)).toBe("200");
  return { ...user, codes, answer };
}

describe("a login on a device", () => {
  it("gives the device one token with the approved rights, for 90 days", async () => {
    const { id: projectId } = await newProject();
    const codes = await newDeviceLogin("flags on build-7");
    expect(outcome(await poll(codes))).toBe(PENDING);
    const { id: userId, token: session } = await signedInWithPassword();
    const decided = await approve(session, {
      userCode: codes.userCode.toLowerCase(),
      scopes: ["read"],
      projectIds: [projectId],
    });
    expect(decided.body).toMatchObject({ clientName: "flags on build-7", status: "approved" });
    const { status, body } = await poll(codes);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "flags on build-7",
      token: expect.stringMatching(/^ffpat_[0-9A-Za-z]{42}$/),
      scopes: ["read"],
      projectIds: [projectId],
      environmentIds: null,
      serviceAccountId: null,
    });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(90 * DAY_MS);
    const { body: seen } = await call("GET", "/api/v1/projects", { token: body.token });
    expect(seen.map((one: { id: number }) => one.id)).toEqual([projectId]);
    expect(
      await rows("SELECT user_id, created_by FROM access_tokens WHERE id = ?", body.id),
    ).toEqual([{ user_id: userId, created_by: userId }]);
    expect(outcome(await poll(codes))).toBe(ENDED);
  });

  it("begins with codes for 15 minutes and the address of the page on which a user enters the code", async () => {
    const { body } = await begin({ body: {} });
    expect(body).toEqual({
      deviceCode: expect.stringMatching(/^[\w-]{43}$/),
      userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verificationUri: "https://flags.test/device",
      verificationUriComplete: `https://flags.test/device?code=${body.userCode}`,
      expiresIn: 900,
      interval: 5,
    });
  });

  it("stores neither its codes nor their plain hashes of the user code", async () => {
    const { deviceCode, userCode } = await newDeviceLogin();
    const plain = [deviceCode, userCode, userCode.replace("-", ""), await sha256(userCode)];
    const stored = JSON.stringify(
      await rows("SELECT * FROM device_logins ORDER BY id DESC LIMIT 5"),
    );
    expect(plain.filter((secret) => stored.includes(secret))).toEqual([]);
    expect(stored).toContain(await sha256(deviceCode));
  });

  it("shows a signed-in user what asks, and from where", async () => {
    const headers = { "User-Agent": "flags/0.2.0", ...from(newAddress()) };
    const { userCode } = (await begin({ body: { clientName: "ci" }, headers })).body;
    const { body } = await decide("lookup", (await person("VIEWER")).token, { userCode });
    expect(body).toEqual({
      clientName: "ci",
      ip: headers["CF-Connecting-IP"],
      userAgent: "flags/0.2.0",
      status: "waiting",
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
  });

  it("gets the scopes read and write if the user names none", async () => {
    const { codes } = await approved();
    expect((await poll(codes)).body.scopes).toEqual(["read", "write"]);
  });

  it("is audited when it is decided and when the device takes the token, without codes and token", async () => {
    const { id, codes, answer } = await approved();
    const { body } = await poll(codes);
    expect(await auditOf(answer)).toMatchObject([
      { action: "device-login.approved", category: "security", entity_type: "user", entity_id: id },
    ]);
    const records = await auditOfEntity("token", body.id);
    expect(records).toMatchObject([{ action: "token.created", actor_id: id }]);
    const text = JSON.stringify([records, await auditOf(answer)]);
    for (const secret of [codes.deviceCode, codes.userCode, body.token])
      expect(text).not.toContain(secret);
  });

  it("is reported to the user who has approved it by e-mail", async () => {
    const { userCode } = await newDeviceLogin("build-8");
    const { id, token } = await signedInWithPassword();
    const mailbox = new Mailbox();
    const body = { userCode, currentPassword: PASSWORD };
    await mailbox.call("POST", "/api/v1/auth/device/approve", { token, body });
    const [user] = await rows("SELECT email FROM users WHERE id = ?", id);
    await expect
      .poll(() => mailbox.mails)
      .toMatchObject([{ to: user.email, subject: expect.stringContaining("build-8") }]);
  });
});

describe("the device", () => {
  it("gets SLOW_DOWN for a poll that follows the one before too soon, also of another isolate", async () => {
    const codes = await newDeviceLogin();
    expect([outcome(await poll(codes)), outcome(await poll(codes))]).toEqual([
      PENDING,
      "400 SLOW_DOWN",
    ]);
    await setLogin(codes, `polled_at = ${Date.now() - 5000}`);
    expect(outcome(await poll(codes))).toBe(PENDING);
  });

  it("gets one token for polls at the same time", async () => {
    const { id, codes } = await approved();
    const answers = await Promise.all([poll(codes), poll(codes), poll(codes)]);
    expect(tally(answers)).toEqual({ "200": 1, [ENDED]: 2 });
    expect(await rows("SELECT id FROM access_tokens WHERE user_id = ?", id)).toHaveLength(1);
  });

  it("gets ACCESS_DENIED after a denial, which needs no password and is audited", async () => {
    const codes = await newDeviceLogin();
    const { id, token } = await person("VIEWER");
    const answer = await decide("deny", token, codes);
    expect([answer.body.status, outcome(await poll(codes))]).toEqual(["denied", DENIED]);
    expect(await auditOf(answer)).toMatchObject([
      { action: "device-login.denied", category: "security", entity_id: id },
    ]);
  });

  it.each([
    [
      "ACCESS_DENIED",
      "the user was disabled after the approval",
      "UPDATE users SET status = 'DISABLED'",
    ],
    ["EXPIRED_TOKEN", "the user was removed after the approval", "DELETE FROM users"],
  ])("gets %s if %s", async (code, _, change) => {
    const { id, codes } = await approved();
    await env.DB.prepare(`${change} WHERE id = ?`).bind(id).run();
    expect(outcome(await poll(codes))).toBe(`400 ${code}`);
  });

  it.each<[string, (user: Awaited<ReturnType<typeof approved>>) => Promise<unknown>]>([
    [
      "the user has changed the password",
      ({ token }) =>
        call("PUT", "/api/v1/auth/me", {
          token,
          body: { currentPassword: PASSWORD, password: "another-horse-battery" },
        }),
    ],
    [
      "the user has reset the password",
      async ({ codes }) => {
        const { id, token } = await newLink("RESET");
        await setLogin(codes, `decided_by = ${id}`);
        const body = { token, password: "another-horse-battery" };
        return call("POST", "/api/v1/auth/reset-password", { body });
      },
    ],
    [
      "an administrator has disabled the user, and enabled the user again",
      async ({ id }) => {
        await asAdmin("PUT", `/api/v1/users/${id}`, { status: "DISABLED" });
        return asAdmin("PUT", `/api/v1/users/${id}`, { status: "ACTIVE" });
      },
    ],
  ])("gets EXPIRED_TOKEN if %s since the approval", async (_, change) => {
    const user = await approved();
    expect(await change(user)).toMatchObject({ status: expect.toBeOneOf([200, 204]) });
    expect(outcome(await poll(user.codes))).toBe(ENDED);
  });

  it("gets EXPIRED_TOKEN after 15 minutes, also if the login was approved, and for an unknown code", async () => {
    const { codes } = await approved();
    await setLogin(codes, "expires_at = expires_at - 900000");
    expect(outcome(await poll(codes))).toBe(ENDED);
    expect(outcome(await poll({ deviceCode: "unknown" }))).toBe(ENDED);
  });

  it("gets 402 if the user has made 50 tokens since the approval", async () => {
    const { id: userId, codes } = await approved();
    for (let n = 0; n < 50; n++) await newToken({ userId, scopes: ["read"] });
    expect(outcome(await poll(codes))).toBe("402 QUOTA_EXCEEDED");
  });
});

describe("an approval", () => {
  it("needs the current password", async () => {
    const codes = await newDeviceLogin();
    const { token } = await signedInWithPassword();
    for (const currentPassword of [undefined, "wrong password"])
      expect(invalidFields(await decide("approve", token, { ...codes, currentPassword }))).toEqual([
        "currentPassword",
      ]);
    expect(outcome(await poll(codes))).toBe(PENDING);
  });

  it.each([
    ["scopes", { scopes: [] }],
    ["projectIds", { projectIds: [999_999_999] }],
    ["environmentIds", { environmentIds: [999_999_999] }],
    ["userCode", { userCode: "AEIO-UAEI" }],
  ])("is refused with 400 for a wrong field %s: %o", async (field, body) => {
    const { token } = await signedInWithPassword();
    const codes = await newDeviceLogin();
    expect(invalidFields(await approve(token, { ...codes, ...body }))).toEqual([field]);
  });

  it("is refused with 402 if the user has 50 tokens", async () => {
    const { id: userId, token } = await signedInWithPassword();
    for (let n = 0; n < 50; n++) await newToken({ userId, scopes: ["read"] });
    expect(outcome(await approve(token, await newDeviceLogin()))).toBe("402 QUOTA_EXCEEDED");
  });

  it("is the only decision: of two users at the same time, one gets 404, and so does everybody later", async () => {
    const codes = await newDeviceLogin();
    const [one, other] = [await signedInWithPassword(), await signedInWithPassword()];
    const answers = await Promise.all([approve(one.token, codes), approve(other.token, codes)]);
    expect(tally(answers)).toEqual({ "200": 1, [UNKNOWN]: 1 });
    expect(outcome(await decide("deny", other.token, codes))).toBe(UNKNOWN);
    const winner = answers[0]?.status === 200 ? one : other;
    const { body } = await poll(codes);
    expect(await rows("SELECT user_id FROM access_tokens WHERE id = ?", body.id)).toEqual([
      { user_id: winner.id },
    ]);
  });

  it("cannot be made with a token", async () => {
    const { id: userId } = await signedInWithPassword();
    const { token } = await newToken({ userId, scopes: ["read", "write", "approve", "admin"] });
    expect(outcome(await approve(token, await newDeviceLogin()))).toBe("403 FORBIDDEN");
  });

  it("does not revive an expired login", async () => {
    const codes = await newDeviceLogin();
    await setLogin(codes, "expires_at = 1");
    const { token } = await signedInWithPassword();
    expect(outcome(await approve(token, codes))).toBe(UNKNOWN);
    expect(outcome(await decide("lookup", token, codes))).toBe(UNKNOWN);
  });
});

describe("wrong user codes", () => {
  standAtHalfAMinute();

  const guess = (token: string) => decide("lookup", token, { userCode: "BBBB-BBBB" });

  it("lock the codes for the user after ten, but neither the sign-in nor the codes of others", async () => {
    const { id, token } = await signedInWithPassword();
    const codes = await newDeviceLogin();
    const answers = await sendSequentially(11, () => guess(token));
    expect(tally(answers)).toEqual({ [UNKNOWN]: 10, [TOO_MANY]: 1 });
    expect(outcome(await approve(token, codes))).toBe(TOO_MANY);
    expect((await auditOfEntity("user", id)).map(({ action }) => action)).toEqual([
      ...Array.from({ length: 9 }, () => "device-login.refused"),
      "user.locked",
    ]);
    const [user] = await rows("SELECT email FROM users WHERE id = ?", id);
    const body = { email: user.email, password: PASSWORD };
    expect((await call("POST", "/api/v1/auth/login", { body })).status).toBe(200);
    expect(outcome(await approve((await signedInWithPassword()).token, codes))).toBe("200");
  });

  it("still count after a decision, which every user can make about a login of their own", async () => {
    const { token } = await signedInWithPassword();
    await sendSequentially(9, () => guess(token));
    expect(outcome(await approve(token, await newDeviceLogin()))).toBe("200");
    expect([outcome(await guess(token)), outcome(await guess(token))]).toEqual([UNKNOWN, TOO_MANY]);
  });

  it("count as failed logins of the network, whichever user sends them", async () => {
    const FAILURE_RATE = new SmallRate(2);
    const headers = from(newAddress());
    const answers = await sendSequentially(4, async () =>
      callWith({ FAILURE_RATE }, "POST", "/api/v1/auth/device/lookup", {
        token: (await person("VIEWER")).token,
        body: { userCode: "BBBB-BBBB" },
        headers,
      }),
    );
    expect(tally(answers)).toEqual({ [UNKNOWN]: 3, [TOO_MANY]: 1 });
  });
});
