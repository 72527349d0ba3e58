import { describe, expect, it } from "vitest";
import type { Json } from "../support/client.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { auditOf } from "../support/records.ts";
import { environmentShape, projectShape, segmentShape, time } from "../support/shapes.ts";
import {
  inCountries,
  newContext,
  newFlag,
  newProject,
  newWorld,
  unique,
} from "../support/world.ts";

const id: unknown = expect.any(Number);
const GREY = "#868e96";
const RED = "#FA5252";

/** How the resources of one kind are created and changed. */
interface Kind {
  readonly path: string;
  /** The path of the list, if it is not the path of the kind. */
  readonly list?: (parent: Json) => string;
  /** Creates the parent of the new resource. */
  readonly parent: () => Promise<Json>;
  readonly body: (parent: Json) => object;
  /** The fields that a response has in addition to the body. */
  readonly shape: object;
  /** Updates, each of which changes all of its fields. */
  readonly changes: readonly object[];
  /** The fields that are in audit records. */
  readonly content: readonly string[];
}

const inProject = { parent: newProject };
const KINDS: Readonly<Record<string, Kind>> = {
  project: {
    path: "projects",
    list: () => "projects",
    parent: async () => ({}),
    body: () => ({ name: unique("project"), description: "About\nit" }),
    shape: projectShape,
    changes: [
      { description: null },
      { staleDays: 14 },
      { newFlagClients: "server" },
      { visibility: "members" },
    ],
    content: ["name", "description", "staleDays", "newFlagClients", "visibility"],
  },
  environment: {
    ...inProject,
    path: "environments",
    body: ({ id: projectId }) => ({ name: "eu-west", production: true, projectId }),
    shape: { ...environmentShape, revision: 1 },
    changes: [{ name: "production" }, { name: "us", production: false }],
    content: ["name", "production"],
  },
  segment: {
    ...inProject,
    path: "segments",
    body: ({ id: projectId }) => ({
      name: "Beta",
      description: "Testers",
      projectId,
      constraints: [
        { ...inCountries("de", "at"), caseInsensitive: true },
        { field: "age", operator: "gte", values: ["18"], contextType: "number", inverted: true },
        { field: "email", operator: "exists", values: [], contextType: "string" },
      ],
    }),
    shape: segmentShape,
    changes: [
      { constraints: [inCountries("fr")] },
      { name: "Gamma", description: null },
      { constraints: [] },
    ],
    content: ["name", "description", "constraints"],
  },
  tag: {
    ...inProject,
    path: "tags",
    body: ({ id: projectId }) => ({ name: "checkout", color: GREY, projectId }),
    shape: { id, version: 1, createdAt: time },
    changes: [{ color: RED }, { name: "basket", color: "#aBc" }],
    content: ["name", "color"],
  },
  context: {
    ...inProject,
    path: "contexts",
    body: ({ id: projectId }) => ({
      name: "Country",
      contextKey: "country",
      contextType: "string",
      projectId,
    }),
    shape: { id, version: 1, createdAt: time },
    changes: [{ name: "Land" }, { contextType: "number" }],
    content: ["name", "contextKey", "contextType"],
  },
  "context-value": {
    path: "contexts/values",
    list: ({ id: definitionId }) => `contexts/${definitionId}/values`,
    parent: async () => newContext((await newProject()).id),
    body: () => ({ value: "DE", description: "Germany" }),
    shape: { id, definitionId: id, version: 1, createdAt: time },
    changes: [{ value: "AT" }, { description: null }],
    content: ["value", "description"],
  },
};

const send = (method: string, path: string, body?: object) =>
  asAdmin(method, `/api/v1/${path}`, body);

const picked = (fields: readonly string[], from: Json): Json =>
  Object.fromEntries(fields.map((field) => [field, from[field]]));

describe.each(Object.entries(KINDS))("a resource of the kind %s", (entity, kind) => {
  const { path, body, shape, changes, content } = kind;
  const listOf = (parent: Json) => kind.list?.(parent) ?? `${path}?projectId=${parent.id}`;
  const posted = entity === "context-value" ? listOf : () => path;

  it("is created, read, listed, changed field by field and deleted, with an audit record for every write", async () => {
    const parent = await kind.parent();
    const other = await kind.parent();
    const made = body(parent);
    const foreign = await send("POST", posted(other), body(other));
    expect(foreign.status).toBe(201);
    const created = await send("POST", posted(parent), {
      ...made,
      id: 5,
      version: 9,
      unknown: [1],
    });
    expect([created.status, created.body]).toEqual([201, { ...shape, ...made }]);
    const at = `${path}/${created.body.id}`;
    const read = await send("GET", at);
    expect([read.status, read.body]).toEqual([200, created.body]);
    expect(read.headers.get("ETag")).toBe(created.headers.get("ETag"));
    const written = [created];
    let { body: shown } = created;
    const updates: Json[] = [];
    for (const change of changes) {
      const changed = await send("PUT", at, change);
      updates.push({ before: picked(Object.keys(change), shown), after: change });
      const version = "version" in shown ? { version: shown.version + 1 } : {};
      const updatedAt = "updatedAt" in shown ? { updatedAt: time } : {};
      expect(changed.body).toEqual({ ...shown, ...change, ...version, ...updatedAt });
      written.push(changed);
      shown = changed.body;
    }
    const isOwn = ({ id: listed }: Json) => entity !== "project" || listed === shown.id;
    expect((await send("GET", listOf(parent))).body.filter(isOwn)).toEqual([shown]);
    for (const list of entity === "context-value" ? [] : [path])
      expect((await send("GET", list)).body).toEqual(expect.arrayContaining([shown, foreign.body]));

    const deleted = await send("DELETE", at);
    expect([deleted.status, deleted.body]).toEqual([204, ""]);
    for (const method of ["GET", "PUT", "DELETE"])
      expect(outcome(await send(method, at, method === "PUT" ? changes[0] : undefined))).toBe(
        "404 NOT_FOUND",
      );
    const records = (await Promise.all([...written, deleted].map(auditOf))).flat();
    const about = { entity_type: entity, entity_id: created.body.id };
    const key = entity === "context-value" ? { contextKey: parent.contextKey } : {};
    const contentOf = (from: Json) => ({ ...key, ...picked(content, from) });
    expect(records).toMatchObject([
      { ...about, action: `${entity}.created`, before: null },
      ...updates.map((update) => Object.assign(update, about, { action: `${entity}.updated` })),
      { ...about, action: `${entity}.deleted`, after: null },
    ]);
    expect(records[0].after).toEqual(contentOf(created.body));
    expect(records.at(-1).before).toEqual(contentOf(shown));
  });
});

describe("the body of a request", () => {
  const long = "x".repeat(201);
  it.each<[string, unknown, string[]]>([
    ["projects", {}, ["name"]],
    ["projects", { name: "   " }, ["name"]],
    ["projects", { name: null, description: 5 }, ["description", "name"]],
    ["projects", { name: long, description: "x".repeat(2001) }, ["description", "name"]],
    ["projects", [], [""]],
    ["projects", null, [""]],
    ["projects", "text", [""]],
    ["projects", { name: "n", staleDays: 0 }, ["staleDays"]],
    ["projects", { name: "n", staleDays: 1.5 }, ["staleDays"]],
    ["projects", { name: "n", staleDays: 3651 }, ["staleDays"]],
    ["projects", { name: "n", staleDays: "40" }, ["staleDays"]],
    ["environments", { projectId: "1" }, ["name", "projectId"]],
    ["environments", { name: "", projectId: 0 }, ["name", "projectId"]],
    ["environments", { name: long, projectId: 1.5 }, ["name", "projectId"]],
    ["environments", { name: {}, projectId: null }, ["name", "projectId"]],
    ["environments", { name: "e", production: "yes" }, ["production"]],
    ["segments", { name: "", description: 5, projectId: 0 }, ["description", "name", "projectId"]],
    ["tags", { name: " ", color: "red" }, ["color", "name", "projectId"]],
    ["tags", { name: "t", color: "#868e9", projectId: 1 }, ["color"]],
    ["tags", { name: "t", color: "#868e96f", projectId: 1 }, ["color"]],
    ["tags", { name: "t", color: "868e96", projectId: 1 }, ["color"]],
    ["tags", { name: "t", color: "#GGGGGG", projectId: 1 }, ["color"]],
    ["tags", { name: "t", color: "#868e96\n", projectId: 1 }, ["color"]],
    ["tags", { name: "t", color: null, projectId: 1 }, ["color"]],
    [
      "contexts",
      { contextKey: "", contextType: "colour" },
      ["contextKey", "contextType", "name", "projectId"],
    ],
    ["contexts", { name: "n", contextKey: long, contextType: "ip", projectId: 1 }, ["contextKey"]],
    ["contexts/1/values", {}, ["value"]],
    ["contexts/1/values", { value: "v".repeat(513) }, ["value"]],
    ["contexts/1/values", { value: 1, description: "d".repeat(2001) }, ["description", "value"]],
    ["api-keys", {}, ["environmentId", "keyType", "name"]],
    [
      "api-keys",
      { name: "", keyType: "server", environmentId: "1" },
      ["environmentId", "keyType", "name"],
    ],
    ["api-keys", { name: "k", keyType: "ADMIN", environmentId: 1 }, ["keyType"]],
    [
      "api-keys",
      { name: long, keyType: null, environmentId: -1 },
      ["environmentId", "keyType", "name"],
    ],
    ["flags", {}, ["flagType", "key", "name", "projectId"]],
    [
      "flags",
      { key: "a b", name: " ", description: "x".repeat(2001), flagType: "release", projectId: "1" },
      ["description", "flagType", "key", "name", "projectId"],
    ],
    [
      "integrations",
      {},
      ["configJson", "enabled", "eventSubscriptionsJson", "name", "projectId", "type"],
    ],
  ])(
    "for a new resource returns 400 with an error for every invalid field: %s %j",
    async (path, body, fields) => {
      const answer = await asAdmin("POST", `/api/v1/${path}`, JSON.stringify(body));
      expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
      expect(invalidFields(answer)).toEqual(fields);
    },
  );

  it("for a new resource is accepted with null as the description, and with texts of the largest allowed size", async () => {
    const { projectId } = await newWorld();
    const bodies: [string, object][] = [
      ["projects", { name: unique("n").padEnd(200, "x"), description: "d".repeat(2000) }],
      ["projects", { name: unique("n"), description: null }],
      ["contexts", { name: "n", contextKey: "k".repeat(200), contextType: "ip", projectId }],
    ];
    for (const [path, body] of bodies)
      expect([path, (await send("POST", path, body)).status]).toEqual([path, 201]);
    const { id: definitionId } = await newContext(projectId);
    const value = { value: "v".repeat(512), description: "d".repeat(2000) };
    expect((await send("POST", `contexts/${definitionId}/values`, value)).status).toBe(201);
  });
});

describe("the id in the path of a resource", () => {
  it.each(["1e3", "0x1", "%00", "1%20", "٣"])("returns 400 when it is %s", async (odd) => {
    for (const method of ["GET", "DELETE"])
      expect(outcome(await send(method, `projects/${odd}`))).toBe("400 BAD_REQUEST");
  });

  it("returns 404 when it is the largest safe integer", async () => {
    expect(outcome(await send("GET", `projects/${Number.MAX_SAFE_INTEGER}`))).toBe("404 NOT_FOUND");
  });
});

describe("an environment", () => {
  it("is production only if the request says so, whatever its name, and stays so when an update leaves `production` out", async () => {
    const { id: projectId } = await newProject();
    const create = async (body: object) =>
      (await send("POST", "environments", { ...body, projectId })).body;
    const live = await create({ name: "eu-west", production: true });
    expect((await create({ name: "production" })).production).toBe(false);
    await send("PUT", `environments/${live.id}`, { name: "eu-central" });
    const listed = (await send("GET", `environments?projectId=${projectId}`)).body;
    const both = [
      { name: "eu-central", production: true },
      { name: "production", production: false },
    ];
    expect(listed).toMatchObject(both);
    await newFlag(projectId);
    const enriched = await send("GET", `flags/enriched?projectId=${projectId}`);
    expect(enriched.body.items[0].environments).toMatchObject(both);
  });
});
