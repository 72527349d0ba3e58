import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin } from "../support/answers.ts";
import { adminToken } from "../support/people.ts";
import { callWith, watchedDatabase } from "../support/wrapped.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newKey,
  newProject,
  newSegment,
  setStrategy,
  unique,
} from "../support/world.ts";
import { everything } from "./known.ts";
import { filled, type Route, ROUTES } from "./routes.ts";
import committed from "./statement-counts.json";

/** What one successful call costs: its D1 statements, those of its later work included. */
async function costOf(method: string, path: string, token: string | undefined, body?: object) {
  let statements = 0;
  const DB = watchedDatabase((count) => {
    statements += count;
  });
  const answer = await callWith({ DB }, method, path, { token, body });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status}`);
  return statements;
}

const limits: Readonly<Record<string, number>> = committed;

/** What is wrong with the cost of a route; a lower one may be committed, a higher one is a fault. */
function excess(name: string, cost: number): string | undefined {
  const limit = limits[name];
  if (limit !== undefined && cost <= limit) return undefined;
  return `${name} takes ${cost} statements, statement-counts.json allows ${limit ?? "none yet"}`;
}

describe("the D1 statements of a call", () => {
  let known: Awaited<ReturnType<typeof everything>>;
  beforeAll(async () => {
    known = await everything();
  });

  function tokenFor({ path, permission }: Route): string | undefined {
    if (permission === null) return undefined;
    return path.startsWith("/api/client/") ? known.apiKey : known.token;
  }

  it.each(ROUTES)("do not grow in number: $name", async (route) => {
    const { name } = route;
    const path = filled(route.path, route.ids?.(known) ?? []) + (route.query?.(known) ?? "");
    const body = route.body?.({ ...known, unique: unique("counted") });
    const cost = await costOf(route.method, path, tokenFor(route), body);
    expect(excess(name, cost)).toBeUndefined();
  });

  it("are counted for routes that exist, and for no others", () => {
    expect(Object.keys(committed).toSorted()).toEqual(ROUTES.map(({ name }) => name).toSorted());
  });

  it("are none for an SDK that polls within its key lease", async () => {
    const { apiKey } = await newKey(known.environmentId);
    await costOf("GET", "/api/client/features", apiKey);
    expect(await costOf("GET", "/api/client/features", apiKey)).toBe(0);
  });
});

describe("a list takes as many statements for 100 rows as for 5", () => {
  const sizes = [5, 100];
  const projects: { projectId: number; environmentId: number; flagId: number }[] = [];

  beforeAll(async () => {
    for (const size of sizes) {
      const { id: projectId } = await newProject();
      const environments = [await newEnvironment(projectId), await newEnvironment(projectId)];
      for (let n = 0; n < size; n++) {
        const segment = await newSegment(projectId, [inCountries("de")]);
        const flag = await newFlag(projectId, { tags: ["shared", `tag-${n}`] });
        const change = { constraints: [inCountries("at")], segmentIds: [segment.id] };
        await setStrategy(flag.id, { environmentId: environments[n % 2].id, ...change });
        projects[sizes.indexOf(size)] = {
          projectId,
          environmentId: environments[0].id,
          flagId: flag.id,
        };
      }
    }
    const { projectId, environmentId } = projects[1] ?? { projectId: 0, environmentId: 0 };
    for (let n = 0; n < 20; n++) await newEnvironment(projectId);
    for (let n = 0; n < 20; n++) await newKey(environmentId);
  }, 60_000);

  type Project = (typeof projects)[number];
  const LISTS: Record<string, (project: Project) => string> = {
    flags: ({ projectId }) => `flags?projectId=${projectId}&size=100`,
    "flags by environment": ({ environmentId }) =>
      `flags/by-environment?environmentId=${environmentId}&size=100`,
    "enriched flags": ({ projectId }) => `flags/enriched?projectId=${projectId}&size=100`,
    segments: ({ projectId }) => `segments?projectId=${projectId}`,
    environments: ({ projectId }) => `environments?projectId=${projectId}`,
    "API keys": ({ projectId }) => `api-keys?projectId=${projectId}`,
    strategies: ({ flagId }) => `flags/${flagId}/strategies`,
  };

  it.each(Object.keys(LISTS))("%s", async (name) => {
    const token = await adminToken();
    const costs: number[] = [];
    for (const project of projects)
      costs.push(await costOf("GET", `/api/v1/${LISTS[name]?.(project)}`, token));
    expect(costs[1]).toBe(costs[0]);
  });

  it("which are then really 5 and 100", async () => {
    const lengths = [];
    for (const { projectId } of projects) {
      const path = `/api/v1/flags/enriched?projectId=${projectId}&size=100`;
      lengths.push((await asAdmin("GET", path)).body.items.length);
    }
    expect(lengths).toEqual(sizes);
  });
});
