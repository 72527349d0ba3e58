import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { closeIdle } from "../../../src/jobs/close-idle-requests.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import {
  act,
  approve,
  as,
  type As,
  newScene,
  opened,
  percentageOf,
  REASON,
  REQUESTS,
} from "../support/change-requests.ts";
import type { Json } from "../support/client.ts";
import { Mailbox } from "../support/mailbox.ts";
import { asAdmin, expectRefused, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { countedCall } from "../support/statements.ts";
import { inCountries, newFlag, newKey, newSegment, setStrategy } from "../support/world.ts";

let author: { id: number; token: string };
let approver: { id: number; token: string };
let asAuthor: As;
let asApprover: As;
beforeAll(async () => {
  [author, approver] = [await person("DEVELOPER"), await person("DEVELOPER")];
  [asAuthor, asApprover] = [as(author.token), as(approver.token)];
});

/** Opens a request by the author. */
const open = (projectId: number, operations: readonly object[], by = asAuthor) =>
  opened(by, projectId, { operations });

const read = async (request: Json) => (await asAuthor("GET", `${REQUESTS}/${request.id}`)).body;

describe("a change request", () => {
  it("is opened, approved and applied, exactly once and with its title as the reason", async () => {
    const { projectId, environmentId, name, flagId, flagName, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    expect(request).toMatchObject({
      state: "open",
      status: "needs-approval",
      title: "More",
      approval: { required: 1, environments: [{ id: environmentId, name }] },
      operations: [
        {
          kind: "strategy.set",
          targetId: flagId,
          targetName: flagName,
          environmentId,
          change: { percentage: 50 },
          base: { percentage: 25 },
          current: { percentage: 25 },
          after: { percentage: 50 },
        },
      ],
    });
    await expectRefused(() => act(asAuthor, "apply", request), "409 APPROVAL_REQUIRED", name);
    expect((await approve(asApprover, request)).body).toMatchObject({
      status: "approved",
      reviews: [{ userId: approver.id, verdict: "approve", counts: true }],
    });
    const applied = await act(asAuthor, "apply", request);
    expect(outcome(applied)).toBe("200");
    expect(applied.headers.get("X-Revision")).toMatch(/^\d+$/);
    expect(applied.body).toMatchObject({ state: "applied", status: null });
    expect(await percentageOf(flagId, environmentId)).toBe(50);
    const { body } = await asAdmin("GET", `/api/v1/audit?projectId=${projectId}&size=2`);
    expect(body.items).toMatchObject([
      { action: "change-request.applied", entityId: request.id, reason: "More" },
      { action: "strategy.updated", changeRequestId: request.id, reason: "More" },
    ]);
    await expectRefused(() => act(asAuthor, "apply", request), "409 CONFLICT", "not open");
  });

  it("is announced with events", async () => {
    const { projectId, set } = await newScene();
    await asAdmin("POST", "/api/v1/integrations", {
      projectId,
      name: "Chat",
      type: "custom_webhook",
      enabled: true,
      configJson: JSON.stringify({ url: "https://hooks.example.com/flags" }),
      eventSubscriptionsJson: JSON.stringify([
        "change-request.opened",
        "change-request.reviewed",
        "change-request.applied",
        "change-request.closed",
        "flag.updated",
      ]),
    });
    const request = await open(projectId, [set({ percentage: 50 })]);
    await approve(asApprover, request);
    await act(asApprover, "apply", request);
    await act(asAuthor, "close", await open(projectId, [set({ percentage: 75 })]));
    const { results } = await env.DB.prepare(
      "SELECT type, data FROM outbox WHERE project_id = ? ORDER BY sequence",
    )
      .bind(projectId)
      .all<{ type: string; data: string }>();
    expect(results.map(({ type }) => type)).toEqual([
      "change-request.opened",
      "change-request.reviewed",
      "flag.updated",
      "change-request.applied",
      "change-request.opened",
      "change-request.closed",
    ]);
    expect(JSON.parse(results[2]?.data ?? "").changeRequest).toEqual({
      id: request.id,
      title: "More",
    });
  });

  it("has the content that was reviewed, with the ids of new rules", async () => {
    const { projectId, environmentId, flagId, set } = await newScene();
    const rules = [{ name: "Staff", constraints: [inCountries("de")], serve: { variant: "on" } }];
    const request = await open(projectId, [set({ rules })]);
    const [{ id }] = request.operations[0].after.rules;
    await approve(asApprover, request);
    await act(asAuthor, "apply", request);
    const path = `/api/v1/flags/${flagId}/strategies/${environmentId}`;
    expect((await asAdmin("GET", path)).body.rules).toMatchObject([{ id, name: "Staff" }]);
  });

  it("changes flags and segments, too, all in one transaction", async () => {
    const { projectId, environmentId, flagId, set } = await newScene();
    const segment = await newSegment(projectId, [inCountries("de")]);
    const other = await newFlag(projectId);
    const operations = [
      { kind: "flag.update", target: { flagId }, input: { name: "Renamed" } },
      set({ segmentIds: [segment.id] }),
      {
        kind: "segment.update",
        target: { id: segment.id },
        input: { constraints: [inCountries("de", "at")] },
      },
      { kind: "flag.archive", target: { flagKey: other.key } },
    ];
    const request = await open(projectId, operations);
    await approve(asApprover, request);
    expect(outcome(await act(asAuthor, "apply", request))).toBe("200");
    const flag = async (id: number) => (await asAdmin("GET", `/api/v1/flags/${id}`)).body;
    expect(await flag(flagId)).toMatchObject({ name: "Renamed" });
    expect(await flag(other.id)).toMatchObject({ archived: true });
    const path = `/api/v1/flags/${flagId}/strategies/${environmentId}`;
    expect((await asAdmin("GET", path)).body.segmentIds).toEqual([segment.id]);
  });

  it("of an environment without protection needs no approval", async () => {
    const { projectId, set } = await newScene({});
    const request = await open(projectId, [set({ percentage: 50 })]);
    expect(request).toMatchObject({ status: "approved", approval: { required: 0 } });
    expect(outcome(await act(asAuthor, "apply", request))).toBe("200");
  });

  it("is refused for two operations with one target, and for one that changes nothing", async () => {
    const { projectId, set } = await newScene();
    const opening = (...operations: readonly object[]) =>
      asAuthor("POST", REQUESTS, { projectId, title: "More", operations });
    expect((await opening(set({ percentage: 50 }), set({ enabled: false }))).body.details).toEqual([
      expect.objectContaining({ field: "operations.1.target" }),
    ]);
    expect((await opening(set({ percentage: 25 }))).body.details).toEqual([
      { field: "operations.0", message: "changes nothing" },
    ]);
    expect(outcome(await opening(set({ serve: { variant: "blue" } })))).toBe(
      "400 VALIDATION_ERROR",
    );
  });

  it("cannot be changed or applied without the hash of what was seen", async () => {
    const { projectId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    const path = `${REQUESTS}/${request.id}`;
    expect(outcome(await asAuthor("POST", `${path}/apply`, {}))).toBe("400 BAD_REQUEST");
    const other = { ...request, hash: "other" };
    expect(outcome(await act(asAuthor, "apply", other))).toBe("412 CONFLICT");
    expect(outcome(await approve(asApprover, other))).toBe("412 CONFLICT");
  });
});

describe("hard cases of change requests:", () => {
  it("an approval by an author, an editor or the maker of the proposing key is refused", async () => {
    const { projectId, environmentId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    await expectRefused(() => approve(asAuthor, request), "403 FORBIDDEN", "cannot review");
    const edit = { title: "Fewer" };
    const match = { "If-Match": `"${request.hash}"` };
    const seen = await asApprover("GET", `${REQUESTS}/${request.id}`);
    const edited = await asApprover("PUT", `${REQUESTS}/${request.id}`, edit, match);
    expect([request, seen.body, edited.body].map((one) => one.mayReview)).toEqual([
      false,
      true,
      false,
    ]);
    await expectRefused(() => approve(asApprover, edited.body), "403 FORBIDDEN", "cannot review");

    const key = await newKey(environmentId);
    const proposed = await open(projectId, [set({ percentage: 75 })], as(key.apiKey));
    expect(proposed.author).toMatchObject({ kind: "key", name: key.name });
    const { body } = await as(key.apiKey)("GET", `${REQUESTS}/${request.id}`);
    expect(body.author).toEqual({
      kind: "user",
      id: author.id,
      name: null,
      displayName: null,
    });
    const maker = as(await adminToken());
    await expectRefused(() => approve(maker, proposed), "403 FORBIDDEN", "cannot review");
    expect(outcome(await approve(as(key.apiKey), proposed))).toBe("403 FORBIDDEN");
  });

  it("a review by a user who may not approve is 403, as mayReview says", async () => {
    const { projectId, environmentId, set } = await newScene();
    const environment = `/api/v1/environments/${environmentId}`;
    const request = await open(projectId, [set({ percentage: 50 })]);
    const others = [await person("ADMIN"), await person("ADMIN")];
    const listed = others.map(({ id }) => ({ userId: id, canWrite: true, canApprove: true }));
    const policies = [
      { policy: { approverRole: "ADMIN" }, members: [] },
      { policy: { approverRole: "DEVELOPER", memberAccess: "list" }, members: listed },
      {
        policy: {},
        members: [...listed, { userId: approver.id, canWrite: true, canApprove: false }],
      },
    ];
    for (const { policy, members } of policies) {
      await asAdmin("PUT", `${environment}/members`, { members }, REASON);
      const saved = await asAdmin("PUT", `${environment}/protection`, policy, REASON);
      expect(outcome(saved)).toBe("200");
      expect((await asApprover("GET", `${REQUESTS}/${request.id}`)).body.mayReview).toBe(false);
      for (const verdict of ["approve", "reject"])
        await expectRefused(
          () => act(asApprover, "reviews", request, { verdict }),
          "403 FORBIDDEN",
          "may not approve",
        );
    }
    const members = [...listed, { userId: approver.id, canWrite: false, canApprove: true }];
    await asAdmin("PUT", `${environment}/members`, { members }, REASON);
    expect((await approve(asApprover, request)).body.status).toBe("approved");
  });

  it("an approver who loses the role is not counted", async () => {
    const { projectId, set } = await newScene();
    const other = await person("DEVELOPER");
    const request = await open(projectId, [set({ percentage: 50 })]);
    await approve(as(other.token), request);
    await env.DB.prepare("UPDATE users SET role = 'VIEWER' WHERE id = ?").bind(other.id).run();
    const { body } = await as(other.token)("GET", `${REQUESTS}/${request.id}`);
    expect(body).toMatchObject({ mayReview: false });
    expect(await read(request)).toMatchObject({ status: "needs-approval" });
    expect(outcome(await act(asAuthor, "apply", request))).toBe("409 APPROVAL_REQUIRED");
  });

  it("after an edit, approvals lapse", async () => {
    const { projectId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    await approve(asApprover, request);
    const edited = await asAuthor(
      "PUT",
      `${REQUESTS}/${request.id}`,
      { operations: [set({ percentage: 60 })] },
      { "If-Match": `"${request.hash}"` },
    );
    expect(edited.body).toMatchObject({ status: "needs-approval", reviews: [{ counts: false }] });
    expect(outcome(await act(asAuthor, "apply", edited.body))).toBe("409 APPROVAL_REQUIRED");
  });

  it.each([{ title: "Ben asked for this" }, { description: "Legal has agreed" }])(
    "after %j, the hash is another one and approvals lapse, also when the text comes back",
    async (text) => {
      const { projectId, set } = await newScene();
      const request = await open(projectId, [set({ percentage: 50 })]);
      const edit = ({ hash }: Json, change: object) =>
        asAuthor("PUT", `${REQUESTS}/${request.id}`, change, { "If-Match": `"${hash}"` });
      const approved = (await approve(asApprover, request)).body;
      const { body: edited } = await edit(approved, text);
      expect(edited).toMatchObject({ status: "needs-approval", reviews: [{ counts: false }] });
      expect(edited.hash).not.toBe(request.hash);
      expect(outcome(await approve(asApprover, request))).toBe("412 CONFLICT");
      expect(outcome(await act(asAuthor, "apply", request))).toBe("412 CONFLICT");
      expect(outcome(await act(asAuthor, "apply", edited))).toBe("409 APPROVAL_REQUIRED");
      const { title, description } = request;
      const { body: back } = await edit(edited, { title, description });
      expect(back).toMatchObject({ hash: request.hash, status: "needs-approval" });
      expect((await approve(asApprover, back)).body).toMatchObject({ status: "approved" });
    },
  );

  it("an edit that keeps the title and the description keeps the approvals", async () => {
    const { projectId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    await approve(asApprover, request);
    const { id, title, hash } = request;
    const match = { "If-Match": `"${hash}"` };
    const { body } = await asAuthor("PUT", `${REQUESTS}/${id}`, { title }, match);
    expect(body).toMatchObject({ hash, status: "approved" });
  });

  it("of an approval and another title at the same time, the approval never counts for the title that was not seen", async () => {
    const { projectId, set } = await newScene();
    for (let n = 0; n < 5; n++) {
      const request = await open(projectId, [set({ percentage: 50 + n })]);
      const match = { "If-Match": `"${request.hash}"` };
      const done = await Promise.all([
        approve(asApprover, request),
        asAuthor("PUT", `${REQUESTS}/${request.id}`, { title: `Other ${n}` }, match),
      ]);
      expect(["200,200", "412,200"]).toContain(done.map(({ status }) => status).join());
      expect(await read(request)).toMatchObject({ title: `Other ${n}`, status: "needs-approval" });
    }
  });

  it("a request and its approval that an earlier release has stored stay as they are", async () => {
    const { projectId, set } = await newScene();
    const operations = [set({ percentage: 50 })];
    const request = await open(projectId, operations);
    const other = await opened(asApprover, projectId, { operations, title: "Other" });
    const [row, same] = await rows(
      "SELECT hash FROM change_requests WHERE id IN (?, ?) ORDER BY id",
      request.id,
      other.id,
    );
    // The stored hash is that of the operations, with which an earlier release compares reviews.
    expect(row.hash).toBe(same.hash);
    await env.DB.prepare(
      `INSERT INTO change_request_reviews (request_id, user_id, hash, verdict, at)
        VALUES (?, ?, ?, 'approve', 1)`,
    )
      .bind(request.id, approver.id, row.hash)
      .run();
    const approved = await read(request);
    expect(approved).toMatchObject({ status: "approved" });
    expect(outcome(await act(asAuthor, "apply", approved))).toBe("200");
  });

  it("one rejection by somebody who may approve blocks", async () => {
    const { projectId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    await approve(asApprover, request);
    await act(as(await adminToken()), "reviews", request, { verdict: "reject", comment: "No" });
    expect(await read(request)).toMatchObject({ status: "rejected" });
    expect(outcome(await act(asAuthor, "apply", request))).toBe("409 APPROVAL_REQUIRED");
  });

  it("when the author is deleted, another writer applies it", async () => {
    const { projectId, set } = await newScene();
    const gone = await person("DEVELOPER");
    const request = await open(projectId, [set({ percentage: 50 })], as(gone.token));
    await asAdmin("DELETE", `/api/v1/users/${gone.id}`);
    await approve(asApprover, request);
    expect(outcome(await act(asAuthor, "apply", request))).toBe("200");
  });

  it("off since the approval makes it outdated, and on again makes the approval count again", async () => {
    const { projectId, environmentId, flagId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    await approve(asApprover, request);
    const bypassed = (enabled: boolean) =>
      asAdmin(
        "PUT",
        `/api/v1/flags/${flagId}/strategies`,
        { environmentId, enabled },
        { ...REASON, "X-Approval-Bypass": "true" },
      );
    await bypassed(false);
    const listed = async () =>
      (await asAuthor("GET", `${REQUESTS}?projectId=${projectId}&status=true`)).body.items[0];
    for (const seen of [await read(request), await listed()])
      expect(seen).toMatchObject({ status: "outdated", hash: request.hash });
    expect(outcome(await act(asAuthor, "apply", request))).toBe("409 OUTDATED");
    await bypassed(true);
    for (const seen of [await read(request), await listed()])
      expect(seen).toMatchObject({ status: "approved", hash: request.hash });
    expect(outcome(await act(asAuthor, "apply", request))).toBe("200");
    expect(await percentageOf(flagId, environmentId)).toBe(50);
  });

  it("of an earlier release, on and off makes it outdated, because its operations have no digests", async () => {
    const { projectId, environmentId, flagId, set } = await newScene({});
    const request = await open(projectId, [set({ percentage: 50 })]);
    await env.DB.prepare("UPDATE change_request_operations SET basis = NULL WHERE request_id = ?")
      .bind(request.id)
      .run();
    await setStrategy(flagId, { environmentId, enabled: false });
    await setStrategy(flagId, { environmentId, enabled: true });
    expect(await read(request)).toMatchObject({ status: "outdated" });
    expect(outcome(await act(asAuthor, "apply", request))).toBe("409 OUTDATED");
  });

  it("a wider segment that it uses makes it outdated, another name of the segment does not", async () => {
    const { projectId, set } = await newScene({});
    const segment = await newSegment(projectId, [inCountries("de")]);
    const request = await open(projectId, [set({ segmentIds: [segment.id] })]);
    const path = `/api/v1/segments/${segment.id}`;
    await asAdmin("PUT", path, { name: "Another name" });
    expect(await read(request)).toMatchObject({ status: "approved" });
    await asAdmin("PUT", path, { constraints: [inCountries("de", "at")] });
    expect(await read(request)).toMatchObject({ status: "outdated" });
  });

  it("a deleted environment closes it", async () => {
    const { projectId, environmentId, set } = await newScene({});
    const request = await open(projectId, [set({ percentage: 50 })]);
    await asAdmin("DELETE", `/api/v1/environments/${environmentId}`);
    expect(await read(request)).toMatchObject({ state: "closed" });
  });

  it("an archived and a deleted flag block it", async () => {
    const { projectId, flagId, set } = await newScene({});
    const request = await open(projectId, [set({ percentage: 50 })]);
    await asAdmin("POST", `/api/v1/flags/${flagId}/archive`);
    expect(await read(request)).toMatchObject({ status: "blocked" });
    await expectRefused(() => act(asAuthor, "apply", request), "409 CONFLICT", "archived");
    await asAdmin("DELETE", `/api/v1/flags/${flagId}`);
    expect(await read(request)).toMatchObject({
      status: "blocked",
      operations: [{ targetName: null, current: null }],
    });
    await expectRefused(() => act(asAuthor, "apply", request), "409 CONFLICT", "operations.0");
  });

  it("a tightened policy at apply counts", async () => {
    const { projectId, environmentId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    await approve(asApprover, request);
    await asAdmin(
      "PUT",
      `/api/v1/environments/${environmentId}/protection`,
      { requiredApprovals: 2 },
      REASON,
    );
    expect(outcome(await act(asAuthor, "apply", request))).toBe("409 APPROVAL_REQUIRED");
  });

  it("only who may write to the environment applies it", async () => {
    const { projectId, environmentId, set } = await newScene();
    const environment = `/api/v1/environments/${environmentId}`;
    const members = [{ userId: approver.id, canWrite: false, canApprove: true }];
    await asAdmin("PUT", `${environment}/members`, { members }, REASON);
    await asAdmin("PUT", `${environment}/protection`, { memberAccess: "list" }, REASON);
    const request = await open(projectId, [set({ percentage: 50 })]);
    expect((await approve(asApprover, request)).body.status).toBe("approved");
    await expectRefused(() => act(asAuthor, "apply", request), "403 FORBIDDEN", "may not write");
    expect(outcome(await act(asAdmin, "apply", request))).toBe("200");
  });

  it("an administrator bypasses missing approvals with a reason", async () => {
    const { projectId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    const seen = await asAdmin("GET", `${REQUESTS}/${request.id}`);
    expect([request.mayBypass, seen.body.mayBypass]).toEqual([false, true]);
    const bypassing: As = (method, path, body, headers) =>
      asAdmin(method, path, body, { ...headers, "X-Approval-Bypass": "true" });
    const withReason: As = (method, path, body, headers) =>
      bypassing(method, path, body, { ...headers, ...REASON });
    expect(outcome(await act(bypassing, "apply", request))).toBe("400 BAD_REQUEST");
    expect(outcome(await act(withReason, "apply", request))).toBe("200");
    const { body } = await asAdmin("GET", `/api/v1/audit?projectId=${projectId}&size=2`);
    expect(body.items[1]).toMatchObject({ override: "bypass", reason: "An incident" });
  });

  it("when closing races applying, the first commit wins", async () => {
    const { projectId, environmentId, flagId, set } = await newScene({});
    const request = await open(projectId, [set({ percentage: 50 })]);
    const done = await Promise.all([
      act(asAuthor, "close", request),
      act(asAuthor, "apply", request),
      act(asAuthor, "apply", request),
    ]);
    expect(done.map(outcome).toSorted()).toEqual(["200", "409 CONFLICT", "409 CONFLICT"]);
    const { state } = await read(request);
    expect(await percentageOf(flagId, environmentId)).toBe(state === "applied" ? 50 : 25);
  });

  it("more than 100 open requests of a project are refused", async () => {
    const { projectId, set } = await newScene();
    await env.DB.prepare(
      `INSERT INTO change_requests (project_id, title, hash, author_kind, author_name, created_at, updated_at)
        SELECT ?1, 'Many', 'hash', 'user', 'Ann', ?2, ?2 FROM json_each(?3)`,
    )
      .bind(projectId, Date.now(), JSON.stringify(Array.from({ length: 100 }, (_, n) => n)))
      .run();
    const body = { projectId, title: "More", operations: [set({ percentage: 50 })] };
    expect(outcome(await asAuthor("POST", REQUESTS, body))).toBe("402 QUOTA_EXCEEDED");
  });
});

describe("a change request that waits", () => {
  it("is mailed to those who may approve, and its review to the author", async () => {
    const { projectId, environmentId, set } = await newScene();
    const environment = `/api/v1/environments/${environmentId}`;
    const members = [author, approver].map(({ id }) => ({
      userId: id,
      canWrite: true,
      canApprove: true,
    }));
    await asAdmin("PUT", `${environment}/members`, { members }, REASON);
    await asAdmin("PUT", `${environment}/protection`, { memberAccess: "list" }, REASON);
    const mailbox = new Mailbox();
    const operations = [set({ percentage: 50 })];
    const { body: request } = await mailbox.call("POST", REQUESTS, {
      token: author.token,
      body: { projectId, title: "More", operations },
    });
    const { results } = await env.DB.prepare(
      `SELECT email FROM users WHERE status = 'ACTIVE' AND (role = 'ADMIN' OR id = ?)
        ORDER BY id LIMIT 100`,
    )
      .bind(approver.id)
      .all<{ email: string }>();
    const path = `/projects/${projectId}/change-requests/${request["id"]}`;
    await vi.waitFor(() =>
      expect(mailbox.mails.map(({ to }) => to)).toEqual(results.map(({ email }) => email)),
    );
    expect(mailbox.mails[0]).toMatchObject({ subject: "Change request: More" });
    expect(mailbox.mails[0]?.text).toContain(path);
    mailbox.mails.length = 0;
    await mailbox.call("POST", `${REQUESTS}/${request["id"]}/reviews`, {
      token: approver.token,
      body: { verdict: "reject", comment: "Not on Friday" },
      headers: { "If-Match": `"${request["hash"]}"` },
    });
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1));
    expect(mailbox.mails[0]?.subject).toBe("Change request rejected: More");
    expect(mailbox.mails[0]?.text).toContain("Not on Friday");
  });

  it("is closed by the service after 30 days without a change", async () => {
    const { projectId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    const other = await open(projectId, [set({ percentage: 75 })]);
    await env.DB.prepare("UPDATE change_requests SET updated_at = ? WHERE id = ?")
      .bind(Date.now() - 31 * 86_400_000, request.id)
      .run();
    await closeIdle(jobDeps(env));
    expect(await read(request)).toMatchObject({ state: "closed", closedBy: "service" });
    expect(await read(other)).toMatchObject({ state: "open" });
  });
});

describe("the rebase of an outdated change request", () => {
  it("keeps what others have changed, and needs new approvals", async () => {
    const { projectId, environmentId, flagId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    await approve(asApprover, request);
    const bypass = { ...REASON, "X-Approval-Bypass": "true" };
    const change = { environmentId, hashKey: "other" };
    await asAdmin("PUT", `/api/v1/flags/${flagId}/strategies`, change, bypass);
    expect(await read(request)).toMatchObject({
      status: "outdated",
      operations: [{ base: { hashKey: null }, current: { hashKey: "other" } }],
    });
    const { body } = await act(asAuthor, "rebase", request);
    expect(body).toMatchObject({ status: "needs-approval", reviews: [{ counts: false }] });
    expect(body.operations[0]).toMatchObject({
      base: { percentage: 25 },
      after: { percentage: 50 },
    });
    await approve(asApprover, body);
    await act(asAuthor, "apply", body);
    const path = `/api/v1/flags/${flagId}/strategies/${environmentId}`;
    expect((await asAdmin("GET", path)).body).toMatchObject({ percentage: 50, hashKey: "other" });
  });

  it("names the fields that both have changed, and takes the chosen side", async () => {
    const { projectId, environmentId, flagId, set } = await newScene({});
    const request = await open(projectId, [set({ percentage: 50, hashKey: "mine" })]);
    await setStrategy(flagId, { environmentId, percentage: 75 });
    const refused = await act(asAuthor, "rebase", request);
    expect([outcome(refused), invalidFields(refused)]).toEqual([
      "409 CONFLICT",
      ["operations.0.percentage"],
    ]);
    const choosing = (take: string) => ({
      choices: [{ operation: 0, field: "percentage", take }],
    });
    const theirs = await act(asAuthor, "rebase", request, choosing("current"));
    expect(theirs.body.operations[0].after).toEqual({ hashKey: "mine" });
  });

  it("merges ordered rules by their ids", async () => {
    const { projectId, environmentId, flagId, set } = await newScene({});
    const rule = (name: string) => ({
      name,
      constraints: [inCountries("de")],
      serve: { variant: "on" },
    });
    await setStrategy(flagId, { environmentId, rules: [rule("One"), rule("Two")] });
    const path = `/api/v1/flags/${flagId}/strategies/${environmentId}`;
    const { body: before } = await asAdmin("GET", path);
    const [one, two] = before.rules as { id: string; serve: object }[];
    const kept = (id: string | undefined, name: string) => ({ id, ...rule(name) });
    const request = await open(projectId, [
      set({ rules: [kept(one?.id, "One"), kept(two?.id, "Second"), rule("Third")] }),
    ]);
    await setStrategy(flagId, {
      environmentId,
      rules: [rule("Zero"), kept(one?.id, "First"), kept(two?.id, "Two")],
    });
    const { body } = await act(asAuthor, "rebase", request);
    expect(body.operations[0].after.rules.map(({ name }: Json) => name)).toEqual([
      "Zero",
      "First",
      "Second",
      "Third",
    ]);
  });

  it("is refused if nothing is left to change", async () => {
    const { projectId, environmentId, flagId, set } = await newScene({});
    const request = await open(projectId, [set({ percentage: 50 })]);
    await setStrategy(flagId, { environmentId, percentage: 50 });
    const { status, body } = await act(asAuthor, "rebase", request);
    expect([status, body.error]).toEqual([409, expect.stringContaining("Nothing")]);
  });
});

describe("propose=true", () => {
  it("opens a request with a direct change, whose reason is the title", async () => {
    const { environmentId, flagId, projectId } = await newScene();
    const segment = await newSegment(projectId, [inCountries("de")]);
    const proposals = [
      ["PUT", `/flags/${flagId}/strategies`, { environmentId, percentage: 50 }],
      ["PUT", `/flags/${flagId}`, { name: "Renamed" }],
      ["POST", `/flags/${flagId}/archive`, undefined],
      ["PUT", `/segments/${segment.id}`, { name: "Germans" }],
    ] as const;
    for (const [method, path, body] of proposals) {
      const response = await asAuthor(method, `/api/v1${path}?propose=true`, body, REASON);
      expect(response.status).toBe(202);
      expect(response.body).toMatchObject({ projectId, title: "An incident", state: "open" });
      expect(response.headers.get("Location")).toBe(`${REQUESTS}/${response.body.id}`);
    }
    expect(await percentageOf(flagId, environmentId)).toBe(25);
    const [method, path, body] = proposals[0];
    const untitled = await asAuthor(method, `/api/v1${path}?propose=true`, body);
    expect(outcome(untitled)).toBe("400 BAD_REQUEST");
    const unknown = await asAuthor(
      "PUT",
      "/api/v1/flags/999999?propose=true",
      { name: "x" },
      REASON,
    );
    expect(outcome(unknown)).toBe("404 NOT_FOUND");
  });
});

describe("the list of change requests", () => {
  it("has with status=true the status of each request, as its page has it, in a fixed number of statements", async () => {
    const { projectId, environmentId, set } = await newScene();
    const other = await newFlag(projectId);
    const segment = await newSegment(projectId, [inCountries("de")]);
    const target = { flagId: other.id, environmentId };
    const ofOther = (input: object) => ({ kind: "strategy.set", target, input });
    const applyAt = new Date(Date.now() + 3_600_000).toISOString();
    const path = `${REQUESTS}?projectId=${projectId}&status=true`;
    const list = () => countedCall("GET", path, { token: author.token });
    const waiting = await open(projectId, [set({ percentage: 50 })]);
    const few = (await list()).statements;
    const approved = await open(projectId, [set({ percentage: 60 })]);
    await approve(asApprover, approved);
    const rejected = await open(projectId, [set({ percentage: 70 })]);
    await act(asApprover, "reviews", rejected, { verdict: "reject" });
    const planned = await opened(asAuthor, projectId, {
      operations: [set({ percentage: 80 })],
      applyAt,
    });
    await approve(asApprover, planned);
    const turnOff = await open(projectId, [set({ enabled: false })]);
    const outdated = await open(projectId, [
      { kind: "segment.update", target: { id: segment.id }, input: { name: "Germans" } },
      ofOther({ segmentIds: [segment.id] }),
    ]);
    await asAdmin("PUT", `/api/v1/segments/${segment.id}`, { constraints: [inCountries("at")] });
    const blocked = await open(projectId, [
      { kind: "flag.update", target: { flagId: other.id }, input: { name: "Other" } },
    ]);
    await asAdmin("POST", `/api/v1/flags/${other.id}/archive`);
    const closed = await open(projectId, [set({ percentage: 90 })]);
    await act(asAuthor, "close", closed);
    const { answer, statements } = await list();
    const shown = (answer.body.items as Json[]).map(({ id, status }) => [id, status]);
    expect(shown).toEqual([
      [closed.id, null],
      [blocked.id, "blocked"],
      [outdated.id, "blocked"],
      [turnOff.id, "approved"],
      [planned.id, "scheduled"],
      [rejected.id, "rejected"],
      [approved.id, "approved"],
      [waiting.id, "needs-approval"],
    ]);
    for (const [id, status] of shown) expect((await read({ id })).status).toBe(status);
    // One of the requests uses a segment, which is read, too.
    expect(statements).toBe(few + 1);
    expect(outcome(await asAuthor("GET", `${REQUESTS}?status=true`))).toBe("400 VALIDATION_ERROR");
  });

  it("has those of a project, by state, and those that the caller may review and has not reviewed", async () => {
    const { projectId, environmentId, set } = await newScene();
    const first = await open(projectId, [set({ percentage: 50 })]);
    const second = await open(projectId, [set({ percentage: 75 })]);
    await act(asAuthor, "close", first);
    const listed = async (by: As, query: string) => {
      const { body } = await by("GET", `${REQUESTS}?projectId=${projectId}&${query}`);
      return (body.items as Json[]).map(({ id }) => id);
    };
    expect(await listed(asAuthor, "")).toEqual([second.id, first.id]);
    expect(await listed(asAuthor, "state=closed")).toEqual([first.id]);
    expect(await listed(asAuthor, "toReview=true")).toEqual([]);
    expect(await listed(asAuthor, "mine=true&state=open")).toEqual([second.id]);
    expect(await listed(asApprover, "mine=true")).toEqual([]);
    expect(await listed(asApprover, "toReview=true")).toEqual([second.id]);
    await approve(asApprover, second);
    expect(await listed(asApprover, "toReview=true")).toEqual([]);
    const viewer = await person("VIEWER");
    const member = `/api/v1/projects/${projectId}/members/${viewer.id}`;
    expect(await listed(as(viewer.token), "toReview=true")).toEqual([]);
    await asAdmin("PUT", member, { role: "DEVELOPER" });
    expect(await listed(as(viewer.token), "toReview=true")).toEqual([second.id]);
    const { body } = await as(viewer.token)("GET", `${REQUESTS}/${second.id}`);
    expect(body).toMatchObject({ mayReview: true, mayBypass: false });
    // The environment now lists its members, and the user is not in the list.
    const environment = `/api/v1/environments/${environmentId}`;
    const members = [{ userId: approver.id, canWrite: false, canApprove: true }];
    await asAdmin("PUT", `${environment}/members`, { members }, REASON);
    await asAdmin("PUT", `${environment}/protection`, { memberAccess: "list" }, REASON);
    expect(await listed(as(viewer.token), "toReview=true")).toEqual([]);
  });

  it("has with flagId only open requests that change the flag, with the approvals that are missing and what they do to the flag", async () => {
    const { projectId, environmentId, flagId, set } = await newScene();
    const other = await newFlag(projectId);
    const segment = await newSegment(projectId, [inCountries("de")]);
    const settings = (id: number, name: string) => ({
      kind: "flag.update",
      target: { flagId: id },
      input: { name },
    });
    const first = await open(projectId, [set({ percentage: 50 }), settings(other.id, "Other")]);
    await approve(asApprover, first);
    await open(projectId, [settings(other.id, "Another")]);
    // The segment has its own ids, and one of them can be the id of the flag.
    await env.DB.prepare("UPDATE change_request_operations SET target_id = ? WHERE request_id = ?")
      .bind(
        flagId,
        (
          await open(projectId, [
            { kind: "segment.update", target: { id: segment.id }, input: { name: "Germans" } },
          ])
        ).id,
      )
      .run();
    const second = await open(projectId, [settings(flagId, "New"), set({ enabled: false })]);
    const closed = await open(projectId, [set({ percentage: 60 })]);
    await act(asAuthor, "close", closed);
    const path = `${REQUESTS}?projectId=${projectId}&status=true&flagId=${flagId}`;
    const { body } = await asAuthor("GET", `${path}&state=open`);
    expect(body).toMatchObject({
      totalItems: 2,
      items: [
        {
          id: second.id,
          approval: { required: 0, given: 0 },
          operations: [
            { kind: "flag.update", environmentId: null, after: { name: "New" } },
            {
              kind: "strategy.set",
              environmentId,
              base: { enabled: true },
              after: { enabled: false },
            },
          ],
        },
        {
          id: first.id,
          status: "approved",
          approval: { required: 1, given: 1 },
          operations: [{ environmentId, base: { percentage: 25 }, after: { percentage: 50 } }],
        },
      ],
    });
    expect(body.items[1].operations).toHaveLength(1);
    for (const refused of [path, `${REQUESTS}?state=open&flagId=${flagId}`])
      expect(outcome(await asAuthor("GET", refused))).toBe("400 VALIDATION_ERROR");
  });

  it("has the comments of a request in their order", async () => {
    const { projectId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    for (const text of ["Why?", "Because"]) await act(asApprover, "comments", request, { text });
    expect((await read(request)).comments).toMatchObject([{ text: "Why?" }, { text: "Because" }]);
  });

  it("has the present names of its people, and none for an API key", async () => {
    const { projectId, environmentId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    await asAuthor("POST", `${REQUESTS}/${request.id}/comments`, { text: "Please" });
    await act(asAuthor, "close", request);
    const { name } = (await asAuthor("GET", "/api/v1/auth/me")).body;
    const seen = await read(request);
    expect(seen).toMatchObject({
      author: { displayName: name },
      closedByDisplayName: name,
      comments: [{ displayName: name }],
    });
    expect(seen.author.name).not.toBe(name);
    const key = as((await newKey(environmentId)).apiKey);
    const { body } = await key("GET", `${REQUESTS}/${request.id}`);
    expect(body).toMatchObject({
      author: { displayName: null },
      closedByDisplayName: null,
      comments: [{ displayName: null }],
    });
  });

  it("is closed only by the author and administrators", async () => {
    const { projectId, set } = await newScene();
    const request = await open(projectId, [set({ percentage: 50 })]);
    expect(outcome(await act(asApprover, "close", request))).toBe("403 FORBIDDEN");
    expect(outcome(await act(asAuthor, "close", request))).toBe("200");
  });
});
