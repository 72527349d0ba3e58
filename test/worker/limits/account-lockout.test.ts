import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sweep } from "../../../src/jobs/sweep.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import {
  failureRows,
  failuresOf,
  firstFailure,
  lockedMember,
  login,
  nineFailures,
  setFailures,
  setLock,
  WRONG,
} from "../support/locks.ts";
import { Mailbox, newMember, PASSWORD } from "../support/mailbox.ts";
import { auditOfEntity } from "../support/records.ts";
import { TOO_MANY, waitOf } from "../support/rates.ts";
import { member, me, refresh } from "../support/sessions.ts";
import { countedCall } from "../support/statements.ts";

const MINUTE_S = 60;
const DAY_S = 86_400;

describe("ten wrong passwords in a row", () => {
  it("lock the account for a minute, in which even the right password returns 429", async () => {
    const { email } = await member("VIEWER", PASSWORD);
    for (let n = 0; n < 10; n++) expect(outcome(await login(email, `wrong-${n}`))).toBe(WRONG);
    const right = await login(email, PASSWORD);
    expect(outcome(right)).toBe(TOO_MANY);
    expect(waitOf(right)).toBeGreaterThan(MINUTE_S - 10);
    expect(waitOf(right)).toBeLessThanOrEqual(MINUTE_S);
  });

  it("do not lock the account when a right password comes before the tenth", async () => {
    const { email, hash } = await nineFailures();
    expect(outcome(await login(email, PASSWORD))).toBe("200");
    expect(await failuresOf(hash)).toBeUndefined();
    expect(outcome(await login(email, "wrong"))).toBe(WRONG);
    expect(outcome(await login(email, PASSWORD))).toBe("200");
  });

  it("are counted together for an e-mail address in upper and lower case", async () => {
    const { email, hash } = await nineFailures();
    await login(` ${email.toUpperCase()} `, "wrong");
    expect((await failuresOf(hash))?.failures).toBe(10);
    expect(outcome(await login(email, PASSWORD))).toBe(TOO_MANY);
  });
});

describe("the lock of an account", () => {
  it("is not extended by login attempts during the lock, and each attempt takes one SQL statement", async () => {
    const { email, hash } = await lockedMember();
    const before = await failuresOf(hash);
    for (const password of ["wrong", PASSWORD]) {
      const options = { body: { email, password } };
      const { answer, statements } = await countedCall("POST", "/api/v1/auth/login", options);
      expect([outcome(answer), statements]).toEqual([TOO_MANY, 1]);
    }
    expect(await failuresOf(hash)).toEqual(before);
  });

  it("ends after its time; a login with the right password then succeeds", async () => {
    const { email, hash } = await lockedMember();
    await setLock(hash, Date.now());
    expect(outcome(await login(email, PASSWORD))).toBe("200");
    expect(await failuresOf(hash)).toBeUndefined();
  });

  it.each([
    [10, 2 * MINUTE_S],
    [11, 4 * MINUTE_S],
    [15, 64 * MINUTE_S],
    [20, DAY_S],
    [21, DAY_S],
    [1_000_000, DAY_S],
  ])(
    "is started by a failed login after %i earlier failed logins, and lasts %i seconds",
    async (failures, seconds) => {
      const { email, hash } = await nineFailures();
      await setFailures(hash, failures);
      expect(outcome(await login(email, "wrong"))).toBe(WRONG);
      const wait = waitOf(await login(email, PASSWORD));
      // The lock doubles with each further failure, up to the maximum of one day.
      expect(wait).toBeGreaterThan(seconds - 20);
      expect(wait).toBeLessThanOrEqual(seconds);
    },
  );

  it("ends when the user sets a new password through a link in an e-mail", async () => {
    const { email, hash } = await lockedMember();
    const mailbox = new Mailbox();
    await mailbox.call("POST", "/api/v1/auth/forgot-password", { body: { email } });
    const body = { token: mailbox.lastToken(email), password: "a new password" };
    expect((await call("POST", "/api/v1/auth/reset-password", { body })).status).toBe(200);
    expect(await failuresOf(hash)).toBeUndefined();
    expect(outcome(await login(email, "a new password"))).toBe("200");
  });

  it("does not end existing sessions", async () => {
    const { email, token, refreshToken } = await newMember();
    const hash = await firstFailure(email);
    await setFailures(hash, 9);
    await login(email, "wrong");
    expect(outcome(await login(email, PASSWORD))).toBe(TOO_MANY);
    expect((await me(token)).status).toBe(200);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it("is audited with the category security, for the user, with the IP address of the login attempt", async () => {
    const { id, email } = await nineFailures();
    const headers = { "CF-Connecting-IP": "203.0.113.9" };
    const body = { email, password: "wrong" };
    await call("POST", "/api/v1/auth/login", { body, headers });
    expect((await auditOfEntity("user", id)).at(-1)).toMatchObject({
      action: "user.locked",
      category: "security",
      actor_kind: "system",
      ip: "203.0.113.9",
    });
  });
});

describe("the number of failed logins", () => {
  const sweepAt = (now: number) => sweep({ ...jobDeps(env), now: () => now });

  it("is kept until more than a day after the end of the lock", async () => {
    const { hash } = await lockedMember();
    const until = ((await failuresOf(hash))?.last_at ?? 0) + DAY_S * 1000;
    await setLock(hash, until);
    await sweepAt(until + DAY_S * 1000);
    expect((await failuresOf(hash))?.failures).toBe(10);
    await sweepAt(until + DAY_S * 1000 + 1);
    expect(await failuresOf(hash)).toBeUndefined();
  });

  it("is deleted by the sweep job more than a day after the last failed login", async () => {
    const { email, hash } = await nineFailures();
    const at = (await failuresOf(hash))?.last_at ?? 0;
    await sweepAt(at + DAY_S * 1000);
    expect((await failuresOf(hash))?.failures).toBe(9);
    await sweepAt(at + DAY_S * 1000 + 1);
    expect(await failuresOf(hash)).toBeUndefined();
    expect(outcome(await login(email, "wrong"))).toBe(WRONG);
    expect(outcome(await login(email, PASSWORD))).toBe("200");
  });
});

describe("an e-mail address without a user", () => {
  it("is locked like the address of a user, with the same responses", async () => {
    const known = (await member("VIEWER", PASSWORD)).email;
    const seen = async (email: string) => {
      const hash = await firstFailure(email);
      await setFailures(hash, 9);
      const answers = [await login(email, "wrong"), await login(email, "wrong")];
      return answers.map(({ status, headers, body }) => [
        status,
        headers.has("Retry-After"),
        { ...body, traceId: "" },
      ]);
    };
    const ofUnknown = await seen("nobody-at-all@example.com");
    expect(ofUnknown).toEqual(await seen(known));
    expect(ofUnknown[1]).toMatchObject([429, true, { code: "RATE_LIMIT_EXCEEDED" }]);
  });

  it("is not stored as text or as a plain SHA-256 hash, because the user may have typed a password instead", async () => {
    await firstFailure("my secret password");
    const stored = JSON.stringify(await failureRows());
    expect(stored).not.toContain("secret");
    const digest = await crypto.subtle.digest(
      "SHA-256",
      new TextEncoder().encode("my secret password"),
    );
    expect(stored).not.toContain(Buffer.from(digest).toString("base64url"));
  });
});
