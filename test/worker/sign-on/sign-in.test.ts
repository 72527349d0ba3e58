import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Browser } from "../support/browser.ts";
import { call, type Json } from "../support/client.ts";
import { FakeIdp, fakeGitHub, network, signed } from "../support/fake-idp.ts";
import { Mailbox } from "../support/mailbox.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import { newProvider } from "../support/providers.ts";
import { auditOf } from "../support/records.ts";
import { claimsOf, me, refresh } from "../support/sessions.ts";
import {
  emailOf,
  newEmail,
  problemIn,
  providerOf,
  proves,
  signedInAt,
} from "../support/sign-on.ts";

let idp: FakeIdp;
let sent: string[];
beforeEach(() => {
  idp = new FakeIdp();
  sent = network(idp.host);
});
afterEach(() => vi.unstubAllGlobals());

const provider = (fields: object = {}): Promise<Json> => providerOf(idp, fields);
const usersWith = async (email: string): Promise<Json[]> =>
  (await asAdmin("GET", "/api/v1/users")).body.filter((one: Json) => one.email === email);

/** What the token endpoint returns with an error of OAuth. */
const refusal = (error: string, status: number) => Response.json({ error }, { status });

const signedIn = (slug: string): Promise<Json> => signedInAt(slug, idp);
const problem = async (slug: string, browser = new Browser()) =>
  problemIn(await browser.signOn(slug, idp));

describe("a sign-in at an OpenID provider", () => {
  it("creates the user, and returns a session and the path to go to", async () => {
    const { slug } = await provider();
    const email = newEmail();
    proves(idp, email, { name: "Ann" });
    const browser = new Browser();
    const begun = await browser.begin(slug, { returnTo: "/flags?page=2" });
    const asked = Object.fromEntries(new URL(begun.body.url).searchParams);
    expect(asked).toMatchObject({
      response_type: "code",
      redirect_uri: `https://flags.test/api/v1/auth/sign-on/${slug}/callback`,
      code_challenge_method: "S256",
      scope: "openid email profile",
    });
    expect([...browser.cookies.keys()]).toEqual([`__Host-sso-${asked["state"]?.slice(0, 12)}`]);
    expect(await browser.back(slug, idp.authorize(begun.body.url))).toBe("/sign-in/complete");
    expect([...browser.cookies.keys()]).toEqual(["__Host-sso-code"]);
    const { body } = await browser.complete();
    expect(body).toMatchObject({
      returnTo: "/flags?page=2",
      user: { email, role: "VIEWER", name: "Ann" },
    });
    expect((await me(body.token)).body.email).toBe(email);
    expect((await refresh(body.refreshToken)).status).toBe(200);
    expect(JSON.stringify(body)).not.toContain("an access token of the provider");
  });

  it("recognises the user by the subject when the e-mail address changes", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const { user } = await signedIn(slug);
    idp.person = { ...idp.person, email: `other@elsewhere.example`, email_verified: false };
    expect((await signedIn(slug)).user.id).toBe(user.id);
  });

  it("takes the e-mail address from UserInfo if the ID token has none", async () => {
    const { slug } = await provider();
    const email = newEmail();
    idp.person = { sub: email };
    idp.userInfo = { sub: email, email, email_verified: true };
    expect((await signedIn(slug)).user.email).toBe(email);
    idp.userInfo = { sub: "another subject", email: newEmail(), email_verified: true };
    idp.person = { sub: "a subject" };
    expect(await problem(slug)).toBe("provider");
  });

  it("takes the proof of the e-mail address from UserInfo if the ID token has only the address, and signs in linked users without it", async () => {
    const { slug } = await provider();
    const email = newEmail();
    idp.person = { sub: email, email };
    idp.userInfo = { sub: email, email: newEmail(), email_verified: true };
    expect(await problem(slug)).toBe("not-verified");
    idp.userInfo = { sub: email, email_verified: true };
    const { user } = await signedIn(slug);
    expect(user.email).toBe(email);
    idp.userInfo = undefined;
    expect((await signedIn(slug)).user.id).toBe(user.id);
  });

  it("fetches the configuration and the keys once for several sign-ins", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    for (let n = 0; n < 3; n++) await signedIn(slug);
    expect(sent.filter((one) => one !== "POST /token").toSorted()).toEqual([
      "GET /.well-known/openid-configuration",
      "GET /keys",
    ]);
  });

  it("ends after sessionHours, however often the session is refreshed", async () => {
    const { slug } = await provider({ sessionHours: 1 });
    proves(idp, newEmail());
    const { token, refreshToken } = await signedIn(slug);
    const sessionId = claimsOf(token)["sid"];
    const row = await env.DB.prepare("SELECT * FROM sessions WHERE id = ?")
      .bind(sessionId)
      .first<Json>();
    expect(row).toMatchObject({ method: "oidc", issuer: idp.issuer, mfa: 0 });
    expect(row.ends_at - row.created_at).toBeLessThanOrEqual(3_600_000);
    const [session] = (await call("GET", "/api/v1/auth/sessions", { token })).body;
    expect(Date.parse(session.expiresAt)).toBe(row.ends_at);
    const endsAt = Date.now() + 60_000;
    await env.DB.prepare("UPDATE sessions SET ends_at = ? WHERE id = ?")
      .bind(endsAt, sessionId)
      .run();
    const refreshed = await refresh(refreshToken);
    expect((claimsOf(refreshed.body.token).exp ?? 0) * 1000).toBeLessThanOrEqual(endsAt);
    await env.DB.prepare("UPDATE sessions SET ends_at = 1 WHERE id = ?").bind(sessionId).run();
    expect((await refresh(refreshed.body.refreshToken)).status).toBe(401);
  });

  it("is audited", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const { user } = await signedIn(slug);
    const { items } = (await asAdmin("GET", `/api/v1/audit?entityType=user&entityId=${user.id}`))
      .body;
    expect(items.map((one: Json) => [one.action, one.category])).toEqual([
      ["session.started", "security"],
      ["user.created", "security"],
    ]);
  });
});

describe("a callback that does not belong to the browser's flow", () => {
  it("other slug's callback: is expired", async () => {
    const [one, other] = [await provider(), await provider()];
    const browser = new Browser();
    const { body } = await browser.begin(one.slug);
    expect(problemIn(await browser.back(other.slug, idp.authorize(body.url)))).toBe("expired");
  });

  it("no cookie, login CSRF: is expired in a browser that has not begun the flow", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const { body } = await new Browser().begin(slug);
    const victim = new Browser();
    expect(problemIn(await victim.back(slug, idp.authorize(body.url)))).toBe("expired");
    expect((await victim.complete()).status).toBe(401);
  });

  it("state replay: is expired without the cookie, and refused by the provider with a saved one", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const browser = new Browser();
    const query = idp.authorize((await browser.begin(slug)).body.url);
    const saved = new Map(browser.cookies);
    await browser.back(slug, query);
    expect(problemIn(await browser.back(slug, query))).toBe("expired");
    for (const [name, value] of saved) browser.cookies.set(name, value);
    expect(problemIn(await browser.back(slug, query))).toBe("provider");
  });

  it.each([
    ["unreachable", "does not respond", () => Promise.reject(new Error("connection lost"))],
    ["unreachable", "cannot respond now", () => Response.json({}, { status: 503 })],
    ["misconfigured", "refuses the client", () => refusal("invalid_client", 401)],
    ["provider", "refuses the code", () => refusal("invalid_grant", 400)],
  ] as const)("is %s if the provider %s at the end", async (word, _, answer) => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const browser = new Browser();
    const query = idp.authorize((await browser.begin(slug)).body.url);
    vi.stubGlobal("fetch", async () => answer());
    expect(problemIn(await browser.back(slug, query))).toBe(word);
  });

  it("is expired with an altered cookie, and denied if the person cancels", async () => {
    const { slug } = await provider();
    const browser = new Browser();
    const state = new URL((await browser.begin(slug)).body.url).searchParams.get("state");
    const [[name = "", value = ""] = []] = browser.cookies;
    browser.cookies.set(name, `${value.slice(0, -4)}AAAA`);
    expect(problemIn(await browser.back(slug, `?state=${state}&error=access_denied`))).toBe(
      "expired",
    );
    browser.cookies.set(name, value);
    expect(problemIn(await browser.back(slug, `?state=${state}&error=access_denied`))).toBe(
      "denied",
    );
  });
});

// `test/process/sign-on.test.ts` has the other forged ID tokens.
describe("a forged ID token", () => {
  it("unknown kid: causes one reload of the keys a minute", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    idp.makeToken = (claims) => signed(claims, "key-2");
    for (let n = 0; n < 4; n++) expect(await problem(slug)).toBe("provider");
    expect(sent.filter((one) => one === "GET /keys")).toHaveLength(1);
  });
});

describe("the rules about e-mail addresses", () => {
  it.each([
    ["unverified", { email_verified: false }],
    ['"true"', { email_verified: "true" }],
    ["without a claim that says so", { email_verified: undefined }],
    ["absent", { email: undefined }],
  ])("e-mail %s: is not-verified", async (_, claims) => {
    const { slug } = await provider();
    idp.userInfo = { sub: "x" };
    proves(idp, newEmail(), { sub: "x", ...claims });
    expect(await problem(slug)).toBe("not-verified");
  });

  it("administrator's e-mail: is link-first", async () => {
    const { slug } = await provider();
    const { id } = await person("ADMIN");
    proves(idp, await emailOf(id));
    expect(await problem(slug)).toBe("link-first");
  });

  it.each(["evil-example.com", "example.com.evil.org", "sub.example.com"])(
    "another domain, %s: is domain",
    async (domain) => {
      const { slug } = await provider();
      proves(idp, `person@${domain}`);
      expect(await problem(slug)).toBe("domain");
    },
  );

  it("links an active user by the e-mail address, unless linkByEmail is off", async () => {
    const strict = await provider({ linkByEmail: false });
    const { id } = await person("DEVELOPER");
    proves(idp, await emailOf(id));
    expect(await problem(strict.slug)).toBe("link-first");
    const { slug } = await provider();
    expect((await signedIn(slug)).user).toMatchObject({ id, role: "DEVELOPER" });
  });

  it("links and activates an invited user, and refuses others with provisioning invited", async () => {
    const { slug } = await provider({ provisioning: "invited" });
    const email = newEmail();
    proves(idp, email);
    expect(await problem(slug)).toBe("not-invited");
    const body = { email, role: "DEVELOPER" };
    const token = await adminToken();
    const invited = await new Mailbox().call("POST", "/api/v1/users/invite", { token, body });
    expect((await signedIn(slug)).user).toMatchObject({
      id: invited.body.id,
      role: "DEVELOPER",
      status: "ACTIVE",
      invitationPending: false,
    });
  });

  it("an invited administrator gets in only with the invitation link", async () => {
    const { slug } = await provider({ provisioning: "invited" });
    const email = newEmail();
    const mailbox = new Mailbox();
    const body = { email, role: "ADMIN" };
    await mailbox.call("POST", "/api/v1/users/invite", { token: await adminToken(), body });
    proves(idp, email);
    expect(await problem(slug)).toBe("link-first");
    const browser = new Browser();
    const invitation = mailbox.lastToken(email);
    expect(await browser.signOn(slug, idp, { invitation })).toBe("/sign-in/complete");
    expect((await browser.complete()).body.user).toMatchObject({
      email,
      role: "ADMIN",
      status: "ACTIVE",
    });
    const accepted = await call("POST", "/api/v1/auth/accept-invite", {
      body: { token: invitation, password: "a good password" },
    });
    expect(accepted.status).toBe(401);
  });

  it("second subject for a user: is conflict", async () => {
    const { slug } = await provider();
    const email = newEmail();
    proves(idp, email);
    await signedIn(slug);
    proves(idp, email, { sub: "a second subject" });
    expect(await problem(slug)).toBe("conflict");
  });

  it("first sign-ins race: makes one user", async () => {
    const { slug } = await provider();
    const email = newEmail();
    proves(idp, email);
    const users = await Promise.all([1, 2, 3, 4].map(async () => (await signedIn(slug)).user.id));
    expect(new Set(users).size).toBe(1);
    expect(await usersWith(email)).toHaveLength(1);
  });

  it("user disabled: is a problem in the callback, and 401 when the sign-in is completed", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const { user } = await signedIn(slug);
    const browser = new Browser();
    await browser.signOn(slug, idp);
    await asAdmin("PUT", `/api/v1/users/${user.id}`, { status: "DISABLED" });
    expect(outcome(await browser.complete())).toBe("401 UNAUTHORIZED");
    expect(await problem(slug)).toBe("disabled");
  });

  it("a refusal is audited with its reason, and shows no text of the provider", async () => {
    const { slug } = await provider();
    proves(idp, "person@elsewhere.example");
    const browser = new Browser();
    const query = idp.authorize((await browser.begin(slug)).body.url);
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join();
    const answer = await call("GET", `/api/v1/auth/sign-on/${slug}/callback${query}`, {
      headers: { Cookie: cookie },
    });
    expect(answer.headers.get("Location")).toBe("/sign-in?problem=domain");
    const [record] = await auditOf(answer);
    expect(record).toMatchObject({ action: "session.sign-on-refused", category: "security" });
  });
});

describe("the path to return to", () => {
  it.each([
    "//evil.example.com",
    String.raw`/\evil.example.com`,
    "https://evil.example.com",
    "/\t/evil",
    "javascript:x",
  ])("returnTo %s: is /", async (returnTo) => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const browser = new Browser();
    await browser.signOn(slug, idp, { returnTo });
    expect((await browser.complete()).body.returnTo).toBe("/");
  });
});

describe("the code of a callback", () => {
  it("complete twice: one gets a session, the other 401, also at the same time", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const browser = new Browser();
    await browser.signOn(slug, idp);
    const other = new Browser();
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    const answers = await Promise.all([browser.complete(), other.complete()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await other.complete()).status).toBe(401);
  });

  it("expires after a minute", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const browser = new Browser();
    await browser.signOn(slug, idp);
    await env.DB.prepare("UPDATE sign_on_codes SET expires_at = ? WHERE issuer = ?")
      .bind(Date.now() - 1, idp.issuer)
      .run();
    expect((await browser.complete()).status).toBe(401);
  });
});

describe("a provider that fails or is gone", () => {
  it("provider down: sessions live on, and new sign-ins fail", async () => {
    const { slug } = await provider();
    proves(idp, newEmail());
    const { refreshToken } = await signedIn(slug);
    const browser = new Browser();
    const query = idp.authorize((await browser.begin(slug)).body.url);
    idp.isDown = true;
    expect(problemIn(await browser.back(slug, query))).toBe("unreachable");
    const refreshed = await refresh(refreshToken);
    expect((await me(refreshed.body.token)).status).toBe(200);
    const fresh = new FakeIdp();
    const { slug: unreachable } = await newProvider({ issuer: fresh.issuer });
    const { status, body } = await new Browser().begin(unreachable);
    expect([status, body.problem]).toEqual([503, "provider"]);
    expect(body.error).not.toContain(new URL(fresh.issuer).host);
  });

  it("provider deleted: its sessions end, and its start is 404", async () => {
    const { slug, id } = await provider();
    proves(idp, newEmail());
    const { token, refreshToken } = await signedIn(slug);
    await asAdmin("DELETE", `/api/v1/settings/identity-providers/${id}`);
    expect((await me(token)).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await new Browser().begin(slug)).status).toBe(404);
  });

  it("follows no redirect, and reads no configuration of another issuer", async () => {
    const { slug } = await provider();
    network([idp.issuer, () => Response.redirect("https://169.254.169.254/")]);
    expect((await new Browser().begin(slug)).status).toBe(503);
    network([idp.issuer, () => Response.json({ issuer: "https://evil.example.com" })]);
    expect((await new Browser().begin(slug)).status).toBe(503);
    network([idp.issuer, () => new Response("x".repeat(300_000))]);
    expect((await new Browser().begin(slug)).status).toBe(503);
  });
});

describe("GitHub", () => {
  const github = {
    authorize: (url: string) => `?code=1&state=${new URL(url).searchParams.get("state")}`,
  };
  const newId = () => Math.floor(Math.random() * 1e12);
  const gitHub = (fields: object = {}) =>
    newProvider({
      type: "github",
      clientSecret: "s",
      domains: ["example.com"],
      provisioning: "justInTime",
      ...fields,
    });

  it("signs in with the numeric id and the primary, verified e-mail address", async () => {
    const { slug } = await gitHub();
    const email = newEmail();
    const emails = [
      { email: newEmail(), primary: false, verified: true },
      { email, primary: true, verified: true },
    ];
    network(...fakeGitHub({ id: newId(), emails }));
    const browser = new Browser();
    const begun = await browser.begin(slug);
    expect(Object.fromEntries(new URL(begun.body.url).searchParams)).toMatchObject({
      scope: "user:email read:org",
      code_challenge_method: "S256",
    });
    expect(await browser.back(slug, github.authorize(begun.body.url))).toBe("/sign-in/complete");
    expect((await browser.complete()).body.user.email).toBe(email);
  });

  it("unverified primary e-mail address: is not-verified", async () => {
    const { slug } = await gitHub();
    const emails = [
      { email: newEmail(), primary: true, verified: false },
      { email: newEmail(), primary: false, verified: true },
    ];
    network(...fakeGitHub({ id: newId(), emails }));
    expect(problemIn(await new Browser().signOn(slug, github))).toBe("not-verified");
  });

  it("gives the highest role of the person's teams", async () => {
    const roles = [
      { group: "acme/flags", role: "DEVELOPER" },
      { group: "acme/everyone", role: "VIEWER" },
    ];
    const { slug } = await gitHub({ roles, defaultRole: null });
    const emails = [{ email: newEmail(), primary: true, verified: true }];
    const id = newId();
    network(...fakeGitHub({ id, emails }));
    expect(problemIn(await new Browser().signOn(slug, github))).toBe("no-role");
    const teams = ["everyone", "flags"].map((team) => ({
      slug: team,
      organization: { login: "acme" },
    }));
    network(...fakeGitHub({ id, emails, teams }));
    const browser = new Browser();
    await browser.signOn(slug, github);
    expect((await browser.complete()).body.user.role).toBe("DEVELOPER");
  });
});
