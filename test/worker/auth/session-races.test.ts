import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";
import { withSecondFactor } from "../support/factors.ts";
import { Mailbox, newMember, PASSWORD } from "../support/mailbox.ts";
import { adminToken } from "../support/people.ts";
import { claimsOf, member } from "../support/sessions.ts";

const login = (email: string) => ({ body: { email, password: PASSWORD } });
const LOGIN = "/api/v1/auth/login";

const sessionsOf = async (userId: number) => {
  const row = await env.DB.prepare("SELECT count(*) AS n FROM sessions WHERE user_id = ?")
    .bind(userId)
    .first<{ n: number }>();
  return row?.n;
};

const asAdmin = async (method: string, path: string, body?: object) =>
  call(method, path, { token: await adminToken(), body });

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
  [
    "the user gets another role",
    async ({ id }) =>
      () =>
        asAdmin("PUT", `/api/v1/users/${id}`, { role: "DEVELOPER" }),
  ],
  [
    "the user is disabled",
    async ({ id }) =>
      () =>
        asAdmin("PUT", `/api/v1/users/${id}`, { status: "DISABLED" }),
  ],
  [
    "the user is deleted",
    async ({ id }) =>
      () =>
        asAdmin("DELETE", `/api/v1/users/${id}`),
  ],
];

describe("a session that is being opened", () => {
  it.each(CHANGES)("by a login is refused when %s meanwhile", async (_, prepare) => {
    const user = await member("VIEWER", PASSWORD);
    const DB = changedBeforeBatch(await prepare(user));
    const before = await sessionsOf(user.id);
    const raced = await callWith({ DB }, "POST", LOGIN, login(user.email));
    expect(outcome(raced)).toBe("401 INVALID_CREDENTIALS");
    expect(before).toBe(1);
    expect(await sessionsOf(user.id)).toBe(0);
  });

  it("by a login is not refused when the user is only renamed meanwhile", async () => {
    const user = await member("VIEWER", PASSWORD);
    const rename = () => asAdmin("PUT", `/api/v1/users/${user.id}`, { name: "Renamed" });
    const DB = changedBeforeBatch(rename);
    expect(outcome(await callWith({ DB }, "POST", LOGIN, login(user.email)))).toBe("200");
  });

  it("by an accepted invitation is refused when the user is disabled meanwhile", async () => {
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

  it("by a second factor is refused when the user gets another role meanwhile", async () => {
    const { id, mfaToken, code } = await withSecondFactor();
    const promote = () => asAdmin("PUT", `/api/v1/users/${id}`, { role: "DEVELOPER" });
    const DB = changedBeforeBatch(promote);
    const body = { mfaToken, code };
    const raced = await callWith({ DB }, "POST", "/api/v1/auth/mfa/verify", { body });
    expect(outcome(raced)).toBe("401 INVALID_CREDENTIALS");
    expect(await sessionsOf(id)).toBe(0);
  });
});

describe("a session that is open", () => {
  it.each(CHANGES)("ends at once when %s", async (_, prepare) => {
    const user = await member("VIEWER", PASSWORD);
    const change = await prepare(user);
    const { body: session } = await call("POST", LOGIN, login(user.email));
    const me = () => call("GET", "/api/v1/auth/me", { token: session.token });
    expect(outcome(await me())).toBe("200");
    await change();
    expect(outcome(await me())).toBe("401 UNAUTHORIZED");
    const body = { refreshToken: session.refreshToken };
    const refreshed = await call("POST", "/api/v1/auth/refresh", { body });
    expect(outcome(refreshed)).toBe("401 UNAUTHORIZED");
  });

  it("stays ended when the disabled user is enabled again", async () => {
    const user = await newMember();
    for (const status of ["DISABLED", "ACTIVE"])
      await asAdmin("PUT", `/api/v1/users/${user.id}`, { status });
    const me = await call("GET", "/api/v1/auth/me", { token: user.token });
    expect(outcome(me)).toBe("401 UNAUTHORIZED");
  });

  it("ends with a bounded number of calls, however many sessions the user has", async () => {
    const user = await newMember();
    const { sid } = claimsOf(user.token);
    const rows = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => `${n}-${user.id}`));
    await env.DB.prepare(
      `INSERT INTO sessions (id, user_id, created_at, refreshed_at)
       SELECT value, ?, 1, 1 FROM json_each(?)`,
    )
      .bind(user.id, rows)
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
    const left = await env.DB.prepare("SELECT id FROM sessions WHERE user_id = ?")
      .bind(user.id)
      .all();
    expect(left.results).toEqual([{ id: sid }]);
  });
});
