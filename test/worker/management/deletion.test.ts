import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { receiver } from "../support/receiver.ts";
import { auditOf, eventsOf, wholeDatabase } from "../support/records.ts";
import { insertHour } from "../support/usage-rows.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newSubscriber,
  newWorld,
  setStrategy,
} from "../support/world.ts";

/**
 * Creates a project with two environments, two flags (one of them archived), a segment, a tag and
 * two strategies, but no API keys.
 */
async function furnished() {
  const { id: projectId } = await newProject();
  const environment = await newEnvironment(projectId);
  const second = await newEnvironment(projectId);
  const segment = await newSegment(projectId, [inCountries("de")]);
  const flag = await newFlag(projectId, { tags: ["team"] });
  const archived = await newFlag(projectId);
  const segmentIds = [segment.id];
  const use = { environmentId: environment.id, segmentIds, rules: [{ segmentIds }] };
  await setStrategy(flag.id, use);
  await setStrategy(flag.id, { environmentId: second.id, enabled: true });
  await asAdmin("POST", `/api/v1/flags/${archived.id}/archive`);
  for (const environmentId of [environment.id, second.id])
    for (const flagId of [flag.id, archived.id]) {
      await insertHour({ flagId, environmentId }, Date.now(), [1, 2]);
      await insertHour({ flagId, environmentId }, Date.now() - HOUR_MS, [1, 2]);
    }
  return { projectId: projectId as number, environment, second, segment, flags: [flag, archived] };
}

/** The ids of the environments in which the flags have usage. */
async function usedEnvironments(flagIds: readonly number[]): Promise<number[]> {
  const { results } = await env.DB.prepare(
    `SELECT DISTINCT environment_id AS id FROM usage_hours
      WHERE flag_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  )
    .bind(JSON.stringify(flagIds))
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}

describe("deleting a project", () => {
  it("deletes everything in the project, and adds a flag.deleted event to the outbox for each flag", async () => {
    const { projectId, environment, segment, flags } = await furnished();
    receiver();
    await newSubscriber(projectId);
    const answer = await asAdmin("DELETE", `/api/v1/projects/${projectId}`);
    expect(answer.status).toBe(204);
    const gone = [
      `projects/${projectId}`,
      `environments/${environment.id}`,
      `segments/${segment.id}`,
      ...flags.map(({ id }) => `flags/${id}`),
    ];
    for (const path of gone)
      expect(outcome(await asAdmin("GET", `/api/v1/${path}`))).toBe("404 NOT_FOUND");
    const events = await eventsOf(answer);
    expect(events.map(({ type, entity_id }) => [type, entity_id])).toEqual(
      flags.map(({ id }) => ["flag.deleted", id]),
    );
    for (const [n, { key, name }] of flags.entries())
      expect(events[n]).toMatchObject({ project_id: projectId, data: { flag: { key, name } } });
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(2);
    const records = await auditOf(answer);
    expect(records.map(({ action, entity_id }) => [action, entity_id])).toEqual([
      ...flags.map(({ id }) => ["flag.deleted", id]),
      ["project.deleted", projectId],
    ]);
  });

  it("leaves no rows except audit records and outbox events, and changes no other project", async () => {
    const before = await wholeDatabase();
    const { projectId } = await furnished();
    await asAdmin("DELETE", `/api/v1/projects/${projectId}`);
    const { audit: _, outbox: __, ...after } = await wholeDatabase();
    const { audit: ___, outbox: ____, ...expected } = before;
    expect(after).toEqual(expected);
  });
});

describe("deleting an environment", () => {
  it("deletes the strategies of the environment, but neither flags nor strategies of other environments", async () => {
    const { environment, second, flags, segment } = await furnished();
    expect((await asAdmin("DELETE", `/api/v1/environments/${environment.id}`)).status).toBe(204);
    const [flag] = flags;
    const strategies = (await asAdmin("GET", `/api/v1/flags/${flag.id}/strategies`)).body;
    expect(strategies).toMatchObject([{ environmentId: second.id, enabled: true }]);
    expect((await asAdmin("GET", `/api/v1/flags/${flag.id}`)).body.enabled).toBe(true);
    expect((await asAdmin("DELETE", `/api/v1/segments/${segment.id}`)).status).toBe(204);
  });

  it("deletes the usage of the environment, but not that of other environments", async () => {
    const { environment, second, flags } = await furnished();
    const [kept, used] = [await furnished(), () => usedEnvironments(flags.map(({ id }) => id))];
    expect(await used()).toEqual([environment.id, second.id]);
    await asAdmin("DELETE", `/api/v1/environments/${environment.id}`);
    expect(await used()).toEqual([second.id]);
    const others = await usedEnvironments(kept.flags.map(({ id }) => id));
    expect(others).toEqual([kept.environment.id, kept.second.id]);
  });
});

it("an API key prevents the deletion of its environment and project (409) until the key is deleted", async () => {
  const { projectId, environmentId, keyId } = await newWorld();
  const paths = [`environments/${environmentId}`, `projects/${projectId}`];
  const remove = (path: string) => asAdmin("DELETE", `/api/v1/${path}`);
  for (const path of paths) expect(outcome(await remove(path))).toBe("409 CONFLICT");
  await remove(`api-keys/${keyId}`);
  for (const path of paths) expect((await remove(path)).status).toBe(204);
});

describe("deleting a flag", () => {
  it("deletes the strategies of the flag, and its references to segments and tags", async () => {
    const { flags, segment } = await furnished();
    const { id } = flags[0];
    await asAdmin("POST", `/api/v1/flags/${id}/archive`);
    expect((await asAdmin("DELETE", `/api/v1/flags/${id}`)).status).toBe(204);
    for (const table of [
      "strategies",
      "strategy_segments",
      "strategy_rule_segments",
      "flag_tags",
    ]) {
      const sql = `SELECT count(*) AS n FROM ${table} WHERE flag_id = ?`;
      expect(await env.DB.prepare(sql).bind(id).first()).toEqual({ n: 0 });
    }
    expect((await asAdmin("DELETE", `/api/v1/segments/${segment.id}`)).status).toBe(204);
  });

  it("never gives the id of the flag to another flag", async () => {
    const { projectId, flags } = await furnished();
    const last = flags[1];
    await asAdmin("DELETE", `/api/v1/flags/${last.id}`);
    expect((await newFlag(projectId)).id).toBeGreaterThan(last.id);
  });
});
