import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { flagShape } from "../support/shapes.ts";
import { newEnvironment, newFlag, newProject, setStrategy, unique } from "../support/world.ts";

const path = "/api/v1/flags";
const archive = (id: number) => asAdmin("POST", `${path}/${id}/archive`);
const unarchive = (id: number) => asAdmin("POST", `${path}/${id}/unarchive`);

describe("a flag", () => {
  it.each(["RELEASE", "KILLSWITCH"])(
    "is created with the type %s, and read with the same fields",
    async (flagType) => {
      const { id: projectId } = await newProject();
      const body = { key: unique("flag"), name: "New checkout", flagType, projectId };
      const answer = await asAdmin("POST", path, body);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({ ...flagShape, ...body });
      expect((await asAdmin("GET", `${path}/${answer.body.id}`)).body).toEqual(answer.body);
    },
  );

  it("starts as not archived and not enabled, even when the body contains other values", async () => {
    const { id } = await newProject();
    const flag = await newFlag(id, { enabled: true, archived: true, id: 7, version: 9 });
    expect(flag).toMatchObject({ enabled: false, archived: false, version: 1 });
  });

  it("keeps the fields that an update omits, and never changes its key, type or project", async () => {
    const { id: projectId } = await newProject();
    const flag = await newFlag(projectId, { description: "Why", tags: ["team-a"] });
    const update = { name: "Other", key: "other", projectId: 1, flagType: "KILLSWITCH" };
    const answer = await asAdmin("PUT", `${path}/${flag.id}`, update);
    const { updatedAt } = answer.body;
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...flag, name: "Other", version: 2, updatedAt });
    const cleared = await asAdmin("PUT", `${path}/${flag.id}`, { description: null });
    expect(cleared.body).toMatchObject({ name: "Other", description: null, tags: ["team-a"] });
    const nothing = await asAdmin("PUT", `${path}/${flag.id}`, {});
    expect(nothing.body).toMatchObject({ name: "Other", description: null, tags: ["team-a"] });
  });

  it("keeps its key from other flags of the project while it is archived, and frees the key when it is deleted", async () => {
    const { id: projectId } = await newProject();
    const { key, id } = await newFlag(projectId);
    await archive(id);
    const body = { key, name: "Again", flagType: "RELEASE", projectId };
    expect(outcome(await asAdmin("POST", path, body))).toBe("409 CONFLICT");
    await asAdmin("DELETE", `${path}/${id}`);
    expect((await newFlag((await newProject()).id, { key })).key).toBe(key);
    const again = await asAdmin("POST", path, body);
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(id);
  });

  it("is enabled when it is enabled in at least one environment and not archived", async () => {
    const { id: projectId } = await newProject();
    const [one, two] = [await newEnvironment(projectId), await newEnvironment(projectId)];
    const { id } = await newFlag(projectId);
    const enabled = async () => (await asAdmin("GET", `${path}/${id}`)).body.enabled;
    await setStrategy(id, { environmentId: one.id, enabled: true });
    await setStrategy(id, { environmentId: two.id, enabled: false });
    expect(await enabled()).toBe(true);
    expect((await archive(id)).body.enabled).toBe(false);
    expect((await unarchive(id)).body.enabled).toBe(true);
    await setStrategy(id, { environmentId: one.id, enabled: false });
    expect(await enabled()).toBe(false);
    await setStrategy(id, { environmentId: two.id, enabled: true, percentage: 0 });
    expect(await enabled()).toBe(true);
  });

  it("can be archived and unarchived; a repeated request changes nothing", async () => {
    const flag = await newFlag((await newProject()).id);
    const archived = await archive(flag.id);
    const { updatedAt } = archived.body;
    expect(archived.status).toBe(200);
    expect(archived.body).toEqual({ ...flag, archived: true, version: 2, updatedAt });
    expect((await archive(flag.id)).body).toEqual(archived.body);
    const back = await unarchive(flag.id);
    expect([back.status, back.body.archived, back.body.version]).toEqual([200, false, 3]);
    expect((await unarchive(flag.id)).body).toEqual(back.body);
  });

  it("can be changed while archived, and stays archived", async () => {
    const { id } = await newFlag((await newProject()).id);
    await archive(id);
    const answer = await asAdmin("PUT", `${path}/${id}`, { name: "Still archived" });
    expect(answer.body).toMatchObject({ name: "Still archived", archived: true });
  });

  it("can be deleted only when archived", async () => {
    const { id } = await newFlag((await newProject()).id);
    expect(outcome(await asAdmin("DELETE", `${path}/${id}`))).toBe("409 CONFLICT");
    await archive(id);
    const answer = await asAdmin("DELETE", `${path}/${id}`);
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(outcome(await asAdmin("GET", `${path}/${id}`))).toBe("404 NOT_FOUND");
  });

  it.each(["a", "A.b_c-d:9", "__proto__", "x".repeat(128)])("can have the key %s", async (key) => {
    expect((await newFlag((await newProject()).id, { key })).key).toBe(key);
  });

  it.each(["", "a b", "ä", "a/b", "x".repeat(129), "a\n", "a\u0000"])(
    "cannot have the key %j",
    async (key) => {
      const body = { key, name: "n", flagType: "RELEASE", projectId: 1 };
      expect(invalidFields(await asAdmin("POST", path, body))).toEqual(["key"]);
    },
  );
});
