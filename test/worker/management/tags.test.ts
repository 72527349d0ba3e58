import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, type CallOptions } from "../support/client.ts";
import { adminToken, person } from "../support/people.ts";
import { newFlag, newProject, newWorld, unique } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

const GREY = "#868e96";
const RED = "#FA5252";

/** Sends a request to the management API. The administrator sends it unless `options` has a token. */
const send = async (method: string, path: string, options: CallOptions = {}) =>
  call(method, `/api/v1${path}`, { token: await adminToken(), ...options });

async function newTag(projectId: number, more: object = {}) {
  const body = { name: unique("tag"), color: GREY, projectId, ...more };
  const answer = await send("POST", "/tags", { body });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** The statuses of concurrent requests, in ascending order. */
const sorted = (answers: readonly { readonly status: number }[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

const auditOf = async (tagId: number) => {
  const rows = await env.DB.prepare(
    `SELECT action, project_id, before, after FROM audit
      WHERE entity_type = 'tag' AND entity_id = ? ORDER BY id`,
  )
    .bind(tagId)
    .raw<[string, number, string | null, string | null]>();
  return rows.map(([action, projectId, before, after]) => ({
    action,
    projectId,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }));
};

describe("a tag", () => {
  it("is created, read, listed, changed and deleted; every write is audited", async () => {
    const { id: projectId } = await newProject();
    const body = { name: "checkout", color: GREY, projectId, unknown: 1 };
    const created = await send("POST", "/tags", { body });
    expect(created.status).toBe(201);
    expect(created.headers.get("ETag")).toBe('"1"');
    const { id } = created.body;
    expect(created.body).toEqual({
      id: expect.any(Number),
      projectId,
      name: "checkout",
      color: GREY,
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });

    const read = await send("GET", `/tags/${id}`);
    expect([read.status, read.headers.get("ETag"), read.body]).toEqual([200, '"1"', created.body]);

    const changed = await send("PUT", `/tags/${id}`, { body: { color: RED } });
    expect([changed.status, changed.headers.get("ETag")]).toEqual([200, '"2"']);
    expect(changed.body).toEqual({ ...created.body, color: RED, version: 2 });

    const listed = await send("GET", `/tags?projectId=${projectId}`);
    expect([listed.status, listed.body]).toEqual([200, [changed.body]]);

    const deleted = await send("DELETE", `/tags/${id}`);
    expect([deleted.status, deleted.body]).toEqual([204, ""]);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await send(method, `/tags/${id}`, method === "PUT" ? { body: {} } : {});
      expect([method, answer.status, answer.body.code]).toEqual([method, 404, "NOT_FOUND"]);
    }
    const [first, second] = [
      { name: "checkout", color: GREY },
      { name: "checkout", color: RED },
    ];
    expect(await auditOf(id)).toEqual([
      { action: "tag.created", projectId, before: null, after: first },
      { action: "tag.updated", projectId, before: { color: GREY }, after: { color: RED } },
      { action: "tag.deleted", projectId, before: second, after: null },
    ]);
  });

  it("is listed for all projects, or page by page for one project", async () => {
    const [one, other] = [await newProject(), await newProject()];
    const tags = [];
    for (let n = 0; n < 5; n++) tags.push(await newTag(one.id));
    const foreign = await newTag(other.id);
    const all = await send("GET", "/tags");
    expect(all.body).toEqual(expect.arrayContaining([...tags, foreign]));
    const slice = await send("GET", `/tags?projectId=${one.id}&page=1&size=2`);
    expect(slice.body).toEqual(tags.slice(2, 4));
    expect(slice.headers.get("X-Total-Count")).toBe("5");
    expect((await send("GET", `/tags?projectId=${one.id}&size=101`)).status).toBe(400);
  });

  it("keeps a colour with three hex digits as given", async () => {
    const { id } = await newTag((await newProject()).id);
    const changed = await send("PUT", `/tags/${id}`, { body: { color: "#aBc" } });
    expect([changed.status, changed.body.color]).toEqual([200, "#aBc"]);
  });

  it("returns 400 with an error for every invalid field of the body", async () => {
    const body = { name: " ", color: "red" };
    const answer = await send("POST", "/tags", { body });
    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    const fields = answer.body.details.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(["name", "color", "projectId"]);
    const { id } = await newTag((await newProject()).id);
    for (const color of ["#868e9", "#868e96f", "868e96", "#GGGGGG", "#868e96\n", "", null]) {
      const refused = await send("PUT", `/tags/${id}`, { body: { color } });
      expect([color, refused.status]).toEqual([color, 400]);
    }
  });

  it("is created only in an existing project, with a name that is not in use there", async () => {
    const { id: projectId } = await newProject();
    const gone = { name: "a", color: GREY, projectId: 999_999_999 };
    expect((await send("POST", "/tags", { body: gone })).status).toBe(404);
    const [taken, other] = [await newTag(projectId), await newTag(projectId)];
    const body = { name: taken.name, color: RED, projectId };
    const twice = await send("POST", "/tags", { body });
    expect([twice.status, twice.body.code]).toEqual([409, "CONFLICT"]);
    const renamed = await send("PUT", `/tags/${other.id}`, { body: { name: taken.name } });
    expect(renamed.status).toBe(409);
    await newTag((await newProject()).id, { name: taken.name });
  });

  it("counts toward the quota of its project, even when a new flag created the tag", async () => {
    const { id: projectId } = await newProject();
    const quota = { QUOTA_TAGS: "2" };
    await newFlag(projectId, { tags: ["by a flag"] });
    const token = await adminToken();
    const create = (name: string) =>
      callWith(quota, "POST", "/api/v1/tags", { token, body: { name, color: GREY, projectId } });
    const answers = await Promise.all(["a", "b", "c"].map(create));
    expect(sorted(answers)).toEqual([201, 402, 402]);
    expect(answers.find(({ status }) => status === 402)?.body.code).toBe("QUOTA_EXCEEDED");
  });

  it("returns 412 for an update with an outdated ETag, and is changed by only one of four simultaneous updates", async () => {
    const { id } = await newTag((await newProject()).id);
    const put = (etag: string, name: string) =>
      send("PUT", `/tags/${id}`, { headers: { "If-Match": etag }, body: { name } });
    expect((await put('"1"', "first")).status).toBe(200);
    const late = await put('"1"', "second");
    expect([late.status, late.body.code]).toEqual([412, "CONFLICT"]);
    expect((await send("GET", `/tags/${id}`)).body.name).toBe("first");
    const racers = await Promise.all(["a", "b", "c", "d"].map((name) => put('"2"', name)));
    expect(sorted(racers)).toEqual([200, 412, 412, 412]);
  });
});

describe("the flags with a tag", () => {
  it("keep the tag's value after a rename and lose the value after a deletion, both without a new flag version", async () => {
    const { id: projectId } = await newProject();
    const flag = await newFlag(projectId, { tags: ["team-a", "stays"] });
    const tags = (await send("GET", `/tags?projectId=${projectId}`)).body;
    const tag = tags.find(({ name }: { name: string }) => name === "team-a");
    expect(tag.color).toBe(GREY);

    await send("PUT", `/tags/${tag.id}`, { body: { name: "team-b", color: RED } });
    const renamed = await send("GET", `/flags/${flag.id}`);
    expect(renamed.body).toEqual(flag);
    const enriched = await send("GET", `/flags/enriched?projectId=${projectId}`);
    expect(enriched.body.items[0].tags).toContainEqual({
      id: tag.id,
      name: "team-b",
      color: RED,
      value: "team-a",
    });

    expect((await send("DELETE", `/tags/${tag.id}`)).status).toBe(204);
    const detached = await send("GET", `/flags/${flag.id}`);
    expect(detached.body).toEqual({ ...flag, tags: ["stays"] });
    expect(detached.headers.get("ETag")).toBe(renamed.headers.get("ETag"));
  });
});

describe("the permissions for tags", () => {
  let world: Awaited<ReturnType<typeof newWorld>>;
  let tagId: number;
  beforeAll(async () => {
    world = await newWorld();
    tagId = (await newTag(world.projectId)).id;
  });

  /**
   * Lists, reads, creates, changes and deletes a tag with the token. Returns the statuses. The
   * deletion has an unknown id, so that the tag stays.
   */
  async function statuses(token: string | undefined) {
    const body = { name: unique("tag"), color: GREY, projectId: world.projectId };
    const answers = [
      await send("GET", `/tags?projectId=${world.projectId}`, { token }),
      await send("GET", `/tags/${tagId}`, { token }),
      await send("POST", "/tags", { token, body }),
      await send("PUT", `/tags/${tagId}`, { token, body: { color: RED } }),
      await send("DELETE", "/tags/999999999", { token }),
    ];
    return answers.map(({ status }) => status);
  }

  it("let viewers read, let developers write, and reject callers without a token", async () => {
    expect(await statuses((await person("VIEWER")).token)).toEqual([200, 200, 403, 403, 403]);
    expect(await statuses((await person("DEVELOPER")).token)).toEqual([200, 200, 201, 200, 404]);
    expect(await statuses(undefined)).toEqual([401, 401, 401, 401, 401]);
  });

  it("let a SERVER key read only the tags of its own project", async () => {
    expect(await statuses(world.apiKey)).toEqual([200, 200, 403, 403, 403]);
    const other = await newWorld();
    const token = other.apiKey;
    expect((await send("GET", `/tags/${tagId}`, { token })).status).toBe(403);
    expect((await send("GET", `/tags?projectId=${world.projectId}`, { token })).status).toBe(403);
    expect((await send("GET", "/tags", { token })).body).toEqual([]);
  });
});
