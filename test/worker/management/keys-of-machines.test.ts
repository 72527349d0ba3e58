import { beforeAll, describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { call, type Json } from "../support/client.ts";
import { auditOf } from "../support/records.ts";
import {
  newContext,
  newFlag,
  newIntegration,
  newSegment,
  newTag,
  newWorld,
} from "../support/world.ts";

/** Creates a project with an environment, a SERVER key, and a resource of each other kind. */
async function furnished() {
  const world = await newWorld();
  const flag = await newFlag(world.projectId);
  await newSegment(world.projectId, []);
  await newIntegration(world.projectId, { enabled: false });
  await newContext(world.projectId);
  await newTag(world.projectId);
  return { ...world, flagId: flag.id as number };
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

/** The lists of a project. matrix.test.ts has the routes that name a resource by its id. */
const listsOf = ({ projectId }: World) => [
  `environments?projectId=${projectId}`,
  `flags?projectId=${projectId}`,
  `flags/enriched?projectId=${projectId}`,
  `segments?projectId=${projectId}`,
  `tags?projectId=${projectId}`,
  `contexts?projectId=${projectId}`,
  `integrations?projectId=${projectId}`,
  `integrations/webhook-limit?projectId=${projectId}`,
  `audit?projectId=${projectId}`,
  `audit?category=security&projectId=${projectId}`,
  `api-keys?projectId=${projectId}`,
];

const projectsIn = (items: Json[]) => [...new Set(items.map(({ projectId }) => projectId))];

describe("a SERVER key in the management API", () => {
  it("reads the lists of its own project", async () => {
    for (const path of listsOf(mine))
      expect([path, outcome(await as(mine.apiKey, "GET", path))]).toEqual([path, "200"]);
  });

  it("gets 403 for the lists of another project", async () => {
    for (const path of listsOf(other))
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

  it("sets strategies only of flags in its own project, and is the actor of the audit record", async () => {
    const put = (flagId: number) => {
      const change = { environmentId: mine.environmentId, enabled: true };
      return as(mine.apiKey, "PUT", `flags/${flagId}/strategies`, change);
    };
    const own = await put(mine.flagId);
    expect([own.status, own.body.enabled]).toEqual([200, true]);
    expect(await auditOf(own)).toMatchObject([{ actor_kind: "key", actor_id: mine.keyId }]);
    expect(outcome(await put(other.flagId))).toMatch(/^40[34] /);
  });
});
