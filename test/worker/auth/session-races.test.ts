import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";
import { withSecondFactor } from "../support/factors.ts";
import { login } from "../support/locks.ts";
import { Mailbox, newMember, PASSWORD } from "../support/mailbox.ts";
import { adminToken } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { claimsOf, member, me, refresh } from "../support/sessions.ts";

const LOGIN = "/api/v1/auth/login";

const sessionsOf = async (userId: number) =>
  (await rows("SELECT id FROM sessions WHERE user_id = ?", userId)).length;

/** Returns the token of a new password reset link. */
async function resetToken(email: string): Promise<string> {
  const mailbox = new Mailbox();
  await mailbox.call("POST", "/api/v1/auth/forgot-password", { body: { email } });
  return mailbox.lastToken(email);
}

const resetPassword = (token: string) =>
  call("POST", "/api/v1/auth/reset-password", { body: { token, password: "a newer password" } });

/** The database, which makes a change before the n-th D1 batch of a request. */
function changedBeforeBatch(change: () => Promise<unknown>, n = 1): D1Database {
  let batches = 0;
  return watchedDatabase(async (statements) => {
    if (statements === 1) return;
    batches += 1;
    if (batches === n) await change();
  });
}

const updated =
  (fields: object): Change =>
  async ({ id }) =>
  () =>
    asAdmin("PUT", `/api/v1/users/${id}`, fields);

type Change = (member: { id: number; email: string }) => Promise<() => Promise<unknown>>;

/** The changes that end all sessions of a user. Each function prepares a change and returns it. */
const CHANGES: readonly (readonly [string, Change])[] = [
  [
    "the password is reset",
    async ({ email }) => {
      const token = await resetToken(email);
      return () => resetPassword(token);
    },
  ],
  ["the user gets another role", updated({ role: "DEVELOPER" })],
  ["the user is disabled", updated({ status: "DISABLED" })],
  [
    "the user is deleted",
    async ({ id }) =>
      () =>
        asAdmin("DELETE", `/api/v1/users/${id}`),
  ],
];

describe("the opening of a session", () => {
  it.each(CHANGES)("by a login returns 401 when %s meanwhile", async (_, prepare) => {
    const user = await member("VIEWER", PASSWORD);
    const DB = changedBeforeBatch(await prepare(user));
    const before = await sessionsOf(user.id);
    const body = { email: user.email, password: PASSWORD };
    const raced = await callWith({ DB }, "POST", LOGIN, { body });
    expect(outcome(raced)).toBe("401 INVALID_CREDENTIALS");
    expect(before).toBe(1);
    expect(await sessionsOf(user.id)).toBe(0);
  });

  it("by a login succeeds when the user is only renamed meanwhile", async () => {
    const user = await member("VIEWER", PASSWORD);
    const rename = () => asAdmin("PUT", `/api/v1/users/${user.id}`, { name: "Renamed" });
    const DB = changedBeforeBatch(rename);
    const body = { email: user.email, password: PASSWORD };
    expect(outcome(await callWith({ DB }, "POST", LOGIN, { body }))).toBe("200");
  });

  it("by an accepted invitation returns 401 when the user is disabled meanwhile", async () => {
    const mailbox = new Mailbox();
    const email = `guest-${crypto.randomUUID()}@example.com`;
    const token = await adminToken();
    const body = { email, role: "VIEWER" };
    const invited = await mailbox.call("POST", "/api/v1/users/invite", { token, body });
    const path = `/api/v1/users/${invited.body.id}`;
    const DB = changedBeforeBatch(() => asAdmin("PUT", path, { status: "DISABLED" }), 2);
    const raced = await callWith({ DB }, "POST", "/api/v1/auth/accept-invite", {
      body: { token: mailbox.lastToken(email), password: PASSWORD },
    });
    expect(outcome(raced)).toBe("401 INVALID_CREDENTIALS");
    expect(await sessionsOf(invited.body.id)).toBe(0);
  });

  it("by a second factor returns 401 when the user gets another role meanwhile", async () => {
    const { id, mfaToken, code } = await withSecondFactor();
    const promote = () => asAdmin("PUT", `/api/v1/users/${id}`, { role: "DEVELOPER" });
    const DB = changedBeforeBatch(promote);
    const body = { mfaToken, code };
    const raced = await callWith({ DB }, "POST", "/api/v1/auth/mfa/verify", { body });
    expect(outcome(raced)).toBe("401 INVALID_CREDENTIALS");
    expect(await sessionsOf(id)).toBe(0);
  });
});

describe("an open session", () => {
  it.each(CHANGES)("ends at once when %s", async (_, prepare) => {
    const user = await member("VIEWER", PASSWORD);
    const change = await prepare(user);
    const { body: session } = await login(user.email, PASSWORD);
    expect(outcome(await me(session.token))).toBe("200");
    await change();
    expect(outcome(await me(session.token))).toBe("401 UNAUTHORIZED");
    const refreshed = await refresh(session.refreshToken);
    expect(outcome(refreshed)).toBe("401 UNAUTHORIZED");
  });

  it("stays ended when the disabled user is enabled again", async () => {
    const user = await newMember();
    for (const status of ["DISABLED", "ACTIVE"])
      await asAdmin("PUT", `/api/v1/users/${user.id}`, { status });
    expect(outcome(await me(user.token))).toBe("401 UNAUTHORIZED");
  });

  it("keeps only the session of the caller after a new password, without a call of a Durable Object, among 2,000 sessions", async () => {
    const user = await newMember();
    const { sid } = claimsOf(user.token);
    const ids = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => `${n}-${user.id}`));
    await env.DB.prepare(
      `INSERT INTO sessions (id, user_id, created_at, refreshed_at)
       SELECT value, ?, 1, 1 FROM json_each(?)`,
    )
      .bind(user.id, ids)
      .run();
    let calls = 0;
    const getByName = (name: string) => {
      calls += 1;
      return env.REFRESH_FAMILIES.getByName(name);
    };
    const REFRESH_FAMILIES = { getByName } as unknown as Env["REFRESH_FAMILIES"];
    const body = { password: "a newer password", currentPassword: PASSWORD };
    const options = { token: user.token, body };
    const changed = await callWith({ REFRESH_FAMILIES }, "PUT", "/api/v1/auth/me", options);
    expect([outcome(changed), calls]).toEqual(["200", 0]);
    expect(await rows("SELECT id FROM sessions WHERE user_id = ?", user.id)).toEqual([{ id: sid }]);
  });
});
