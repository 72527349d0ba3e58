import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { outcome } from "./outcomes.ts";
import { call } from "./client.ts";
import { PASSWORD } from "./mailbox.ts";
import { member } from "./sessions.ts";

/** Test helpers for account lockout: ten wrong passwords in a row lock an e-mail address. */

export const WRONG = "401 INVALID_CREDENTIALS";

export const login = (email: string, password: string) =>
  call("POST", "/api/v1/auth/login", { body: { email, password } });

interface Row {
  readonly email_hash: string;
  readonly failures: number;
  readonly locked_until: number | null;
  readonly last_at: number;
}

export const failureRows = async () =>
  (await env.DB.prepare("SELECT * FROM login_failures").all<Row>()).results;

export const failuresOf = async (hash: string) =>
  (await failureRows()).find((row) => row.email_hash === hash);

/** Sends the first wrong password for the address. Returns the stored hash of the address. */
export const firstFailure = (email: string): Promise<string> =>
  newCount(async () => {
    expect(outcome(await login(email, "not the password"))).toBe(WRONG);
  });

/** Sends the first wrong current password in a session. Returns the stored hash of the session. */
export const firstRefusal = (token: string): Promise<string> =>
  newCount(async () => {
    const body = { currentPassword: "not the password", password: "a new password" };
    const answer = await call("PUT", "/api/v1/auth/me", { token, body });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
  });

async function newCount(send: () => Promise<void>): Promise<string> {
  const before = new Set((await failureRows()).map((row) => row.email_hash));
  await send();
  const hash = (await failureRows()).find((row) => !before.has(row.email_hash))?.email_hash;
  if (hash === undefined) throw new Error("the failure was not counted");
  return hash;
}

/** Sets the number of failed logins in a row, and ends the lock of the e-mail address. */
export const setFailures = (hash: string, failures: number) =>
  env.DB.prepare("UPDATE login_failures SET failures = ?, locked_until = 1 WHERE email_hash = ?")
    .bind(failures, hash)
    .run();

export const setLock = (hash: string, until: number) =>
  env.DB.prepare("UPDATE login_failures SET locked_until = ? WHERE email_hash = ?")
    .bind(until, hash)
    .run();

/** Creates a user with nine failed logins in a row. The tenth locks the account. */
export async function nineFailures() {
  const { id, email } = await member("VIEWER", PASSWORD);
  const hash = await firstFailure(email);
  await setFailures(hash, 9);
  return { id, email, hash };
}

/** Creates a user whose account is locked after the tenth failed login. */
export async function lockedMember() {
  const one = await nineFailures();
  expect(outcome(await login(one.email, "not the password"))).toBe(WRONG);
  return one;
}
