import { describe, expect, it } from "vitest";
import { outcome, tally } from "../support/outcomes.ts";
import { type Answer, call, type Json } from "../support/client.ts";
import { withSecondFactor } from "../support/factors.ts";
import {
  failuresOf,
  firstFailure,
  firstRefusal,
  login,
  nineFailures,
  setFailures,
  setLock,
  WRONG,
} from "../support/locks.ts";
import { newMember, PASSWORD } from "../support/mailbox.ts";
import { MINUTE_MS, TOO_MANY, waitOf } from "../support/rates.ts";
import { actionsAbout } from "../support/records.ts";
import { member, me } from "../support/sessions.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";

describe("simultaneous wrong passwords for one account", () => {
  it("return 401 ten times, however many are sent; the audit trail shows nine failed logins and one lock", async () => {
    const { id, email } = await member("VIEWER", PASSWORD);
    const hash = await firstFailure(email);
    const answers: Answer<Json>[] = [];
    // Sends the guesses in several groups, because an isolate hashes only a few passwords at a
    // time.
    for (let group = 0; group < 5; group++)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 8 }, (_, n) => login(email, `wrong-${group}-${n}`)),
        )),
      );
    expect(tally(answers)).toEqual({ [WRONG]: 9, [TOO_MANY]: 31 });
    expect((await actionsAbout(id)).toSorted()).toEqual([
      ...Array<string>(9).fill("session.refused"),
      "user.locked",
    ]);
    const lock = await failuresOf(hash);
    expect((lock?.locked_until ?? 0) - (lock?.last_at ?? 0)).toBe(MINUTE_MS);
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(waitOf(answer)).toBeGreaterThan(0);
      expect(waitOf(answer)).toBeLessThanOrEqual(60);
    }
  });

  it("lock the account only once, even when all eight passwords are checked before the first failure is counted", async () => {
    const { id, email, hash } = await nineFailures();
    const { promise: allJudged, resolve } = Promise.withResolvers<void>();
    let judged = 0;
    const DB = watchedDatabase((count) => {
      if (count === 1) return undefined;
      judged += 1;
      if (judged === 8) resolve();
      return allJudged;
    });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        callWith({ DB }, "POST", "/api/v1/auth/login", { body: { email, password: `wrong-${n}` } }),
      ),
    );
    expect(tally(answers)).toEqual({ [WRONG]: 1, [TOO_MANY]: 7 });
    expect((await failuresOf(hash))?.failures).toBe(10);
    expect((await actionsAbout(id)).filter((action) => action === "user.locked")).toHaveLength(1);
  });

  it("make a login with the right password return 429 when the lock starts after its password check, but before its session", async () => {
    const { id, email } = await nineFailures();
    const { promise: locked, resolve: release } = Promise.withResolvers<void>();
    const DB = watchedDatabase((count) => (count > 1 ? locked : undefined));
    const body = { email, password: PASSWORD };
    const right = callWith({ DB }, "POST", "/api/v1/auth/login", { body });
    expect(outcome(await login(email, "wrong"))).toBe(WRONG);
    release();
    expect(outcome(await right)).toBe(TOO_MANY);
    expect(await actionsAbout(id)).not.toContain("session.started");
  });
});

describe("the current password in a change of the password", () => {
  const change = (token: string, currentPassword: string, password = "a new password") =>
    call("PUT", "/api/v1/auth/me", { token, body: { password, currentPassword } });

  it("is locked by ten wrong ones in the session, which do not lock the account", async () => {
    const { id, email, token } = await newMember();
    await setFailures(await firstRefusal(token), 9);
    expect(outcome(await change(token, "wrong"))).toBe("400 VALIDATION_ERROR");
    expect(outcome(await change(token, PASSWORD))).toBe(TOO_MANY);
    expect((await actionsAbout(id)).slice(-2)).toEqual(["user.password-refused", "user.locked"]);
    const elsewhere = await login(email, PASSWORD);
    expect(outcome(elsewhere)).toBe("200");
    expect(outcome(await change(elsewhere.body.token, PASSWORD))).toBe("200");
  });

  it("is accepted while strangers lock the account, so they do not keep the owner from a new password or a second factor", async () => {
    const { email, token } = await newMember();
    await setFailures(await firstFailure(email), 9);
    await login(email, "wrong");
    expect(outcome(await login(email, PASSWORD))).toBe(TOO_MANY);
    const body = { currentPassword: PASSWORD };
    expect((await call("POST", "/api/v1/auth/mfa/enroll", { token, body })).status).toBe(200);
    expect(outcome(await change(token, PASSWORD))).toBe("200");
  });

  it("can, after nine failures, be guessed only once more, even by ten simultaneous requests", async () => {
    const { token } = await newMember();
    await setFailures(await firstRefusal(token), 9);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => change(token, `wrong-${n}`)),
    );
    expect(tally(answers)).toEqual({ "400 VALIDATION_ERROR": 1, [TOO_MANY]: 9 });
  });

  it("is not counted as a failure when it is missing, or when the new password is not allowed", async () => {
    const { email, token } = await newMember();
    const hash = await firstRefusal(token);
    const put = (body: object) => call("PUT", "/api/v1/auth/me", { token, body });
    expect(outcome(await put({ password: "a new password" }))).toBe("400 VALIDATION_ERROR");
    expect(outcome(await change(token, "wrong", email))).toBe("400 VALIDATION_ERROR");
    expect((await failuresOf(hash))?.failures).toBe(1);
  });

  it("resets the number of failures in the session when the password is changed", async () => {
    const { token } = await newMember();
    const hash = await firstRefusal(token);
    expect((await change(token, PASSWORD)).status).toBe(200);
    expect(await failuresOf(hash)).toBeUndefined();
  });

  it("is not required for a change of the name, even while the account is locked", async () => {
    const { email, token } = await newMember();
    const hash = await firstFailure(email);
    await setFailures(hash, 9);
    await login(email, "wrong");
    const renamed = await call("PUT", "/api/v1/auth/me", { token, body: { name: "Renamed" } });
    expect(outcome(renamed)).toBe("200");
  });
});

describe("a login with a second factor", () => {
  const protectedMember = async () => {
    const { token, code } = await withSecondFactor();
    const { email } = (await me(token)).body;
    return { email: email as string, code };
  };

  it("resets the number of failures only after the second factor, not after the right password", async () => {
    const { email, code } = await protectedMember();
    const hash = await firstFailure(email);
    const first = await login(email, PASSWORD);
    expect(first.body.mfaRequired).toBe(true);
    expect((await failuresOf(hash))?.failures).toBe(1);
    const body = { mfaToken: first.body.mfaToken, code };
    expect((await call("POST", "/api/v1/auth/mfa/verify", { body })).status).toBe(200);
    expect(await failuresOf(hash)).toBeUndefined();
  });

  it("returns 429 when a lock of the account starts while the password is checked", async () => {
    const { email } = await protectedMember();
    const hash = await firstFailure(email);
    let calls = 0;
    const DB = watchedDatabase(async () => {
      calls += 1;
      if (calls === 2) await setLock(hash, Date.now() + 50_000);
    });
    const body = { email, password: PASSWORD };
    const answer = await callWith({ DB }, "POST", "/api/v1/auth/login", { body });
    expect(outcome(answer)).toBe(TOO_MANY);
    expect(waitOf(answer)).toBeGreaterThan(20);
  });
});
