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
  it("can be given as names, and each new name creates one tag", async () => {
    const { id } = await newProject();
    const flag = await newFlag(id, { tags: ["b", "a", "b"] });
    expect(flag.tags).toEqual(["a", "b"]);
    await newFlag(id, { tags: ["a"] });
    expect((await tagsOf(id)).map(({ name }) => name).toSorted()).toEqual(["a", "b"]);
  });

  it("can be given as objects with a tag id and a value, and responses contain the value", async () => {
    const { projectId, tagId } = await projectWithTag();
    const flag = await newFlag(projectId, { tags: [{ tagId, value: "payments" }] });
    expect(flag.tags).toEqual(["payments"]);
    expect((await asAdmin("GET", `${path}/${flag.id}`)).body.tags).toEqual(["payments"]);
  });

  it("can be given as names and objects in one list, also in an update", async () => {
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

  it("can have names in every script", async () => {
    const tags = ["Ünï", "🚩", "100%", "a_b", "日本", 'it\'s "so"'].toSorted();
    const flag = await newFlag((await newProject()).id, { tags });
    expect(flag.tags.toSorted()).toEqual(tags);
  });

  it("return 404 and write nothing for an unknown tag id or a tag of another project", async () => {
    const { tagId } = await projectWithTag();
    const { id: projectId } = await newProject();
    const foreign = [{ tagId, value: "v" }, "fresh"];
    expect(outcome(await create(projectId, foreign))).toBe("404 NOT_FOUND");
    const flag = await newFlag(projectId, { tags: ["kept"] });
    expect(outcome(await setTags(flag.id, foreign))).toBe("404 NOT_FOUND");
    expect(outcome(await setTags(flag.id, [{ tagId: 999_999, value: "v" }]))).toBe("404 NOT_FOUND");
    expect((await asAdmin("GET", `${path}/${flag.id}`)).body.tags).toEqual(["kept"]);
    expect((await tagsOf(projectId)).map(({ name }) => name)).toEqual(["kept"]);
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
