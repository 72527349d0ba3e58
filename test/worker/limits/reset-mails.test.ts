import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { call } from "../support/client.ts";
import { Mailbox, PASSWORD } from "../support/mailbox.ts";
import { invalidFields, outcome, tally } from "../support/outcomes.ts";
import { from, MINUTE_MS, newAddress } from "../support/rates.ts";
import { actionsAbout } from "../support/records.ts";
import { member } from "../support/sessions.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/**
 * A user, and the mailbox to which `forgot` sends the links. Each request comes from another IP
 * address.
 */
async function newForgetful() {
  const { id, email } = await member("VIEWER", PASSWORD);
  const mailbox = new Mailbox();
  const forgot = (typed = email) =>
    mailbox.call("POST", "/api/v1/auth/forgot-password", {
      body: { email: typed },
      headers: from(newAddress()),
    });
  /** Requests a link, and returns the token of the newest link. */
  const newToken = async () => {
    await forgot();
    return mailbox.lastToken(email);
  };
  return { id, email, mailbox, forgot, newToken };
}

const reset = (token: string) =>
  call("POST", "/api/v1/auth/reset-password", { body: { token, password: "a new password" } });

describe("requests for a password reset", () => {
  it("send one e-mail a minute to an account, whatever address they come from, and always return 202", async () => {
    const { id, mailbox, forgot } = await newForgetful();
    for (let n = 0; n < 5; n++) expect(outcome(await forgot())).toBe("202");
    expect(mailbox.mails).toHaveLength(1);
    pass(MINUTE_MS - 1);
    await forgot();
    expect(mailbox.mails).toHaveLength(1);
    pass(1);
    await forgot();
    expect(mailbox.mails).toHaveLength(2);
    const requests = await actionsAbout(id);
    expect(requests).toEqual(Array(2).fill("user.password-reset-requested"));
  });

  it("send one e-mail to an account when ten of them are simultaneous", async () => {
    const { mailbox, forgot } = await newForgetful();
    const answers = await Promise.all(Array.from({ length: 10 }, () => forgot()));
    expect([tally(answers), mailbox.mails.length]).toEqual([{ "202": 10 }, 1]);
  });

  it("send five e-mails an hour to an account", async () => {
    const { mailbox, forgot } = await newForgetful();
    for (let n = 0; n < 20; n++) {
      await forgot();
      pass(MINUTE_MS);
    }
    expect(mailbox.mails).toHaveLength(5);
    pass(HOUR_MS - 20 * MINUTE_MS);
    await forgot();
    expect(mailbox.mails).toHaveLength(6);
  });

  it("do not limit the e-mails to another account", async () => {
    const [one, other] = [await newForgetful(), await newForgetful()];
    await one.forgot();
    await other.forgot();
    expect([one.mailbox.mails.length, other.mailbox.mails.length]).toEqual([1, 1]);
  });

  it.each(["x", "two@at@example.com", "no space@example.com", "@example.com"])(
    "return 400 for a text that is no e-mail address: %s",
    async (typed) => {
      const { forgot } = await newForgetful();
      const answer = await forgot(typed);
      expect([outcome(answer), invalidFields(answer)]).toEqual(["400 VALIDATION_ERROR", ["email"]]);
    },
  );

  it("accept an e-mail address with capital letters and surrounding spaces", async () => {
    const { email, mailbox, forgot } = await newForgetful();
    expect(outcome(await forgot(` ${email.toUpperCase()} `))).toBe("202");
    expect(mailbox.mails).toHaveLength(1);
  });
});

describe("the link of a password reset", () => {
  it("still works after a stranger has requested another link", async () => {
    const { newToken, forgot } = await newForgetful();
    const token = await newToken();
    pass(MINUTE_MS);
    await forgot();
    expect(outcome(await reset(token))).toBe("200");
  });

  it("is one of up to five that work, all of which end when one is used", async () => {
    const { newToken } = await newForgetful();
    const tokens: string[] = [];
    for (let n = 0; n < 5; n++) {
      tokens.push(await newToken());
      pass(MINUTE_MS);
    }
    expect(new Set(tokens).size).toBe(5);
    const [first = "", ...others] = tokens;
    expect(outcome(await reset(first))).toBe("200");
    for (const token of others) expect(outcome(await reset(token))).toBe("401 UNAUTHORIZED");
  });
});
