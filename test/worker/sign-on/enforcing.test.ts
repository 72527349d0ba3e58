import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Authenticator } from "../support/authenticator.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";
import { call, type Json } from "../support/client.ts";
import { approve, decide, newDeviceLogin, poll } from "../support/device-logins.ts";
import { codeOf, enrolled, signedInWithPassword } from "../support/factors.ts";
import { FakeIdp, network } from "../support/fake-idp.ts";
import { newLink } from "../support/links.ts";
import { Mailbox, PASSWORD } from "../support/mailbox.ts";
import { outcome } from "../support/outcomes.ts";
import {
  ask,
  callerOfAgent,
  codeForm,
  connected,
  consent,
  newClient,
  queryOf,
  sendForm,
  withCode,
} from "../support/oauth.ts";
import {
  addOptions,
  newPasskey,
  sendPasskey,
  sendUse,
  signInOptions,
  signInWith,
} from "../support/passkeys.ts";
import { actionsAbout } from "../support/records.ts";
import { ADMIN, forgetAdminToken } from "../support/people.ts";
import { claimsOf, me, member } from "../support/sessions.ts";
import { emailOf, newEmail, providerOf, proves, signedInAt } from "../support/sign-on.ts";

const login = (email: string, password: string, replaced: object = {}) =>
  callWith(replaced, "POST", "/api/v1/auth/login", { body: { email, password } });
const settings = (token: string, passwordSignIn: string) =>
  call("PUT", "/api/v1/settings", { token, body: { passwordSignIn } });
const setRole = (id: number, role: string) =>
  env.DB.prepare("UPDATE users SET role = ? WHERE id = ?").bind(role, id).run();

let idp: FakeIdp;
/** The access token of an administrator who has signed in at the provider. */
let token: string;
let administrator: string;

beforeEach(async () => {
  idp = new FakeIdp();
  network(idp.host);
  const { slug } = await providerOf(idp);
  administrator = newEmail();
  proves(idp, administrator);
  const session = await signedInAt(slug, idp);
  ({ token } = session);
  await setRole(session.user.id, "ADMIN");
});

// The files share a database, and other files sign in with passwords.
afterEach(async () => {
  // Turning passwords off has ended its session.
  forgetAdminToken();
  await env.DB.prepare("UPDATE settings SET password_sign_in = 'everyone'").run();
  await env.DB.prepare("UPDATE users SET break_glass = 0").run();
  vi.unstubAllGlobals();
});

/** Creates a break-glass administrator with a password and a second factor. */
async function breakGlass() {
  const { id, token: own, secret } = await enrolled();
  await setRole(id, "ADMIN");
  const code = codeOf(secret);
  const activated = await call("POST", "/api/v1/auth/mfa/activate", { token: own, body: { code } });
  expect(activated.status).toBe(200);
  const granted = await call("PUT", `/api/v1/users/${id}`, { token, body: { breakGlass: true } });
  expect(granted.body.breakGlass).toBe(true);
  return {
    id,
    token: own,
    email: await emailOf(id),
    code: activated.body.recoveryCodes[0] as string,
  };
}

async function turnedOff() {
  const glass = await breakGlass();
  expect((await settings(token, "breakGlass")).body.passwordSignIn).toBe("breakGlass");
  return glass;
}

describe("turning passwords off", () => {
  it("needs a session of a provider, and a break-glass administrator with a password and a second factor", async () => {
    expect(outcome(await settings(token, "breakGlass"))).toBe("409 CONFLICT");
    const withoutFactor = await member("ADMIN", PASSWORD);
    await call("PUT", `/api/v1/users/${withoutFactor.id}`, { token, body: { breakGlass: true } });
    expect(outcome(await settings(token, "breakGlass"))).toBe("409 CONFLICT");
    const glass = await breakGlass();
    expect(outcome(await settings(glass.token, "breakGlass"))).toBe("409 CONFLICT");
    expect((await settings(token, "breakGlass")).status).toBe(200);
  });

  it("ends the sessions that began with a password, which connect no agents then, and no others", async () => {
    const other = await signedInWithPassword();
    const query = await queryOf(await newClient());
    expect((await ask(other.token, query)).status).toBe(200);
    await turnedOff();
    expect((await me(other.token)).status).toBe(401);
    expect(outcome(await consent(other.token, query))).toBe("401 UNAUTHORIZED");
    expect((await me(token)).status).toBe(200);
  });
});

describe("after passwords are turned off", () => {
  it("a device whose login was approved with a password gets EXPIRED_TOKEN, and one that waits still waits", async () => {
    const [approved, waiting] = [await newDeviceLogin(), await newDeviceLogin()];
    const { token: own } = await signedInWithPassword();
    expect((await approve(own, approved)).status).toBe(200);
    await turnedOff();
    expect(outcome(await poll(approved))).toBe("400 EXPIRED_TOKEN");
    expect(outcome(await poll(waiting))).toBe("400 AUTHORIZATION_PENDING");
  });

  it("a device still gets its token if a user without a password has approved its login", async () => {
    const { slug } = await providerOf(idp);
    proves(idp, newEmail());
    const session = await signedInAt(slug, idp);
    await env.DB.prepare("UPDATE sessions SET confirmed_at = ? WHERE id = ?")
      .bind(Date.now(), claimsOf(session.token).sid)
      .run();
    const codes = await newDeviceLogin();
    expect((await decide("approve", session.token, codes)).status).toBe(200);
    await turnedOff();
    expect((await poll(codes)).status).toBe(200);
  });

  it("the code of an agent that was approved with a password is refused, and a connected agent keeps its access", async () => {
    const before = await connected();
    const { clientId, code } = await withCode();
    await turnedOff();
    const exchanged = await sendForm("token", codeForm(clientId, code));
    expect([exchanged.status, exchanged.body.error]).toEqual([400, "invalid_grant"]);
    expect(await callerOfAgent(before.tokens.access_token)).toBeDefined();
  });

  it("a login whose password was checked before opens no session", async () => {
    const { email } = await member("DEVELOPER", PASSWORD);
    await breakGlass();
    const DB = beforeCommit(() => settings(token, "breakGlass"));
    expect(outcome(await login(email, PASSWORD, { DB }))).toBe("403 FORBIDDEN");
  });

  it("the approval of a device whose password was checked before is 401", async () => {
    const { token: own } = await signedInWithPassword();
    const codes = await newDeviceLogin();
    await breakGlass();
    const answer = await callWith(
      { DB: beforeCommit(() => settings(token, "breakGlass")) },
      "POST",
      "/api/v1/auth/device/approve",
      { token: own, body: { userCode: codes.userCode, currentPassword: PASSWORD } },
    );
    expect(outcome(answer)).toBe("401 UNAUTHORIZED");
    expect(outcome(await poll(codes))).toBe("400 AUTHORIZATION_PENDING");
  });
});

/** The database, which makes a change before the first transaction of a request. */
function beforeCommit(change: () => Promise<unknown>): D1Database {
  let isDone = false;
  return watchedDatabase(async (statements) => {
    if (statements === 1 || isDone) return;
    isDone = true;
    await change();
  });
}

describe("while passwords are turned off", () => {
  it("an administrator who loses breakGlass loses the session that began with a password, which happens to nobody before", async () => {
    const [glass, other] = [await breakGlass(), await breakGlass()];
    const take = (id: number) =>
      call("PUT", `/api/v1/users/${id}`, { token, body: { breakGlass: false } });
    expect((await take(other.id)).status).toBe(200);
    expect((await me(other.token)).status).toBe(200);
    await turnedOff();
    const { mfaToken } = (await login(glass.email, PASSWORD)).body;
    const body = { mfaToken, code: glass.code };
    const session = (await call("POST", "/api/v1/auth/mfa/verify", { body })).body;
    expect((await me(session.token)).status).toBe(200);
    expect((await take(glass.id)).status).toBe(200);
    expect((await me(session.token)).status).toBe(401);
  });

  it("a right password is 403, a wrong one 401", async () => {
    await turnedOff();
    const { email } = await member("DEVELOPER", PASSWORD);
    expect(outcome(await login(email, PASSWORD))).toBe("403 FORBIDDEN");
    expect(outcome(await login(email, "a wrong password"))).toBe("401 INVALID_CREDENTIALS");
  });

  it("a break-glass administrator signs in with password and code, and all administrators get a mail", async () => {
    const { email, code } = await turnedOff();
    const { mfaToken } = (await login(email, PASSWORD)).body;
    const mailbox = new Mailbox();
    const done = await mailbox.call("POST", "/api/v1/auth/mfa/verify", {
      body: { mfaToken, code },
    });
    expect(done.body.user.email).toBe(email);
    expect(mailbox.mails.filter(({ to }) => to === administrator)).toMatchObject([
      { subject: `${email} has signed in with a password` },
    ]);
  });

  it("a passkey is 403, except that of a break-glass administrator, whose sign-in is mailed", async () => {
    const glass = await breakGlass();
    const key = await newPasskey(glass.token);
    const developer = await signedInWithPassword();
    const { authenticator } = await newPasskey(developer.token);
    await settings(token, "breakGlass");
    expect(outcome(await signInWith(authenticator))).toBe("403 FORBIDDEN");
    expect(await actionsAbout(developer.id)).toContain("session.password-off");
    const mailbox = new Mailbox();
    const response = await key.authenticator.get(await signInOptions());
    const path = "/api/v1/auth/passkeys/sign-in";
    expect((await mailbox.call("POST", path, { body: { response } })).status).toBe(200);
    expect(mailbox.mails.filter(({ to }) => to === administrator)).toMatchObject([
      { subject: `${glass.email} has signed in with a passkey` },
    ]);
  });

  it("a passkey is still the second factor of a sign-in at a provider", async () => {
    const { slug } = await providerOf(idp);
    await turnedOff();
    proves(idp, newEmail());
    const session = await signedInAt(slug, idp);
    const { sid } = claimsOf(session.token);
    await env.DB.prepare("UPDATE sessions SET confirmed_at = ? WHERE id = ?")
      .bind(Date.now(), sid)
      .run();
    const authenticator = await Authenticator.make();
    const options = await addOptions(session.token, {});
    await sendPasskey(session.token, await authenticator.create(options.body));
    const first = await signedInAt(slug, idp);
    expect(first).toMatchObject({ mfaRequired: true, secondFactors: ["passkey"] });
    const { mfaToken } = first;
    const response = await authenticator.get(await signInOptions({ mfaToken }));
    const done = await sendUse(response, { mfaToken });
    expect(done.body.user.id).toBe(session.user.id);
  });

  it("SIGN_ON_BREAK_GLASS admits every administrator, and nobody else", async () => {
    await turnedOff();
    const admin = await member("ADMIN", PASSWORD);
    const developer = await member("DEVELOPER", PASSWORD);
    expect((await login(admin.email, PASSWORD)).status).toBe(403);
    const variables = { SIGN_ON_BREAK_GLASS: "true" };
    expect((await login(admin.email, PASSWORD, variables)).status).toBe(200);
    expect((await login(developer.email, PASSWORD, variables)).status).toBe(403);
  });

  it("accept-invite and reset-password are 403, except for break-glass administrators", async () => {
    const glass = await turnedOff();
    const invite = { token: (await newLink("INVITE")).token, name: "Ann", password: PASSWORD };
    expect(outcome(await call("POST", "/api/v1/auth/accept-invite", { body: invite }))).toBe(
      "403 FORBIDDEN",
    );
    const reset = { token: (await newLink("RESET")).token, password: PASSWORD };
    expect(outcome(await call("POST", "/api/v1/auth/reset-password", { body: reset }))).toBe(
      "403 FORBIDDEN",
    );
    const mailbox = new Mailbox();
    await mailbox.call("POST", "/api/v1/auth/forgot-password", { body: { email: glass.email } });
    const body = { token: mailbox.lastToken(glass.email), password: "a new password" };
    expect((await call("POST", "/api/v1/auth/reset-password", { body })).status).toBe(200);
  });

  it("the last break-glass administrator cannot be removed, demoted, disabled or lose the second factor", async () => {
    const { id } = await turnedOff();
    const changes: Json[] = [{ breakGlass: false }, { role: "VIEWER" }, { status: "DISABLED" }];
    for (const body of changes)
      expect(outcome(await call("PUT", `/api/v1/users/${id}`, { token, body }))).toBe(
        "409 CONFLICT",
      );
    for (const path of [`/api/v1/users/${id}`, `/api/v1/users/${id}/mfa`])
      expect(outcome(await call("DELETE", path, { token }))).toBe("409 CONFLICT");
    await settings(token, "everyone");
    expect(
      (await call("PUT", `/api/v1/users/${id}`, { token, body: { role: "VIEWER" } })).body,
    ).toMatchObject({
      role: "VIEWER",
      breakGlass: false,
    });
  });

  it("no administrator has a password: bootstrap works", async () => {
    await turnedOff();
    const { results } = await env.DB.prepare(
      "SELECT id, password_hash FROM users WHERE role = 'ADMIN'",
    ).all<{ id: number; password_hash: string | null }>();
    await env.DB.prepare("UPDATE users SET password_hash = NULL WHERE role = 'ADMIN'").run();
    const email = newEmail();
    const variables = { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password };
    const answer = await login(email, ADMIN.password, variables);
    for (const { id, password_hash: hash } of results)
      await env.DB.prepare("UPDATE users SET password_hash = ? WHERE id = ?").bind(hash, id).run();
    expect(answer.body.user).toMatchObject({ email, role: "ADMIN", breakGlass: true });
  });
});

it("break-glass is only for administrators", async () => {
  const { id } = await member("DEVELOPER", PASSWORD);
  const answer = await call("PUT", `/api/v1/users/${id}`, { token, body: { breakGlass: true } });
  expect(answer.body.details).toMatchObject([{ field: "breakGlass" }]);
});
