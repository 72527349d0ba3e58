import { beforeAll, describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { call, type Json } from "../support/client.ts";
import { auditOf } from "../support/records.ts";
import {
  newContext,
  newEnvironment,
  newFlag,
  newIntegration,
  newSegment,
  newTag,
  newValue,
  newWorld,
} from "../support/world.ts";

/** Creates a project with two environments, a SERVER key, and a resource of each other kind. */
async function furnished() {
  const world = await newWorld();
  const flag = await newFlag(world.projectId);
  const segment = await newSegment(world.projectId, []);
  const second = await newEnvironment(world.projectId);
  const integration = await newIntegration(world.projectId, { enabled: false });
  const context = await newContext(world.projectId);
  return {
    ...world,
    contextId: context.id as number,
    valueId: (await newValue(context.id)).id as number,
    tagId: (await newTag(world.projectId)).id as number,
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
  `tags/${world.tagId}`,
  `tags?projectId=${world.projectId}`,
  `contexts/${world.contextId}`,
  `contexts?projectId=${world.projectId}`,
  `contexts/${world.contextId}/values`,
  `contexts/values/${world.valueId}`,
  `integrations/${world.integrationId}`,
  `integrations/${world.integrationId}/deliveries`,
  `integrations?projectId=${world.projectId}`,
  `integrations/webhook-limit?projectId=${world.projectId}`,
  `audit?projectId=${world.projectId}`,
  `audit?category=security&projectId=${world.projectId}`,
  `api-keys?projectId=${world.projectId}`,
  `flags/${world.flagId}/metrics`,
  `metrics?environmentId=${world.environmentId}`,
  `metrics?environmentId=${world.secondEnvironmentId}`,
  `metrics/flags?environmentId=${world.environmentId}&flagIds=1`,
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
    for (const path of ["environments", "segments", "tags", "contexts", "api-keys", "integrations"])
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
});
