import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/lib/time.ts";
import { REPEAT_MS, type RefreshFamily } from "../../../src/core/sessions/refresh-family.ts";
import { sweep } from "../../../src/jobs/sweep.ts";
import { familyIdOf } from "../../../src/workflows/sign-in/refresh-token.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import type { RefreshFamilyObject } from "../../../src/platform/objects/refresh-family-object.ts";
import { call } from "../support/client.ts";
import { Mailbox, PASSWORD } from "../support/mailbox.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import {
  callerOfAgent,
  codeForm,
  connected,
  consent,
  ISSUER,
  newClient,
  queryOf,
  REDIRECT,
  refreshForm,
  RESOURCE,
  sendForm,
  VERIFIER,
  withCode,
} from "../support/oauth.ts";
import { signedInWithPassword } from "../support/factors.ts";
import { auditOf, auditOfEntity, rows } from "../support/records.ts";
import { adminToken } from "../support/people.ts";
import { emailOf } from "../support/sign-on.ts";
import { newProject } from "../support/world.ts";

const errorOf = (answer: Awaited<ReturnType<typeof sendForm>>) =>
  `${answer.status} ${answer.body?.error}`;

const tokenRow = async (token: string) =>
  (
    await rows("SELECT * FROM access_tokens WHERE hash = ?", await sha256(`agent ${token}`))
  )[0] as Record<string, unknown>;

/** Sets columns of the grant of a user. */
const setGrant = (userId: number, columns: string) =>
  env.DB.prepare(`UPDATE access_tokens SET ${columns} WHERE user_id = ?`).bind(userId).run();

describe("a code", () => {
  it("gives the client an access token for an hour with the rights of the consent", async () => {
    const { id: projectId } = await newProject();
    const { user, tokens, clientId } = await connected({ projectIds: [projectId] });
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^ffmcp_[0-9A-Za-z]{42}$/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.any(String),
      scope: "read",
    });
    expect(await callerOfAgent(tokens.access_token)).toMatchObject({
      kind: "user",
      id: user.id,
      projectId,
      token: {
        scopes: ["read"],
        projectIds: [projectId],
        environmentIds: null,
        client: expect.any(String),
      },
    });
    const { created_at: createdAt, ...row } = await tokenRow(tokens.access_token);
    expect(row).toMatchObject({ client_id: clientId, expires_at: Number(createdAt) + HOUR_MS });
  });

  it("comes back to the redirect URI with the state and the issuer", async () => {
    const { token } = await signedInWithPassword();
    const uri = `${REDIRECT}?tab=1`;
    const query = await queryOf(await newClient([uri]), { redirect_uri: uri });
    const { redirectTo } = (await consent(token, query)).body;
    expect(redirectTo).toMatch(/^https:\/\/agent\.example\.com\/callback\?tab=1&code=[\w-]{43}&/);
    const parameters = Object.fromEntries(new URL(redirectTo).searchParams);
    expect(parameters).toMatchObject({ state: "0123", iss: ISSUER });
  });

  it("is stored as a hash, like the tokens that it is exchanged for", async () => {
    const { code, tokens } = await connected();
    const stored = JSON.stringify([
      await rows("SELECT * FROM oauth_codes ORDER BY rowid DESC LIMIT 5"),
      await rows("SELECT * FROM access_tokens ORDER BY id DESC LIMIT 5"),
      await rows("SELECT * FROM audit ORDER BY id DESC LIMIT 10"),
    ]);
    const secrets = [code, tokens.access_token, tokens.refresh_token, VERIFIER];
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
    expect(stored).toContain(await sha256(code));
  });

  it.each([
    ["a wrong verifier", { code_verifier: VERIFIER.replace("a", "b") }, "invalid_grant"],
    ["a short verifier", { code_verifier: "short" }, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, "invalid_request"],
    ["another redirect URI", { redirect_uri: "https://agent.example.com/" }, "invalid_grant"],
    ["no redirect URI", { redirect_uri: "" }, "invalid_request"],
    ["the id of another client", { client_id: "https://evil.example.com/c" }, "invalid_grant"],
    ["no client", { client_id: "" }, "invalid_request"],
    ["no resource", { resource: "" }, "invalid_request"],
    ["another resource", { resource: "https://flags.test/api/v1" }, "invalid_target"],
    ["another grant type", { grant_type: "password" }, "unsupported_grant_type"],
    ["an unknown code", { code: "unknown" }, "invalid_grant"],
  ])("is refused with %s, and stays valid for its client", async (_, changes, error) => {
    const { clientId, code } = await withCode();
    const refused = await sendForm("token", codeForm(clientId, code, changes));
    expect(errorOf(refused)).toBe(`400 ${error}`);
    expect((await sendForm("token", codeForm(clientId, code))).status).toBe(200);
  });

  it("is refused after a minute, and after its user was disabled", async () => {
    const late = await withCode();
    await env.DB.prepare("UPDATE oauth_codes SET expires_at = ? WHERE user_id = ?")
      .bind(Date.now() - 1, late.user.id)
      .run();
    const disabled = await withCode();
    await asAdmin("PUT", `/api/v1/users/${disabled.user.id}`, { status: "DISABLED" });
    for (const { clientId, code } of [late, disabled])
      expect(errorOf(await sendForm("token", codeForm(clientId, code)))).toBe("400 invalid_grant");
  });

  it("ends its grant when it is sent a second time", async () => {
    const { user, clientId, code, tokens } = await connected();
    const again = await sendForm("token", codeForm(clientId, code));
    expect(errorOf(again)).toBe("400 invalid_grant");
    expect(await callerOfAgent(tokens.access_token)).toBeUndefined();
    const refreshed = await sendForm("token", refreshForm(clientId, tokens.refresh_token));
    expect(errorOf(refreshed)).toBe("400 invalid_grant");
    const { id } = await tokenRow(tokens.access_token);
    expect((await auditOfEntity("token", Number(id))).map(({ action }) => action)).toContain(
      "agent.code-reused",
    );
    expect((await call("GET", "/api/v1/agents", { token: user.token })).body).toEqual([]);
  });

  it("gives tokens to one of two requests at the same time", async () => {
    const { clientId, code } = await withCode();
    const both = [1, 2].map(() => sendForm("token", codeForm(clientId, code)));
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it("is kept for a day, so that its replay is noticed", async () => {
    const { user } = await connected();
    const left = () => rows("SELECT hash FROM oauth_codes WHERE user_id = ?", user.id);
    await sweep(jobDeps(env));
    expect(await left()).toHaveLength(1);
    await env.DB.prepare("UPDATE oauth_codes SET expires_at = ? WHERE user_id = ?")
      .bind(Date.now() - DAY_MS - 1, user.id)
      .run();
    await sweep(jobDeps(env));
    expect(await left()).toEqual([]);
  });
});

describe("an access token of an agent", () => {
  it("is 401 at every other route, in a header and as an API key", async () => {
    const { access_token: token } = (await connected()).tokens;
    for (const path of ["/api/v1/flags", "/api/v1/auth/me", "/api/v1/agents", "/actuator/env"])
      expect((await call("GET", path, { token })).status).not.toBe(200);
    expect(outcome(await call("GET", "/api/v1/projects", { token }))).toBe("401 UNAUTHORIZED");
    expect(outcome(await call("GET", "/api/client/features", { token }))).toBe("401 UNAUTHORIZED");
    const headers = { "X-API-Key": token };
    expect((await call("GET", "/api/client/features", { headers })).status).toBe(401);
  });

  it("does not work after an hour, nor after its user was disabled or deleted", async () => {
    const late = await connected();
    await setGrant(late.user.id, `expires_at = ${Date.now() - 1}`);
    const disabled = await connected();
    await asAdmin("PUT", `/api/v1/users/${disabled.user.id}`, { status: "DISABLED" });
    const deleted = await connected();
    await asAdmin("DELETE", `/api/v1/users/${deleted.user.id}`);
    for (const { tokens, clientId } of [disabled, deleted]) {
      const answer = await sendForm("token", refreshForm(clientId, tokens.refresh_token));
      expect(errorOf(answer)).toBe("400 invalid_grant");
    }
    for (const { tokens } of [late, disabled, deleted])
      expect(await callerOfAgent(tokens.access_token)).toBeUndefined();
  });

  it("has the role that its user has at each call", async () => {
    const { user, tokens } = await connected({ scopes: ["read", "write"] });
    expect(await callerOfAgent(tokens.access_token)).toMatchObject({ role: "VIEWER" });
    await asAdmin("PUT", `/api/v1/users/${user.id}`, { role: "DEVELOPER" });
    expect(await callerOfAgent(tokens.access_token)).toMatchObject({ role: "DEVELOPER" });
  });

  it("is not among the personal tokens of its user", async () => {
    const { user, tokens } = await connected();
    const { id } = await tokenRow(tokens.access_token);
    expect((await call("GET", "/api/v1/tokens", { token: user.token })).body).toEqual([]);
    const revoked = await call("DELETE", `/api/v1/tokens/${Number(id)}`, { token: user.token });
    expect(outcome(revoked)).toBe("404 NOT_FOUND");
  });
});

/** Makes the last rotation of the family of a refresh token earlier. */
const agedBy = (ms: number, refreshToken: string): Promise<void> =>
  runInDurableObject<RefreshFamilyObject, void>(
    env.REFRESH_FAMILIES.getByName(familyIdOf(refreshToken) ?? ""),
    (_, { storage: { kv } }) => {
      const family = kv.get<RefreshFamily>("family");
      if (family) kv.put("family", { ...family, refreshedAt: family.refreshedAt - ms });
    },
  );

describe("a refresh token of an agent", () => {
  it("gives new tokens, after which the earlier access token does not work", async () => {
    const { clientId, tokens } = await connected();
    const form = refreshForm(clientId, tokens.refresh_token);
    const { status, body } = await sendForm("token", form);
    expect(status).toBe(200);
    expect(body.scope).toBe("read");
    expect(await callerOfAgent(body.access_token)).toMatchObject({ kind: "user" });
    expect(await callerOfAgent(tokens.access_token)).toBeUndefined();
  });

  it("gives five parallel refreshes the same tokens, which work", async () => {
    const { clientId, tokens } = await connected();
    const form = refreshForm(clientId, tokens.refresh_token);
    const answers = await Promise.all(Array.from({ length: 5 }, () => sendForm("token", form)));
    const pairs = answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`);
    expect(new Set(pairs).size).toBe(1);
    const next = answers[0]?.body;
    expect(await callerOfAgent(next.access_token)).toMatchObject({ kind: "user" });
    const last = await sendForm("token", refreshForm(clientId, next.refresh_token));
    expect(last.status).toBe(200);
  });

  it.each([
    ["after the next one was used", 0],
    [`${REPEAT_MS / 1000} seconds after its use`, REPEAT_MS],
  ])("ends the grant when it is sent again %s", async (_, passedMs) => {
    const { clientId, tokens } = await connected();
    const form = refreshForm(clientId, tokens.refresh_token);
    let { body: next } = await sendForm("token", form);
    if (passedMs === 0)
      next = (await sendForm("token", refreshForm(clientId, next.refresh_token))).body;
    await agedBy(passedMs, tokens.refresh_token);
    expect(errorOf(await sendForm("token", form))).toBe("400 invalid_grant");
    expect(await callerOfAgent(next.access_token)).toBeUndefined();
    const last = await sendForm("token", refreshForm(clientId, next.refresh_token));
    expect(errorOf(last)).toBe("400 invalid_grant");
  });

  it.each([
    ["of another client", { client_id: "https://evil.example.com/c" }, "invalid_grant"],
    ["without a resource", { resource: "" }, "invalid_request"],
    ["with another resource", { resource: "https://evil.example.com/" }, "invalid_target"],
    [
      "that was invented",
      { refresh_token: `${"x".repeat(22)}.${"x".repeat(43)}` },
      "invalid_grant",
    ],
    ["of another form", { refresh_token: "x" }, "invalid_grant"],
  ])("%s is refused, and the grant lives on", async (_, changes, error) => {
    const { clientId, tokens } = await connected();
    const refused = await sendForm("token", refreshForm(clientId, tokens.refresh_token, changes));
    expect(errorOf(refused)).toBe(`400 ${error}`);
    const form = refreshForm(clientId, tokens.refresh_token);
    expect((await sendForm("token", form)).status).toBe(200);
  });

  it("is no refresh token of a session, and that of a session is none of an agent", async () => {
    const { clientId, tokens, user } = await connected();
    const body = { refreshToken: tokens.refresh_token };
    expect(outcome(await call("POST", "/api/v1/auth/refresh", { body }))).toBe("401 UNAUTHORIZED");
    const form = refreshForm(clientId, user.refreshToken);
    expect(errorOf(await sendForm("token", form))).toBe("400 invalid_grant");
  });

  it("expires a year after the consent, however often it is used", async () => {
    const { user, clientId, tokens } = await connected();
    const almost = Date.now() - 365 * DAY_MS + 60_000;
    await setGrant(user.id, `created_at = ${almost}`);
    const { body } = await sendForm("token", refreshForm(clientId, tokens.refresh_token));
    expect(body.expires_in).toBeLessThanOrEqual(60);
    const row = await tokenRow(body.access_token);
    expect(row["refresh_until"]).toBe(almost + 365 * DAY_MS);
  });
});

describe("the end of a grant", () => {
  it.each(["access_token", "refresh_token"] as const)(
    "is made by its client with the %s",
    async (which) => {
      const { clientId, tokens } = await connected();
      const foreign = { token: tokens[which], client_id: await newClient() };
      expect((await sendForm("revoke", foreign)).status).toBe(200);
      expect(await callerOfAgent(tokens.access_token)).toBeDefined();
      const form = { token: tokens[which], client_id: clientId };
      expect((await sendForm("revoke", form)).status).toBe(200);
      expect(await callerOfAgent(tokens.access_token)).toBeUndefined();
      expect((await sendForm("revoke", form)).status).toBe(200);
    },
  );

  it("is made by the user, and by no other user", async () => {
    const { user, tokens, clientId } = await connected();
    const list = async () => (await call("GET", "/api/v1/agents", { token: user.token })).body;
    const [agent] = await list();
    expect(agent).toMatchObject({ clientId, scopes: ["read"], lastUsedAt: null });
    const path = `/api/v1/agents/${agent.id}`;
    const { token } = await signedInWithPassword();
    const listed = await call("GET", `/api/v1/agents?userId=${user.id}`, { token });
    expect(outcome(listed)).toBe("403 FORBIDDEN");
    expect(outcome(await call("DELETE", path, { token }))).toBe("404 NOT_FOUND");
    const revoked = await call("DELETE", path, { token: user.token });
    expect(revoked.status).toBe(204);
    expect((await auditOf(revoked)).map(({ action }) => action)).toEqual(["token.revoked"]);
    expect(await list()).toEqual([]);
    expect(await callerOfAgent(tokens.access_token)).toBeUndefined();
    const form = refreshForm(clientId, tokens.refresh_token);
    expect(errorOf(await sendForm("token", form))).toBe("400 invalid_grant");
  });

  it("is made by an administrator, who sees the agents of all users", async () => {
    const { user, tokens } = await connected();
    const list = await asAdmin("GET", `/api/v1/agents?userId=${user.id}`);
    expect(list.body).toMatchObject([{ scopes: ["read"] }]);
    const [{ id }] = list.body;
    const mailbox = new Mailbox();
    const by = { token: await adminToken() };
    const revoked = await mailbox.call("DELETE", `/api/v1/agents/${id}`, by);
    expect(await auditOf(revoked)).toMatchObject([
      { action: "token.revoked", entity_id: id, before: { scopes: ["read"], userId: user.id } },
    ]);
    await expect.poll(() => mailbox.mails.map(({ to }) => to)).toEqual([await emailOf(user.id)]);
    expect(await callerOfAgent(tokens.access_token)).toBeUndefined();
  });

  it("is made by the administrator who deletes the client, for its open codes, too", async () => {
    const { user, tokens, clientId } = await connected();
    const { code } = await (async () => {
      const { body } = await consent(user.token, await queryOf(clientId));
      return { code: new URL(body.redirectTo).searchParams.get("code") ?? "" };
    })();
    const { body: clients } = await asAdmin("GET", "/api/v1/settings/oauth-clients");
    const { id } = clients.find((one: { clientId: string }) => one.clientId === clientId);
    expect((await asAdmin("DELETE", `/api/v1/settings/oauth-clients/${id}`)).status).toBe(204);
    expect(await callerOfAgent(tokens.access_token)).toBeUndefined();
    expect(errorOf(await sendForm("token", codeForm(clientId, code)))).toBe("400 invalid_grant");
  });
});

describe("the token endpoint", () => {
  it("accepts browsers of every origin, and only forms with each parameter once", async () => {
    const origin = { Origin: "http://localhost:6274" };
    const { headers } = await sendForm("token", { grant_type: "x" }, origin);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(headers.get("Cache-Control")).toBe("no-store");
    const json = await call("POST", "/api/oauth/token", { body: { grant_type: "refresh_token" } });
    expect(errorOf(json)).toBe("400 invalid_request");
    const twice = new URLSearchParams([
      ["client_id", "one"],
      ["client_id", "two"],
    ]);
    const contentType = { "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await call("POST", "/api/oauth/token", { body: twice, headers: contentType });
    expect(errorOf(answer)).toBe("400 invalid_request");
  });
});

describe("a consent", () => {
  it("is audited, and announced to the user", async () => {
    const mailbox = new Mailbox();
    const [user, clientId] = [await signedInWithPassword(), await newClient()];
    const query = await queryOf(clientId);
    const body = { decision: "approve", query, scopes: ["write"], currentPassword: PASSWORD };
    const answer = await mailbox.call("POST", "/api/oauth/consent", { token: user.token, body });
    expect(answer.status).toBe(200);
    expect(await auditOf(answer)).toEqual([
      expect.objectContaining({ action: "agent.approved", category: "security" }),
    ]);
    expect(mailbox.mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^You have connected an agent: /),
    ]);
  });
});

it("the documents name the endpoints, at the paths of their identifiers", async () => {
  const path = "/.well-known/oauth-protected-resource/api/mcp";
  const resource = await call("GET", path, { headers: { Origin: "https://any.example.com" } });
  expect(resource.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(resource.body).toMatchObject({ resource: RESOURCE, authorization_servers: [ISSUER] });
  const server = await call("GET", "/.well-known/oauth-authorization-server/api/oauth");
  expect(server.body).toMatchObject({
    issuer: ISSUER,
    authorization_endpoint: "https://flags.test/authorize",
    token_endpoint: `${ISSUER}/token`,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
  });
  expect(server.body).not.toHaveProperty("registration_endpoint");
});

it.each(["openid-configuration", "oauth-authorization-server", "oauth-protected-resource/api/v1"])(
  "/.well-known/%s is 404, and not the dashboard",
  async (path) => {
    expect(outcome(await call("GET", `/.well-known/${path}`))).toBe("404 NOT_FOUND");
  },
);
