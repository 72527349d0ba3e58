import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { remindTokens } from "../../../src/jobs/remind-tokens.ts";
import { newAccessToken } from "../../../src/core/credentials/access-token.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/lib/time.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { approve, as, opened } from "../support/change-requests.ts";
import { call } from "../support/client.ts";
import { signedInWithPassword } from "../support/factors.ts";
import { Mailbox, PASSWORD } from "../support/mailbox.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken, join, person } from "../support/people.ts";
import { auditOf, auditOfEntity, rows } from "../support/records.ts";
import { emailOf } from "../support/sign-on.ts";
import { countedCall } from "../support/statements.ts";
import { newServiceAccount, newToken } from "../support/tokens.ts";
import { newEnvironment, newFlag, newProject, newWorld } from "../support/world.ts";

const TOKENS = "/api/v1/tokens";
const ALL = ["read", "write", "approve", "admin"] as const;

let projectId: number;
let environmentId: number;
beforeAll(async () => {
  ({ projectId, environmentId } = await newWorld());
});

/** Creates a user with a password, and a function that creates a token of this user. */
async function maker() {
  const user = await signedInWithPassword();
  const create = (body: object) =>
    call("POST", TOKENS, {
      token: user.token,
      body: { name: "ci", scopes: ["read"], currentPassword: PASSWORD, ...body },
    });
  return { ...user, create };
}

const readProjects = async (token: string) =>
  outcome(await call("GET", "/api/v1/projects", { token }));

describe("a personal token", () => {
  it("is shown once, works with the rights of its owner, and is audited without itself", async () => {
    const { id: userId, create, token: session } = await maker();
    const answer = await create({ projectIds: [projectId], environmentIds: [environmentId] });
    const { id, token, ...rest } = answer.body;
    expect(answer.status).toBe(201);
    expect(token).toMatch(/^ffpat_[0-9A-Za-z]{42}$/);
    expect(rest).toMatchObject({
      name: "ci",
      scopes: ["read"],
      projectIds: [projectId],
      environmentIds: [environmentId],
      serviceAccountId: null,
      preview: token.slice(-4),
      lastUsedAt: null,
    });
    expect(Date.parse(rest.expiresAt) - Date.parse(rest.createdAt)).toBe(90 * DAY_MS);
    expect(await auditOf(answer)).toMatchObject([
      { action: "token.created", category: "security", entity_type: "token", entity_id: id },
    ]);
    expect(JSON.stringify(await auditOf(answer))).not.toContain(token);
    const { body } = await call("GET", "/api/v1/projects", { token });
    expect(body.map((one: { id: number }) => one.id)).toEqual([projectId]);
    await expect
      .poll(async () => (await call("GET", TOKENS, { token: session })).body)
      .toMatchObject([{ id, lastUsedAt: expect.any(String) }]);
    expect(
      (await rows("SELECT hash FROM access_tokens WHERE user_id = ?", userId))[0].hash,
    ).not.toBe(token);
  });

  it("reads its owner and its rights, and a session has no token to read", async () => {
    const { id: userId, token: session } = await person("VIEWER");
    const account = await newServiceAccount("VIEWER", projectId);
    const rights = { scopes: ["read"] as const, environmentIds: [environmentId] };
    const owners = [
      [{ userId }, { kind: "user", id: userId, name: expect.stringContaining("@") }],
      [
        { serviceAccountId: account },
        { kind: "service-account", id: account, name: expect.stringContaining("account-") },
      ],
    ] as const;
    for (const [of, owner] of owners) {
      const { id, token } = await newToken({ ...of, ...rights });
      const { body } = await call("GET", `${TOKENS}/current`, { token });
      expect(body).toMatchObject({ id, name: "ci", ...rights, projectIds: null, owner });
      expect(JSON.stringify(body)).not.toContain(token);
    }
    expect(outcome(await call("GET", `${TOKENS}/current`, { token: session }))).toBe(
      "404 NOT_FOUND",
    );
  });

  it("needs the current password", async () => {
    const { create } = await maker();
    for (const currentPassword of [undefined, "wrong password"])
      expect(invalidFields(await create({ currentPassword }))).toEqual(["currentPassword"]);
  });

  it.each([
    ["scopes", { scopes: [] }],
    ["scopes", { scopes: ["read", "read"] }],
    ["projectIds", { projectIds: [999_999_999] }],
    ["environmentIds", { environmentIds: [999_999_999] }],
    ["expiresInDays", { expiresInDays: 366 }],
    ["expiresInDays", { expiresInDays: 0 }],
  ])("is refused with 400 for a wrong field %s: %o", async (field, body) => {
    const { create } = await maker();
    expect(invalidFields(await create(body))).toEqual([field]);
  });

  it("is refused with 400 for an environment of a project that it does not list", async () => {
    const { create } = await maker();
    const { id } = await newProject();
    const answer = await create({ projectIds: [id], environmentIds: [environmentId] });
    expect(invalidFields(answer)).toEqual(["environmentIds"]);
  });

  it("is refused with 402 if its owner has 50 others, unless one of them has expired", async () => {
    const { id: userId, create } = await maker();
    const made: number[] = [];
    for (let n = 0; n < 50; n++) made.push((await newToken({ userId, scopes: ["read"] })).id);
    expect(outcome(await create({}))).toBe("402 QUOTA_EXCEEDED");
    await env.DB.prepare("UPDATE access_tokens SET expires_at = 1 WHERE id = ?")
      .bind(made[0])
      .run();
    expect((await create({})).status).toBe(201);
  });

  it("is identified by one statement, and not at all with a wrong checksum", async () => {
    const { token } = await newToken({ userId: (await person("VIEWER")).id, scopes: ["read"] });
    await env.DB.exec("UPDATE access_tokens SET last_used_at = 9999999999999");
    const right = await countedCall("GET", "/api/v1/projects", { token });
    expect([right.answer.status, right.statements]).toEqual([200, 2]);
    const wrong = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
    const refused = await countedCall("GET", "/api/v1/projects", { token: wrong });
    expect([refused.answer.status, refused.statements]).toEqual([401, 0]);
  });

  it("is 401 if it is unknown, and if an SDK sends it", async () => {
    expect(await readProjects(newAccessToken("ffpat"))).toBe("401 UNAUTHORIZED");
    const { token } = await newToken({ userId: (await person("ADMIN")).id, scopes: ALL });
    expect(outcome(await call("GET", "/api/client/features", { token }))).toBe("401 UNAUTHORIZED");
  });

  it.each([
    ["it has expired", "access_tokens SET expires_at = 1 WHERE user_id = ?"],
    ["its owner is disabled", "users SET status = 'DISABLED' WHERE id = ?"],
    [
      "its owner has not signed in for 90 days",
      "users SET last_active_at = unixepoch('now', '-90 days') * 1000 WHERE id = ?",
    ],
  ])("is 401 if %s", async (_, update) => {
    const { id: userId } = await person("VIEWER");
    const { token } = await newToken({ userId, scopes: ["read"] });
    expect(await readProjects(token)).toBe("200");
    await env.DB.prepare(`UPDATE ${update}`).bind(userId).run();
    expect(await readProjects(token)).toBe("401 UNAUTHORIZED");
  });

  it("has at most the present role of its owner", async () => {
    const { id: userId } = await person("DEVELOPER");
    const { token } = await newToken({ userId, scopes: ALL });
    const create = () =>
      call("POST", "/api/v1/tags", {
        token,
        body: { projectId, name: crypto.randomUUID(), color: "#2f9e44" },
      });
    expect((await create()).status).toBe(201);
    await env.DB.prepare("UPDATE users SET role = 'VIEWER' WHERE id = ?").bind(userId).run();
    expect(outcome(await create())).toBe("403 FORBIDDEN");
  });

  it("records the time of its use at most every ten minutes", async () => {
    const { id: userId } = await person("VIEWER");
    const { id, token } = await newToken({ userId, scopes: ["read"] });
    const lastUse = async () =>
      (await rows("SELECT last_used_at AS at FROM access_tokens WHERE id = ?", id))[0].at;
    const set = (at: number) =>
      env.DB.prepare("UPDATE access_tokens SET last_used_at = ? WHERE id = ?").bind(at, id).run();
    const [recent, old] = [Date.now() - 9 * MINUTE_MS, Date.now() - 11 * MINUTE_MS];
    await set(recent);
    const { statements } = await countedCall("GET", "/api/v1/projects", { token });
    expect([statements, await lastUse()]).toEqual([2, recent]);
    await set(old);
    await readProjects(token);
    await expect.poll(lastUse).toBeGreaterThan(recent);
  });
});

describe("a revoked token", () => {
  it("is 401 at once, and its later use is audited once an hour", async () => {
    const { create, token: session } = await maker();
    const { id, token } = (await create({})).body;
    const revoke = () => call("DELETE", `${TOKENS}/${id}`, { token: session });
    expect(await auditOf(await revoke())).toMatchObject([{ action: "token.revoked" }]);
    expect(outcome(await revoke())).toBe("404 NOT_FOUND");
    const uses = async () =>
      (await auditOfEntity("token", id)).filter(({ action }) => action === "token.refused").length;
    for (let n = 0; n < 2; n++) {
      expect(await readProjects(token)).toBe("401 UNAUTHORIZED");
      await expect.poll(uses).toBe(1);
    }
    await env.DB.prepare("UPDATE access_tokens SET reported_at = ? WHERE id = ?")
      .bind(Date.now() - HOUR_MS, id)
      .run();
    await readProjects(token);
    await expect.poll(uses).toBe(2);
    expect((await call("GET", TOKENS, { token: session })).body).toEqual([]);
  });

  it("is listed and revoked by its user and by administrators, and by nobody else", async () => {
    const { id: userId } = await person("VIEWER");
    const { id, token } = await newToken({ userId, scopes: ["read"] });
    const list = `${TOKENS}?userId=${userId}`;
    const { token: other } = await person("DEVELOPER");
    expect(outcome(await call("GET", list, { token: other }))).toBe("403 FORBIDDEN");
    const refused = await call("DELETE", `${TOKENS}/${id}`, { token: other });
    expect(outcome(refused)).toBe("404 NOT_FOUND");
    expect((await asAdmin("GET", list)).body).toMatchObject([{ id, scopes: ["read"] }]);
    const both = await asAdmin("GET", `${list}&serviceAccountId=1`);
    expect(outcome(both)).toBe("400 VALIDATION_ERROR");
    const mailbox = new Mailbox();
    const revoked = await mailbox.call("DELETE", `${TOKENS}/${id}`, { token: await adminToken() });
    expect(await auditOf(revoked)).toMatchObject([
      { action: "token.revoked", entity_id: id, before: { userId } },
    ]);
    await expect.poll(() => mailbox.mails.map(({ to }) => to)).toEqual([await emailOf(userId)]);
    expect(await readProjects(token)).toBe("401 UNAUTHORIZED");
  });

  it("is also that of a deleted user", async () => {
    const { id: userId } = await person("VIEWER");
    const { id, token } = await newToken({ userId, scopes: ["read"] });
    await asAdmin("DELETE", `/api/v1/users/${userId}`);
    expect(await readProjects(token)).toBe("401 UNAUTHORIZED");
    await expect
      .poll(async () => (await auditOfEntity("token", id)).map(({ action }) => action))
      .toEqual(["token.refused"]);
  });
});

describe("a token of some projects", () => {
  it("does not find the rows of another project, and lists none of them", async () => {
    const other = await newProject();
    const hidden = await newFlag(other.id);
    const shown = await newFlag(projectId);
    const { id: userId } = await person("ADMIN");
    const { token } = await newToken({ userId, scopes: ALL, projectIds: [projectId] });
    const get = async (path: string) => call("GET", `/api/v1/${path}`, { token });
    expect(outcome(await get(`flags/${hidden.id}`))).toBe("404 NOT_FOUND");
    expect(outcome(await get(`projects/${other.id}`))).toBe("404 NOT_FOUND");
    expect((await get(`flags?projectId=${other.id}`)).body.items).toEqual([]);
    expect((await get(`flags/${shown.id}`)).status).toBe(200);
    for (const list of ["flags?size=200", "audit?size=200"]) {
      const { items } = (await get(list)).body;
      const ids = new Set(items.map((one: { projectId: number }) => one.projectId));
      expect([...ids]).toEqual([projectId]);
    }
    const body = { projectId: other.id, name: "new", color: "#2f9e44" };
    const created = await call("POST", "/api/v1/tags", { token, body });
    expect(outcome(created)).toBe("404 NOT_FOUND");
  });
});

describe("a token of some environments", () => {
  const operation = (flagId: number, inEnvironment: number) => ({
    kind: "strategy.set",
    target: { flagId, environmentId: inEnvironment },
    input: { percentage: 40 },
  });

  it("writes only strategies there, and creates flags", async () => {
    const other = await newEnvironment(projectId);
    const flag = await newFlag(projectId);
    const { id: userId } = await person("ADMIN");
    const { token } = await newToken({ userId, scopes: ALL, environmentIds: [environmentId] });
    const send = async (method: string, path: string, body?: object) =>
      outcome(await call(method, `/api/v1/${path}`, { token, body }));
    const set = (id: number) =>
      send("PUT", `flags/${flag.id}/strategies`, { environmentId: id, percentage: 30 });
    expect(await set(environmentId)).toBe("200");
    expect(await set(other.id)).toBe("403 FORBIDDEN");
    const key = `flag-${crypto.randomUUID()}`;
    expect(await send("POST", "flags", { projectId, key, name: key, flagType: "RELEASE" })).toBe(
      "201",
    );
    expect(await send("PUT", `flags/${flag.id}`, { name: "Other" })).toBe("403 FORBIDDEN");
    expect(await send("POST", `flags/${flag.id}/archive`)).toBe("403 FORBIDDEN");
    expect(await send("POST", "tags", { projectId, name: key, color: "#2f9e44" })).toBe(
      "403 FORBIDDEN",
    );
    const operations = [operation(flag.id, environmentId), operation(flag.id, other.id)];
    expect(await send("POST", "operations", { projectId, operations })).toBe("403 FORBIDDEN");
  });

  it("proposes and edits only requests of its environments", async () => {
    const other = await newEnvironment(projectId);
    const flag = await newFlag(projectId);
    const { id: userId } = await person("DEVELOPER");
    const { token } = await newToken({
      userId,
      scopes: ["write"],
      environmentIds: [environmentId],
    });
    const propose = (id: number) =>
      as(token)("POST", "/api/v1/change-requests", {
        projectId,
        title: "More",
        operations: [operation(flag.id, id)],
      });
    expect((await propose(environmentId)).status).toBe(201);
    expect((await propose(other.id)).status).toBe(403);
    const operations = [operation(flag.id, other.id)];
    const request = await opened(asAdmin, projectId, { operations });
    const path = `/api/v1/change-requests/${request["id"]}`;
    const schedule = { applyAt: new Date(Date.now() + HOUR_MS).toISOString() };
    const ifMatch = { "If-Match": `"${request["hash"]}"` };
    expect((await as(token)("PUT", path, schedule, ifMatch)).status).toBe(403);
  });
});

describe("a service account", () => {
  it("changes strategies of its project, and the audit trail names it and its token", async () => {
    const account = await newServiceAccount("DEVELOPER", projectId);
    const { id, token } = await newToken({ serviceAccountId: account, scopes: ["write"] });
    const flag = await newFlag(projectId);
    const answer = await call("PUT", `/api/v1/flags/${flag.id}/strategies`, {
      token,
      body: { environmentId, enabled: true },
    });
    expect(answer.status).toBe(200);
    const { body } = await asAdmin("GET", `/api/v1/audit?entityType=flag&entityId=${flag.id}`);
    expect(body.items[0]).toMatchObject({
      action: "strategy.updated",
      actor: { kind: "service-account", id: account, name: expect.stringContaining("account-") },
      token: { id, name: "ci" },
    });
    expect(body.items[1]).toMatchObject({ action: "flag.created", token: null });
    const ofAccount = `/api/v1/audit?actorKind=service-account&actorId=${account}`;
    expect((await asAdmin("GET", ofAccount)).body.items).toMatchObject([{ id: body.items[0].id }]);
    const { id: other } = await newProject();
    expect(outcome(await call("GET", `/api/v1/projects/${other}`, { token }))).toBe(
      "404 NOT_FOUND",
    );
  });

  it.each(["service-account", "key"])(
    "is an author (%s) whose request its makers may not approve, also if it proposes with an API key that it has made, and approves none",
    async (kind) => {
      const ann = await person("DEVELOPER");
      const account = await newServiceAccount("ADMIN", projectId, ann.id);
      const bob = await person("DEVELOPER");
      const made = { serviceAccountId: account, scopes: ALL, createdBy: bob.id };
      const { token } = await newToken(made);
      const key = { name: "ci", keyType: "SERVER", environmentId };
      const credential =
        kind === "key" ? (await as(token)("POST", "/api/v1/api-keys", key)).body.apiKey : token;
      const flag = await newFlag(projectId);
      const input = { percentage: 40 };
      const target = { flagId: flag.id, environmentId };
      const operations = [{ kind: "strategy.set", target, input }];
      const request = await opened(as(credential), projectId, { operations });
      expect(request["author"]).toMatchObject({ kind });
      const review = async (by: string) => (await approve(as(by), request)).status;
      const refused = await Promise.all([ann.token, bob.token, credential].map(review));
      expect(refused).toEqual([403, 403, 403]);
      expect(await review((await person("DEVELOPER")).token)).toBeLessThan(300);
    },
  );

  it("of a project is managed by the administrators of the project, with its tokens", async () => {
    const { create, id: userId, token } = await maker();
    await join(userId, "ADMIN", [projectId]);
    const path = "/api/v1/service-accounts";
    const send = (method: string, to: string, body?: object) => call(method, to, { token, body });
    const made = await send("POST", path, { name: "Deployment", role: "DEVELOPER", projectId });
    expect(made.body).toMatchObject({ name: "Deployment", role: "DEVELOPER", projectId });
    const { id } = made.body;
    const of = await create({ serviceAccountId: id, scopes: ["write"] });
    expect(of.body).toMatchObject({
      serviceAccountId: id,
      token: expect.stringMatching(/^ffsvc_/),
    });
    const tokensOf = `${TOKENS}?serviceAccountId=${id}`;
    expect((await send("GET", tokensOf)).body).toMatchObject([{ id: of.body.id }]);
    const organisation = { name: "All", role: "VIEWER" };
    expect(outcome(await send("POST", path, organisation))).toBe("403 FORBIDDEN");
    const ofAll = (await asAdmin("POST", path, organisation)).body;
    expect(ofAll).toMatchObject({ projectId: null });
    const listed = (await send("GET", path)).body.map((one: { id: number }) => one.id);
    expect(listed).toContain(id);
    expect(listed).not.toContain(ofAll.id);
    expect(outcome(await create({ serviceAccountId: ofAll.id }))).toBe("403 FORBIDDEN");
    expect((await send("PUT", `${path}/${id}`, { role: "VIEWER" })).body).toMatchObject({
      name: "Deployment",
      role: "VIEWER",
      version: 2,
    });
    expect(await readProjects(of.body.token)).toBe("200");
    expect(outcome(await send("DELETE", `${path}/${id}`))).toBe("204");
    expect(await readProjects(of.body.token)).toBe("401 UNAUTHORIZED");
    expect(outcome(await send("GET", tokensOf))).toBe("404 NOT_FOUND");
  });

  it("stays with its tokens when the user who has made it is deleted", async () => {
    const { id } = await person("ADMIN");
    const account = await newServiceAccount("VIEWER", null, id);
    const { token } = await newToken({
      serviceAccountId: account,
      scopes: ["read"],
      createdBy: id,
    });
    await asAdmin("DELETE", `/api/v1/users/${id}`);
    expect(await readProjects(token)).toBe("200");
  });

  it("does not see a private project, unless it is an administrator or belongs to it", async () => {
    const { id } = await newProject();
    await asAdmin("PUT", `/api/v1/projects/${id}`, { visibility: "members" });
    const statusOf = async (role: "ADMIN" | "DEVELOPER", own: number | null) => {
      const serviceAccountId = await newServiceAccount(role, own);
      const { token } = await newToken({ serviceAccountId, scopes: ["read"] });
      return (await call("GET", `/api/v1/projects/${id}`, { token })).status;
    };
    expect(await statusOf("DEVELOPER", null)).toBe(404);
    expect(await statusOf("ADMIN", null)).toBe(200);
    expect(await statusOf("DEVELOPER", id)).toBe(200);
  });
});

it("the maker of a token gets one e-mail seven days before it expires, also if the first try fails", async () => {
  const { id: userId } = await person("VIEWER");
  const { id } = await newToken({ userId, scopes: ["read"] });
  const mailbox = new Mailbox();
  const [{ email }] = await rows("SELECT email FROM users WHERE id = ?", userId);
  const subjects = async (daysLeft: number) => {
    const now = Date.now();
    await env.DB.prepare("UPDATE access_tokens SET created_at = ?, expires_at = ? WHERE id = ?")
      .bind(now - 9 * DAY_MS, now + daysLeft * DAY_MS, id)
      .run();
    await remindTokens(jobDeps({ ...env, MAIL: mailbox.binding }));
    return mailbox.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  };
  expect(await subjects(8)).toEqual([]);
  mailbox.works = false;
  expect(await subjects(7)).toEqual([]);
  mailbox.works = true;
  expect(await subjects(7)).toEqual(["The token ci expires soon"]);
  expect(await subjects(6)).toEqual(["The token ci expires soon"]);
});
