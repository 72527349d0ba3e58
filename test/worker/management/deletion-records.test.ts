import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MAX_CONTENT_BYTES } from "../../../src/core/audit/capped-contents.ts";
import { jsonBytes } from "../../../src/core/lib/chunks.ts";
import { callWith, intercept } from "../support/call-with.ts";
import type { Answer, Json } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { auditOf } from "../support/records.ts";
import { countedCall } from "../support/statements.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newTag,
  setStrategy,
} from "../support/world.ts";

async function furnished() {
  const { id: projectId } = await newProject();
  const environment = await newEnvironment(projectId);
  const other = await newEnvironment(projectId);
  const flag = await newFlag(projectId, { description: "Größe 🧀" });
  return { projectId: projectId as number, environment, other, flag };
}

/** The audit records of a flag, newest first, as the API returns them. */
async function historyOf(flagId: number): Promise<Json[]> {
  const path = `/api/v1/audit?entityType=flag&entityId=${flagId}`;
  return (await asAdmin("GET", path)).body.items;
}

/** Constraints of about this many bytes of JSON. */
const large = (bytes: number) => [
  inCountries(...Array.from({ length: bytes / 500 }, (_, n) => `${n}-`.padEnd(497, "x"))),
];

/** Adds environments up to this number, and sets a strategy of every flag in every environment. */
async function setEverywhere(
  projectId: number,
  { environments, stickiness }: { environments: number; stickiness: string },
): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO environments (project_id, name, changed_at, created_at, updated_at)
     SELECT ?1, 'environment ' || i, 1, 1, 1 FROM n`,
  )
    .bind(projectId, environments)
    .run();
  await env.DB.prepare(
    `INSERT INTO strategies (flag_id, environment_id, enabled, percentage, constraints, stickiness, updated_at)
     SELECT f.id, e.id, 1, 100, '[]', ?2, 1 FROM flags f JOIN environments e USING (project_id)
     WHERE f.project_id = ?1`,
  )
    .bind(projectId, stickiness)
    .run();
}

/** The fields of a recorded strategy that the test never changes. */
const neverChanged = {
  exactPercentage: null,
  stickiness: null,
  hashKey: null,
  serve: { variant: "on" },
  splitKey: null,
  splitStickiness: null,
  rules: [],
};

describe("the history of a flag", () => {
  it("ends with flag.deleted, with the final strategies, when the project is deleted", async () => {
    const { projectId, environment, other, flag } = await furnished();
    const segment = await newSegment(projectId, []);
    const strategy = {
      enabled: true,
      percentage: 25,
      constraints: [inCountries("de", "ä\"'")],
      segmentIds: [segment.id],
      stickiness: "userId",
    };
    await setStrategy(flag.id, { environmentId: environment.id, ...strategy });
    await setStrategy(flag.id, { environmentId: other.id, percentage: 10 });
    const answer = await callWith({}, "DELETE", `/api/v1/projects/${projectId}`, {
      token: await adminToken(),
      headers: { "X-Change-Reason": "Shop closed", "CF-Connecting-IP": "203.0.113.7" },
    });
    expect(answer.status).toBe(204);
    const [last, before] = await historyOf(flag.id);
    expect(before.action).toBe("strategy.updated");
    expect(last).toMatchObject({
      action: "flag.deleted",
      category: "change",
      actor: before.actor,
      entityId: flag.id,
      projectId,
      environmentId: null,
      after: null,
      reason: "Shop closed",
      ip: "203.0.113.7",
      traceId: answer.headers.get("X-B3-TraceId"),
    });
    const off = { ...neverChanged, enabled: false, constraints: [], segmentIds: [] };
    expect(last.before).toEqual({
      key: flag.key,
      name: flag.name,
      description: flag.description,
      flagType: flag.flagType,
      valueType: "boolean",
      variants: flag.variants,
      offVariant: "off",
      valueSchema: null,
      prerequisites: [],
      tags: [],
      ownerIds: [],
      clients: "all",
      archived: false,
      strategies: [
        {
          ...neverChanged,
          environmentId: environment.id,
          environmentName: environment.name,
          ...strategy,
        },
        { environmentId: other.id, environmentName: other.name, ...off, percentage: 10 },
      ],
    });
  });

  it("ends with the values, prerequisites and tags of the flag when the project is deleted", async () => {
    const { projectId, flag: parent } = await furnished();
    const values = {
      valueType: "json",
      variants: [
        { key: "__proto__", value: { ä: [1.5, null, 'q"'] }, description: "For phones" },
        { key: "wide", value: null },
      ],
      offVariant: null,
      valueSchema: { type: ["object", "null"] },
      prerequisites: [
        { flagKey: (await newFlag(projectId)).key, enabled: false },
        { flagKey: parent.key, enabled: true, variants: ["off", "on"] },
      ],
      tags: ["a", { tagId: (await newTag(projectId)).id as number, value: "b" }],
    };
    const { id } = await newFlag(projectId, values);
    await asAdmin("DELETE", `/api/v1/projects/${projectId}`);
    const [last] = await historyOf(id);
    expect(last.action).toBe("flag.deleted");
    expect(last.before).toMatchObject(values);
    expect(JSON.stringify(last.before.variants)).toBe(JSON.stringify(values.variants));
  });

  it("has strategy.deleted with the final strategy when an environment is deleted", async () => {
    const { projectId, environment, other, flag } = await furnished();
    const unset = await newFlag(projectId);
    const strategy = { enabled: true, percentage: 25, constraints: [inCountries("de")] };
    await setStrategy(flag.id, { environmentId: environment.id, ...strategy });
    await setStrategy(flag.id, { environmentId: other.id, enabled: true });
    const answer = await asAdmin("DELETE", `/api/v1/environments/${environment.id}`);
    expect(answer.status).toBe(204);
    const [last, ...earlier] = await historyOf(flag.id);
    expect(last).toMatchObject({
      action: "strategy.deleted",
      entityId: flag.id,
      projectId,
      environmentId: environment.id,
      after: null,
    });
    expect(last.before).toEqual({
      environmentName: environment.name,
      ...neverChanged,
      ...strategy,
      segmentIds: [],
    });
    expect(earlier.map(({ action }) => action)).not.toContain("strategy.deleted");
    expect((await historyOf(unset.id)).map(({ action }) => action)).toEqual(["flag.created"]);
    expect((await auditOf(answer)).map(({ action }) => action)).toEqual([
      "strategy.deleted",
      "environment.deleted",
    ]);
  });
});

describe("the audit record of a deleted flag or strategy", () => {
  const cut = (constraints: readonly object[]) => ({
    $cut: { bytes: jsonBytes(constraints), items: constraints.length },
  });
  const bytesOf = async (answer: Answer<Json>) => {
    const { results } = await env.DB.prepare(
      "SELECT max(octet_length(before)) AS bytes FROM audit WHERE trace_id = ?",
    )
      .bind(answer.headers.get("X-B3-TraceId"))
      .all();
    return results[0]?.bytes;
  };

  it("holds constraints of 25 KB, and only the size of constraints of 60 KB", async () => {
    const { projectId, environment, flag } = await furnished();
    const other = await newFlag(projectId);
    const [small, big] = [large(25_000), large(60_000)];
    await setStrategy(flag.id, { environmentId: environment.id, constraints: small });
    await setStrategy(other.id, { environmentId: environment.id, constraints: big });
    const answer = await asAdmin("DELETE", `/api/v1/environments/${environment.id}`);
    expect((await historyOf(flag.id))[0].before.constraints).toEqual(small);
    expect((await historyOf(other.id))[0].before.constraints).toEqual(cut(big));
    expect(await bytesOf(answer)).toBeLessThanOrEqual(MAX_CONTENT_BYTES);
  });

  it("holds ordered rules and slots, and the size of rules that are too large", async () => {
    const { environment, flag, projectId } = await furnished();
    const other = await newFlag(projectId);
    const change = { environmentId: environment.id, serve: { weights: { on: 50, off: 50 } } };
    const small = await setStrategy(flag.id, {
      ...change,
      rules: [{ constraints: large(10_000) }],
    });
    const big = await setStrategy(other.id, {
      ...change,
      rules: [{ constraints: large(40_000) }, {}],
    });
    const answer = await asAdmin("DELETE", `/api/v1/environments/${environment.id}`);
    const stored = ({ rules }: Json) =>
      rules.map((rule: Json) => Object.assign(rule, { exactPercentage: null }));
    const serve = {
      slots: [
        [0, 50_000, "on"],
        [100_000, 50_000, "off"],
      ],
    };
    expect((await historyOf(flag.id))[0].before).toMatchObject({ serve, rules: stored(small) });
    expect((await historyOf(other.id))[0].before).toMatchObject({ serve, rules: cut(stored(big)) });
    expect(await bytesOf(answer)).toBeLessThanOrEqual(MAX_CONTENT_BYTES);
  });

  it("holds the small constraints of a deleted project's flag, and the size of large ones", async () => {
    const { projectId, environment, other, flag } = await furnished();
    const big = large(60_000);
    await setStrategy(flag.id, { environmentId: environment.id, constraints: big });
    await setStrategy(flag.id, { environmentId: other.id, constraints: [inCountries("de")] });
    const answer = await asAdmin("DELETE", `/api/v1/projects/${projectId}`);
    const { strategies } = (await historyOf(flag.id))[0].before;
    expect(strategies.map(({ constraints }: Json) => constraints)).toEqual([
      cut(big),
      [inCountries("de")],
    ]);
    expect(await bytesOf(answer)).toBeLessThanOrEqual(MAX_CONTENT_BYTES);
  });

  it("holds the number of strategies if a flag has too many long ones", async () => {
    const { projectId, flag } = await furnished();
    await setEverywhere(projectId, { environments: 50, stickiness: "🧀".repeat(200) });
    const answer = await asAdmin("DELETE", `/api/v1/projects/${projectId}`);
    expect((await historyOf(flag.id))[0].before.strategies).toEqual({
      $cut: { bytes: expect.any(Number), items: 50 },
    });
    expect(await bytesOf(answer)).toBeLessThanOrEqual(MAX_CONTENT_BYTES);
  });
});

describe("deleting a project or an environment with 5,000 flags", () => {
  const FLAGS = 5_000;

  /** Creates a project with two environments, and flags that have a strategy in each of them. */
  async function projectOf(count: number) {
    const { projectId, environment, flag } = await furnished();
    const run = (sql: string, ...values: unknown[]) =>
      env.DB.prepare(sql)
        .bind(...values)
        .run();
    await run("DELETE FROM flags WHERE id = ?", flag.id);
    await run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO flags (project_id, key, name, flag_type, created_at, updated_at)
       SELECT ?1, 'flag-' || i, 'Flag ' || i, 'RELEASE', 1, 1 FROM n`,
      projectId,
      count,
    );
    await run(
      `INSERT INTO strategies (flag_id, environment_id, enabled, percentage, constraints, updated_at)
       SELECT f.id, e.id, 1, 50, ?2, 1 FROM flags f JOIN environments e USING (project_id)
       WHERE f.project_id = ?1`,
      projectId,
      JSON.stringify([inCountries("de", "at", "ch")]),
    );
    return { projectId, environmentId: environment.id as number };
  }

  /** Deletes a resource. Returns the number of D1 statements, and of audit records by action. */
  async function remove(path: string) {
    const options = { token: await adminToken() };
    const { answer, statements } = await countedCall("DELETE", `/api/v1/${path}`, options);
    expect(answer.status).toBe(204);
    const { results } = await env.DB.prepare(
      "SELECT action, count(*) AS n FROM audit WHERE trace_id = ? GROUP BY action ORDER BY action",
    )
      .bind(answer.headers.get("X-B3-TraceId"))
      .all<{ action: string; n: number }>();
    return { statements, records: results };
  }

  it("writes an audit record for each flag, with as many statements as for one flag", async () => {
    const many = await projectOf(FLAGS);
    const one = await projectOf(1);
    const environments = [
      await remove(`environments/${many.environmentId}`),
      await remove(`environments/${one.environmentId}`),
    ];
    expect(environments[0]?.records).toEqual([
      { action: "environment.deleted", n: 1 },
      { action: "strategy.deleted", n: FLAGS },
    ]);
    const projects = [
      await remove(`projects/${many.projectId}`),
      await remove(`projects/${one.projectId}`),
    ];
    expect(projects[0]?.records).toEqual([
      { action: "flag.deleted", n: FLAGS },
      { action: "project.deleted", n: 1 },
    ]);
    for (const [big, small] of [environments, projects])
      expect(big?.statements).toBe(small?.statements);
  });
});

describe("deleting a project with flags that have strategies in many environments", () => {
  /** Deletes a project with one flag. Returns the number of database rows that this has read. */
  async function rowsRead(environments: number): Promise<number> {
    const { projectId } = await furnished();
    await setEverywhere(projectId, { environments, stickiness: "userId" });
    let rows = 0;
    const countRows = (session: D1DatabaseSession) =>
      intercept(session, (name) =>
        name === "batch"
          ? async (statements: D1PreparedStatement[]) => {
              const results = await session.batch(statements);
              for (const { meta } of results) rows += meta.rows_read;
              return results;
            }
          : undefined,
      );
    const DB = intercept(env.DB, (name) =>
      name === "withSession" ? (start: string) => countRows(env.DB.withSession(start)) : undefined,
    );
    const path = `/api/v1/projects/${projectId}`;
    const answer = await callWith({ DB }, "DELETE", path, { token: await adminToken() });
    expect(answer.status).toBe(204);
    return rows;
  }

  it("reads a number of rows that grows no faster than the number of environments", async () => {
    const [few, many] = [await rowsRead(5), await rowsRead(50)];
    expect(many / few).toBeLessThan(10);
  });
});
