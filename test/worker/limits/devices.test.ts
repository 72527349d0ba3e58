import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { call } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { withSecondFactor } from "../support/factors.ts";
import { pretendedHashers } from "../support/hashers.ts";
import { lockedMember, login, WRONG } from "../support/locks.ts";
import { Mailbox, newMember, PASSWORD } from "../support/mailbox.ts";
import { outcome } from "../support/outcomes.ts";
import { TOO_MANY } from "../support/rates.ts";
import { auditOfEntity } from "../support/records.ts";
import { countedDatabase } from "../support/statements.ts";
import { forge, member, me, refresh } from "../support/sessions.ts";

afterEach(() => {
  vi.useRealTimers();
});

const loginOn = (deviceToken: unknown, email: string, password: string) =>
  call("POST", "/api/v1/auth/login", { body: { email, password, deviceToken } });

const { PASSWORD_HASHERS } = pretendedHashers();

/** Sends ten wrong passwords. Fake hashers answer, because real password hashes are slow. */
async function guess(email: string, deviceToken?: string) {
  const guesses: string[] = [];
  for (let n = 0; n < 10; n++) {
    const body = { email, password: `wrong-${n}`, deviceToken };
    const path = "/api/v1/auth/login";
    guesses.push(outcome(await callWith({ PASSWORD_HASHERS }, "POST", path, { body })));
  }
  expect(guesses).toEqual(Array(10).fill(WRONG));
}

/** Locks the account, as a stranger does with ten wrong passwords. */
async function lock(email: string) {
  await guess(email);
  expect(outcome(await login(email, PASSWORD))).toBe(TOO_MANY);
}

/** A user who has signed in on a device. */
async function newOwner() {
  const { id, email } = await member("VIEWER", PASSWORD);
  const { deviceToken } = (await login(email, PASSWORD)).body;
  return { id, email, deviceToken: deviceToken as string };
}

describe("a device that a user has signed in on", () => {
  it("can sign in while wrong passwords of strangers lock the account", async () => {
    const { email, deviceToken } = await newOwner();
    await lock(email);
    const answer = await loginOn(deviceToken, email, PASSWORD);
    expect(outcome(answer)).toBe("200");
    expect(outcome(await loginOn(answer.body.deviceToken, email, PASSWORD))).toBe("200");
    // The strangers stay locked out.
    expect(outcome(await login(email, PASSWORD))).toBe(TOO_MANY);
  });

  it("is locked by ten wrong passwords with its token, which do not lock the account", async () => {
    const { email, deviceToken } = await newOwner();
    await guess(email, deviceToken);
    expect(outcome(await loginOn(deviceToken, email, PASSWORD))).toBe(TOO_MANY);
    const elsewhere = await login(email, PASSWORD);
    expect(outcome(elsewhere)).toBe("200");
    expect(outcome(await loginOn(elsewhere.body.deviceToken, email, PASSWORD))).toBe("200");
  });

  it("stays the same device when it signs in again, so its earlier tokens allow no further guesses", async () => {
    const { email, deviceToken } = await newOwner();
    const later = (await loginOn(deviceToken, email, PASSWORD)).body.deviceToken as string;
    await guess(email, deviceToken);
    expect(outcome(await loginOn(deviceToken, email, PASSWORD))).toBe(TOO_MANY);
    expect(outcome(await loginOn(later, email, PASSWORD))).toBe(TOO_MANY);
  });

  it.each([
    ["belongs to another user", async () => (await newOwner()).deviceToken],
    ["is not a token", async () => "not a token"],
    [
      "is signed with the secret of access tokens",
      async ({ id }: { id: number }) => {
        const now = Math.floor(Date.now() / 1000);
        return forge({ sub: String(id), device: "x", password: "x", iat: now, exp: now + 900 });
      },
    ],
  ])("is not recognised by a token that %s", async (_, tokenFor) => {
    const owner = await newOwner();
    const deviceToken = await tokenFor(owner);
    await lock(owner.email);
    expect(outcome(await loginOn(deviceToken, owner.email, PASSWORD))).toBe(TOO_MANY);
  });

  it("is not recognised more than 180 days after its last sign-in", async () => {
    const { email, deviceToken } = await newOwner();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    vi.setSystemTime(Date.now() + 180 * DAY_MS + 1_000);
    await guess(email);
    expect(outcome(await loginOn(deviceToken, email, PASSWORD))).toBe(TOO_MANY);
  });

  it("is not recognised after the password has changed", async () => {
    const { email, token } = await newMember();
    const { deviceToken } = (await login(email, PASSWORD)).body;
    const body = { currentPassword: PASSWORD, password: "a newer password" };
    expect((await call("PUT", "/api/v1/auth/me", { token, body })).status).toBe(200);
    await guess(email);
    expect(outcome(await loginOn(deviceToken, email, "a newer password"))).toBe(TOO_MANY);
  });

  it("is named as known in the audit record of a sign-in; a device without a token, or with that of another user, is not", async () => {
    const { id, email, deviceToken } = await newOwner();
    const others = (await newOwner()).deviceToken;
    for (const token of [deviceToken, others]) await loginOn(token, email, PASSWORD);
    const records = await auditOfEntity("user", id);
    expect(records.map(({ action, after }) => [action, after])).toEqual(
      [false, true, false].map((knownDevice) => [
        "session.started",
        JSON.stringify({ knownDevice }),
      ]),
    );
  });

  it("gets no access with its token alone", async () => {
    const { deviceToken } = await newOwner();
    const answer = await me(deviceToken);
    expect(outcome(answer)).toBe("401 UNAUTHORIZED");
    const verify = { mfaToken: deviceToken, code: "123456" };
    expect((await call("POST", "/api/v1/auth/mfa/verify", { body: verify })).status).toBe(401);
  });
});

describe("a device token", () => {
  it("is in the response to a password reset, so strangers who lock the account at once do not keep the owner out", async () => {
    const { email } = await lockedMember();
    const mailbox = new Mailbox();
    await mailbox.call("POST", "/api/v1/auth/forgot-password", { body: { email } });
    const body = { token: mailbox.lastToken(email), password: "a new password" };
    const reset = await call("POST", "/api/v1/auth/reset-password", { body });
    await guess(email);
    expect(outcome(await login(email, "a new password"))).toBe(TOO_MANY);
    const answer = await loginOn(reset.body.deviceToken, email, "a new password");
    expect(outcome(answer)).toBe("200");
  });

  it("is in the response to an accepted invitation, and not in that to a refresh", async () => {
    const { email, refreshToken, deviceToken } = await newMember();
    await lock(email);
    expect(outcome(await loginOn(deviceToken, email, PASSWORD))).toBe("200");
    const refreshed = await refresh(refreshToken);
    expect(refreshed.body).not.toHaveProperty("deviceToken");
  });

  it("comes with the second factor, not with the password", async () => {
    const { token, code } = await withSecondFactor();
    const { email } = (await me(token)).body;
    const first = await login(email, PASSWORD);
    expect(Object.keys(first.body).toSorted()).toEqual([
      "mfaRequired",
      "mfaToken",
      "secondFactors",
    ]);
    const body = { mfaToken: first.body.mfaToken, code };
    const second = await call("POST", "/api/v1/auth/mfa/verify", { body });
    expect(second.body.deviceToken).toEqual(expect.any(String));
    await lock(email);
    const again = await loginOn(second.body.deviceToken, email, PASSWORD);
    expect(again.body.mfaRequired).toBe(true);
  });

  it("does not reveal whether an e-mail address has a user: same response, same number of SQL statements", async () => {
    const { deviceToken } = await newOwner();
    const seen = async (email: string) => {
      const counted = countedDatabase();
      const replaced = { DB: counted.DB, PASSWORD_HASHERS };
      const answers: string[] = [];
      for (let n = 0; n < 11; n++) {
        const body = { email, password: "wrong", deviceToken };
        answers.push(outcome(await callWith(replaced, "POST", "/api/v1/auth/login", { body })));
      }
      return { statements: counted.statements, answers };
    };
    const known = await seen((await member("VIEWER", PASSWORD)).email);
    expect(await seen("nobody-on-a-device@example.com")).toEqual(known);
    expect(known.answers.at(-1)).toBe(TOO_MANY);
  });
});
