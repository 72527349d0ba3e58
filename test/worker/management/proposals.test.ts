import { beforeAll, describe, expect, it } from "vitest";
import {
  act,
  approve,
  as,
  type As,
  newScene,
  REASON,
  REQUESTS,
} from "../support/change-requests.ts";
import type { Json } from "../support/client.ts";
import { Mailbox } from "../support/mailbox.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { newEnvironment, newFlag, newSegment, setStrategy } from "../support/world.ts";

let author: { id: number; token: string };
let asAuthor: As;
let asApprover: As;
beforeAll(async () => {
  [author, asApprover] = [await person("DEVELOPER"), as((await person("DEVELOPER")).token)];
  asAuthor = as(author.token);
});

type Scene = Awaited<ReturnType<typeof newScene>>;

const propose = (path: string, body?: object, method = "POST") =>
  asAuthor(method, `/api/v1${path}?propose=true`, body, REASON);
/** Opens a request with `propose=true`, and applies it after an approval. Returns the request. */
async function applied(answer: Promise<{ status: number; body: Json }>): Promise<Json> {
  const { status, body } = await answer;
  expect([status, body.error]).toEqual([202, undefined]);
  await approve(asApprover, body);
  expect(outcome(await act(asAuthor, "apply", body))).toBe("200");
  return body;
}
const flagOf = async (id: number): Promise<Json> =>
  (await asAdmin("GET", `/api/v1/flags/${id}`)).body;
const strategyOf = async (id: number, environmentId: number): Promise<Json> =>
  (await asAdmin("GET", `/api/v1/flags/${id}/strategies/${environmentId}`)).body;
const requestsOf = ({ projectId }: Pick<Scene, "projectId">) =>
  rows("SELECT id, state FROM change_requests WHERE project_id = ? ORDER BY id", projectId);

describe("a bulk change with propose=true", () => {
  it("archives flags only after the approval, and leaves out those that are archived already", async () => {
    const { projectId, flagId } = await newScene();
    const archived = await newFlag(projectId);
    await asAdmin("POST", `/api/v1/flags/${archived.id}/archive`);
    const flags = [{ id: archived.id }, { id: flagId }];
    const body = { projectId, action: "archive", flags };
    const answer = propose("/flags/bulk", body);
    expect((await answer).body.operations).toMatchObject([
      { kind: "flag.archive", targetId: flagId },
    ]);
    expect(await flagOf(flagId)).toMatchObject({ archived: false });
    await applied(answer);
    expect(await flagOf(flagId)).toMatchObject({ archived: true });
    const again = await propose("/flags/bulk", body);
    expect([outcome(again), again.body.error]).toEqual([
      "400 BAD_REQUEST",
      expect.stringContaining("already are as requested"),
    ]);
  });

  it("switches flags", async () => {
    const { environmentId, projectId, flagId } = await newScene();
    const other = await newFlag(projectId);
    const flags = [{ id: flagId }, { id: other.id }];
    const { operations } = await applied(
      propose("/flags/bulk/strategies", { environmentId, enabled: true, flags }),
    );
    expect(operations).toMatchObject([
      { kind: "strategy.set", targetId: other.id, environmentId, change: { enabled: true } },
    ]);
    expect(await strategyOf(other.id, environmentId)).toMatchObject({ enabled: true });
  });

  it("copies strategies, with what the request shows as the result", async () => {
    const { environmentId, projectId, flagId } = await newScene();
    const { id: from } = await newEnvironment(projectId);
    const rules = [{ name: "One", serve: { variant: "on" } }];
    await setStrategy(flagId, { environmentId: from, percentage: 40, hashKey: "h", rules });
    const body = { environmentId, fromEnvironmentId: from, flags: [{ id: flagId }] };
    const { operations } = await applied(propose("/flags/bulk/strategies/copy", body));
    const copy = await strategyOf(flagId, environmentId);
    expect(copy).toMatchObject({ enabled: true, percentage: 40, hashKey: "h" });
    expect(operations[0].after.rules).toMatchObject([{ id: copy["rules"][0].id, name: "One" }]);
  });

  it("undoes the last changes", async () => {
    const { environmentId, flagId } = await newScene();
    await applied(propose(`/flags/${flagId}/strategies`, { environmentId, percentage: 60 }, "PUT"));
    const body = { environmentId, flags: [{ id: flagId }] };
    await applied(propose("/flags/bulk/strategies/revert", body));
    expect(await strategyOf(flagId, environmentId)).toMatchObject({ percentage: 25 });
  });

  it("names the flags in its error, and is 400 for tags, which need no approval", async () => {
    const { projectId, flagId, flagKey } = await newScene();
    const flags = [{ id: flagId, version: 99 }];
    const stale = await propose("/flags/bulk", { projectId, action: "archive", flags });
    expect([outcome(stale), stale.body.error]).toEqual([
      "412 CONFLICT",
      expect.stringContaining(flagKey),
    ]);
    const tagging = { projectId, action: "tag", tag: "x", flags: [{ id: flagId }] };
    expect(outcome(await propose("/flags/bulk", tagging))).toBe("400 BAD_REQUEST");
  });
});

describe("a clone with propose=true", () => {
  const cloning = (more: object = {}) => ({ key: "copy", name: "Copy", keepState: true, ...more });
  const copiesIn = ({ projectId }: Scene) =>
    rows("SELECT id FROM flags WHERE project_id = ? AND key = 'copy'", projectId);

  it("makes the clone only after the approval, on where the source is on", async () => {
    const scene = await newScene();
    const { environmentId, flagId } = scene;
    const answer = propose(`/flags/${flagId}/clone`, cloning());
    expect((await answer).body).toMatchObject({
      status: "needs-approval",
      operations: [{ kind: "flag.clone", targetId: flagId, after: cloning() }],
    });
    expect(await copiesIn(scene)).toEqual([]);
    await applied(answer);
    const [{ id }] = (await copiesIn(scene)) as [Json];
    expect(await flagOf(id)).toMatchObject({ name: "Copy" });
    expect(await strategyOf(id, environmentId)).toMatchObject({ enabled: true, percentage: 25 });
  });

  it("is outdated after a change of what it copies, and a rebase copies the present state", async () => {
    const scene = await newScene();
    const { environmentId, flagId, projectId } = scene;
    const segment = await newSegment(projectId, []);
    const { id: free } = await newEnvironment(projectId);
    await setStrategy(flagId, { environmentId: free, segmentIds: [segment.id] });
    const { body: request } = await propose(`/flags/${flagId}/clone`, cloning());
    const read = async () => (await asAuthor("GET", `${REQUESTS}/${request.id}`)).body;
    await asAdmin("PUT", `/api/v1/flags/${flagId}`, { name: "Another name" });
    expect((await read()).status).toBe("needs-approval");
    const constraints = [
      { field: "country", operator: "in", values: ["de"], contextType: "string" },
    ];
    await asAdmin("PUT", `/api/v1/segments/${segment.id}`, { constraints });
    expect((await read()).status).toBe("outdated");
    const first = (await act(asAuthor, "rebase", request)).body;
    await setStrategy(flagId, { environmentId: free, percentage: 7 });
    expect((await read()).status).toBe("outdated");
    expect(outcome(await act(asAuthor, "apply", first))).toBe("409 OUTDATED");
    const { body: rebased } = await act(asAuthor, "rebase", first);
    await approve(asApprover, rebased);
    expect(outcome(await act(asAuthor, "apply", rebased))).toBe("200");
    const [{ id }] = (await copiesIn(scene)) as [Json];
    expect(await strategyOf(id, free)).toMatchObject({ percentage: 7 });
    expect(await strategyOf(id, environmentId)).toMatchObject({ enabled: true });
  });

  it("is 409 for a key in use, also when the key was taken after the approval", async () => {
    const { flagId, flagKey, projectId } = await newScene();
    const path = `/flags/${flagId}/clone`;
    expect(outcome(await propose(path, cloning({ key: flagKey })))).toBe("409 CONFLICT");
    const { body: request } = await propose(path, cloning());
    await approve(asApprover, request);
    await newFlag(projectId, { key: "copy" });
    expect(outcome(await act(asAuthor, "apply", request))).toBe("409 CONFLICT");
  });
});

describe("a proposal that is sent again by the same author", () => {
  const opening = ({ projectId, set }: Scene, more: object = {}) => ({
    projectId,
    title: "More",
    operations: [set({ percentage: 50 })],
    ...more,
  });

  it("is the open request, with 200, and mails nobody again", async () => {
    const scene = await newScene();
    const mailbox = new Mailbox();
    const send = (body: object) => mailbox.call("POST", REQUESTS, { token: author.token, body });
    const first = await send(opening(scene));
    await expect.poll(() => mailbox.mails.length).toBeGreaterThan(0);
    const mails = mailbox.mails.length;
    const repeated = [await send(opening(scene)), await send(opening(scene, { title: "Again" }))];
    for (const { status, body, headers } of repeated) {
      expect([status, body["id"], body["title"]]).toEqual([200, first.body["id"], "More"]);
      expect(headers.get("Location")).toBe(`${REQUESTS}/${first.body["id"]}`);
    }
    const direct = { environmentId: scene.environmentId, percentage: 50 };
    const path = `/flags/${scene.flagId}/strategies`;
    const proposed = await propose(path, direct, "PUT");
    expect([proposed.status, proposed.body.id]).toEqual([202, first.body["id"]]);
    expect(await requestsOf(scene)).toHaveLength(1);
    expect(mailbox.mails).toHaveLength(mails);
  });

  it("is one request also at the same time", async () => {
    const scene = await newScene();
    const direct = { environmentId: scene.environmentId, percentage: 50 };
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => asAuthor("POST", REQUESTS, opening(scene))),
      ...[1, 2, 3].map(() => propose(`/flags/${scene.flagId}/strategies`, direct, "PUT")),
    ]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await requestsOf(scene)).toHaveLength(1);
  });

  it("is another request with other operations, another time or another author, and after the first was closed", async () => {
    const scene = await newScene();
    const { body: first } = await asAuthor("POST", REQUESTS, opening(scene));
    const applyAt = new Date(Date.now() + 3_600_000).toISOString();
    const others = [
      await asAuthor("POST", REQUESTS, opening(scene, { applyAt })),
      await asAuthor(
        "POST",
        REQUESTS,
        opening(scene, { operations: [scene.set({ percentage: 51 })] }),
      ),
      await asApprover("POST", REQUESTS, opening(scene)),
    ];
    await act(asAuthor, "close", first);
    others.push(await asAuthor("POST", REQUESTS, opening(scene)));
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await requestsOf(scene)).toHaveLength(5);
  });
});

it("the error of a direct change in a protected environment says how to propose the change", async () => {
  const { environmentId, flagId } = await newScene();
  const path = `/api/v1/flags/${flagId}/strategies`;
  const { body } = await asAuthor("PUT", path, { environmentId, percentage: 50 });
  expect(body).toMatchObject({ code: "APPROVAL_REQUIRED" });
  for (const way of ["?propose=true", "X-Change-Reason", "POST /api/v1/change-requests"])
    expect(body.error).toContain(way);
});
