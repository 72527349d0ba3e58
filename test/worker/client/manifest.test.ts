import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { callIn } from "../support/call-with.ts";
import { fail, faultyEnvironment } from "../support/faulty-bindings.ts";
import { fileFaults, manifestErrorFaults, manifestFaults } from "../support/manifest-schemas.ts";
import { asAdmin } from "../support/outcomes.ts";
import { countedCall } from "../support/statements.ts";
import { newFlag, newKey, newWorld } from "../support/world.ts";

const ROOTS = ["/api/openfeature/v0", "/openfeature/v0"];
const MANIFEST = "/api/openfeature/v0/manifest";

const variantsOf = (...values: readonly unknown[]) =>
  values.map((value, n) => ({ key: `variant-${n}`, value }));

async function flagsOf(apiKey: string): Promise<Json> {
  const { status, body } = await call("GET", MANIFEST, { token: apiKey });
  expect(status).toBe(200);
  return body.flags;
}

/** Returns the entry of a new flag in the manifest of a project with this flag only. */
async function entryOf(fields: object): Promise<Json> {
  const { projectId, apiKey } = await newWorld();
  await newFlag(projectId, fields);
  const [entry] = await flagsOf(apiKey);
  return entry;
}

describe("the manifest", () => {
  it("has key, name, type, description and default value of every flag, as OpenFeature describes it", async () => {
    const { projectId, apiKey } = await newWorld();
    await newFlag(projectId, { key: "checkout", name: "Checkout", description: "In one step" });
    const offVariant = "variant-1";
    for (const [key, valueType, ...values] of [
      ["title", "string", "Hello", "Welcome"],
      ["limit", "number", 10, 50],
      ["layout", "json", { columns: 1 }, { columns: 3 }],
    ])
      await newFlag(projectId, { key, valueType, variants: variantsOf(...values), offVariant });
    const { status, headers, body } = await call("GET", MANIFEST, { token: apiKey });
    expect(status).toBe(200);
    expect(headers.get("X-Manifest-Capabilities")).toBe("read");
    expect(headers.get("Content-Type")).toBe("application/json");
    const checkout = { key: "checkout", name: "Checkout", description: "In one step" };
    expect(body.flags).toEqual([
      { ...checkout, type: "boolean", defaultValue: false },
      { key: "title", name: "A flag", type: "string", defaultValue: "Welcome" },
      { key: "limit", name: "A flag", type: "integer", defaultValue: 50 },
      { key: "layout", name: "A flag", type: "object", defaultValue: { columns: 3 } },
    ]);
    expect(manifestFaults(body)).toEqual([]);
  });

  it("has the value of the first variant for a flag without an off variant", async () => {
    const values = variantsOf({ columns: 3 }, { columns: 1 });
    const entry = await entryOf({ valueType: "json", variants: values, offVariant: null });
    expect(entry).toMatchObject({ type: "object", defaultValue: { columns: 3 } });
    expect(manifestFaults({ flags: [entry] })).toEqual([]);
  });

  it.each([
    ["off", false],
    ["on", true],
    [null, false],
  ])(
    "has a default value for a boolean flag with the off variant %s: %s",
    async (offVariant, value) => {
      expect(await entryOf({ offVariant })).toMatchObject({ type: "boolean", defaultValue: value });
    },
  );

  it.each([
    ["integer", [1, 2, 3]],
    ["float", [1, 0.5]],
    ["float", [0.5, 1]],
    ["float", [1, 1e300]],
  ])("has the type %s for a number flag with the values %j", async (type, values) => {
    const variants = variantsOf(...values);
    const entry = await entryOf({ valueType: "number", variants, offVariant: "variant-0" });
    expect(entry).toMatchObject({ type, defaultValue: values[0] });
  });

  it("has only flags that fit the manifest file of the OpenFeature CLI", async () => {
    const { projectId, apiKey } = await newWorld();
    const create = (valueType: string, ...values: unknown[]) =>
      newFlag(projectId, { valueType, variants: variantsOf(...values) });
    await newFlag(projectId);
    await create("string", "a", "b");
    await create("number", 1, 2);
    await create("number", 0.5, 2);
    await create("json", { a: 1 });
    await create("json", [1, 2], "text");
    const flags = await flagsOf(apiKey);
    expect(flags).toHaveLength(6);
    for (const { type: flagType, defaultValue, description = "" } of flags)
      expect(fileFaults({ flagType, defaultValue, description })).toEqual([]);
  });

  it("has a new flag at once, an archived flag no longer, and no flag of another project", async () => {
    const { projectId, apiKey } = await newWorld();
    await newFlag((await newWorld()).projectId);
    expect(await flagsOf(apiKey)).toEqual([]);
    const flag = await newFlag(projectId, { key: "short-lived" });
    expect(await flagsOf(apiKey)).toMatchObject([{ key: "short-lived" }]);
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    expect(await flagsOf(apiKey)).toEqual([]);
  });

  it("is read with one D1 statement after the key check, for any number of flags", async () => {
    const { projectId, apiKey } = await newWorld();
    for (let n = 0; n < 30; n++) await newFlag(projectId);
    await call("GET", MANIFEST, { token: apiKey });
    const { statements } = await countedCall("GET", MANIFEST, { token: apiKey });
    // A busy machine may take longer than the lease of the key, which is then checked again.
    expect(statements).toBeLessThanOrEqual(2);
  });

  it("returns 304 for its ETag until a flag of the project changes, also only its description", async () => {
    const { projectId, apiKey } = await newWorld();
    const flag = await newFlag(projectId, { key: "checkout" });
    const read = (etag?: string | null) =>
      call("GET", MANIFEST, { token: apiKey, headers: etag ? { "If-None-Match": etag } : {} });
    const first = await read();
    const etag = first.headers.get("ETag");
    const same = await read(etag);
    expect([same.status, same.body, same.headers.get("ETag")]).toEqual([304, "", etag]);
    expect((await read()).body).toEqual(first.body);
    const description = "x".repeat(600);
    await asAdmin("PUT", `/api/v1/flags/${flag.id}`, { description });
    const changed = await read(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get("ETag")).not.toBe(etag);
    expect(changed.body.flags).toMatchObject([{ description: "x".repeat(500) }]);
  });

  it("reads no flag again until one has changed", async () => {
    const { projectId, apiKey } = await newWorld();
    await newFlag(projectId, { key: "checkout" });
    const read = () => call("GET", MANIFEST, { token: apiKey });
    const first = await read();
    // Changes the flag without an event, which no request can do.
    await env.DB.prepare("UPDATE flags SET name = 'Unread' WHERE project_id = ?")
      .bind(projectId)
      .run();
    expect((await read()).body).toEqual(first.body);
  });
});

describe.each(ROOTS)("the manifest under %s", (root) => {
  let world: Awaited<ReturnType<typeof newWorld>>;
  beforeAll(async () => {
    world = await newWorld();
    await newFlag(world.projectId, { key: "checkout" });
  });
  const errorOf = async (method: string, path: string, token?: string) => {
    const answer = await call(method, path, { token });
    expect(manifestErrorFaults(answer.body)).toEqual([]);
    const { error, code } = answer.body;
    expect(error.status).toBe(answer.status);
    expect(error.message).not.toBe("");
    return `${answer.status} ${code}`;
  };

  it("has the flags of the project, and no body for HEAD", async () => {
    const token = world.apiKey;
    const { status, body } = await call("GET", `${root}/manifest`, { token });
    expect([status, body.flags]).toMatchObject([200, [{ key: "checkout" }]]);
    const head = await call("HEAD", `${root}/manifest`, { token });
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  it("returns errors as OpenFeature describes them", async () => {
    const { apiKey: frontendKey } = await newKey(world.environmentId, "FRONTEND");
    const manifest = `${root}/manifest`;
    expect(await errorOf("GET", manifest)).toBe("401 UNAUTHORIZED");
    expect(await errorOf("GET", manifest, "x".repeat(64))).toBe("401 UNAUTHORIZED");
    expect(await errorOf("GET", manifest, frontendKey)).toBe("403 FORBIDDEN");
    expect(await errorOf("POST", manifest, world.apiKey)).toBe("405 METHOD_NOT_ALLOWED");
    const flags = `${manifest}/flags`;
    expect(await errorOf("POST", flags, world.apiKey)).toBe("404 NOT_FOUND");
  });

  it("returns 503 with an error as OpenFeature describes it while the database is unavailable", async () => {
    const token = world.apiKey;
    await call("GET", `${root}/manifest`, { token });
    const { env: faulty, at } = faultyEnvironment();
    at.DB.fault = fail;
    const { status, body } = await callIn(faulty, "GET", `${root}/manifest`, { token });
    expect([status, body.error.status, body.code]).toEqual([503, 503, "SERVICE_UNAVAILABLE"]);
    expect(manifestErrorFaults(body)).toEqual([]);
  });
});

it("GET below /openfeature shows the dashboard, except for the manifest", async () => {
  const get = (path: string) => exports.default.fetch(new Request(`https://flags.test${path}`));
  for (const path of [
    "/openfeature/about",
    "/openfeature/v0/other",
    "/openfeature/v0/manifest/x",
  ]) {
    const response = await get(path);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      expect.stringContaining("text/html") as string,
    ]);
  }
  expect((await get("/openfeature/v0/manifest")).status).toBe(401);
  expect((await get("/api/openfeature/v0/other")).status).toBe(404);
});
