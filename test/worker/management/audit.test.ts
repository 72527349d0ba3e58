import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { call, type Json } from "../support/client.ts";
import { ADMIN, adminToken, signIn } from "../support/people.ts";
import { time } from "../support/shapes.ts";
import { countedCall } from "../support/statements.ts";
import { newEnvironment, newFlag, newWorld, setStrategy } from "../support/world.ts";

type Query = Readonly<Record<string, string | number>>;

async function audit(query: Query, token?: string) {
  const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const path = `/api/v1/audit?${new URLSearchParams(words).toString()}`;
  return call("GET", path, { token: token ?? (await adminToken()) });
}

const DEFAULTS = {
  at: 0,
  category: "change",
  action: "flag.updated",
  actor_kind: "user",
  actor_id: 1,
  actor_name: "somebody@example.com",
  entity_type: "flag",
  entity_id: 1,
  project_id: null as number | null,
  environment_id: null as number | null,
  trace_id: "00000000000000aa",
};

/** Inserts an audit record with these columns and returns its id. */
async function record(more: Partial<typeof DEFAULTS>): Promise<number> {
  const row = { ...DEFAULTS, ...more };
  const names = Object.keys(row);
  const id = await env.DB.prepare(
    `INSERT INTO audit (${names.join()}) VALUES (${names.map(() => "?").join()}) RETURNING id`,
  )
    .bind(...Object.values(row))
    .first<number>("id");
  return id ?? 0;
}

const ids = (answer: { body: Json }) => answer.body.items.map((item: Json) => item.id);

describe("an audit record", () => {
  it("has the actor, the flag, the time, the reason, the IP address, the trace id and the content before and after a change", async () => {
    const token = await adminToken();
    const { projectId } = await newWorld();
    const flag = await newFlag(projectId, { name: "Käse 🧀", tags: ["Größe"] });
    const traceId = "463ac35c9f6413ad48485a3953bb6124";
    const reason = "Rollout – größer, 変更, 🚀";
    await call("PUT", `/api/v1/flags/${flag.id}`, {
      token,
      body: { name: "Fromage", description: "說明" },
      headers: {
        "X-B3-TraceId": traceId,
        "CF-Connecting-IP": "203.0.113.7",
        "X-Change-Reason": reason,
      },
    });
    const me = await call("GET", "/api/v1/auth/me", { token });
    const { body } = await audit({ entityType: "flag", entityId: flag.id });
    expect(body.items[0]).toEqual({
      id: expect.any(Number),
      at: time,
      category: "change",
      action: "flag.updated",
      actor: { kind: "user", id: me.body.id, name: ADMIN.email, displayName: me.body.name },
      entityType: "flag",
      entityId: flag.id,
      projectId,
      environmentId: null,
      before: { name: "Käse 🧀", description: null },
      after: { name: "Fromage", description: "說明" },
      reason,
      revertsId: null,
      override: null,
      changeRequestId: null,
      rampId: null,
      onBehalfOf: null,
      token: null,
      via: null,
      ip: "203.0.113.7",
      traceId,
    });
  });
});

describe("a filter of the audit trail", () => {
  const day = Date.UTC(2020, 1, 29);
  const at = (hours: number) => day + hours * 3_600_000;
  // The projects of audit records need not exist, because the table has no foreign keys.
  const project = 700_001;
  const made: Record<string, number> = {};

  beforeAll(async () => {
    const rows: Record<string, Partial<typeof DEFAULTS>> = {
      dawn: { at: at(0), action: "flag.created", entity_id: 71, environment_id: 900_001 },
      noon: { at: at(12), entity_type: "segment", entity_id: 71, actor_id: 800_001 },
      noonByKey: { at: at(12), actor_kind: "key", actor_id: 800_001, entity_id: 72 },
      night: { at: at(24) - 1, action: "spåret.ändrat", entity_type: "größe", entity_id: 73 },
      nextDay: { at: at(24), category: "security", action: "key.refused" },
    };
    for (const [name, row] of Object.entries(rows))
      made[name] = await record({ project_id: project, ...row });
    made.elsewhere = await record({ at: at(12), project_id: 700_002, entity_id: 71 });
  });

  it.for([
    ["projectId", {}, ["nextDay", "night", "noonByKey", "noon", "dawn"]],
    ["dateFrom", { dateFrom: "2020-02-29T12:00:00Z" }, ["nextDay", "night", "noonByKey", "noon"]],
    ["dateTo", { dateTo: "2020-02-29T12:00:00Z" }, ["noonByKey", "noon", "dawn"]],
    ["dateTo to the millisecond", { dateTo: "2020-02-29T11:59:59.999Z" }, ["dawn"]],
    [
      "an offset",
      { dateFrom: "2020-02-29T23:00:00+11:00", dateTo: "2020-02-29T12:00:00-00:30" },
      ["noonByKey", "noon"],
    ],
    ["no offset, which means UTC", { dateFrom: "2020-02-29T12:00:00.001" }, ["nextDay", "night"]],
    [
      "plain dates, which mean whole days",
      { dateFrom: "2020-02-29", dateTo: "2020-02-29" },
      ["night", "noonByKey", "noon", "dawn"],
    ],
    ["plain dateFrom", { dateFrom: "2020-03-01" }, ["nextDay"]],
    ["environmentId", { environmentId: 900_001 }, ["dawn"]],
    ["entityType", { entityType: "segment" }, ["noon"]],
    ["entityType, unicode", { entityType: "größe" }, ["night"]],
    ["entityId", { entityId: 71 }, ["noon", "dawn"]],
    ["entityType and entityId", { entityType: "flag", entityId: 71 }, ["dawn"]],
    ["actorId", { actorId: 800_001 }, ["noonByKey", "noon"]],
    ["actorKind and actorId", { actorKind: "key", actorId: 800_001 }, ["noonByKey"]],
    ["action", { action: "flag.created" }, ["dawn"]],
    ["action, unicode", { action: "spåret.ändrat" }, ["night"]],
    ["category change", { category: "change" }, ["night", "noonByKey", "noon", "dawn"]],
    ["category security", { category: "security" }, ["nextDay"]],
    [
      "all filters together",
      {
        dateFrom: "2020-02-29",
        dateTo: "2020-03-01",
        entityType: "flag",
        entityId: 71,
        actorKind: "user",
        actorId: 1,
        action: "flag.created",
        category: "change",
        environmentId: 900_001,
      },
      ["dawn"],
    ],
    ["an action that does not exist", { action: "%" }, []],
  ] as const)(
    "selects exactly the records that match, newest first: %s",
    async ([, query, names]) => {
      const answer = await audit({ projectId: project, ...query });
      expect(answer.status).toBe(200);
      expect(ids(answer)).toEqual(names.map((name) => made[name]));
      expect(answer.body.totalItems).toBe(names.length);
    },
  );

  it("covers all projects without projectId", async () => {
    const answer = await audit({ entityId: 71, dateTo: "2020-03-01" });
    expect(ids(answer)).toEqual([made.elsewhere, made.noon, made.dawn]);
  });

  it.for([
    ["dateFrom", "yesterday"],
    ["dateFrom", ""],
    ["dateTo", "2020-02-30"],
    ["dateTo", "2020-02-29T25:00:00Z"],
    ["dateTo", "1582934400000"],
    ["projectId", "0"],
    ["entityId", "1.5"],
    ["actorId", "x"],
    ["actorKind", "robot"],
    ["category", "secret"],
    ["beforeId", "-1"],
    ["action", ""],
    ["page", "-1"],
    ["size", "0"],
    ["size", "201"],
  ] as const)("returns 400 for %s=%s", async ([name, value]) => {
    const answer = await audit({ [name]: value });
    expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(answer.body.error).toContain(name);
  });

  it.for<[string, string]>([
    ["2020-02-29T12:00:00.001Z", "2020-02-29T12:00:00Z"],
    ["2020-03-01", "2020-02-29"],
    ["2020-02-29T12:00:00Z", "2020-02-29T13:00:00+02:00"],
  ])(
    "returns 400 for a period from %s to %s, which ends before it starts",
    async ([dateFrom, dateTo]) => {
      const answer = await audit({ dateFrom, dateTo });
      expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    },
  );
});

describe("the pages of the audit trail", () => {
  const project = 700_003;
  const all: number[] = [];

  beforeAll(async () => {
    // Three records share each millisecond. Within a millisecond, the record that was inserted last
    // comes first.
    for (let n = 0; n < 25; n += 1)
      all.unshift(await record({ project_id: project, at: 1_000 + Math.floor(n / 3) }));
  });

  it("contain 20 records by default and at most 200", async () => {
    const answer = await audit({ projectId: project });
    expect(answer.body).toMatchObject({ page: 0, size: 20, totalItems: 25, totalPages: 2 });
    expect(ids(answer)).toEqual(all.slice(0, 20));
    expect(ids(await audit({ projectId: project, size: 200 }))).toEqual(all);
  });

  it("contain every record exactly once, and are empty after the last page", async () => {
    const pages = await Promise.all(
      [0, 1, 2, 3, 4].map((page) => audit({ projectId: project, page, size: 7 })),
    );
    expect(pages.flatMap(ids)).toEqual(all);
    const totals = { size: 7, totalItems: 25, totalPages: 4 };
    expect(pages[4]?.body).toEqual({ items: [], page: 4, ...totals });
  });

  it("continue after the record beforeId, even when records are written between two requests", async () => {
    const seen: number[] = [];
    const next = () => ({ projectId: project, size: 10, beforeId: seen.at(-1) ?? 10 ** 15 });
    for (let n = 0; n < 3; n += 1) {
      const answer = await audit(next());
      expect(answer.body.totalItems).toBe(25 - seen.length);
      seen.push(...ids(answer));
      await record({ project_id: project, at: 999_999, entity_id: 999 });
    }
    expect(seen).toEqual(all);
    expect((await audit(next())).body).toMatchObject({ items: [], totalItems: 0, totalPages: 0 });
  });

  it("continue after the record beforeId within a period", async () => {
    const query = { projectId: project, dateTo: "1970-01-01T00:00:01.003Z", beforeId: all[5] ?? 0 };
    expect(ids(await audit(query))).toEqual(all.slice(13));
    expect(ids(await audit({ ...query, beforeId: all[17] ?? 0 }))).toEqual(all.slice(18));
  });

  it("continue after the record beforeId even when that record has been deleted", async () => {
    await env.DB.prepare("DELETE FROM audit WHERE id = ?").bind(all[4]).run();
    const answer = await audit({ projectId: project, beforeId: all[4] ?? 0 });
    expect(ids(answer)).toEqual(all.slice(5));
  });

  it("of up to 90 records take two SQL statements in addition to the statements that identify the caller", async () => {
    const token = await adminToken();
    const statements = async (query: string) =>
      (await countedCall("GET", `/api/v1/audit?${query}`, { token })).statements;
    const ofCaller = await statements("size=refused");
    expect(await statements("size=1")).toBe(ofCaller + 2);
    const most = "size=90&page=3&projectId=1&action=flag.updated&dateTo=2020-01-01&beforeId=9";
    expect(await statements(most)).toBe(ofCaller + 2);
  });
});

describe("the selected project of a session", () => {
  it("filters the audit trail, unless the URL query names another project or asks for security records", async () => {
    const { token } = await signIn();
    const [one, two] = [await newWorld(), await newWorld()];
    const body = { projectId: one.projectId };
    const session = (await call("POST", "/api/v1/auth/select-project", { token, body })).body;
    const projects = async (query = {}) => {
      const { body: page } = await audit({ size: 200, ...query }, session.token);
      return [...new Set(page.items.map((item: Json) => item.projectId))];
    };
    expect(await projects()).toEqual([one.projectId]);
    expect(await projects({ projectId: two.projectId })).toEqual([two.projectId]);
    // A filter by project still returns records without a project, such as those of logins.
    expect(await projects({ category: "security" })).toContain(null);
    expect(await projects({ entityType: "user" })).toContain(null);
  });
});

it("no audit record contains a secret", async () => {
  const last = await env.DB.prepare("SELECT max(id) AS id FROM audit").first<number>("id");
  const session = await signIn();
  const world = await newWorld();
  const environment = await newEnvironment(world.projectId);
  await setStrategy((await newFlag(world.projectId)).id, {
    environmentId: environment.id,
    enabled: true,
  });
  const body = { refreshToken: session.refreshToken };
  const refreshed = (await call("POST", "/api/v1/auth/refresh", { body })).body;
  await call("POST", "/api/v1/auth/refresh", { body });
  await call("POST", "/api/v1/auth/login", { body: { ...ADMIN, password: "wrong-password-1" } });
  await call("PUT", `/api/v1/api-keys/${world.keyId}`, {
    token: await adminToken(),
    body: { name: "renamed" },
  });
  await call("DELETE", `/api/v1/api-keys/${world.keyId}`, { token: await adminToken() });
  const rows = (
    await env.DB.prepare("SELECT * FROM audit WHERE id > ?")
      .bind(last ?? 0)
      .all()
  ).results;
  expect(rows.map((row) => row.action)).toEqual(
    expect.arrayContaining(["session.started", "session.reuse", "api-key.created"]),
  );
  const text = JSON.stringify(rows);
  const hash = await env.DB.prepare("SELECT password_hash AS hash FROM users WHERE email = ?")
    .bind(ADMIN.email)
    .first<string>("hash");
  const secrets = [
    world.apiKey,
    await sha256(world.apiKey),
    ADMIN.password,
    "wrong-password-1",
    session.token,
    session.refreshToken,
    refreshed.token,
    refreshed.refreshToken,
    await sha256(session.refreshToken),
    String(hash),
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/password_?hash|scrypt|"(?:apiKey|refreshToken|token|password)"/i);
});
