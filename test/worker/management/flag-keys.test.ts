import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { asAdmin, invalidFields } from "../support/outcomes.ts";
import { newFlag, newWorld, setStrategy } from "../support/world.ts";

const flags = "/api/v1/flags";

describe.each([".", ".."])("the key %s, which a URL cannot contain", (key) => {
  const create = { key, name: "Dots", flagType: "RELEASE" };

  it("is 400 for a new flag, a clone, an operation, and a new flag of a file", async () => {
    const { projectId } = await newWorld();
    const { id } = await newFlag(projectId);
    const created = await asAdmin("POST", flags, { ...create, projectId });
    expect(invalidFields(created)).toEqual(["key"]);
    const cloned = await asAdmin("POST", `${flags}/${id}/clone`, { key, name: "Copy" });
    expect(invalidFields(cloned)).toEqual(["key"]);
    const operations = [{ kind: "flag.create", input: create }];
    const planned = await asAdmin("POST", "/api/v1/operations", { projectId, operations });
    expect(invalidFields(planned)).toEqual(["operations.0.input.key"]);
    const { body } = await asAdmin("GET", `/api/v1/projects/${projectId}`);
    const file = {
      version: 1,
      project: body.name,
      flags: { [key]: { name: "Dots", flagType: "RELEASE" } },
    };
    const plan = await asAdmin("POST", `/api/v1/projects/${projectId}/plan`, { file });
    expect(invalidFields(plan)).toEqual([`/flags/${key}`]);
  });

  it("keeps working for a flag of an earlier release: in bulk, in files, and after it is deleted", async () => {
    const { projectId, environmentId, apiKey } = await newWorld();
    const { id } = await newFlag(projectId);
    await env.DB.prepare("UPDATE flags SET key = ? WHERE id = ?").bind(key, id).run();
    await setStrategy(id, { environmentId, enabled: true });
    const evaluate = (path: string) => call("POST", path, { token: apiKey, body: { context: {} } });
    const { body } = await evaluate("/api/client/evaluate");
    expect(body.evaluations[key].enabled).toBe(true);
    const bulk = await evaluate("/api/ofrep/v1/evaluate/flags");
    expect(bulk.body.flags).toMatchObject([{ key, value: true }]);

    const project = `/api/v1/projects/${projectId}`;
    const { body: file } = await asAdmin("GET", `${project}/export`);
    file.flags[key].description = "Changed";
    expect((await asAdmin("POST", `${project}/plan`, { file })).status).toBe(200);

    await asAdmin("POST", `${flags}/${id}/archive`);
    await asAdmin("DELETE", `${flags}/${id}`);
    const records = await asAdmin(
      "GET",
      `/api/v1/audit?projectId=${projectId}&action=flag.deleted`,
    );
    const { id: recordId } = records.body.items[0];
    const restored = await asAdmin("POST", `${flags}/${id}/revert`, { recordId });
    const flag = await asAdmin("GET", `${flags}/${restored.body.entityId}`);
    expect(flag.body.key).toBe(key);
  });
});
