import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  act,
  approve,
  as,
  type As,
  newScene,
  opened,
  REASON,
  REQUESTS,
} from "../support/change-requests.ts";
import type { Json } from "../support/client.ts";
import { Mailbox } from "../support/mailbox.ts";
import { asAdmin, expectRefused, invalidFields, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";

let author: { id: number; token: string };
let ann: { id: number; token: string };
let ben: { id: number; token: string };
let viewer: { id: number; token: string };
let asAuthor: As;
let asAnn: As;
beforeAll(async () => {
  [author, ann, ben, viewer] = await Promise.all([
    person("DEVELOPER"),
    person("DEVELOPER"),
    person("DEVELOPER"),
    person("VIEWER"),
  ]);
  [asAuthor, asAnn] = [as(author.token), as(ann.token)];
});

const ids = ({ reviewers }: Json) => reviewers.map((one: Json) => one.userId);
const ask = (request: Json, body: object, by = asAuthor) => act(by, "reviewers", request, body);
const read = async (request: Json) => (await asAuthor("GET", `${REQUESTS}/${request.id}`)).body;
const toReview = async (by: As, projectId: number) =>
  (await by("GET", `${REQUESTS}?projectId=${projectId}&toReview=true`)).body.items.map(
    (one: Json) => one.id,
  );

/** Makes this many developers. */
const developers = async (count: number): Promise<number[]> => {
  const { results } = await env.DB.prepare(
    `INSERT INTO users (email, name, role, status, created_at)
      SELECT hex(randomblob(8)) || '@example.com', 'Dev', 'DEVELOPER', 'ACTIVE', 0 FROM json_each(?)
      RETURNING id`,
  )
    .bind(JSON.stringify(Array.from({ length: count })))
    .all<{ id: number }>();
  return results.map(({ id }) => id);
};

describe("reviewers of a change request", () => {
  it("are chosen when it is opened, and change nothing about its approvals", async () => {
    const { projectId, set } = await newScene();
    const operations = [set({ percentage: 50 })];
    const request = await opened(asAuthor, projectId, { operations, reviewers: [ann.id] });
    expect(ids(request)).toEqual([ann.id]);
    expect(request.approval.required).toBe(1);
    const approved = await approve(as(ben.token), request);
    expect(approved.body).toMatchObject({ status: "approved", reviewers: [{ userId: ann.id }] });
    const { items } = (await asAdmin("GET", `/api/v1/audit?projectId=${projectId}&size=9`)).body;
    const record = items.find((one: Json) => one.action === "change-request.opened");
    expect(record.after.reviewers).toEqual([ann.id]);
  });

  it("are chosen for a direct change that is proposed", async () => {
    const { flagId, environmentId } = await newScene();
    const path = `/api/v1/flags/${flagId}/strategies?propose=true&reviewers=${ann.id},${ben.id}`;
    const { status, body } = await asAuthor("PUT", path, { environmentId, percentage: 50 }, REASON);
    expect(status).toBe(202);
    expect(new Set(ids(body))).toEqual(new Set([ann.id, ben.id]));
    const wrong = await asAuthor("PUT", `${path},x`, { environmentId, percentage: 60 }, REASON);
    expect(outcome(wrong)).toBe("400 BAD_REQUEST");
  });

  it("are added and removed by two people at the same time without a loss", async () => {
    const { projectId, set } = await newScene();
    const request = await opened(asAuthor, projectId, { operations: [set({ percentage: 50 })] });
    const answers = await Promise.all([
      ask(request, { add: [ann.id] }),
      ask(request, { add: [ben.id] }, as(ben.token)),
    ]);
    expect(answers.map(outcome)).toEqual(["200", "200"]);
    expect(new Set(ids(await read(request)))).toEqual(new Set([ann.id, ben.id]));
    const less = await ask(request, { remove: [ann.id] });
    expect(ids(less.body)).toEqual([ben.id]);
    const { items } = (await asAdmin("GET", `/api/v1/audit?projectId=${projectId}&size=1`)).body;
    expect(items[0]).toMatchObject({
      action: "change-request.review-requested",
      before: { reviewers: [ann.id] },
      after: { reviewers: [] },
    });
  });

  it("are only people who may approve, and who have not written the request", async () => {
    const { projectId, environmentId, set } = await newScene();
    const members = [{ userId: ann.id, canWrite: true, canApprove: true }];
    await asAdmin("PUT", `/api/v1/environments/${environmentId}/members`, { members }, REASON);
    await asAdmin(
      "PUT",
      `/api/v1/environments/${environmentId}/protection`,
      { memberAccess: "list" },
      REASON,
    );
    const request = await opened(asAdmin, projectId, { operations: [set({ percentage: 50 })] });
    for (const { id } of [viewer, ben, { id: 999_999 }])
      expect(invalidFields(await ask(request, { add: [id] }, asAdmin))).toEqual(["add"]);
    const own = await ask(
      await opened(asAnn, projectId, { operations: [set({ percentage: 60 })] }),
      { add: [ann.id] },
      asAnn,
    );
    expect(invalidFields(own)).toEqual(["add"]);
    const more = { projectId, title: "More", operations: [set({ percentage: 70 })] };
    const refused = await asAnn("POST", REQUESTS, { ...more, reviewers: [ann.id] });
    expect(invalidFields(refused)).toEqual(["reviewers"]);
    const path = `${REQUESTS}/reviewers?projectId=${projectId}&environmentIds=${environmentId}`;
    const listed = (await asAuthor("GET", path)).body.map((one: Json) => one.userId);
    expect(listed).toContain(ann.id);
    expect(listed).not.toContain(ben.id);
    const others = (await asAnn("GET", path)).body.map((one: Json) => one.userId);
    expect(others).not.toContain(ann.id);
    const ofRequest = await asAnn("GET", `${path}&requestId=${request.id}`);
    expect(ofRequest.body.map((one: Json) => one.userId)).toContain(ann.id);
  });

  it("are at most 10", async () => {
    const { projectId, set } = await newScene();
    const people = await developers(11);
    const operations = [set({ percentage: 50 })];
    const body = { projectId, title: "More", operations, reviewers: people };
    expect(outcome(await asAuthor("POST", REQUESTS, body))).toBe("400 VALIDATION_ERROR");
    const request = await opened(asAuthor, projectId, {
      operations,
      reviewers: people.slice(0, 10),
    });
    await expectRefused(
      () => ask(request, { add: [people[10]] }),
      "402 QUOTA_EXCEEDED",
      "reviewers",
    );
    const swapped = await ask(request, { add: [people[10]], remove: [people[0]] });
    expect(ids(swapped.body)).toHaveLength(10);
    const both = await ask(request, { add: [people[1]], remove: [people[1]] });
    expect(outcome(both)).toBe("400 VALIDATION_ERROR");
  });

  it("do not change after the request is closed", async () => {
    const { projectId, set } = await newScene();
    const request = await opened(asAuthor, projectId, { operations: [set({ percentage: 50 })] });
    await act(asAuthor, "close", request);
    expect(outcome(await ask(request, { add: [ann.id] }))).toBe("409 CONFLICT");
  });

  it("are no longer shown when they leave the project or edit the request", async () => {
    const { projectId, set } = await newScene();
    const reviewers = [ann.id, ben.id];
    const operations = [set({ percentage: 50 })];
    const request = await opened(asAuthor, projectId, { operations, reviewers });
    await asAdmin("PUT", `/api/v1/projects/${projectId}/members/${author.id}`, { role: "ADMIN" });
    await asAdmin("PUT", `/api/v1/projects/${projectId}/members/${ben.id}`, { role: "DEVELOPER" });
    await asAdmin("PUT", `/api/v1/projects/${projectId}`, { visibility: "members" });
    expect(ids(await read(request))).toEqual([ben.id]);
    const edit = { title: "Other" };
    const headers = { "If-Match": `"${request.hash}"` };
    await as(ben.token)("PUT", `${REQUESTS}/${request.id}`, edit, headers);
    expect(ids(await read(request))).toEqual([]);
  });

  it("see the requests that they were asked to review first", async () => {
    const { projectId, set } = await newScene();
    const [asked, newer] = [50, 60].map((percentage) => ({ operations: [set({ percentage })] }));
    const first = await opened(asAuthor, projectId, { ...asked, reviewers: [ann.id] });
    const second = await opened(asAuthor, projectId, { ...newer });
    expect(await toReview(asAnn, projectId)).toEqual([first.id, second.id]);
    expect(await toReview(as(ben.token), projectId)).toEqual([second.id, first.id]);
  });

  it("get one e-mail each, and an event names those who are asked later", async () => {
    const { projectId, environmentId, set } = await newScene();
    const members = [ann, ben].map(({ id }) => ({ userId: id, canWrite: true, canApprove: true }));
    await asAdmin("PUT", `/api/v1/environments/${environmentId}/members`, { members }, REASON);
    await asAdmin("POST", "/api/v1/integrations", {
      projectId,
      name: "Chat",
      type: "custom_webhook",
      enabled: true,
      configJson: JSON.stringify({ url: "https://hooks.example.com/flags" }),
      eventSubscriptionsJson: JSON.stringify(["change-request.review-requested"]),
    });
    const mailbox = new Mailbox();
    const [annMail, benMail] = await Promise.all(
      [ann, ben].map(({ id }) =>
        env.DB.prepare("SELECT email FROM users WHERE id = ?").bind(id).first<string>("email"),
      ),
    );
    const operations = [set({ percentage: 50 })];
    const { body: request } = await mailbox.call("POST", REQUESTS, {
      token: author.token,
      body: { projectId, title: "More", operations, reviewers: [ann.id] },
    });
    const subjectsTo = (mail: unknown) =>
      mailbox.mails.filter(({ to }) => to === mail).map(({ subject }) => subject);
    await vi.waitFor(() => expect(subjectsTo(benMail)).toEqual(["Change request: More"]));
    expect(subjectsTo(annMail)).toEqual(["You were asked to review: More"]);
    mailbox.mails.length = 0;
    await mailbox.call("POST", `${REQUESTS}/${request["id"]}/reviewers`, {
      token: author.token,
      body: { add: [ann.id, ben.id] },
    });
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1));
    expect(subjectsTo(benMail)).toEqual(["You were asked to review: More"]);
    const { results } = await env.DB.prepare("SELECT data FROM outbox WHERE project_id = ?")
      .bind(projectId)
      .all<{ data: string }>();
    expect(results.map(({ data }) => JSON.parse(data).reviewers)).toEqual([[ben.id]]);
  });
});
