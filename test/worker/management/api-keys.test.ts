import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { auditOf, wholeDatabase } from "../support/records.ts";
import { keyShape } from "../support/shapes.ts";
import { newEnvironment, newFlag, newKey, newProject, newWorld, unique } from "../support/world.ts";

const path = "/api/v1/api-keys";

const idsOf = async (query: string) =>
  (await asAdmin("GET", `${path}?${query}`)).body.map(({ id }: { id: number }) => id);

describe("API keys", () => {
  it.each(["SERVER", "FRONTEND"])(
    "of type %s are created for one environment, each with its own text",
    async (keyType) => {
      const { id: projectId } = await newProject();
      const { id: environmentId } = await newEnvironment(projectId);
      const body = { name: unique("key"), keyType, environmentId };
      const answer = await asAdmin("POST", path, body);
      expect(answer.status).toBe(201);
      const apiKey: unknown = expect.stringMatching(/^[A-Za-z0-9_-]{64}$/);
      expect(answer.body).toEqual({ ...keyShape, ...body, projectId, apiKey });
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(answer.body.preview).toBe(answer.body.apiKey.slice(-4));
      expect((await newKey(environmentId)).apiKey).not.toBe(answer.body.apiKey);
    },
  );

  it("appear in the response that creates them, and in no other response, audit record or database row", async () => {
    const { apiKey, keyId, environmentId } = await newWorld();
    const created = await asAdmin("POST", path, { name: "k", keyType: "SERVER", environmentId });
    const list = (await asAdmin("GET", path)).body;
    const renamed = (await asAdmin("PUT", `${path}/${keyId}`, { name: unique("key") })).body;
    const records = [list, renamed, await auditOf(created), await wholeDatabase()];
    const text = JSON.stringify(records);
    expect(text).not.toContain(apiKey);
    expect(text).not.toContain(created.body.apiKey);
    expect(Object.keys(list[0]).toSorted()).toEqual(
      [...Object.keys(keyShape), "name", "keyType", "environmentId", "projectId"].toSorted(),
    );
  });

  it("are searched by a part of their name, without regard to case", async () => {
    const { projectId, environmentId } = await newWorld();
    const name = `Ärzte ${unique("ΑΒΓΔ")}`;
    const { body } = await asAdmin("POST", path, { name, keyType: "SERVER", environmentId });
    const search = (text: string) =>
      idsOf(`projectId=${projectId}&search=${encodeURIComponent(text)}`);
    expect(await search(name.toLowerCase())).toEqual([body.id]);
    expect(await search("nobody")).toEqual([]);
  });

  it("are listed by project and by environment", async () => {
    const [mine, other] = [await newWorld(), await newWorld()];
    const second = await newEnvironment(mine.projectId);
    const inSecond = await newKey(second.id);
    expect(await idsOf(`projectId=${mine.projectId}`)).toEqual([mine.keyId, inSecond.id]);
    expect(await idsOf(`environmentId=${second.id}`)).toEqual([inSecond.id]);
    expect(await idsOf(`projectId=${other.projectId}&environmentId=${second.id}`)).toEqual([]);
    expect(await idsOf("")).toEqual(expect.arrayContaining([mine.keyId, inSecond.id, other.keyId]));
  });

  it("are renamed without any other change, even when the body contains other fields", async () => {
    const { environmentId } = await newWorld();
    const { apiKey: _, ...key } = await newKey(environmentId, "FRONTEND");
    const name = unique("renamed");
    const body = { name, keyType: "SERVER", environmentId: 1 };
    const answer = await asAdmin("PUT", `${path}/${key.id}`, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...key, name });
  });

  it("can write by default if they are SERVER keys, and never if they are FRONTEND keys", async () => {
    const { environmentId } = await newWorld();
    const create = (more: object) =>
      asAdmin("POST", path, { name: unique("key"), environmentId, ...more });
    const canWrite = async (more: object) => (await create(more)).body.canWrite;
    expect(await canWrite({ keyType: "SERVER" })).toBe(true);
    expect(await canWrite({ keyType: "SERVER", canWrite: false })).toBe(false);
    expect(await canWrite({ keyType: "FRONTEND" })).toBe(false);
    const refused = await create({ keyType: "FRONTEND", canWrite: true });
    expect(outcome(refused)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(refused)).toEqual(["canWrite"]);
    const { id } = await newKey(environmentId, "FRONTEND");
    expect(outcome(await asAdmin("PUT", `${path}/${id}`, { name: "x", canWrite: true }))).toBe(
      "400 VALIDATION_ERROR",
    );
  });

  it("write or only read from the next request on when an administrator changes canWrite", async () => {
    const { apiKey: token, keyId, environmentId, projectId } = await newWorld();
    const flag = await newFlag(projectId);
    const write = async () =>
      outcome(
        await call("PUT", `/api/v1/flags/${flag.id}/strategies`, {
          token,
          body: { environmentId, enabled: true },
        }),
      );
    expect(await write()).toBe("200");
    const readOnly = await asAdmin("PUT", `${path}/${keyId}`, { name: "k", canWrite: false });
    expect(readOnly.body.canWrite).toBe(false);
    expect(await auditOf(readOnly)).toMatchObject([
      { before: { canWrite: true }, after: { canWrite: false } },
    ]);
    expect(await write()).toBe("403 FORBIDDEN");
    expect(outcome(await call("GET", "/api/v1/flags", { token }))).toBe("200");
    expect(outcome(await call("GET", "/api/client/features", { token }))).toBe("200");
    expect((await asAdmin("PUT", `${path}/${keyId}`, { name: "renamed" })).body.canWrite).toBe(
      false,
    );
    await asAdmin("PUT", `${path}/${keyId}`, { name: "k", canWrite: true });
    expect(await write()).toBe("200");
  });

  it("are rejected by both APIs after the 204 response to their deletion", async () => {
    const { apiKey: token, keyId, environmentId } = await newWorld();
    const other = await newKey(environmentId);
    expect((await call("GET", "/api/v1/flags", { token })).status).toBe(200);
    expect((await call("GET", "/api/client/features", { token })).status).toBe(200);
    const answer = await asAdmin("DELETE", `${path}/${keyId}`);
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(outcome(await call("GET", "/api/v1/flags", { token }))).toBe("401 UNAUTHORIZED");
    expect(outcome(await call("GET", "/api/client/features", { token }))).toBe("401 UNAUTHORIZED");
    const evaluate = await call("POST", "/api/client/evaluate", { token, body: { context: {} } });
    expect(outcome(evaluate)).toBe("401 UNAUTHORIZED");
    expect((await call("GET", "/api/v1/flags", { token: other.apiKey })).status).toBe(200);
    expect(outcome(await asAdmin("DELETE", `${path}/${keyId}`))).toBe("404 NOT_FOUND");
    expect(outcome(await asAdmin("PUT", `${path}/${keyId}`, { name: "x" }))).toBe("404 NOT_FOUND");
  });

  it("are not created with a projectId that is not the project of the environment (400)", async () => {
    const { id: projectId } = await newProject();
    const { id: environmentId } = await newEnvironment(projectId);
    const body = { name: "k", keyType: "SERVER", environmentId };
    expect((await asAdmin("POST", path, { ...body, projectId })).status).toBe(201);
    const wrong = await asAdmin("POST", path, { ...body, projectId: (await newProject()).id });
    expect(outcome(wrong)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(wrong)).toEqual(["projectId"]);
  });
});
