import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { environmentShape } from "../support/shapes.ts";
import { newEnvironment, newFlag, newProject, unique } from "../support/world.ts";

const path = "/api/v1/environments";

describe("environments", () => {
  it("are created in a project, with revision 1", async () => {
    const { id: projectId } = await newProject();
    const answer = await asAdmin("POST", path, { name: "production", projectId });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...environmentShape,
      name: "production",
      projectId,
      revision: 1,
    });
  });

  it("are production only if the request says so, whatever their name", async () => {
    const { id: projectId } = await newProject();
    const create = (body: object) => asAdmin("POST", path, { ...body, projectId });
    const live = await create({ name: "eu-west", production: true });
    expect(live.body).toEqual({
      ...environmentShape,
      name: "eu-west",
      production: true,
      projectId,
    });
    expect((await create({ name: "production" })).body.production).toBe(false);
    expect((await asAdmin("GET", `${path}/${live.body.id}`)).body.production).toBe(true);
    const listed = (await asAdmin("GET", `${path}?projectId=${projectId}`)).body;
    expect(listed.map((environment: { production: boolean }) => environment.production)).toEqual([
      true,
      false,
    ]);
    await newFlag(projectId);
    const enriched = await asAdmin("GET", `/api/v1/flags/enriched?projectId=${projectId}`);
    expect(enriched.body.items[0].environments).toMatchObject([
      { name: "eu-west", production: true },
      { name: "production", production: false },
    ]);
  });

  it("become production, and keep that when a request leaves `production` out", async () => {
    const { id, name } = await newEnvironment((await newProject()).id);
    const update = async (body: object) => {
      const { body: updated, headers } = await asAdmin("PUT", `${path}/${id}`, body);
      return [updated.name, updated.production, headers.get("ETag")];
    };
    expect(await update({ name, production: true })).toEqual([name, true, '"2"']);
    const renamed = unique("renamed");
    expect(await update({ name: renamed })).toEqual([renamed, true, '"3"']);
    expect(await update({ name: renamed, production: true })).toEqual([renamed, true, '"3"']);
    expect(await update({ name: renamed, production: false })).toEqual([renamed, false, '"4"']);
  });

  it("stay as they are when `production` is no boolean", async () => {
    const { id, name } = await newEnvironment((await newProject()).id);
    const answer = await asAdmin("PUT", `${path}/${id}`, { name, production: "yes" });
    expect(invalidFields(answer)).toEqual(["production"]);
  });

  it("are read one by one, as a list of all, and as a list filtered by projectId", async () => {
    const [mine, other] = [await newProject(), await newProject()];
    const one = await newEnvironment(mine.id);
    const two = await newEnvironment(mine.id);
    const foreign = await newEnvironment(other.id);
    expect((await asAdmin("GET", `${path}/${one.id}`)).body).toEqual(one);
    expect((await asAdmin("GET", `${path}?projectId=${mine.id}`)).body).toEqual([one, two]);
    const all = (await asAdmin("GET", path)).body;
    expect(all).toEqual(expect.arrayContaining([one, two, foreign]));
    expect((await asAdmin("GET", `${path}?projectId=999999`)).body).toEqual([]);
  });

  it("are renamed without any other change", async () => {
    const environment = await newEnvironment((await newProject()).id);
    const name = unique("renamed");
    const answer = await asAdmin("PUT", `${path}/${environment.id}`, { name });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...environment, name, updatedAt: answer.body.updatedAt });
    expect((await asAdmin("GET", `${path}/${environment.id}`)).body).toEqual(answer.body);
  });

  it("are deleted with 204, and then return 404 for every method", async () => {
    const { id } = await newEnvironment((await newProject()).id);
    const answer = await asAdmin("DELETE", `${path}/${id}`);
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(outcome(await asAdmin("GET", `${path}/${id}`))).toBe("404 NOT_FOUND");
    expect(outcome(await asAdmin("PUT", `${path}/${id}`, { name: "x" }))).toBe("404 NOT_FOUND");
    expect(outcome(await asAdmin("DELETE", `${path}/${id}`))).toBe("404 NOT_FOUND");
  });

  it("have a unique name within their project, but other projects can use the same name", async () => {
    const [mine, other] = [await newProject(), await newProject()];
    const one = await newEnvironment(mine.id);
    const two = await newEnvironment(mine.id);
    const again = { name: one.name, projectId: mine.id };
    expect(outcome(await asAdmin("POST", path, again))).toBe("409 CONFLICT");
    const renamed = await asAdmin("PUT", `${path}/${two.id}`, { name: one.name });
    expect(outcome(renamed)).toBe("409 CONFLICT");
    const elsewhere = await asAdmin("POST", path, { name: one.name, projectId: other.id });
    expect(elsewhere.status).toBe(201);
  });

  it("are not created in an unknown project (404), or without a project when several exist (400)", async () => {
    await newProject();
    await newProject();
    const unknown = await asAdmin("POST", path, { name: "x", projectId: 999_999 });
    expect(outcome(unknown)).toBe("404 NOT_FOUND");
    const none = await asAdmin("POST", path, { name: "x" });
    expect(outcome(none)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(none)).toEqual(["projectId"]);
  });

  it.each([
    [{ projectId: "1" }, ["name", "projectId"]],
    [{ name: "", projectId: 0 }, ["name", "projectId"]],
    [{ name: "x".repeat(201), projectId: 1.5 }, ["name", "projectId"]],
    [{ name: {}, projectId: null }, ["name", "projectId"]],
  ])("are not created from the invalid body %j", async (body, fields) => {
    const answer = await asAdmin("POST", path, body);
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(fields);
  });

  it("are not changed by a body without a name", async () => {
    const { id } = await newEnvironment((await newProject()).id);
    expect(invalidFields(await asAdmin("PUT", `${path}/${id}`, {}))).toEqual(["name"]);
  });

  it.each(["0", "x", "9007199254740993"])(
    "are not listed for the invalid projectId %s (400)",
    async (id) => {
      expect(outcome(await asAdmin("GET", `${path}?projectId=${id}`))).toBe("400 BAD_REQUEST");
    },
  );
});
