import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { newFlag, newProject, unique } from "../support/world.ts";

const path = "/api/v1/flags";
const setTags = (id: number, tags: unknown) => asAdmin("PUT", `${path}/${id}`, { tags });
const create = (projectId: number, tags: unknown) =>
  asAdmin("POST", path, { key: unique("flag"), name: "n", flagType: "RELEASE", tags, projectId });

/** Returns the ids and names of the tags of a project, read from the database. */
async function tagsOf(projectId: number): Promise<{ id: number; name: string }[]> {
  const sql = "SELECT id, name FROM tags WHERE project_id = ? ORDER BY id";
  const { results } = await env.DB.prepare(sql).bind(projectId).all<{ id: number; name: string }>();
  return results;
}

async function projectWithTag() {
  const { id: projectId } = await newProject();
  await newFlag(projectId, { tags: ["team"] });
  const [tag] = await tagsOf(projectId);
  if (!tag) throw new Error("the tag was not created");
  return { projectId, tagId: tag.id };
}

describe("the tags of a flag", () => {
  it("can be names, and each new name creates one tag", async () => {
    const { id } = await newProject();
    const flag = await newFlag(id, { tags: ["b", "a", "b"] });
    expect(flag.tags).toEqual(["a", "b"]);
    await newFlag(id, { tags: ["a"] });
    expect((await tagsOf(id)).map(({ name }) => name).toSorted()).toEqual(["a", "b"]);
  });

  it("can be objects with a tag id and a value, and responses contain the value", async () => {
    const { projectId, tagId } = await projectWithTag();
    const flag = await newFlag(projectId, { tags: [{ tagId, value: "payments" }] });
    expect(flag.tags).toEqual(["payments"]);
    expect((await asAdmin("GET", `${path}/${flag.id}`)).body.tags).toEqual(["payments"]);
  });

  it("can be names and objects in one list, also in an update", async () => {
    const { projectId, tagId } = await projectWithTag();
    const tags = [{ tagId, value: "payments" }, "urgent", { tagId, value: "search" }];
    const flag = await newFlag(projectId, { tags });
    expect(flag.tags).toEqual(["payments", "search", "urgent"]);
    const answer = await setTags(flag.id, ["team", { tagId, value: "x" }]);
    expect(answer.body.tags).toEqual(["team", "x"]);
    expect((await tagsOf(projectId)).map(({ name }) => name)).toEqual(["team", "urgent"]);
  });

  it("are replaced by an update, and removed by an empty list", async () => {
    const flag = await newFlag((await newProject()).id, { tags: ["a", "b"] });
    expect((await setTags(flag.id, ["b", "c"])).body.tags).toEqual(["b", "c"]);
    expect((await setTags(flag.id, [])).body.tags).toEqual([]);
  });

  it("keep their values when the tag is renamed, and lose them when it is deleted, without a new version of the flag", async () => {
    const { id: projectId } = await newProject();
    const flag = await newFlag(projectId, { tags: ["team-a", "stays"] });
    const tag = (await tagsOf(projectId)).find(({ name }) => name === "team-a");
    const change = { name: "team-b", color: "#FA5252" };
    await asAdmin("PUT", `/api/v1/tags/${tag?.id}`, change);
    const read = () => asAdmin("GET", `${path}/${flag.id}`);
    const renamed = await read();
    expect(renamed.body).toEqual(flag);
    const enriched = await asAdmin("GET", `${path}/enriched?projectId=${projectId}`);
    const shown = { id: tag?.id, ...change, value: "team-a" };
    expect(enriched.body.items[0].tags).toContainEqual(shown);
    expect((await asAdmin("DELETE", `/api/v1/tags/${tag?.id}`)).status).toBe(204);
    const detached = await read();
    expect(detached.body).toEqual({ ...flag, tags: ["stays"] });
    expect(detached.headers.get("ETag")).toBe(renamed.headers.get("ETag"));
  });

  it.each([
    ["a value that is not a list", "team"],
    ["an empty name", [""]],
    ["a number", [5]],
    ["null", [null]],
    ["an object without a value", [{ tagId: 1 }]],
    ["an object without an id", [{ value: "x" }]],
    ["an id as text", [{ tagId: "1", value: "x" }]],
    ["a name of 201 characters", ["x".repeat(201)]],
    ["51 tags", Array.from({ length: 51 }, (_, n) => `tag-${n}`)],
  ])("return 400 for %s", async (_, tags) => {
    const answer = await create(1, tags);
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer).every((field) => field.startsWith("tags"))).toBe(true);
  });
});
