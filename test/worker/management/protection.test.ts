import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { setStrategy as verb } from "../../../src/management/strategies/service.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { call } from "../support/client.ts";
import { Mailbox } from "../support/mailbox.ts";
import { asAdmin, expectRefused, outcome } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import { receiver } from "../support/receiver.ts";
import { growthOf } from "../support/scrape.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newKey,
  newProject,
  newSegment,
  newSubscriber,
  setStrategy,
  unique,
} from "../support/world.ts";

const REASON = { "X-Change-Reason": "An incident" };
const BYPASS = { ...REASON, "X-Approval-Bypass": "true" };
const APPROVAL = ["409 APPROVAL_REQUIRED", "The change needs an approval"] as const;

const protect = async (environmentId: number, policy: object, headers = REASON) =>
  asAdmin("PUT", `/api/v1/environments/${environmentId}/protection`, policy, headers);
const setMembers = (environmentId: number, members: readonly object[], headers = REASON) =>
  asAdmin("PUT", `/api/v1/environments/${environmentId}/members`, { members }, headers);

/** Creates a project with a protected environment, another one, and a flag that is on in both. */
async function world(policy: object = { requiredApprovals: 1 }) {
  const { id: projectId } = (await newProject()) as { id: number };
  const [guarded, open] = [await newEnvironment(projectId), await newEnvironment(projectId)];
  const flag = await newFlag(projectId);
  for (const { id: environmentId } of [guarded, open])
    await setStrategy(flag.id, { environmentId, enabled: true });
  await protect(guarded.id, policy);
  return {
    projectId,
    environmentId: guarded.id as number,
    name: guarded.name as string,
    openId: open.id as number,
    flagId: flag.id as number,
    flagKey: flag.key as string,
  };
}

const set = (flagId: number, body: object, headers: Record<string, string> = {}) =>
  asAdmin("PUT", `/api/v1/flags/${flagId}/strategies`, body, headers);
const newestRecord = async (flagId: number) =>
  (await asAdmin("GET", `/api/v1/audit?entityType=flag&entityId=${flagId}`)).body.items[0];

let developer: { id: number; token: string };
beforeAll(async () => {
  developer = await person("DEVELOPER");
});
const asDeveloper = (method: string, path: string, body?: object, headers = {}) =>
  call(method, path, { token: developer.token, body, headers });

describe("the protection of an environment", () => {
  it("is by default none, and has an ETag with which an update is optimistic", async () => {
    const { id } = await newEnvironment((await newProject()).id);
    const path = `/api/v1/environments/${id}/protection`;
    const { body, headers } = await asAdmin("GET", path);
    expect(body).toEqual({
      requiredApprovals: 0,
      approverRole: "DEVELOPER",
      memberAccess: "roles",
      requireReason: false,
      allowTurnOff: true,
      allowBypass: true,
      eligibleApprovers: expect.any(Number),
    });
    const match = { "If-Match": headers.get("ETag") ?? "" };
    expect((await asAdmin("PUT", path, { requireReason: true }, match)).body).toMatchObject({
      requireReason: true,
      allowBypass: true,
    });
    expect(outcome(await asAdmin("PUT", path, { allowBypass: false }, match))).toBe("412 CONFLICT");
  });

  it("is audited, and announced with an event", async () => {
    const { environmentId, projectId, name } = await world();
    receiver();
    await newSubscriber(projectId);
    await protect(environmentId, { requireReason: true });
    const { body } = await asAdmin("GET", `/api/v1/audit?entityId=${environmentId}`);
    expect(body.items[0]).toMatchObject({
      action: "environment.protection-updated",
      before: { requireReason: false },
      after: { requireReason: true },
      environmentId,
    });
    const event = await env.DB.prepare("SELECT type, data FROM outbox WHERE project_id = ?")
      .bind(projectId)
      .first<{ type: string; data: string }>();
    expect(event?.type).toBe("environment.protection-updated");
    expect(JSON.parse(event?.data ?? "")).toMatchObject({
      environment: { name },
      protection: { requireReason: true, requiredApprovals: 1 },
      changed: ["requireReason"],
    });
  });

  it("becomes weaker only with a reason, which is mailed to all administrators", async () => {
    const { environmentId, name } = await world({ requiredApprovals: 1, requireReason: true });
    const path = `/api/v1/environments/${environmentId}/protection`;
    await expectRefused(
      () => asAdmin("PUT", path, { requireReason: false }),
      "400 BAD_REQUEST",
      "X-Change-Reason",
    );
    const mailbox = new Mailbox();
    const token = await adminToken();
    await mailbox.call("PUT", path, { token, body: { requiredApprovals: 2 } });
    expect(mailbox.mails).toEqual([]);
    await mailbox.call("PUT", path, { token, body: { requiredApprovals: 0 }, headers: REASON });
    const { results } = await env.DB.prepare(
      "SELECT email FROM users WHERE role = 'ADMIN' AND status = 'ACTIVE' ORDER BY id LIMIT 100",
    ).all<{ email: string }>();
    await vi.waitFor(() =>
      expect(mailbox.mails.map(({ to }) => to)).toEqual(results.map(({ email }) => email)),
    );
    expect(mailbox.mails[0]?.subject).toBe(`The protection of ${name} is weaker`);
    expect(mailbox.mails[0]?.text).toContain("The reason: An incident");
  });

  it("is 409 if it requires as many approvals as users may approve", async () => {
    const { environmentId } = await world();
    const { results } = await env.DB.prepare("SELECT id, status FROM users").all<{
      id: number;
      status: string;
    }>();
    await env.DB.prepare("UPDATE users SET status = 'DISABLED' WHERE role <> 'VIEWER'").run();
    const three = [await person("DEVELOPER"), await person("DEVELOPER"), await person("ADMIN")];
    const token = three[2]?.token;
    const path = `/api/v1/environments/${environmentId}/protection`;
    const attempt = async (requiredApprovals: number) =>
      outcome(await call("PUT", path, { token, body: { requiredApprovals } }));
    const outcomes = [await attempt(3), await attempt(2)];
    await env.DB.batch(
      results.map(({ id, status }) =>
        env.DB.prepare("UPDATE users SET status = ? WHERE id = ?").bind(status, id),
      ),
    );
    expect(outcomes).toEqual(["409 CONFLICT", "200"]);
  });

  it("keeps the environment and its project from being deleted", async () => {
    const { environmentId, projectId } = await world();
    const words = "protected";
    for (const path of [`environments/${environmentId}`, `projects/${projectId}`])
      await expectRefused(() => asAdmin("DELETE", `/api/v1/${path}`), "409 CONFLICT", words);
    await protect(environmentId, { requiredApprovals: 0 });
    expect((await asAdmin("DELETE", `/api/v1/environments/${environmentId}`)).status).toBe(204);
  });
});

describe("the members of an environment", () => {
  const path = (id: number) => `/api/v1/environments/${id}/members`;

  it("are replaced as a whole, sorted by user", async () => {
    const { environmentId } = await world({});
    const other = await person("DEVELOPER");
    const members = [other.id, developer.id].map((userId) => ({
      userId,
      canWrite: true,
      canApprove: false,
    }));
    await setMembers(environmentId, members);
    const sorted = members.toSorted((a, b) => a.userId - b.userId);
    expect((await asAdmin("GET", path(environmentId))).body).toEqual({ members: sorted });
    expect((await setMembers(environmentId, [])).body).toEqual({ members: [] });
  });

  it("must exist, and be listed once", async () => {
    const { environmentId } = await world({});
    const one = { userId: 999_999_999, canWrite: true, canApprove: true };
    expect(outcome(await setMembers(environmentId, [one]))).toBe("404 NOT_FOUND");
    expect(outcome(await setMembers(environmentId, [one, one]))).toBe("400 VALIDATION_ERROR");
  });

  it("need a reason for a new right only while members are listed", async () => {
    const { environmentId } = await world({});
    const member = { userId: developer.id, canWrite: true, canApprove: false };
    const grant = async (canApprove: boolean) =>
      outcome(await setMembers(environmentId, [{ ...member, canApprove }], {} as typeof REASON));
    expect(await grant(false)).toBe("200");
    await protect(environmentId, { memberAccess: "list" });
    expect(await grant(true)).toBe("400 BAD_REQUEST");
  });

  it("alone may write directly, besides administrators, if the access is by list", async () => {
    const { environmentId, flagId, name } = await world({ memberAccess: "list" });
    const strategies = `/api/v1/flags/${flagId}/strategies`;
    const change = { environmentId, percentage: 5 };
    const { apiKey } = await newKey(environmentId);
    const refused = await asDeveloper("PUT", strategies, change);
    expect(outcome(refused)).toBe(APPROVAL[0]);
    expect(refused.body.approval).toEqual({ environments: [{ id: environmentId, name }] });
    await expectRefused(
      () => call("PUT", strategies, { token: apiKey, body: change }),
      ...APPROVAL,
    );
    expect((await asAdmin("PUT", strategies, change)).status).toBe(200);
    const member = { userId: developer.id, canWrite: true, canApprove: false };
    await setMembers(environmentId, [member]);
    expect((await asDeveloper("PUT", strategies, { ...change, percentage: 6 })).status).toBe(200);
    await setMembers(environmentId, [{ ...member, canWrite: false }]);
    expect(outcome(await asDeveloper("PUT", strategies, change))).toBe(APPROVAL[0]);
  });
});

describe("a direct change of a protected environment", () => {
  it("is 409 for a job, too", async () => {
    const { environmentId, flagId } = await world();
    const change = { flagId, environmentId, ifMatch: undefined, change: { percentage: 5 } };
    await expect(verb(jobDeps(env).systemCall("80f198ee56343ba8"), change)).rejects.toThrow(
      APPROVAL[1],
    );
  });

  it("passes in another environment of the project", async () => {
    const { openId, flagId } = await world();
    expect((await set(flagId, { environmentId: openId, percentage: 5 })).status).toBe(200);
  });

  it("is checked in a dry run only by the other rules", async () => {
    const { environmentId, flagId } = await world();
    const path = `/api/v1/flags/${flagId}/strategies?dryRun=true`;
    expect((await asAdmin("PUT", path, { environmentId, percentage: 5 })).status).toBe(200);
  });

  it("needs a reason, if the environment requires only that", async () => {
    const { environmentId, flagId } = await world({ requireReason: true });
    const change = { environmentId, percentage: 5 };
    await expectRefused(() => set(flagId, change), "400 BAD_REQUEST", "X-Change-Reason");
    expect((await set(flagId, change, REASON)).status).toBe(200);
    expect((await newestRecord(flagId)).override).toBeNull();
  });

  it("needs an approval through a segment that a flag uses there, unless only its name changes", async () => {
    const { environmentId, projectId, flagId } = await world({});
    const segment = await newSegment(projectId, [inCountries("at")]);
    const unused = await newSegment(projectId, [inCountries("at")]);
    const rules = [{ name: "r", segmentIds: [segment.id], percentage: 100 }];
    await setStrategy(flagId, { environmentId, rules });
    await protect(environmentId, { requiredApprovals: 1 });
    const constraints = [inCountries("de")];
    const update = (id: number, body: object) => asAdmin("PUT", `/api/v1/segments/${id}`, body);
    await expectRefused(() => update(segment.id, { constraints }), ...APPROVAL);
    expect((await update(segment.id, { name: unique("renamed") })).status).toBe(200);
    expect((await update(unused.id, { constraints })).status).toBe(200);
  });

  it("needs an approval for the archiving of a flag only where it is on", async () => {
    const { environmentId, openId, projectId } = await world();
    const { id } = await newFlag(projectId);
    await setStrategy(id, { environmentId: openId, enabled: true });
    expect((await asAdmin("POST", `/api/v1/flags/${id}/archive`)).status).toBe(200);
    await protect(environmentId, { requiredApprovals: 0 });
    const other = await newFlag(projectId);
    await setStrategy(other.id, { environmentId, enabled: true });
    await protect(environmentId, { requiredApprovals: 1 });
    await expectRefused(() => asAdmin("POST", `/api/v1/flags/${other.id}/archive`), ...APPROVAL);
  });

  it("needs an approval for a clone only where it would be on", async () => {
    const { flagId, projectId, openId } = await world();
    const clone = (id: number, keepState: boolean) =>
      asAdmin("POST", `/api/v1/flags/${id}/clone`, { key: unique("c"), name: "C", keepState });
    await expectRefused(() => clone(flagId, true), ...APPROVAL);
    expect((await clone(flagId, false)).status).toBe(201);
    const { id } = await newFlag(projectId);
    await setStrategy(id, { environmentId: openId, enabled: true });
    expect((await clone(id, true)).status).toBe(201);
  });

  it("needs none for a list that creates a flag which stays off, and one for a list that turns it on", async () => {
    const { environmentId, projectId } = await world();
    const run = (input: object) => {
      const flagKey = unique("new");
      const create = { key: flagKey, name: "New", flagType: "RELEASE" };
      const operations = [
        { kind: "flag.create", input: create },
        { kind: "strategy.set", target: { flagKey, environmentId }, input },
      ];
      return asAdmin("POST", "/api/v1/operations", { projectId, operations });
    };
    expect((await run({ percentage: 5 })).status).toBe(200);
    await expectRefused(() => run({ enabled: true }), ...APPROVAL);
  });

  it("counts the policy at the commit: policy tightened or loosened", async () => {
    const { environmentId, flagId } = await world();
    const change = { environmentId, percentage: 5 };
    await expectRefused(() => set(flagId, change), ...APPROVAL);
    await protect(environmentId, { requiredApprovals: 0 });
    expect((await set(flagId, change)).status).toBe(200);
    await protect(environmentId, { requiredApprovals: 1 });
    await expectRefused(() => set(flagId, { ...change, percentage: 6 }), ...APPROVAL);
  });
});

describe("bulk, copy, revert, import, key: 409; bulk turn-off passes", () => {
  it("and its audit record and event say that it only turned the flag off", async () => {
    const { environmentId, projectId, flagId } = await world();
    receiver();
    await newSubscriber(projectId);
    const bulk = (enabled: boolean) =>
      asAdmin("POST", "/api/v1/flags/bulk/strategies", {
        environmentId,
        enabled,
        flags: [{ id: flagId }],
      });
    const counted = await growthOf('protection_overrides_total{kind="turn-off"}', async () => {
      expect((await bulk(false)).status).toBe(200);
    });
    expect(counted).toEqual({ "": 1 });
    expect(await newestRecord(flagId)).toMatchObject({
      action: "strategy.updated",
      override: "turn-off",
    });
    const event = await env.DB.prepare("SELECT data FROM outbox WHERE project_id = ?")
      .bind(projectId)
      .first<{ data: string }>();
    expect(JSON.parse(event?.data ?? "")).toMatchObject({ override: "turn-off" });
    await expectRefused(() => bulk(true), ...APPROVAL);
  });

  it("also for an API key, and without a reason", async () => {
    const policy = { requiredApprovals: 1, memberAccess: "list", requireReason: true };
    const { environmentId, flagId } = await world(policy);
    const { apiKey } = await newKey(environmentId);
    const send = (body: object) =>
      call("PUT", `/api/v1/flags/${flagId}/strategies`, { token: apiKey, body });
    await expectRefused(() => send({ environmentId, percentage: 5 }), ...APPROVAL);
    expect((await send({ environmentId, enabled: false })).status).toBe(200);
  });

  it("but not if the environment forbids it, nor with another change", async () => {
    const { environmentId, flagId } = await world({ requiredApprovals: 1, allowTurnOff: false });
    await expectRefused(() => set(flagId, { environmentId, enabled: false }), ...APPROVAL);
    await protect(environmentId, { allowTurnOff: true });
    const change = { environmentId, enabled: false, percentage: 5 };
    expect(outcome(await set(flagId, change))).toBe(APPROVAL[0]);
  });

  it("but not if another flag requires the flag to be off, itself or through a third one", async () => {
    const { environmentId, projectId, flagId, flagKey } = await world({});
    const middle = await newFlag(projectId, { prerequisites: [{ flagKey, enabled: true }] });
    const opposite = { prerequisites: [{ flagKey: middle.key, enabled: false }] };
    await setStrategy(middle.id, { environmentId, enabled: true });
    await protect(environmentId, { requiredApprovals: 1 });
    const off = (id: number) => set(id, { environmentId, enabled: false });
    const last = await newFlag(projectId, opposite);
    await expectRefused(() => off(middle.id), ...APPROVAL);
    await expectRefused(() => off(flagId), ...APPROVAL);
    await asAdmin("POST", `/api/v1/flags/${last.id}/archive`);
    expect((await off(middle.id)).status).toBe(200);
    expect((await off(flagId)).status).toBe(200);
  });
});

describe("a bypass of the approval", () => {
  const change = (environmentId: number) => ({ environmentId, percentage: 5 });

  it("is audited, counted, and mailed to those who may approve, with the reason", async () => {
    const { environmentId, flagId, name } = await world({
      requiredApprovals: 1,
      memberAccess: "list",
      requireReason: true,
    });
    const member = { userId: developer.id, canWrite: false, canApprove: true };
    await setMembers(environmentId, [member]);
    const stranger = await person("DEVELOPER");
    const mailbox = new Mailbox();
    const counted = await growthOf('protection_overrides_total{kind="bypass"}', async () => {
      const answer = await mailbox.call("PUT", `/api/v1/flags/${flagId}/strategies`, {
        token: await adminToken(),
        body: change(environmentId),
        headers: BYPASS,
      });
      expect(answer.status).toBe(200);
    });
    expect(counted).toEqual({ "": 1 });
    expect(await newestRecord(flagId)).toMatchObject({ override: "bypass", reason: "An incident" });
    const emailOf = (id: number) =>
      env.DB.prepare("SELECT email FROM users WHERE id = ?").bind(id).first("email");
    const [approver, other] = [await emailOf(developer.id), await emailOf(stranger.id)];
    await vi.waitFor(() => expect(mailbox.mails.map(({ to }) => to)).toContain(approver));
    expect(mailbox.mails.map(({ to }) => to)).not.toContain(other);
    expect(mailbox.mails[0]?.subject).toBe(`Approval bypassed in ${name}`);
  });

  it("is 409 where the environment forbids it", async () => {
    const { environmentId, flagId } = await world({ requiredApprovals: 1, allowBypass: false });
    const answer = await set(flagId, change(environmentId), BYPASS);
    expect(outcome(answer)).toBe(APPROVAL[0]);
    expect(answer.body.error).toContain("cannot be bypassed");
  });

  it("is ignored where no approval is required", async () => {
    const { openId, flagId } = await world();
    expect((await set(flagId, change(openId), BYPASS)).status).toBe(200);
    expect((await newestRecord(flagId)).override).toBeNull();
  });
});
