import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { auditOf } from "../support/records.ts";
import { projectShape } from "../support/shapes.ts";
import { newProject, unique } from "../support/world.ts";

const path = "/api/v1/projects";

describe("projects", () => {
  it("are created with only a name", async () => {
    const name = unique("project");
    const answer = await asAdmin("POST", path, { name });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ ...projectShape, name });
  });

  it("are created with a description or null, and ignore unknown fields", async () => {
    const name = unique("project");
    const body = { name, description: "About\nit", id: 5, createdAt: 0, extra: { a: [1] } };
    const answer = await asAdmin("POST", path, body);
    expect(answer.body).toEqual({ ...projectShape, name, description: "About\nit" });
    const bare = await asAdmin("POST", path, { name: unique("project"), description: null });
    expect(bare.body.description).toBeNull();
  });

  it("are read one by one and in the list", async () => {
    const project = await newProject();
    expect((await asAdmin("GET", `${path}/${project.id}`)).body).toEqual(project);
    const list = await asAdmin("GET", path);
    expect(list.status).toBe(200);
    expect(list.body).toContainEqual(project);
  });

  it("keep the fields that an update omits", async () => {
    const project = await newProject();
    const named = { ...project, name: unique("renamed") };
    const renamed = await asAdmin("PUT", `${path}/${project.id}`, { name: named.name });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({ ...named, updatedAt: renamed.body.updatedAt });
    const described = await asAdmin("PUT", `${path}/${project.id}`, { description: "new" });
    expect(described.body).toMatchObject({ name: named.name, description: "new" });
    const cleared = await asAdmin("PUT", `${path}/${project.id}`, { description: null });
    expect(cleared.body).toMatchObject({ name: named.name, description: null });
  });

  it("have a number of days after which a flag is stale, whose change is audited", async () => {
    const body = { name: unique("project"), staleDays: 90 };
    const { id, staleDays } = (await asAdmin("POST", path, body)).body;
    expect([staleDays, (await newProject()).staleDays]).toEqual([90, 40]);
    const answer = await asAdmin("PUT", `${path}/${id}`, { staleDays: 14 });
    expect(answer.body).toMatchObject({ name: body.name, staleDays: 14 });
    const content = { before: { staleDays: 90 }, after: { staleDays: 14 } };
    expect(await auditOf(answer)).toMatchObject([{ action: "project.updated", ...content }]);
    for (const wrong of [0, -1, 1.5, 3651, "40", null]) {
      const rejected = await asAdmin("PUT", `${path}/${id}`, { staleDays: wrong });
      expect([wrong, ...invalidFields(rejected)]).toEqual([wrong, "staleDays"]);
    }
  });

  it("are deleted with 204 and no body, and then return 404", async () => {
    const { id } = await newProject();
    const answer = await asAdmin("DELETE", `${path}/${id}`);
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(outcome(await asAdmin("GET", `${path}/${id}`))).toBe("404 NOT_FOUND");
    expect(outcome(await asAdmin("DELETE", `${path}/${id}`))).toBe("404 NOT_FOUND");
  });

  it("return 409 when they are created or renamed with the name of another project", async () => {
    const [one, two] = [await newProject(), await newProject()];
    expect(outcome(await asAdmin("POST", path, { name: one.name }))).toBe("409 CONFLICT");
    const renamed = await asAdmin("PUT", `${path}/${two.id}`, { name: one.name });
    expect(outcome(renamed)).toBe("409 CONFLICT");
    const same = await asAdmin("PUT", `${path}/${one.id}`, { name: one.name });
    expect(same.status).toBe(200);
  });

  it("accept a name with letters of several scripts, and trim the name", async () => {
    const name = unique("プロジェクト 🚩 Ünï'\"%_\\ <b>");
    const made = await asAdmin("POST", path, { name: `  ${name}\t` });
    expect(made.body.name).toBe(name);
    expect((await asAdmin("GET", `${path}/${made.body.id}`)).body.name).toBe(name);
  });

  it.each([
    [{}, ["name"]],
    [{ name: "" }, ["name"]],
    [{ name: "   " }, ["name"]],
    [{ name: "x".repeat(201) }, ["name"]],
    [{ name: null, description: 5 }, ["description", "name"]],
    [{ name: ["x"], description: "x".repeat(2001) }, ["description", "name"]],
    [[], [""]],
    [null, [""]],
    ["text", [""]],
  ])("are not created from the invalid body %j", async (body, fields) => {
    const answer = await asAdmin("POST", path, JSON.stringify(body));
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(fields);
  });

  it("can have a name of 200 and a description of 2,000 characters", async () => {
    const name = unique("n").padEnd(200, "x");
    const answer = await asAdmin("POST", path, { name, description: "d".repeat(2000) });
    expect(answer.status).toBe(201);
  });

  it.each(["0", "-1", "1.5", "abc", "1e3", "0x1", "9007199254740993", "%00", "1%20", "٣"])(
    "return 400 for the invalid id %s",
    async (id) => {
      expect(outcome(await asAdmin("GET", `${path}/${id}`))).toBe("400 BAD_REQUEST");
      expect(outcome(await asAdmin("DELETE", `${path}/${id}`))).toBe("400 BAD_REQUEST");
    },
  );

  it.each(["999999", "9007199254740991"])("return 404 for the unknown id %s", async (id) => {
    expect(outcome(await asAdmin("GET", `${path}/${id}`))).toBe("404 NOT_FOUND");
    expect(outcome(await asAdmin("PUT", `${path}/${id}`, {}))).toBe("404 NOT_FOUND");
    expect(outcome(await asAdmin("DELETE", `${path}/${id}`))).toBe("404 NOT_FOUND");
  });
});
