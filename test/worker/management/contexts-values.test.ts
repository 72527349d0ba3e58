import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, type CallOptions, type Json } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { newProject, unique } from "../support/world.ts";

/** Sends a request to the contexts API, as the administrator unless `options` has another token. */
const send = async (method: string, path: string, options: CallOptions = {}) =>
  call(method, `/api/v1/contexts${path}`, { token: await adminToken(), ...options });

async function newContext(contextType = "string"): Promise<{ id: number; contextKey: string }> {
  const { id: projectId } = await newProject();
  const body = { name: "A field", contextKey: unique("field"), contextType, projectId };
  return (await send("POST", "", { body })).body;
}

const add = (definitionId: number, body: object) =>
  send("POST", `/${definitionId}/values`, { body });
const replace = (definitionId: number, values: readonly Json[], etag?: string) =>
  send("PUT", `/${definitionId}/values`, {
    body: values.map((value) => (typeof value === "string" ? { value } : value)),
    ...(etag !== undefined && { headers: { "If-Match": etag } }),
  });
const list = (definitionId: number) => send("GET", `/${definitionId}/values`);
const texts = (rows: readonly Json[]): string[] => rows.map(({ value }) => value);
const versionOf = async (definitionId: number): Promise<number> =>
  (await send("GET", `/${definitionId}`)).body.version;

/** The statuses of concurrent requests, in ascending order. */
const sorted = (answers: readonly { readonly status: number }[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

const auditOf = async (entityType: string, id: number) => {
  const statement = env.DB.prepare(
    "SELECT action, before, after FROM audit WHERE entity_type = ? AND entity_id = ? ORDER BY id",
  );
  const rows = await statement.bind(entityType, id).raw<(string | null)[]>();
  return rows.map(([action, before, after]) => ({
    action,
    before: JSON.parse(before ?? "null"),
    after: JSON.parse(after ?? "null"),
  }));
};

describe("a context value", () => {
  it("is created, read, listed, changed and deleted; every write is audited and increments the version of its context", async () => {
    const { id: definitionId, contextKey } = await newContext();
    const created = await add(definitionId, { value: "DE", description: "Germany", unknown: 1 });
    expect([created.status, created.headers.get("ETag")]).toEqual([201, '"1"']);
    const { id } = created.body;
    expect(created.body).toEqual({
      id: expect.any(Number),
      definitionId,
      value: "DE",
      description: "Germany",
      version: 1,
      createdAt: expect.stringMatching(/Z$/),
    });
    const read = await send("GET", `/values/${id}`);
    expect([read.status, read.headers.get("ETag"), read.body]).toEqual([200, '"1"', created.body]);
    expect(await versionOf(definitionId)).toBe(2);

    const changed = await send("PUT", `/values/${id}`, { body: { value: "AT" } });
    expect([changed.status, changed.headers.get("ETag")]).toEqual([200, '"2"']);
    expect(changed.body).toEqual({ ...created.body, value: "AT", version: 2 });
    const emptied = await send("PUT", `/values/${id}`, { body: { description: null } });
    expect(emptied.body).toEqual({ ...changed.body, description: null, version: 3 });
    const listed = await list(definitionId);
    expect([listed.status, listed.headers.get("ETag")]).toEqual([200, '"4"']);
    expect(listed.body).toEqual([emptied.body]);

    expect((await send("DELETE", `/values/${id}`)).status).toBe(204);
    expect(await versionOf(definitionId)).toBe(5);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await send(method, `/values/${id}`, method === "PUT" ? { body: {} } : {});
      expect([method, answer.status]).toEqual([method, 404]);
    }
    const [first, last] = [
      { contextKey, value: "DE", description: "Germany" },
      { contextKey, value: "AT", description: null },
    ];
    const action = "context-value.updated";
    expect(await auditOf("context-value", id)).toEqual([
      { action: "context-value.created", before: null, after: first },
      { action, before: { value: "DE" }, after: { value: "AT" } },
      { action, before: { description: "Germany" }, after: { description: null } },
      { action: "context-value.deleted", before: last, after: null },
    ]);
  });

  it("is unique within its context (409), and needs an existing context (404)", async () => {
    const { id } = await newContext();
    const answers = await Promise.all([1, 2, 3].map(() => add(id, { value: "same" })));
    expect(sorted(answers)).toEqual([201, 409, 409]);
    const other = await add(id, { value: "other" });
    const body = { value: "same" };
    expect((await send("PUT", `/values/${other.body.id}`, { body })).status).toBe(409);
    expect((await add((await newContext()).id, body)).status).toBe(201);
    expect((await add(999_999_999, body)).status).toBe(404);
    expect((await list(999_999_999)).status).toBe(404);
    expect((await replace(999_999_999, ["a"])).status).toBe(404);
  });

  it("can be added at the same time as 29 other values", async () => {
    const { id } = await newContext();
    const names = Array.from({ length: 30 }, (_, n) => `value-${n}`);
    const answers = await Promise.all(names.map((value) => add(id, { value })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(texts((await list(id)).body).toSorted()).toEqual(names.toSorted());
    expect(await versionOf(id)).toBe(31);
  });

  it.each([
    ["number", ["1", "-1.5e3"], ["0x1", "one", " 1"]],
    ["boolean", ["true", "false"], ["TRUE", "1"]],
    ["date", ["2026-01-02", "2026-01-02T03:04:05Z"], ["2026-02-30", "tomorrow"]],
    ["semver", ["1.2.3", "2.0.0-rc.1"], ["1.2", "v1.2.3"]],
    ["ip", ["10.0.0.1", "::1"], ["10.0.0.256", "10.0.0.0/8"]],
  ])("is rejected when it does not fit the context type %s", async (contextType, good, bad) => {
    const { id } = await newContext(contextType);
    for (const value of good)
      expect([value, (await add(id, { value })).status]).toEqual([value, 201]);
    const [first] = (await list(id)).body;
    for (const value of bad) {
      const added = await add(id, { value });
      expect([value, added.status, added.body.code]).toEqual([value, 400, "VALIDATION_ERROR"]);
      expect(added.body.details).toMatchObject([{ field: "value" }]);
      const changed = await send("PUT", `/values/${first.id}`, { body: { value } });
      expect([value, changed.status]).toEqual([value, 400]);
      expect(changed.body.details).toEqual(added.body.details);
    }
    const replaced = await replace(id, [...bad, ...good]);
    const fields = replaced.body.details.map(({ field }: Json) => field);
    expect([replaced.status, fields]).toEqual([400, bad.map((_, n) => `${n}.value`)]);
    expect(texts((await list(id)).body)).toEqual(good);
  });

  it("always fits the context type, even when the type is changed at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await newContext();
      const [added, changed] = await Promise.all([
        add(id, { value: "two" }),
        send("PUT", `/${id}`, { body: { contextType: "number" } }),
      ]);
      const outcome = [added.status, changed.status];
      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual(outcome);
    }
  });

  it("has 1 to 512 characters, and a description of at most 2,000 characters", async () => {
    const { id } = await newContext();
    for (const body of [
      { value: "v".repeat(513) },
      { value: "" },
      { value: 1 },
      { value: "v", description: "d".repeat(2001) },
      {},
      [],
    ])
      expect((await add(id, body)).status).toBe(400);
    const body = { value: "v".repeat(512), description: "d".repeat(2000) };
    expect((await add(id, body)).status).toBe(201);
  });

  it("is changed by only one of four simultaneous updates with the same If-Match; the others return 412", async () => {
    const { id } = (await add((await newContext()).id, { value: "v" })).body;
    const put = (etag: string, description: string) =>
      send("PUT", `/values/${id}`, { headers: { "If-Match": etag }, body: { description } });
    const racers = await Promise.all(["a", "b", "c", "d"].map((text) => put('"1"', text)));
    expect(sorted(racers)).toEqual([200, 412, 412, 412]);
  });
});

describe("replacing the values of a context", () => {
  it("keeps the ids of values that stay, adds new values, removes the others, and is audited", async () => {
    const { id } = await newContext();
    const first = await replace(id, ["a", { value: "b", description: "B" }, "c"]);
    expect([first.status, first.headers.get("ETag")]).toEqual([200, '"2"']);
    expect(first.body.map(({ description }: Json) => description)).toEqual([null, "B", null]);
    const second = await replace(id, ["d", { value: "c", description: "C" }, "a"]);
    expect(second.headers.get("ETag")).toBe('"3"');
    const [a, , c] = first.body;
    expect(second.body).toEqual([
      a,
      { ...c, description: "C", version: 2 },
      expect.objectContaining({ value: "d", description: null, version: 1 }),
    ]);
    const listed = await list(id);
    expect([listed.body, listed.headers.get("ETag")]).toEqual([second.body, '"3"']);
    expect((await auditOf("context", id)).at(-1)).toEqual({
      action: "context.values-replaced",
      before: {
        values: [
          { value: "b", description: "B" },
          { value: "c", description: null },
        ],
      },
      after: {
        values: [
          { value: "c", description: "C" },
          { value: "d", description: null },
        ],
      },
    });
    expect((await replace(id, [])).body).toEqual([]);
  });

  it("with the same values in another order changes nothing, not even the version", async () => {
    const { id } = await newContext();
    await replace(id, ["a", "b"]);
    const records = await auditOf("context", id);
    const again = await replace(id, ["b", "a"]);
    expect([again.status, again.headers.get("ETag"), texts(again.body)]).toEqual([
      200,
      '"2"',
      ["a", "b"],
    ]);
    expect(await auditOf("context", id)).toEqual(records);
  });

  it("rejects duplicates with their positions, and more than 1,000 values", async () => {
    const { id } = await newContext();
    const twice = await replace(id, ["a", "b", "a", "c", "b"]);
    expect([twice.status, twice.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(twice.body.details.map(({ field }: Json) => field)).toEqual(["2.value", "4.value"]);
    const many = Array.from({ length: 1001 }, (_, n) => `v${n}`);
    expect((await replace(id, many)).status).toBe(400);
    expect((await send("PUT", `/${id}/values`, { body: { value: "a" } })).status).toBe(400);
    expect((await replace(id, many.slice(1))).body).toHaveLength(1000);
    const full = await add(id, { value: "one more" });
    expect([full.status, full.body.code]).toEqual([402, "QUOTA_EXCEEDED"]);
    const slice = await send("GET", `/${id}/values?page=9&size=100`);
    expect([slice.body.length, slice.headers.get("X-Total-Count")]).toEqual([100, "1000"]);
    expect(slice.body[99].value).toBe("v1000");
  });

  it("audits every changed value, even when 1,000 values change", async () => {
    const { id } = await newContext();
    // The descriptions of the old values have 6 MB in total. A D1 row holds 2 MB, so the change
    // needs several audit records.
    await env.DB.prepare(
      `INSERT INTO context_values (definition_id, value, description, created_at)
        SELECT ?, 'old' || key, replace(printf('%2000s', ''), ' ', '€'), 0 FROM json_each(?)`,
    )
      .bind(id, JSON.stringify(Array.from({ length: 1000 }, () => 0)))
      .run();
    const wanted = Array.from({ length: 480 }, (_, n) => ({
      value: `new${n}`,
      description: "d".repeat(2000),
    }));
    expect((await replace(id, wanted)).status).toBe(200);
    expect((await send("DELETE", `/${id}`)).status).toBe(204);
    const records = await auditOf("context", id);
    const named = (action: string, side: "before" | "after"): Json[] =>
      records.filter((record) => record.action === action).flatMap((record) => record[side].values);
    expect(named("context.values-replaced", "before")).toHaveLength(1000);
    expect(named("context.values-replaced", "after")).toEqual(wanted);
    expect(named("context.values-deleted", "before")).toEqual(wanted);
    const left = env.DB.prepare("SELECT 1 FROM context_values WHERE definition_id = ?").bind(id);
    expect((await left.all()).results).toEqual([]);
  });

  it("by ten simultaneous requests leaves exactly the values of one request", async () => {
    const { id } = await newContext();
    await replace(id, ["shared", "first"]);
    const sets = Array.from({ length: 10 }, (_, n) => [
      "shared",
      ...Array.from({ length: 5 }, (__, m) => `set-${n}-${m}`),
    ]);
    const answers = await Promise.all(sets.map((set) => replace(id, set)));
    expect(answers.map(({ status }) => status)).toEqual(sets.map(() => 200));
    expect(sets).toContainEqual(texts((await list(id)).body));
    expect(await versionOf(id)).toBe(12);
  });

  it("returns 412 for an outdated ETag, and succeeds for one of three simultaneous requests with the same ETag", async () => {
    const { id } = await newContext();
    const { headers } = await replace(id, ["a"]);
    await add(id, { value: "b" });
    const late = await replace(id, ["c"], headers.get("ETag") ?? "");
    expect([late.status, late.body.code]).toEqual([412, "CONFLICT"]);
    expect(texts((await list(id)).body)).toEqual(["a", "b"]);
    const racers = await Promise.all(["x", "y", "z"].map((value) => replace(id, [value], '"3"')));
    expect(sorted(racers)).toEqual([200, 412, 412]);
  });

  it("changes nothing when one of its SQL statements fails", async () => {
    const { id } = await newContext();
    const before = (await replace(id, ["a", "b"])).body;
    await env.DB.exec(
      `CREATE TRIGGER refuse BEFORE INSERT ON audit WHEN NEW.entity_id = ${id} AND NEW.entity_type = 'context' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    );
    const failed = await replace(id, ["b", "c"]);
    await env.DB.exec("DROP TRIGGER refuse");
    expect([failed.status, failed.body.code]).toEqual([500, "INTERNAL_ERROR"]);
    const after = await list(id);
    expect([after.body, after.headers.get("ETag")]).toEqual([before, '"2"']);
  });
});
