import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, type CallOptions, type Json } from "../support/client.ts";
import { invalidFields, outcome, tally } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { auditOfEntity } from "../support/records.ts";
import {
  inCountries,
  newFlag,
  newProject,
  newSegment,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";

/** Sends a request to the contexts API, as the administrator unless `options` has another token. */
const send = async (method: string, path: string, options: CallOptions = {}) =>
  call(method, `/api/v1/contexts${path}`, { token: await adminToken(), ...options });

async function newContext(more: object = {}): Promise<Json> {
  const projectId = "projectId" in more ? {} : { projectId: (await newProject()).id };
  const field = { name: "A field", contextKey: unique("field"), contextType: "string" };
  const answer = await send("POST", "", { body: { ...field, ...projectId, ...more } });
  expect(answer.status).toBe(201);
  return answer.body;
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

const auditOf = async (id: number) =>
  (await auditOfEntity("context", id)).map(({ action, before, after }) => ({
    action,
    before: JSON.parse(before),
    after: JSON.parse(after),
  }));

describe("a context definition", () => {
  it("rejects a change of its context key, because constraints refer to the key", async () => {
    const { id, contextKey } = await newContext();
    const body = { name: "Renamed", contextKey: "renamed" };
    const refused = await send("PUT", `/${id}`, { body });
    expect(outcome(refused)).toBe("400 VALIDATION_ERROR");
    expect(refused.body.details).toEqual([
      { field: "contextKey", message: "cannot be changed; send the current key or omit the field" },
    ]);
    expect((await send("GET", `/${id}`)).body).toMatchObject({ name: "A field", version: 1 });
    expect((await send("PUT", `/${id}`, { body: { contextKey } })).status).toBe(200);
  });

  it("changes its type only when every value fits the new type", async () => {
    const { id } = await newContext();
    await replace(id, ["1.5", "two"]);
    const refused = await send("PUT", `/${id}`, { body: { contextType: "number" } });
    expect(outcome(refused)).toBe("409 CONFLICT");
    expect(refused.body.error).toContain('"two"');
    await replace(id, ["1.5"]);
    const changed = await send("PUT", `/${id}`, { body: { contextType: "number" } });
    expect([changed.status, changed.body.contextType]).toEqual([200, "number"]);
  });

  it("is listed with each enriched flag whose constraints use its key, and can be deleted without a change of these constraints", async () => {
    const { projectId, environmentId, apiKey } = await newWorld();
    const country = await newContext({ projectId, contextKey: "country" });
    const plan = await newContext({ projectId, contextKey: "plan" });
    await newContext({ projectId, contextKey: "unused" });
    await newContext({ contextKey: "country" });
    const segment = await newSegment(projectId, [{ ...inCountries("pro"), field: "plan" }]);
    const flag = await newFlag(projectId);
    const constraints = [inCountries("DE")];
    await setStrategy(flag.id, { environmentId, constraints, segmentIds: [segment.id] });
    const enriched = async () => {
      const path = `/api/v1/flags/enriched?projectId=${projectId}`;
      return (await call("GET", path, { token: apiKey })).body.items[0];
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

describe("a context value", () => {
  it("is added at the same time as 29 other values, and every write increments the version of the context", async () => {
    const { id } = await newContext();
    const names = Array.from({ length: 30 }, (_, n) => `value-${n}`);
    const answers = await Promise.all(names.map((value) => add(id, { value })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    const { body: added } = await list(id);
    expect(texts(added).toSorted()).toEqual(names.toSorted());
    expect(await versionOf(id)).toBe(31);
    await send("PUT", `/values/${added[0].id}`, { body: { description: "New" } });
    expect(await versionOf(id)).toBe(32);
    await send("DELETE", `/values/${added[0].id}`);
    expect(await versionOf(id)).toBe(33);
  });

  it.each([
    ["number", ["1", "-1.5e3"], ["0x1", "one", " 1"]],
    ["boolean", ["true", "false"], ["TRUE", "1"]],
    ["date", ["2026-01-02", "2026-01-02T03:04:05Z"], ["2026-02-30", "tomorrow"]],
    ["semver", ["1.2.3", "2.0.0-rc.1"], ["1.2", "v1.2.3"]],
    ["ip", ["10.0.0.1", "::1"], ["10.0.0.256", "10.0.0.0/8"]],
  ])("is rejected when it does not fit the context type %s", async (contextType, good, bad) => {
    const { id } = await newContext({ contextType });
    for (const value of good)
      expect([value, (await add(id, { value })).status]).toEqual([value, 201]);
    const [first] = (await list(id)).body;
    for (const value of bad)
      for (const answer of [
        await add(id, { value }),
        await send("PUT", `/values/${first.id}`, { body: { value } }),
      ]) {
        expect([value, outcome(answer)]).toEqual([value, "400 VALIDATION_ERROR"]);
        expect(invalidFields(answer)).toEqual(["value"]);
      }
    const replaced = await replace(id, [...bad, ...good]);
    expect(invalidFields(replaced)).toEqual(bad.map((_, n) => `${n}.value`));
    expect(texts((await list(id)).body)).toEqual(good);
  });

  it("always fits the context type, even when the type is changed at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await newContext();
      const [added, changed] = await Promise.all([
        add(id, { value: "two" }),
        send("PUT", `/${id}`, { body: { contextType: "number" } }),
      ]);
      expect(["201,409 CONFLICT", "400 VALIDATION_ERROR,200"]).toContain(
        [added, changed].map(outcome).join(),
      );
    }
  });
});

describe("replacing the values of a context", () => {
  it("keeps the ids of values that stay, adds new values, removes the missing ones, and is audited", async () => {
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
    expect((await auditOf(id)).at(-1)).toEqual({
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

  it("changes nothing, not even the version, when the values are the same in another order", async () => {
    const { id } = await newContext();
    await replace(id, ["a", "b"]);
    const records = await auditOf(id);
    const again = await replace(id, ["b", "a"]);
    expect([again.status, again.headers.get("ETag"), texts(again.body)]).toEqual([
      200,
      '"2"',
      ["a", "b"],
    ]);
    expect(await auditOf(id)).toEqual(records);
  });

  it("rejects duplicates with an error that names their positions, and rejects more than 1,000 values", async () => {
    const { id } = await newContext();
    const twice = await replace(id, ["a", "b", "a", "c", "b"]);
    expect(outcome(twice)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(twice)).toEqual(["2.value", "4.value"]);
    const many = Array.from({ length: 1001 }, (_, n) => `v${n}`);
    expect((await replace(id, many)).status).toBe(400);
    expect((await send("PUT", `/${id}/values`, { body: { value: "a" } })).status).toBe(400);
    expect((await replace(id, many.slice(1))).body).toHaveLength(1000);
    const full = await add(id, { value: "one more" });
    expect(outcome(full)).toBe("402 QUOTA_EXCEEDED");
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
    const records = await auditOf(id);
    const named = (action: string, side: "before" | "after"): Json[] =>
      records.filter((record) => record.action === action).flatMap((record) => record[side].values);
    expect(named("context.values-replaced", "before")).toHaveLength(1000);
    expect(named("context.values-replaced", "after")).toEqual(wanted);
    expect(named("context.values-deleted", "before")).toEqual(wanted);
    const left = env.DB.prepare("SELECT 1 FROM context_values WHERE definition_id = ?").bind(id);
    expect((await left.all()).results).toEqual([]);
  });

  it("leaves exactly the values of one request when ten replace them at the same time", async () => {
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
    expect(outcome(late)).toBe("412 CONFLICT");
    expect(texts((await list(id)).body)).toEqual(["a", "b"]);
    const racers = await Promise.all(["x", "y", "z"].map((value) => replace(id, [value], '"3"')));
    expect(tally(racers)).toEqual({ "200": 1, "412 CONFLICT": 2 });
  });

  it("changes nothing when one of its SQL statements fails", async () => {
    const { id } = await newContext();
    const before = (await replace(id, ["a", "b"])).body;
    await env.DB.exec(
      `CREATE TRIGGER refuse_${id} BEFORE INSERT ON audit WHEN NEW.entity_id = ${id} AND NEW.entity_type = 'context' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    );
    const failed = await replace(id, ["b", "c"]);
    await env.DB.exec(`DROP TRIGGER refuse_${id}`);
    expect(outcome(failed)).toBe("500 INTERNAL_ERROR");
    const after = await list(id);
    expect([after.body, after.headers.get("ETag")]).toEqual([before, '"2"']);
  });
});
