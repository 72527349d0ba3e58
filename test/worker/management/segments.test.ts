import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { segmentShape } from "../support/shapes.ts";
import {
  inCountries,
  newFlag,
  newProject,
  newSegment,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";

const path = "/api/v1/segments";

describe("segments", () => {
  it("are created in a project, with and without constraints", async () => {
    const { id: projectId } = await newProject();
    const name = unique("segment");
    const bare = await asAdmin("POST", path, { name, projectId });
    expect(bare.status).toBe(201);
    expect(bare.body).toEqual({ ...segmentShape, name, projectId });
    const body = {
      name: unique("segment"),
      description: "Beta testers",
      projectId,
      constraints: [
        { ...inCountries("de", "at"), caseInsensitive: true },
        { field: "age", operator: "gte", values: ["18"], contextType: "number", inverted: true },
        { field: "email", operator: "exists", values: [], contextType: "string" },
      ],
    };
    const full = await asAdmin("POST", path, body);
    expect(full.body).toEqual({ ...segmentShape, ...body });
    expect((await asAdmin("GET", `${path}/${full.body.id}`)).body).toEqual(full.body);
  });

  it("are listed for all projects, or only for the projectId in the query", async () => {
    const [mine, other] = [await newProject(), await newProject()];
    const one = await newSegment(mine.id, [inCountries("de")]);
    const foreign = await newSegment(other.id, []);
    expect((await asAdmin("GET", `${path}?projectId=${mine.id}`)).body).toEqual([one]);
    const all = (await asAdmin("GET", path)).body;
    expect(all).toEqual(expect.arrayContaining([one, foreign]));
  });

  it("keep the fields that an update omits", async () => {
    const segment = await newSegment((await newProject()).id, [inCountries("de")]);
    const update = async (body: object) =>
      (await asAdmin("PUT", `${path}/${segment.id}`, body)).body;
    const described = await update({ description: "new" });
    const { updatedAt } = described;
    expect(described).toEqual({ ...segment, description: "new", version: 2, updatedAt });
    const constraints = [inCountries("fr")];
    expect(await update({ constraints })).toMatchObject({ description: "new", constraints });
    const name = unique("renamed");
    expect(await update({ name, description: null })).toMatchObject({
      name,
      description: null,
      constraints,
      version: 4,
    });
    expect(await update({ constraints: [] })).toMatchObject({ name, constraints: [] });
  });

  it("have a unique name within their project, but other projects can use the same name", async () => {
    const { id: projectId } = await newProject();
    const [one, two] = [await newSegment(projectId, []), await newSegment(projectId, [])];
    const again = { name: one.name, projectId };
    expect(outcome(await asAdmin("POST", path, again))).toBe("409 CONFLICT");
    const renamed = await asAdmin("PUT", `${path}/${two.id}`, { name: one.name });
    expect(outcome(renamed)).toBe("409 CONFLICT");
    const elsewhere = { name: one.name, projectId: (await newProject()).id };
    expect((await asAdmin("POST", path, elsewhere)).status).toBe(201);
  });

  it("are deleted with 204, and then return 404 for every method", async () => {
    const { id } = await newSegment((await newProject()).id, []);
    const answer = await asAdmin("DELETE", `${path}/${id}`);
    expect([answer.status, answer.body]).toEqual([204, ""]);
    const answers = await Promise.all([
      asAdmin("GET", `${path}/${id}`),
      asAdmin("PUT", `${path}/${id}`, {}),
      asAdmin("DELETE", `${path}/${id}`),
    ]);
    expect(answers.map(outcome)).toEqual(Array(3).fill("404 NOT_FOUND"));
  });

  it("are not deleted while strategies use them: the response is 409 and names the flags", async () => {
    const { projectId, environmentId } = await newWorld();
    const segment = await newSegment(projectId, [inCountries("de")]);
    const flags = [await newFlag(projectId), await newFlag(projectId)];
    for (const { id } of flags) await setStrategy(id, { environmentId, segmentIds: [segment.id] });
    const refused = await asAdmin("DELETE", `${path}/${segment.id}`);
    expect(outcome(refused)).toBe("409 CONFLICT");
    for (const { key } of flags) expect(refused.body.error).toContain(key);
    for (const { id } of flags) await setStrategy(id, { environmentId, segmentIds: [] });
    expect((await asAdmin("DELETE", `${path}/${segment.id}`)).status).toBe(204);
  });

  it("are not created in a project that does not exist (404)", async () => {
    const answer = await asAdmin("POST", path, { name: "s", projectId: 999_999 });
    expect(outcome(answer)).toBe("404 NOT_FOUND");
  });

  it("return 400 with an error for each invalid field of the body and of its constraints", async () => {
    const broken = { ...inCountries("x"), operator: "gt", contextType: "boolean" };
    const constraints = [inCountries("de"), broken, { ...inCountries("x"), field: "" }];
    const body = { name: "", description: 5, projectId: 0, constraints };
    const answer = await asAdmin("POST", path, body);
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    const fields = invalidFields(answer);
    expect(fields).toEqual(expect.arrayContaining(["description", "name", "projectId"]));
    expect(fields.some((field) => field.startsWith("constraints.1"))).toBe(true);
    expect(fields.some((field) => field.startsWith("constraints.2"))).toBe(true);
    expect(fields.some((field) => field.startsWith("constraints.0"))).toBe(false);
  });
});
