import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { login } from "../support/locks.ts";
import { Mailbox, PASSWORD } from "../support/mailbox.ts";
import { actionsAbout } from "../support/records.ts";
import { asAdmin, invalidFields, outcome, tally } from "../support/outcomes.ts";
import { ADMIN, adminToken } from "../support/people.ts";
import { callWith } from "../support/call-with.ts";
import { me } from "../support/sessions.ts";

const invite = async (mailbox: Mailbox, body: object) =>
  mailbox.call("POST", "/api/v1/users/invite", { token: await adminToken(), body });
const accept = (body: object) => call("POST", "/api/v1/auth/accept-invite", { body });
const address = () => `guest-${crypto.randomUUID()}@example.com`;

describe("an invitation", () => {
  it("is sent as an e-mail, in text and HTML, with a link that works once", async () => {
    const mailbox = new Mailbox();
    const email = address();
    const invited = await invite(mailbox, { email, role: "DEVELOPER" });
    expect(invited.status).toBe(201);
    expect(invited.body).toMatchObject({
      email,
      role: "DEVELOPER",
      status: "INVITED",
      invitationSent: true,
    });
    const [mail] = mailbox.mails;
    const token = mailbox.lastToken(email);
    expect(mail?.text).toContain(`https://flags.test/accept-invite#token=${token}`);
    expect(mail?.html).toContain(`href="https://flags.test/accept-invite#token=${token}"`);
    const read = () => call("POST", "/api/v1/auth/invitation", { body: { token } });
    const { name } = invited.body;
    const shown = { email, name, role: "DEVELOPER", invitedBy: ADMIN.email };
    expect(outcome(await read())).toBe("200");
    expect((await read()).body).toEqual(shown);
    const joined = await accept({ token, name: "Žofie Dvořáková", password: PASSWORD });
    expect(joined.status).toBe(200);
    expect(joined.body.user).toMatchObject({ status: "ACTIVE", name: "Žofie Dvořáková" });
    expect((await me(joined.body.token)).status).toBe(200);
    expect(outcome(await accept({ token, password: PASSWORD }))).toBe("401 UNAUTHORIZED");
    expect(outcome(await read())).toBe("401 UNAUTHORIZED");
    expect(outcome(await login(email, PASSWORD))).toBe("200");
    const stored = await env.DB.prepare("SELECT * FROM user_tokens").all();
    expect(JSON.stringify(stored.results)).not.toContain(token);
    expect(await actionsAbout(invited.body.id)).toEqual([
      "user.invited",
      "user.joined",
      "session.started",
      "session.started",
    ]);
  });

  it("is accepted by only one of ten simultaneous requests with the same link", async () => {
    const mailbox = new Mailbox();
    const email = address();
    await invite(mailbox, { email, role: "VIEWER" });
    const token = mailbox.lastToken(email);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => accept({ token, password: PASSWORD })),
    );
    expect(tally(answers)).toEqual({ "200": 1, "401 UNAUTHORIZED": 9 });
  });

  it("rejects a password that is too short, too long, or equal to the e-mail address", async () => {
    const mailbox = new Mailbox();
    const email = address();
    await invite(mailbox, { email, role: "VIEWER" });
    const token = mailbox.lastToken(email);
    for (const password of ["short", email, email.split("@")[0], "x".repeat(129)]) {
      const answer = await accept({ token, password });
      expect([outcome(answer), invalidFields(answer)]).toEqual([
        "400 VALIDATION_ERROR",
        ["password"],
      ]);
    }
    expect((await accept({ token, password: PASSWORD })).status).toBe(200);
  });

  it("is stored with invitationSent: false when the e-mail cannot be sent, and can be sent again until it is accepted", async () => {
    const mailbox = new Mailbox();
    mailbox.works = false;
    const email = address();
    const invited = await invite(mailbox, { email, role: "VIEWER" });
    expect([invited.status, invited.body.invitationSent]).toEqual([201, false]);
    mailbox.works = true;
    const path = `/api/v1/users/${invited.body.id}/invite`;
    const token = await adminToken();
    const again = await mailbox.call("POST", path, { token });
    expect([again.status, again.body.invitationSent]).toEqual([200, true]);
    const first = mailbox.lastToken(email);
    await mailbox.call("POST", path, { token });
    expect((await accept({ token: first, password: PASSWORD })).status).toBe(401);
    const second = mailbox.lastToken(email);
    expect((await accept({ token: second, password: PASSWORD })).status).toBe(200);
    expect((await mailbox.call("POST", path, { token })).status).toBe(409);
  });

  it("is sent again to a user who was disabled before accepting it: the user is INVITED again, and only the new link works", async () => {
    const mailbox = new Mailbox();
    const email = address();
    const { body: user } = await invite(mailbox, { email, role: "VIEWER" });
    expect(user.invitationPending).toBe(true);
    const first = mailbox.lastToken(email);
    const path = `/api/v1/users/${user.id}`;
    const disabled = await asAdmin("PUT", path, { status: "DISABLED" });
    expect(disabled.body).toMatchObject({ status: "DISABLED", invitationPending: true });
    expect((await accept({ token: first, password: PASSWORD })).status).toBe(401);
    expect(outcome(await asAdmin("PUT", path, { status: "ACTIVE" }))).toBe("409 CONFLICT");

    const again = await mailbox.call("POST", `${path}/invite`, { token: await adminToken() });
    expect([again.status, again.body.status]).toEqual([200, "INVITED"]);
    expect((await asAdmin("GET", path)).body.status).toBe("INVITED");
    expect((await accept({ token: first, password: PASSWORD })).status).toBe(401);
    const joined = await accept({ token: mailbox.lastToken(email), password: PASSWORD });
    expect(joined.body.user).toMatchObject({ status: "ACTIVE", invitationPending: false });
    await asAdmin("PUT", path, { status: "DISABLED" });
    expect(outcome(await asAdmin("POST", `${path}/invite`))).toBe("409 CONFLICT");
  });

  it("returns 409 for the e-mail address of an existing user, also in upper case", async () => {
    const mailbox = new Mailbox();
    const email = address();
    await invite(mailbox, { email, role: "VIEWER" });
    const again = await invite(mailbox, { email: email.toUpperCase(), role: "VIEWER" });
    expect(outcome(again)).toBe("409 CONFLICT");
    expect(mailbox.mails).toHaveLength(1);
  });

  it("returns 400 with an error for an invalid e-mail address and for an invalid role", async () => {
    const answer = await invite(new Mailbox(), { email: "nobody", role: "OWNER" });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(["email", "role"]);
  });

  it("returns 402 when the quota of users is used up", async () => {
    const options = { token: await adminToken(), body: { email: address(), role: "VIEWER" } };
    const full = await callWith({ QUOTA_USERS: "1" }, "POST", "/api/v1/users/invite", options);
    expect(outcome(full)).toBe("402 QUOTA_EXCEEDED");
  });
});
