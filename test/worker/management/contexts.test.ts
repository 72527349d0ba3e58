import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, type CallOptions } from "../support/client.ts";
import { adminToken, person } from "../support/people.ts";
import {
  inCountries,
  newFlag,
  newProject,
  newSegment,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

/** Sends a request to the contexts API, as the administrator unless `options` has another token. */
const send = async (method: string, path: string, options: CallOptions = {}) =>
  call(method, `/api/v1/contexts${path}`, { token: await adminToken(), ...options });

async function newContext(projectId: number, more: object = {}) {
  const key = unique("field");
  const body = { name: "A field", contextKey: key, contextType: "string", projectId, ...more };
  const answer = await send("POST", "", { body });
  expect(answer.status).toBe(201);
  return answer.body;
}

describe("a context definition", () => {
  it("is created, read, listed, changed and deleted; every write is audited", async () => {
    const { id: projectId } = await newProject();
    const country = { name: "Country", contextKey: "country", contextType: "string" };
    const created = await send("POST", "", { body: { ...country, projectId, unknown: 1 } });
    expect([created.status, created.headers.get("ETag")]).toEqual([201, '"1"']);
    const { id } = created.body;
    expect(created.body).toEqual({
      id: expect.any(Number),
      projectId,
      ...country,
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const read = await send("GET", `/${id}`);
    expect([read.status, read.headers.get("ETag"), read.body]).toEqual([200, '"1"', created.body]);

    const body = { name: "Land", contextKey: "country" };
    const changed = await send("PUT", `/${id}`, { body });
    expect([changed.status, changed.headers.get("ETag")]).toEqual([200, '"2"']);
    expect(changed.body).toEqual({ ...created.body, name: "Land", version: 2 });
    const listed = await send("GET", `?projectId=${projectId}`);
    expect([listed.body, listed.headers.get("X-Total-Count")]).toEqual([[changed.body], "1"]);

    expect((await send("DELETE", `/${id}`)).status).toBe(204);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await send(method, `/${id}`, method === "PUT" ? { body: {} } : {});
      expect([method, answer.status, answer.body.code]).toEqual([method, 404, "NOT_FOUND"]);
    }
    const rows = await env.DB.prepare(
      "SELECT action, project_id, before, after FROM audit WHERE entity_type = 'context' AND entity_id = ? ORDER BY id",
    )
      .bind(id)
      .raw();
    const renamed = { ...country, name: "Land" };
    expect(rows).toEqual([
      ["context.created", projectId, null, JSON.stringify(country)],
      ["context.updated", projectId, '{"name":"Country"}', '{"name":"Land"}'],
      ["context.deleted", projectId, JSON.stringify(renamed), null],
    ]);
  });

  it("returns 400 with an error for every invalid field of the body, and accepts each context type", async () => {
    const answer = await send("POST", "", { body: { contextKey: "", contextType: "colour" } });
    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    const fields = answer.body.details.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(["name", "contextKey", "contextType", "projectId"]);
    const { id: projectId } = await newProject();
    const body = { name: "n", contextKey: "k".repeat(201), contextType: "ip", projectId };
    expect((await send("POST", "", { body })).status).toBe(400);
    await newContext(projectId, { contextKey: "k".repeat(200) });
    for (const contextType of ["string", "number", "boolean", "date", "semver", "ip"])
      await newContext(projectId, { contextType });
  });

  it("is created only in an existing project, with a context key that the project does not use yet", async () => {
    const { id: projectId } = await newProject();
    const body = { name: "n", contextKey: "plan", contextType: "string", projectId };
    expect((await send("POST", "", { body: { ...body, projectId: 999_999_999 } })).status).toBe(
      404,
    );
    const answers = await Promise.all([1, 2, 3].map(() => send("POST", "", { body })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    await newContext((await newProject()).id, { contextKey: "plan" });
  });

  it("counts toward the quota of its project", async () => {
    const { id: projectId } = await newProject();
    await newContext(projectId);
    const body = { name: "n", contextKey: "one-more", contextType: "string", projectId };
    const token = await adminToken();
    const quota = { QUOTA_CONTEXTS: "1" };
    const answer = await callWith(quota, "POST", "/api/v1/contexts", { token, body });
    expect([answer.status, answer.body.code]).toEqual([402, "QUOTA_EXCEEDED"]);
  });

  it("rejects a change of its context key, because constraints refer to the key", async () => {
    const { id, contextKey } = await newContext((await newProject()).id);
    const body = { name: "Renamed", contextKey: "another" };
    const refused = await send("PUT", `/${id}`, { body });
    expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(refused.body.details).toEqual([
      { field: "contextKey", message: "cannot be changed; send the current key or omit the field" },
    ]);
    expect((await send("GET", `/${id}`)).body).toMatchObject({ name: "A field", version: 1 });
    expect((await send("PUT", `/${id}`, { body: { contextKey } })).status).toBe(200);
  });

  it("can change its type only when every value fits the new type", async () => {
    const { id } = await newContext((await newProject()).id);
    await send("PUT", `/${id}/values`, { body: [{ value: "1.5" }, { value: "two" }] });
    const refused = await send("PUT", `/${id}`, { body: { contextType: "number" } });
    expect([refused.status, refused.body.code]).toEqual([409, "CONFLICT"]);
    expect(refused.body.error).toContain('"two"');
    await send("PUT", `/${id}/values`, { body: [{ value: "1.5" }] });
    const taken = await send("PUT", `/${id}`, { body: { contextType: "number" } });
    expect([taken.status, taken.body.contextType]).toEqual([200, "number"]);
  });

  it("returns 412 for an update with an outdated ETag", async () => {
    const { id } = await newContext((await newProject()).id);
    const put = (etag: string, name: string) =>
      send("PUT", `/${id}`, { headers: { "If-Match": etag }, body: { name } });
    expect((await put('"1"', "first")).status).toBe(200);
    const late = await put('"1"', "second");
    expect([late.status, late.body.code]).toEqual([412, "CONFLICT"]);
  });

  it("is listed with each enriched flag whose constraints use its key, and can be deleted without a change of these constraints", async () => {
    const world = await newWorld();
    const { projectId, environmentId } = world;
    const country = await newContext(projectId, { contextKey: "country" });
    const plan = await newContext(projectId, { contextKey: "plan" });
    await newContext(projectId, { contextKey: "unused" });
    await newContext((await newProject()).id, { contextKey: "country" });
    const paying = { field: "plan", operator: "equals", values: ["pro"], contextType: "string" };
    const segment = await newSegment(projectId, [paying]);
    const flag = await newFlag(projectId);
    const constraints = [inCountries("DE")];
    await setStrategy(flag.id, { environmentId, constraints, segmentIds: [segment.id] });
    const enriched = async () => {
      const path = `/api/v1/flags/enriched?projectId=${projectId}`;
      return (await call("GET", path, { token: world.apiKey })).body.items[0];
    };
    const shown = [country, plan].map(({ id, name, contextKey, contextType }) => ({
      id,
      name,
      contextKey,
      contextType,
    }));
    expect((await enriched()).contexts).toEqual(shown);
    await send("DELETE", `/${country.id}`);
    const after = await enriched();
    expect(after.contexts).toEqual(shown.slice(1));
    expect(after.environments[0].strategy.constraints).toEqual(constraints);
  });
});

const statuses = async (answers: readonly Promise<{ readonly status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);
const repeated = (times: number, status: number) => Array.from({ length: times }, () => status);

describe("the permissions for context definitions and values", () => {
  let world: Awaited<ReturnType<typeof newWorld>>;
  let definitionId: number;
  let valueId: number;
  beforeAll(async () => {
    world = await newWorld();
    definitionId = (await newContext(world.projectId)).id;
    const created = await send("POST", `/${definitionId}/values`, { body: { value: "kept" } });
    valueId = created.body.id;
  });

  const reads = (token: string | undefined) => [
    send("GET", `?projectId=${world.projectId}`, { token }),
    send("GET", `/${definitionId}`, { token }),
    send("GET", `/${definitionId}/values`, { token }),
    send("GET", `/values/${valueId}`, { token }),
  ];
  /** Write requests that change nothing: their id does not exist, or they keep the content. */
  const writes = (token: string | undefined) => [
    send("POST", "", {
      token,
      body: { name: "n", contextKey: "k", contextType: "ip", projectId: 1e9 },
    }),
    send("PUT", `/${definitionId}`, { token, body: {} }),
    send("DELETE", "/999999999", { token }),
    send("POST", "/999999999/values", { token, body: { value: "v" } }),
    send("PUT", `/${definitionId}/values`, { token, body: [{ value: "kept" }] }),
    send("PUT", `/values/${valueId}`, { token, body: {} }),
    send("DELETE", "/values/999999999", { token }),
  ];

  it("let viewers read, let developers write, and reject callers without a token", async () => {
    const { token: viewer } = await person("VIEWER");
    expect(await statuses(reads(viewer))).toEqual(repeated(4, 200));
    expect(await statuses(writes(viewer))).toEqual(repeated(7, 403));
    const { token: developer } = await person("DEVELOPER");
    expect(await statuses(reads(developer))).toEqual(repeated(4, 200));
    expect(await statuses(writes(developer))).toEqual([404, 200, 404, 404, 200, 200, 404]);
    expect(await statuses([...reads(undefined), ...writes(undefined)])).toEqual(repeated(11, 401));
  });

  it("let a SERVER key read only the contexts of its own project", async () => {
    expect(await statuses(reads(world.apiKey))).toEqual(repeated(4, 200));
    expect(await statuses(writes(world.apiKey))).toEqual(repeated(7, 403));
    const { apiKey } = await newWorld();
    expect(await statuses(reads(apiKey))).toEqual(repeated(4, 403));
    expect((await send("GET", "", { token: apiKey })).body).toEqual([]);
  });
});
