import { beforeAll, describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { call, type Json } from "../support/client.ts";
import { auditOf } from "../support/records.ts";
import {
  newEnvironment,
  newFlag,
  newIntegration,
  newKey,
  newSegment,
  newWorld,
} from "../support/world.ts";

/** Creates a project with two environments, a SERVER key, a flag, a segment and an integration. */
async function furnished() {
  const world = await newWorld();
  const flag = await newFlag(world.projectId);
  const segment = await newSegment(world.projectId, []);
  const second = await newEnvironment(world.projectId);
  const integration = await newIntegration(world.projectId, { enabled: false });
  return {
    ...world,
    flagId: flag.id as number,
    segmentId: segment.id as number,
    secondEnvironmentId: second.id as number,
    integrationId: integration.id as number,
  };
}

type World = Awaited<ReturnType<typeof furnished>>;
let mine: World;
let other: World;

beforeAll(async () => {
  mine = await furnished();
  other = await furnished();
});

const as = (token: string, method: string, path: string, body?: object) =>
  call(method, `/api/v1/${path}`, { token, body });

const things = (world: World) => [
  `projects/${world.projectId}`,
  `environments/${world.environmentId}`,
  `environments/${world.secondEnvironmentId}`,
  `environments?projectId=${world.projectId}`,
  `flags?projectId=${world.projectId}`,
  `flags/enriched?projectId=${world.projectId}`,
  `flags/by-environment?environmentId=${world.environmentId}`,
  `flags/${world.flagId}`,
  `flags/${world.flagId}/strategies`,
  `flags/${world.flagId}/strategies/${world.environmentId}`,
  `segments/${world.segmentId}`,
  `segments?projectId=${world.projectId}`,
  `api-keys?projectId=${world.projectId}`,
  `flags/${world.flagId}/metrics`,
  `metrics?environmentId=${world.environmentId}`,
  `metrics?environmentId=${world.secondEnvironmentId}`,
  `projects/${world.projectId}/client-instances`,
  `environments/${world.secondEnvironmentId}/propagation`,
];

const projectsIn = (items: Json[]) => [...new Set(items.map(({ projectId }) => projectId))];

describe("a SERVER key in the management API", () => {
  it("reads the resources of its own project", async () => {
    for (const path of things(mine))
      expect([path, outcome(await as(mine.apiKey, "GET", path))]).toEqual([path, "200"]);
  });

  it("gets 403 for the resources of another project", async () => {
    for (const path of things(other))
      expect([path, outcome(await as(mine.apiKey, "GET", path))]).toEqual([path, "403 FORBIDDEN"]);
  });

  it("sees only resources of its own project in lists", async () => {
    const list = async (path: string) => (await as(mine.apiKey, "GET", path)).body;
    expect((await list("projects")).map(({ id }: Json) => id)).toEqual([mine.projectId]);
    for (const path of ["environments", "segments", "api-keys", "integrations"])
      expect(projectsIn(await list(path))).toEqual([mine.projectId]);
    for (const path of ["flags", "flags/enriched"])
      expect(projectsIn((await list(path)).items)).toEqual([mine.projectId]);
    expect(await list(`api-keys?environmentId=${other.environmentId}`)).toEqual([]);
  });

  it("sets strategies only in its own environment", async () => {
    const put = (flagId: number, environmentId: number) =>
      as(mine.apiKey, "PUT", `flags/${flagId}/strategies`, { environmentId, enabled: true });
    const own = await put(mine.flagId, mine.environmentId);
    expect([own.status, own.body.enabled]).toEqual([200, true]);
    expect(await auditOf(own)).toMatchObject([{ actor_kind: "key", actor_id: mine.keyId }]);
    expect(outcome(await put(mine.flagId, mine.secondEnvironmentId))).toBe("403 FORBIDDEN");
    expect(outcome(await put(other.flagId, other.environmentId))).toBe("403 FORBIDDEN");
    expect(outcome(await put(other.flagId, mine.environmentId))).toMatch(/^40[34] /);
  });

  it("gets 403 for writes of projects, environments, flags, segments, API keys and integrations, even in its own project", async () => {
    const { projectId, environmentId, flagId, segmentId, keyId, integrationId } = mine;
    const writes = [
      as(mine.apiKey, "POST", "projects", { name: "p" }),
      as(mine.apiKey, "PUT", `projects/${projectId}`, { name: "p" }),
      as(mine.apiKey, "DELETE", `projects/${projectId}`),
      as(mine.apiKey, "POST", "environments", { name: "e", projectId }),
      as(mine.apiKey, "PUT", `environments/${environmentId}`, { name: "e" }),
      as(mine.apiKey, "DELETE", `environments/${environmentId}`),
      as(mine.apiKey, "POST", "flags", { key: "k", name: "n", flagType: "RELEASE", projectId }),
      as(mine.apiKey, "PUT", `flags/${flagId}`, { name: "n" }),
      as(mine.apiKey, "POST", `flags/${flagId}/archive`),
      as(mine.apiKey, "POST", `flags/${flagId}/unarchive`),
      as(mine.apiKey, "DELETE", `flags/${flagId}`),
      as(mine.apiKey, "POST", "segments", { name: "s", projectId }),
      as(mine.apiKey, "PUT", `segments/${segmentId}`, { name: "s" }),
      as(mine.apiKey, "DELETE", `segments/${segmentId}`),
      as(mine.apiKey, "POST", "api-keys", { name: "k", keyType: "SERVER", environmentId }),
      as(mine.apiKey, "PUT", `api-keys/${keyId}`, { name: "k" }),
      as(mine.apiKey, "DELETE", `api-keys/${keyId}`),
      as(mine.apiKey, "POST", "integrations", { name: "i", projectId }),
      as(mine.apiKey, "PUT", `integrations/${integrationId}`, { enabled: true }),
      as(mine.apiKey, "DELETE", `integrations/${integrationId}`),
      as(mine.apiKey, "POST", `integrations/${integrationId}/test`),
    ];
    const outcomes = (await Promise.all(writes)).map(outcome);
    expect(outcomes).toEqual(Array(writes.length).fill("403 FORBIDDEN"));
  });

  it("gets 403 even for an invalid body, because permissions are checked first", async () => {
    expect(outcome(await as(mine.apiKey, "POST", "flags", {}))).toBe("403 FORBIDDEN");
  });
});

describe("a FRONTEND key in the management API", () => {
  it("gets 403 for every read, and for setting a strategy", async () => {
    const { apiKey } = await newKey(mine.environmentId, "FRONTEND");
    for (const path of things(mine))
      expect(outcome(await as(apiKey, "GET", path))).toBe("403 FORBIDDEN");
    const body = { environmentId: mine.environmentId, enabled: false };
    const put = await as(apiKey, "PUT", `flags/${mine.flagId}/strategies`, body);
    expect(outcome(put)).toBe("403 FORBIDDEN");
  });
});
