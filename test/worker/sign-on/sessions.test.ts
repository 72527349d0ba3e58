import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Browser } from "../support/browser.ts";
import { call, type Json } from "../support/client.ts";
import { signedInWithPassword, withSecondFactor } from "../support/factors.ts";
import { FakeIdp, network, publicKeys, RSA_KEYS, signed } from "../support/fake-idp.ts";
import { PASSWORD } from "../support/mailbox.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { newProvider } from "../support/providers.ts";
import { actionsAbout } from "../support/records.ts";
import { claimsOf, me, refresh } from "../support/sessions.ts";
import { newToken } from "../support/tokens.ts";
import {
  emailOf,
  newEmail,
  problemIn,
  providerOf,
  proves,
  signedInAt,
} from "../support/sign-on.ts";

const seconds = () => Math.floor(Date.now() / 1000);
const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };

let idp: FakeIdp;
beforeEach(() => {
  idp = new FakeIdp();
  network(idp.host);
});
afterEach(() => vi.unstubAllGlobals());

const sessionRow = (token: string) =>
  env.DB.prepare("SELECT * FROM sessions WHERE id = ?").bind(claimsOf(token)["sid"]).first<Json>();

describe("the second factor of a sign-in at a provider", () => {
  it.each([
    ["local", { amr: ["mfa"] }, true],
    ["amr", { amr: ["pwd", "otp"] }, false],
    ["amr", { amr: ["pwd"] }, true],
    ["amr", {}, true],
    ["provider", {}, false],
  ])("with %s and the claims %j: asks for a code: %s", async (secondFactor, claims, asks) => {
    const { slug } = await providerOf(idp, { secondFactor });
    const { id } = await withSecondFactor();
    proves(idp, await emailOf(id), claims);
    const done = await signedInAt(slug, idp);
    expect([done.mfaRequired === true, done.returnTo]).toEqual([asks, "/"]);
  });

  it("a code completes the sign-in, with the end of the session", async () => {
    const { slug } = await providerOf(idp, { sessionHours: 2 });
    const { id, code } = await withSecondFactor();
    proves(idp, await emailOf(id));
    const { mfaToken } = await signedInAt(slug, idp);
    const verified = await call("POST", "/api/v1/auth/mfa/verify", { body: { mfaToken, code } });
    expect(verified.status).toBe(200);
    const row = await sessionRow(verified.body.token);
    expect(row).toMatchObject({ method: "oidc", issuer: idp.issuer, mfa: 1 });
    expect(row.ends_at).toBeLessThanOrEqual(Date.now() + 2 * 3_600_000);
  });

  it("of the provider counts where a second factor is required, also for a token", async () => {
    const { slug } = await providerOf(idp, { secondFactor: "amr" });
    const sessions: Json[] = [];
    for (const claims of [{ amr: ["hwk"] }, {}]) {
      proves(idp, newEmail(), claims);
      sessions.push(await signedInAt(slug, idp));
    }
    await asAdmin("PUT", "/api/v1/settings", { requireMfa: true });
    await env.DB.prepare("UPDATE settings SET require_mfa_since = 1").run();
    try {
      const statusOf = async (token: string) =>
        (await call("GET", "/api/v1/projects", { token })).status;
      expect(await Promise.all(sessions.map(({ token }) => statusOf(token)))).toEqual([200, 403]);
      const owned = await newToken({ userId: sessions[0].user.id, scopes: ["read"] });
      expect(await statusOf(owned.token)).toBe(200);
    } finally {
      await env.DB.prepare("UPDATE settings SET require_mfa = 0, require_mfa_since = NULL").run();
    }
  });
});

describe("the groups of a provider", () => {
  const roles = [
    { group: "viewers", role: "VIEWER" },
    { group: "admins", role: "ADMIN" },
    { group: "developers", role: "DEVELOPER" },
  ];

  it("set the highest role at each sign-in, and end the other sessions when it changes", async () => {
    const { slug } = await providerOf(idp, { roles, groupClaim: "realm_access.roles" });
    const email = newEmail();
    const signInWith = (...groups: string[]) => {
      proves(idp, email, { realm_access: { roles: groups } });
      return signedInAt(slug, idp);
    };
    const first = await signInWith("viewers", "developers");
    expect(first.user.role).toBe("DEVELOPER");
    expect((await signInWith("developers")).user.role).toBe("DEVELOPER");
    expect((await me(first.token)).status).toBe(200);
    expect((await signInWith("other")).user.role).toBe("VIEWER");
    expect((await me(first.token)).status).toBe(401);
    expect((await signInWith("admins", "viewers")).user.role).toBe("ADMIN");
  });

  it("refuse without a group if there is no default role, and if Entra ID lists none of too many", async () => {
    const { slug } = await providerOf(idp, { roles, groupClaim: "groups", defaultRole: null });
    proves(idp, newEmail(), { groups: ["other"] });
    expect(problemIn(await new Browser().signOn(slug, idp))).toBe("no-role");
    const lenient = await providerOf(idp, { roles, groupClaim: "groups" });
    proves(idp, newEmail(), { _claim_names: { groups: "src1" } });
    expect(problemIn(await new Browser().signOn(lenient.slug, idp))).toBe("no-role");
  });

  it("do not change the role of a break-glass user", async () => {
    const { slug } = await providerOf(idp, { roles, groupClaim: "groups", defaultRole: null });
    proves(idp, newEmail(), { groups: ["admins"] });
    const { user } = await signedInAt(slug, idp);
    await asAdmin("PUT", `/api/v1/users/${user.id}`, { breakGlass: true });
    proves(idp, user.email, { groups: [] });
    expect((await signedInAt(slug, idp)).user.role).toBe("ADMIN");
  });
});

describe("back-channel logout", () => {
  const logoutToken = (claims: object, ...more: never[]) =>
    signed(
      {
        iss: idp.issuer,
        aud: "client",
        iat: seconds(),
        exp: seconds() + 120,
        jti: crypto.randomUUID(),
        events: EVENTS,
        ...claims,
      },
      ...more,
    );
  const logout = (slug: string, token: string) =>
    call("POST", `/api/v1/auth/sign-on/${slug}/logout`, {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ logout_token: token }),
    });

  it("ends the session with the sid, or all sessions of the subject", async () => {
    const { slug } = await providerOf(idp);
    const email = newEmail();
    const sessions: Json[] = [];
    for (const sid of ["one", "two", "three"]) {
      proves(idp, email, { sid });
      sessions.push(await signedInAt(slug, idp));
    }
    const alive = () => Promise.all(sessions.map(async ({ token }) => (await me(token)).status));
    expect((await logout(slug, await logoutToken({ sid: "two" }))).status).toBe(200);
    expect(await alive()).toEqual([200, 401, 200]);
    expect((await logout(slug, await logoutToken({ sub: idp.person.sub }))).status).toBe(200);
    expect(await alive()).toEqual([401, 401, 401]);
    expect((await refresh(sessions[0].refreshToken)).status).toBe(401);
    expect(await actionsAbout(sessions[0].user.id)).toContain("session.provider-logout");
  });

  it("logout token replayed: is 400", async () => {
    const { slug } = await providerOf(idp);
    const token = await logoutToken({ sub: "somebody" });
    expect((await logout(slug, token)).status).toBe(200);
    expect(outcome(await logout(slug, token))).toBe("400 BAD_REQUEST");
  });

  it.each([
    ["a nonce", { nonce: "n" }],
    ["no event", { events: {} }],
    ["neither sid nor sub", { sub: undefined }],
    ["another audience", { aud: "another" }],
    ["another issuer", { iss: "https://evil.example.com" }],
    ["no id", { jti: undefined }],
    ["an old time", { iat: seconds() - 3600 }],
  ])("is 400 for a token with %s, and ends no session", async (_, claims) => {
    const { slug } = await providerOf(idp);
    proves(idp, newEmail());
    const { token } = await signedInAt(slug, idp);
    const sub = idp.person.sub ?? "";
    expect((await logout(slug, await logoutToken({ sub, ...claims }))).status).toBe(400);
    const forged = await signed(
      { sub, iss: idp.issuer, aud: "client", iat: seconds(), jti: "x", events: EVENTS },
      "key-1",
      RSA_KEYS.wrong,
    );
    expect((await logout(slug, forged)).status).toBe(400);
    expect((await me(token)).status).toBe(200);
  });
});

describe("an intent of a signed-in user", () => {
  const identities = (token: string) => call("GET", "/api/v1/auth/me/identities", { token });

  it("needs a session, and test also the permission to change settings", async () => {
    const { slug } = await providerOf(idp);
    for (const intent of ["link", "confirm", "test"])
      expect(outcome(await new Browser().begin(slug, { intent }))).toBe("401 UNAUTHORIZED");
    const { token } = await person("DEVELOPER");
    expect(outcome(await new Browser().begin(slug, { intent: "test" }, token))).toBe(
      "403 FORBIDDEN",
    );
  });

  it("link lets an administrator sign in with the account, and a second account is a conflict", async () => {
    const { slug } = await providerOf(idp);
    const admin = await person("ADMIN");
    proves(idp, newEmail());
    const link = { intent: "link", returnTo: "/profile" };
    expect(await new Browser().signOn(slug, idp, link, admin.token)).toBe("/profile?signOn=link");
    expect((await signedInAt(slug, idp)).user.id).toBe(admin.id);
    const { body } = await identities(admin.token);
    expect(body).toMatchObject([
      { issuer: idp.issuer, provider: { slug }, email: idp.person["email"] },
    ]);
    const other = await person("VIEWER");
    expect(problemIn(await new Browser().signOn(slug, idp, link, other.token))).toBe("conflict");
    idp.person = { sub: "a second account" };
    idp.userInfo = { sub: "a second account" };
    expect(problemIn(await new Browser().signOn(slug, idp, link, admin.token))).toBe("conflict");
  });

  it("link takes the current password, unless the session began or was confirmed within ten minutes", async () => {
    const { slug } = await providerOf(idp);
    const { token } = await signedInWithPassword();
    const sinceMinutes = (column: "created_at" | "confirmed_at", minutes: number) =>
      env.DB.prepare(`UPDATE sessions SET ${column} = ? WHERE id = ?`)
        .bind(Date.now() - minutes * 60_000, claimsOf(token)["sid"])
        .run();
    const link = async (more: object = {}) =>
      outcome(await new Browser().begin(slug, { intent: "link", ...more }, token));
    await sinceMinutes("created_at", 11);
    expect(await link()).toBe("400 VALIDATION_ERROR");
    expect(await link({ currentPassword: "this is not it" })).toBe("400 VALIDATION_ERROR");
    expect(await link({ currentPassword: PASSWORD })).toBe("200");
    expect(await link()).toBe("400 VALIDATION_ERROR");
    await sinceMinutes("confirmed_at", 9);
    expect(await link()).toBe("200");
  });

  it("link is expired if the session has ended meanwhile", async () => {
    const { slug } = await providerOf(idp);
    const { token } = await person("VIEWER");
    proves(idp, newEmail());
    const browser = new Browser();
    const query = idp.authorize((await browser.begin(slug, { intent: "link" }, token)).body.url);
    await call("POST", "/api/v1/auth/logout", { token });
    expect(problemIn(await browser.back(slug, query))).toBe("expired");
  });

  it("confirm replaces the current password for ten minutes, if the person has authenticated again", async () => {
    const { slug } = await providerOf(idp);
    const email = newEmail();
    proves(idp, email);
    const { token } = await signedInAt(slug, idp);
    const enrol = () => call("POST", "/api/v1/auth/mfa/enroll", { token, body: {} });
    const refused = await enrol();
    expect(refused.body.details).toMatchObject([
      { field: "currentPassword", message: expect.stringContaining("with the intent confirm") },
    ]);
    const confirm = async (claims: object) => {
      proves(idp, email, claims);
      return problemIn(await new Browser().signOn(slug, idp, { intent: "confirm" }, token));
    };
    expect(await confirm({})).toBe("provider");
    expect(await confirm({ auth_time: seconds() - 3600 })).toBe("provider");
    expect(await confirm({ auth_time: seconds(), sub: "somebody else" })).toBe("conflict");
    expect((await enrol()).status).toBe(400);
    expect((await me(token)).body).toMatchObject({ hasPassword: false, confirmedUntil: null });
    expect(await confirm({ auth_time: seconds() })).toBeNull();
    const { confirmedUntil } = (await me(token)).body;
    expect((Date.parse(confirmedUntil) - Date.now()) / 60_000).toBeCloseTo(10, 0);
    const { body } = await enrol();
    const totp = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate();
    const activated = await call("POST", "/api/v1/auth/mfa/activate", {
      token,
      body: { code: totp },
    });
    expect(activated.status).toBe(200);
    const password = { password: PASSWORD };
    expect((await call("PUT", "/api/v1/auth/me", { token, body: password })).status).toBe(200);
    await env.DB.prepare("UPDATE sessions SET confirmed_at = ? WHERE id = ?")
      .bind(Date.now() - 600_001, claimsOf(token)["sid"])
      .run();
    expect((await call("PUT", "/api/v1/auth/me", { token, body: password })).status).toBe(400);
    expect((await me(token)).body).toMatchObject({ hasPassword: true, confirmedUntil: null });
  });

  it("confirm asks the provider to authenticate again", async () => {
    const { slug } = await providerOf(idp);
    const { token } = await person("VIEWER");
    const { body } = await new Browser().begin(slug, { intent: "confirm" }, token);
    expect(new URL(body.url).searchParams.get("max_age")).toBe("0");
  });

  it("test reports what a new user would meet, and leaves neither a user nor a session", async () => {
    const { slug } = await providerOf(idp, { enabled: false });
    const { token } = await person("ADMIN");
    const email = newEmail();
    proves(idp, email);
    const test = { intent: "test", returnTo: "/settings/sign-on" };
    const browser = new Browser();
    expect(await browser.signOn(slug, idp, test, token)).toBe("/settings/sign-on?signOn=test");
    expect((await browser.complete()).status).toBe(401);
    proves(idp, "person@elsewhere.example");
    expect(await new Browser().signOn(slug, idp, test, token)).toBe(
      "/settings/sign-on?problem=domain",
    );
    const users = (await asAdmin("GET", "/api/v1/users")).body.map((one: Json) => one.email);
    expect(users).not.toContain(email);
    expect((await new Browser().begin(slug)).status).toBe(404);
  });

  it("last way to sign in unlinked: is 409, unless there is a password or another account", async () => {
    const { slug } = await providerOf(idp);
    proves(idp, newEmail());
    const { token, user } = await signedInAt(slug, idp);
    const [{ id }] = (await identities(token)).body;
    const unlink = () => call("DELETE", `/api/v1/auth/me/identities/${id}`, { token });
    expect(outcome(await unlink())).toBe("409 CONFLICT");
    await env.DB.prepare("UPDATE users SET password_hash = 'x' WHERE id = ?").bind(user.id).run();
    expect((await unlink()).status).toBe(204);
    expect((await identities(token)).body).toEqual([]);
    expect((await unlink()).status).toBe(404);
  });
});

describe("Cloudflare Access", () => {
  const TEAM = "https://team.cloudflareaccess.com";
  const newAccess = async (fields: object = {}) => {
    const issuer = `https://team-${crypto.randomUUID()}.cloudflareaccess.com`;
    network([issuer, async () => Response.json(await publicKeys())]);
    const { slug } = await newProvider({
      type: "access",
      issuer,
      clientId: "the aud tag",
      domains: ["example.com"],
      provisioning: "justInTime",
      ...fields,
    });
    const claims = {
      iss: issuer,
      aud: ["the aud tag"],
      sub: crypto.randomUUID(),
      email: newEmail(),
      iat: seconds(),
      exp: seconds() + 600,
    };
    return { slug: slug as string, claims };
  };
  const send = (slug: string, assertion: string | undefined, more: object = {}, token?: string) =>
    call("POST", `/api/v1/auth/sign-on/${slug}/assertion`, {
      token,
      body: more,
      headers: assertion === undefined ? {} : { "Cf-Access-Jwt-Assertion": assertion },
    });

  it("signs in with the assertion of the header, until it expires", async () => {
    const { slug, claims } = await newAccess({ sessionHours: 24 });
    const answer = await send(slug, await signed(claims));
    expect(answer.body.user.email).toBe(claims.email);
    const row = await sessionRow(answer.body.token);
    expect(row).toMatchObject({ method: "access", ends_at: claims.exp * 1000 });
  });

  it("forged or service-token assertion: is 401", async () => {
    const { slug, claims } = await newAccess();
    const forged = [
      signed(claims, "key-1", RSA_KEYS.wrong),
      signed({ ...claims, iss: TEAM }),
      signed({ ...claims, aud: ["another"] }),
      signed({ ...claims, exp: seconds() - 60 }),
      signed({ ...claims, iat: seconds() + 300 }),
      signed({ ...claims, sub: "", common_name: "service" }),
    ];
    for (const assertion of await Promise.all(forged))
      expect(outcome(await send(slug, assertion))).toBe("401 UNAUTHORIZED");
    expect(outcome(await send(slug, undefined))).toBe("401 UNAUTHORIZED");
    const cookie = { headers: { Cookie: `CF_Authorization=${await signed(claims)}` }, body: {} };
    const byCookie = await call("POST", `/api/v1/auth/sign-on/${slug}/assertion`, cookie);
    expect(outcome(byCookie)).toBe("401 UNAUTHORIZED");
  });

  it("user disabled: is 401; a refusal by the rules is 403 with the word", async () => {
    const { slug, claims } = await newAccess();
    const { user } = (await send(slug, await signed(claims))).body;
    await asAdmin("PUT", `/api/v1/users/${user.id}`, { status: "DISABLED" });
    expect(outcome(await send(slug, await signed(claims)))).toBe("401 UNAUTHORIZED");
    const other = { ...claims, sub: "x", email: "person@elsewhere.example" };
    const refused = await send(slug, await signed(other));
    expect([refused.status, refused.body.problem]).toEqual([403, "domain"]);
  });

  it("links the account to the signed-in user, and needs no redirect", async () => {
    const { slug, claims } = await newAccess();
    const admin = await person("ADMIN");
    const linked = await send(slug, await signed(claims), { intent: "link" }, admin.token);
    expect(linked.body).toEqual({ intent: "link" });
    expect((await send(slug, await signed(claims))).body.user.id).toBe(admin.id);
    expect((await new Browser().begin(slug)).status).toBe(400);
  });
});
