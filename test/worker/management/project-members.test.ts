import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { as, newScene, opened } from "../support/change-requests.ts";
import { Mailbox } from "../support/mailbox.ts";
import { asAdmin, expectRefused, outcome, tally } from "../support/outcomes.ts";
import { adminToken, join, person } from "../support/people.ts";
import { auditOf } from "../support/records.ts";
import { claimsOf, me, newSession, refresh } from "../support/sessions.ts";
import { openStreams } from "../support/streams.ts";
import { newEnvironment, newFlag, newIntegration, newProject, unique } from "../support/world.ts";

const { open } = openStreams();
const membersOf = (projectId: number) => `/api/v1/projects/${projectId}/members`;
const setMember = (projectId: number, userId: number, role: string, headers = {}) =>
  asAdmin("PUT", `${membersOf(projectId)}/${userId}`, { role }, headers);
const hide = (projectId: number, visibility = "members") =>
  asAdmin("PUT", `/api/v1/projects/${projectId}`, { visibility });

let projectId: number;
beforeAll(async () => {
  projectId = (await newProject()).id;
});

describe("the members of a project", () => {
  it("are listed with both roles, and each change is audited", async () => {
    const { id } = await newProject();
    const ann = await person("VIEWER");
    const set = await setMember(id, ann.id, "DEVELOPER");
    const member = {
      userId: ann.id,
      name: "VIEWER",
      role: "DEVELOPER",
      organisationRole: "VIEWER",
      version: 1,
    };
    expect(set.body).toEqual(member);
    expect((await asAdmin("GET", membersOf(id))).body).toEqual([member]);
    const changed = await setMember(id, ann.id, "ADMIN");
    const removed = await asAdmin("DELETE", `${membersOf(id)}/${ann.id}`);
    const records = (await Promise.all([set, changed, removed].map(auditOf))).flat();
    expect(records).toMatchObject([
      {
        action: "project.member-set",
        entity_type: "project",
        entity_id: id,
        project_id: id,
        before: null,
        after: { userId: ann.id, role: "DEVELOPER" },
      },
      { action: "project.member-set", before: { role: "DEVELOPER" }, after: { role: "ADMIN" } },
      { action: "project.member-removed", before: { userId: ann.id, role: "ADMIN" }, after: null },
    ]);
    expect((await asAdmin("GET", membersOf(id))).body).toEqual([]);
  });

  it("have an ETag, with which a change is optimistic", async () => {
    const { id } = await newProject();
    const ann = await person("VIEWER");
    const { headers } = await setMember(id, ann.id, "DEVELOPER");
    const ifMatch = { "If-Match": headers.get("ETag") ?? "" };
    expect(outcome(await setMember(id, ann.id, "ADMIN", ifMatch))).toBe("200");
    await expectRefused(() => setMember(id, ann.id, "VIEWER", ifMatch), "412 CONFLICT", "changed");
    expect(await auditOf(await setMember(id, ann.id, "ADMIN"))).toEqual([]);
  });

  it("are all set if several are set at the same time", async () => {
    const { id } = await newProject();
    const people = await Promise.all(Array.from({ length: 6 }, () => person("VIEWER")));
    const answers = await Promise.all(people.map((one) => setMember(id, one.id, "VIEWER")));
    expect(tally(answers)).toEqual({ 200: 6 });
    expect((await asAdmin("GET", membersOf(id))).body).toHaveLength(6);
  });

  it("are known users, also invited ones, and end with the user", async () => {
    await expectRefused(() => setMember(projectId, 999_999_999, "ADMIN"), "404 NOT_FOUND", "user");
    const ann = await person("VIEWER");
    await env.DB.prepare("UPDATE users SET status = 'INVITED' WHERE id = ?").bind(ann.id).run();
    expect((await setMember(projectId, ann.id, "DEVELOPER")).status).toBe(200);
    expect((await asAdmin("GET", `/api/v1/users/${ann.id}`)).body.projectRoles).toEqual([
      { projectId, role: "DEVELOPER" },
    ]);
    await asAdmin("DELETE", `/api/v1/users/${ann.id}`);
    await expectRefused(
      () => asAdmin("DELETE", `${membersOf(projectId)}/${ann.id}`),
      "404 NOT_FOUND",
      "not a member",
    );
  });

  it("are managed by the project's administrators, who can also remove themselves", async () => {
    const { id } = await newProject();
    const [ann, bob] = [await person("VIEWER"), await person("VIEWER")];
    const path = `${membersOf(id)}/${bob.id}`;
    const add = () => call("PUT", path, { token: ann.token, body: { role: "ADMIN" } });
    expect(outcome(await add())).toBe("403 FORBIDDEN");
    await setMember(id, ann.id, "ADMIN");
    expect(outcome(await add())).toBe("200");
    const own = `${membersOf(id)}/${ann.id}`;
    expect((await call("DELETE", own, { token: ann.token })).status).toBe(204);
    expect(outcome(await add())).toBe("403 FORBIDDEN");
  });
});

describe("a role in a project", () => {
  it("counts at once, only there, and only if it is higher than the role in the organisation", async () => {
    const [here, elsewhere] = [await newProject(), await newProject()];
    const ann = await person("DEVELOPER");
    const environment = (at: Json) =>
      call("POST", "/api/v1/environments", {
        token: ann.token,
        body: { name: unique("e"), projectId: at.id },
      });
    expect(outcome(await environment(here))).toBe("403 FORBIDDEN");
    await setMember(here.id, ann.id, "ADMIN");
    expect(tally([await environment(here), await environment(elsewhere)])).toEqual({
      201: 1,
      "403 FORBIDDEN": 1,
    });
    await setMember(here.id, ann.id, "VIEWER");
    const flag = { key: unique("f"), name: "f", flagType: "RELEASE", projectId: here.id };
    const answer = await call("POST", "/api/v1/flags", { token: ann.token, body: flag });
    expect(answer.status).toBe(201);
  });

  it("is in the own account, and not in the access token", async () => {
    const ann = await person("VIEWER");
    await setMember(projectId, ann.id, "ADMIN");
    const { body } = await me(ann.token);
    expect([body.role, body.projectRoles]).toEqual(["VIEWER", [{ projectId, role: "ADMIN" }]]);
    const select = { token: ann.token, body: { projectId } };
    const selected = await call("POST", "/api/v1/auth/select-project", select);
    expect(claimsOf(selected.body.token).roles).toEqual(["VIEWER"]);
  });

  it("does not suffice to rename the project, because names are unique among all projects", async () => {
    const { id, name } = await newProject();
    const ann = await person("VIEWER");
    await setMember(id, ann.id, "ADMIN");
    const put = (body: object) => call("PUT", `/api/v1/projects/${id}`, { token: ann.token, body });
    expect(outcome(await put({ name: unique("p") }))).toBe("403 FORBIDDEN");
    expect((await put({ name, staleDays: 9 })).body).toMatchObject({ name, staleDays: 9 });
  });

  it("shows the webhook URLs of that project only", async () => {
    const { id } = await newProject();
    const ann = await person("VIEWER");
    await setMember(id, ann.id, "ADMIN");
    const urls = await Promise.all(
      [id, projectId].map(async (at) => {
        const integration = await newIntegration(at);
        const path = `/api/v1/integrations/${integration.id}`;
        return (await call("GET", path, { token: ann.token })).body.configJson.includes("/hook");
      }),
    );
    expect(urls).toEqual([true, false]);
  });
});

describe("in a protected environment", () => {
  it("those may approve whose role in the project suffices", async () => {
    const scene = await newScene({ requiredApprovals: 0 });
    const path = `/api/v1/environments/${scene.environmentId}/protection`;
    const eligible = async () => (await asAdmin("GET", path)).body.eligibleApprovers;
    const before = await eligible();
    const [viewer, developer] = [await person("VIEWER"), await person("DEVELOPER")];
    expect(await eligible()).toBe(before + 1);
    await setMember(scene.projectId, viewer.id, "DEVELOPER");
    expect(await eligible()).toBe(before + 2);
    await hide(scene.projectId);
    await asAdmin("PUT", path, { approverRole: "ADMIN" });
    await setMember(scene.projectId, developer.id, "ADMIN");
    const [{ n }] = (
      await env.DB.prepare(
        "SELECT count(*) AS n FROM users WHERE role = 'ADMIN' AND status = 'ACTIVE'",
      ).all<{ n: number }>()
    ).results as [{ n: number }];
    expect(await eligible()).toBe(n + 1);
  });

  it("only those who see a private project are mailed about a change request, and their approvals count", async () => {
    const scene = await newScene();
    await hide(scene.projectId);
    const author = await person("DEVELOPER");
    const [member, stranger] = [await person("VIEWER"), await person("DEVELOPER")];
    await join(author.id, "DEVELOPER", [scene.projectId]);
    await join(member.id, "DEVELOPER", [scene.projectId]);
    const mailbox = new Mailbox();
    const body = {
      projectId: scene.projectId,
      title: "More",
      operations: [scene.set({ percentage: 50 })],
    };
    const sent = await mailbox.call("POST", "/api/v1/change-requests", {
      token: author.token,
      body,
    });
    expect(sent.status).toBe(201);
    const addressOf = async ({ id }: { id: number }) =>
      (await asAdmin("GET", `/api/v1/users/${id}`)).body.email;
    await expect.poll(() => mailbox.mails.map(({ to }) => to)).toContain(await addressOf(member));
    expect(mailbox.mails.map(({ to }) => to)).not.toContain(await addressOf(stranger));
    const path = `/api/v1/change-requests/${sent.body.id}`;
    const review = await call("POST", `${path}/reviews`, {
      token: member.token,
      body: { verdict: "approve" },
      headers: { "If-Match": `"${sent.body.hash}"` },
    });
    expect(review.body).toMatchObject({ status: "approved", reviews: [{ counts: true }] });
    await asAdmin("DELETE", `${membersOf(scene.projectId)}/${member.id}`);
    const after = await asAdmin("GET", path);
    expect(after.body).toMatchObject({ status: "needs-approval", reviews: [{ counts: false }] });
  });

  it("an administrator of the project may bypass the approval, and close the requests of others", async () => {
    const scene = await newScene();
    const ann = await person("VIEWER");
    await setMember(scene.projectId, ann.id, "ADMIN");
    const headers = { "X-Change-Reason": "An incident", "X-Approval-Bypass": "true" };
    const body = { environmentId: scene.environmentId, percentage: 60 };
    const path = `/api/v1/flags/${scene.flagId}/strategies`;
    expect((await call("PUT", path, { token: ann.token, body, headers })).status).toBe(200);
    const by = as((await person("DEVELOPER")).token);
    const { id } = await opened(by, scene.projectId, {
      operations: [scene.set({ percentage: 70 })],
    });
    const close = await as(ann.token)("POST", `/api/v1/change-requests/${id}/close`);
    expect(close.body.state).toBe("closed");
  });
});

describe("a private project", () => {
  it("can be created as such, and is seen by its members and by administrators only", async () => {
    const name = unique("private");
    const { body } = await asAdmin("POST", "/api/v1/projects", { name, visibility: "members" });
    expect(body.visibility).toBe("members");
    const [member, stranger] = [await person("VIEWER"), await person("DEVELOPER")];
    await setMember(body.id, member.id, "VIEWER");
    const sees = async (token: string) => {
      const list = (await call("GET", "/api/v1/projects", { token })).body;
      const { status } = await call("GET", `/api/v1/projects/${body.id}`, { token });
      return [list.some((one: Json) => one.name === name), status];
    };
    expect(await sees(await adminToken())).toEqual([true, 200]);
    expect(await sees(member.token)).toEqual([true, 200]);
    expect(await sees(stranger.token)).toEqual([false, 404]);
    await hide(body.id, "everyone");
    expect(await sees(stranger.token)).toEqual([true, 200]);
  });

  it("keeps its audit records from strangers after its deletion", async () => {
    const { id } = await newProject();
    await newFlag(id);
    await hide(id);
    const stranger = await person("DEVELOPER");
    const total = async (token: string) =>
      (await call("GET", `/api/v1/audit?projectId=${id}`, { token })).body.totalItems;
    const before = await total(await adminToken());
    await asAdmin("DELETE", `/api/v1/projects/${id}`);
    expect(await total(await adminToken())).toBeGreaterThan(before);
    expect(await total(stranger.token)).toBe(0);
    const { body } = await call("GET", "/api/v1/audit?size=200", { token: stranger.token });
    expect(body.items.filter((one: Json) => one.projectId === id)).toEqual([]);
  });

  it("is not the selected project of a session any more", async () => {
    const { id } = await newProject();
    const ann = await person("DEVELOPER");
    const { familyId, refreshToken } = await newSession(ann.id);
    await env.DB.prepare("UPDATE sessions SET project_id = ? WHERE id = ?")
      .bind(id, familyId)
      .run();
    const first = (await refresh(refreshToken)).body;
    expect(claimsOf(first.token).projectId).toBe(id);
    await newEnvironment(id);
    await hide(id);
    const list = await call("GET", "/api/v1/environments", { token: first.token });
    expect(list.body).toEqual([]);
    const second = (await refresh(first.refreshToken)).body;
    expect(claimsOf(second.token).projectId).toBeUndefined();
  });

  it("ends the streams of those who may not see it any more", async () => {
    const { id } = await newProject();
    const [member, other] = [await person("VIEWER"), await person("VIEWER")];
    await setMember(id, member.id, "VIEWER");
    const path = `/api/v1/projects/${id}/stream`;
    const [mine, theirs] = [
      await open(path, { token: member.token }),
      await open(path, { token: other.token }),
    ];
    await hide(id);
    await expect.poll(() => theirs.isClosed).toBe(true);
    await expect.poll(() => mine.isClosed).toBe(true);
    expect((await open(path, { token: other.token })).status).toBe(404);
    const again = await open(path, { token: member.token });
    const admins = await open(path, { token: await adminToken() });
    await asAdmin("DELETE", `${membersOf(id)}/${member.id}`);
    await expect.poll(() => again.isClosed).toBe(true);
    expect(admins.isClosed).toBe(false);
  });

  it("does not count in the sums over all projects", async () => {
    const { id } = await newProject();
    const stranger = await person("VIEWER");
    const limit = async (token: string) =>
      (await call("GET", "/api/v1/integrations/webhook-limit", { token })).body.limit;
    const all = await limit(await adminToken());
    await hide(id);
    expect(await limit(stranger.token)).toBeLessThan(all);
    expect(await limit(await adminToken())).toBe(all);
  });
});
