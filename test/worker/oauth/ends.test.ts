import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { remindTokens } from "../../../src/jobs/remind-tokens.ts";
import { sweep } from "../../../src/jobs/sweep.ts";
import { familyIdOf } from "../../../src/workflows/sign-in/refresh-token.ts";
import type { RefreshFamilyObject } from "../../../src/platform/objects/refresh-family-object.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";
import { call } from "../support/client.ts";
import { codeOf } from "../support/factors.ts";
import { Mailbox, PASSWORD } from "../support/mailbox.ts";
import {
  answerIn,
  callerOfAgent,
  codeForm,
  connected,
  consent,
  FORM,
  newClient,
  queryOf,
  refreshForm,
  sendForm,
  VERIFIER,
  withCode,
} from "../support/oauth.ts";
import { asAdmin } from "../support/outcomes.ts";
import { auditOfEntity, rows } from "../support/records.ts";

/** Returns the state of a token response, such as `400 invalid_grant`. */
const stateOf = async (form: Record<string, string>) => {
  const { status, body } = await sendForm("token", form);
  return status === 200 ? "200" : `${status} ${body?.error}`;
};

const grantOf = async (userId: number) =>
  (
    await rows("SELECT * FROM access_tokens WHERE user_id = ? AND client_id IS NOT NULL", userId)
  )[0];

/** Sets columns of the grant of a user. */
const setGrant = (userId: number, columns: string) =>
  env.DB.prepare(`UPDATE access_tokens SET ${columns} WHERE user_id = ?`).bind(userId).run();

/** A connected agent whose user has also approved another code of the same client. */
async function connectedTwice() {
  const agent = await connected();
  const { body } = await consent(agent.user.token, await queryOf(agent.clientId));
  return { ...agent, openCode: answerIn(body.redirectTo).code ?? "" };
}

type Twice = Awaited<ReturnType<typeof connectedTwice>>;

const stillWorks = async ({ clientId, tokens, openCode }: Twice) => [
  await callerOfAgent(tokens.access_token),
  await stateOf(refreshForm(clientId, tokens.refresh_token)),
  await stateOf(codeForm(clientId, openCode)),
];

describe("the agents of a user", () => {
  const ENDED = [undefined, "400 invalid_grant", "400 invalid_grant"];

  it("stay disconnected when the user is disabled and enabled again", async () => {
    const agent = await connectedTwice();
    const path = `/api/v1/users/${agent.user.id}`;
    for (const status of ["DISABLED", "ACTIVE"])
      expect((await asAdmin("PUT", path, { status })).status).toBe(200);
    expect(await stillWorks(agent)).toEqual(ENDED);
  });

  it("are disconnected when an administrator resets the second factor", async () => {
    const agent = await connectedTwice();
    const { token } = agent.user;
    const enrolled = await call("POST", "/api/v1/auth/mfa/enroll", {
      token,
      body: { currentPassword: PASSWORD },
    });
    const body = { code: codeOf(enrolled.body.secret) };
    await call("POST", "/api/v1/auth/mfa/activate", { token, body });
    const reset = await asAdmin("DELETE", `/api/v1/users/${agent.user.id}/mfa`);
    expect(reset.status).toBe(204);
    expect(await stillWorks(agent)).toEqual(ENDED);
  });

  it("keep their access when the role of the user changes", async () => {
    const { user, tokens } = await connected();
    await asAdmin("PUT", `/api/v1/users/${user.id}`, { role: "DEVELOPER" });
    expect(await callerOfAgent(tokens.access_token)).toMatchObject({ role: "DEVELOPER" });
  });
});

describe("a refresh", () => {
  it("whose write fails leaves the refresh token valid", async () => {
    const { user, clientId, tokens } = await connected();
    const { id } = await grantOf(user.id);
    const DB = watchedDatabase((_, values) => {
      if (values.flat().includes(id)) throw new Error("D1_ERROR: the database is unavailable");
    });
    const form = refreshForm(clientId, tokens.refresh_token);
    const body = new URLSearchParams(form);
    const failed = await callWith({ DB }, "POST", "/api/oauth/token", { body, headers: FORM });
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(await callerOfAgent(tokens.access_token)).toBeDefined();
    expect(await stateOf(form)).toBe("200");
    expect((await auditOfEntity("token", id)).map(({ action }) => action)).toEqual([
      "token.created",
    ]);
  });

  it("with a refresh token that was never issued changes nothing", async () => {
    const { user, clientId, tokens } = await connected();
    const before = await grantOf(user.id);
    const invented = `${familyIdOf(tokens.refresh_token)}.${"x".repeat(43)}`;
    expect(await stateOf(refreshForm(clientId, invented))).toBe("400 invalid_grant");
    expect(await grantOf(user.id)).toEqual(before);
  });

  it("with an expired refresh token revokes the grant, and is no theft", async () => {
    const { user, clientId, tokens } = await connected();
    const family = env.REFRESH_FAMILIES.getByName(familyIdOf(tokens.refresh_token) ?? "");
    await runInDurableObject<RefreshFamilyObject, void>(family, (_, { storage: { kv } }) => {
      kv.put("family", { ...kv.get<object>("family"), expiresAt: Date.now() - 1 });
    });
    const form = refreshForm(clientId, tokens.refresh_token);
    expect(await stateOf(form)).toBe("400 invalid_grant");
    const grant = await grantOf(user.id);
    expect(grant.revoked_at).toEqual(expect.any(Number));
    expect((await auditOfEntity("token", grant.id)).map(({ action }) => action)).toEqual([
      "token.created",
    ]);
  });
});

describe("a code", () => {
  it("that somebody sends again without its verifier does not end its grant", async () => {
    const { clientId, code, tokens } = await connected();
    const wrong = { code_verifier: VERIFIER.replace("a", "b") };
    for (const changes of [wrong, { client_id: await newClient() }, { redirect_uri: "https://x" }])
      expect(await stateOf(codeForm(clientId, code, changes))).toBe("400 invalid_grant");
    expect(await callerOfAgent(tokens.access_token)).toBeDefined();
  });

  it("of a client that does not exist any more gives no tokens", async () => {
    const { clientId, code } = await withCode();
    await env.DB.prepare("DELETE FROM oauth_clients WHERE client_id = ?").bind(clientId).run();
    expect(await stateOf(codeForm(clientId, code))).toBe("400 invalid_grant");
  });

  it("gives no tokens if the user has 50 connected agents by then", async () => {
    const { user, clientId, code } = await withCode();
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
       INSERT INTO access_tokens (name, hash, preview, user_id, scopes, created_by, created_at,
         expires_at, client_id, family_id, refresh_until)
       SELECT 'a', ?2 || i, 'aaaa', ?1, '["read"]', ?1, 1, ?3, 'c', ?2 || i, ?3 FROM n`,
    )
      .bind(user.id, crypto.randomUUID(), Date.now() + DAY_MS)
      .run();
    const refused = await sendForm("token", codeForm(clientId, code));
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      error: "invalid_grant",
      error_description: expect.stringContaining("50 connected agents"),
    });
    await env.DB.prepare("DELETE FROM access_tokens WHERE user_id = ? AND hash LIKE '%-%50'")
      .bind(user.id)
      .run();
    expect(await stateOf(codeForm(clientId, code))).toBe("200");
  });
});

describe("the jobs", () => {
  it("send no e-mail about the access token of an agent, which the agent refreshes", async () => {
    const { user } = await connected();
    const [{ email }] = await rows("SELECT email FROM users WHERE id = ?", user.id);
    const now = Date.now();
    await setGrant(user.id, `created_at = ${now - 9 * DAY_MS}, expires_at = ${now + 6 * DAY_MS}`);
    const mailbox = new Mailbox();
    await remindTokens(jobDeps({ ...env, MAIL: mailbox.binding }));
    expect(mailbox.mails.filter(({ to }) => to === email)).toEqual([]);
  });

  it("keep a grant until 90 days after the end of its refresh token", async () => {
    const { user } = await connected();
    const [before, after] = [91, 89].map((days) => Date.now() - days * DAY_MS);
    await setGrant(user.id, `expires_at = ${before}, refresh_until = ${after}`);
    await sweep(jobDeps(env));
    expect(await grantOf(user.id)).toBeDefined();
    await setGrant(user.id, `refresh_until = ${before}`);
    await sweep(jobDeps(env));
    expect(await grantOf(user.id)).toBeUndefined();
  });
});
