import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import type { CallOptions, Json } from "../support/client.ts";
import { countedCall } from "../support/statements.ts";
import {
  inCountries,
  newContext,
  newEnvironment,
  newFlag,
  newKey,
  newProject,
  newSegment,
  setStrategy,
} from "../support/world.ts";
import { everything, type Known } from "./known.ts";
import { properly } from "./route.ts";
import { ROUTES } from "./routes.ts";
import committed from "./statement-counts.json";

/** Returns the number of D1 statements of a call, which must succeed. */
async function costOf(method: string, path: string, options: CallOptions) {
  const { answer, statements } = await countedCall(method, path, options);
  expect(answer.status).toBeLessThan(400);
  return statements;
}

/** Uses an API key before a measurement, because the first use also records the time of the use. */
const beginUse = (apiKey: string) => costOf("GET", "/api/client/features", { token: apiKey });

const limits: Readonly<Record<string, number>> = committed;

/**
 * Returns a message if the route takes more statements than statement-counts.json allows, and
 * undefined otherwise. When the route takes fewer, commit the lower number by hand.
 */
function excess(name: string, cost: number): string | undefined {
  const limit = limits[name];
  if (limit !== undefined && cost <= limit) return undefined;
  return `${name} takes ${cost} statements, statement-counts.json allows ${limit ?? "none yet"}`;
}

describe("the number of D1 statements of a call", () => {
  let known: Known;
  beforeAll(async () => {
    known = await everything();
    await beginUse(known.apiKey);
  });

  it.each(ROUTES)("is not above the number in statement-counts.json: $name", async (route) => {
    const cost = await costOf(...properly(route, known));
    expect(excess(route.name, cost)).toBeUndefined();
  });

  it("is in statement-counts.json for every route, and for nothing else", () => {
    expect(Object.keys(committed).toSorted()).toEqual(ROUTES.map(({ name }) => name).toSorted());
  });

  it("is 0 for a poll with an API key that was checked less than a second ago", async () => {
    const { apiKey } = await newKey(known.environmentId);
    await beginUse(apiKey);
    await costOf("GET", "/api/client/features", { token: apiKey });
    expect(await costOf("GET", "/api/client/features", { token: apiKey })).toBe(0);
  });
});

describe("the number of D1 statements of a GET that returns a list", () => {
  const sizes = [5, 100];
  type Project = Awaited<ReturnType<typeof newProjectOf>>;
  const projects: Project[] = [];

  async function newProjectOf(size: number) {
    const { id: projectId } = await newProject();
    const environments = [await newEnvironment(projectId), await newEnvironment(projectId)];
    const context = await newContext(projectId);
    for (let n = 1; n < size; n++) await newContext(projectId);
    const values = Array.from({ length: size }, (_, n) => ({ value: `value-${n}` }));
    await asAdmin("PUT", `/api/v1/contexts/${context.id}/values`, values);
    let flag: Json;
    for (let n = 0; n < size; n++) {
      const segment = await newSegment(projectId, [inCountries("de")]);
      flag = await newFlag(projectId, { tags: ["shared", `tag-${n}`] });
      const change = { constraints: [inCountries("at")], segmentIds: [segment.id] };
      await setStrategy(flag.id, { environmentId: environments[n % 2].id, ...change });
    }
    return {
      projectId: projectId as number,
      environmentId: environments[0].id as number,
      flagId: flag.id as number,
      contextId: context.id as number,
    };
  }

  beforeAll(async () => {
    for (const size of sizes) projects.push(await newProjectOf(size));
    const { projectId, environmentId } = projects[1] ?? { projectId: 0, environmentId: 0 };
    for (let n = 0; n < 20; n++) await newEnvironment(projectId);
    for (let n = 0; n < 20; n++) await newKey(environmentId);
  });

  const LISTS: Record<string, (project: Project) => string> = {
    flags: ({ projectId }) => `flags?projectId=${projectId}&size=100`,
    "flags by environment": ({ environmentId }) =>
      `flags/by-environment?environmentId=${environmentId}&size=100`,
    "enriched flags": ({ projectId }) => `flags/enriched?projectId=${projectId}&size=100`,
    segments: ({ projectId }) => `segments?projectId=${projectId}`,
    environments: ({ projectId }) => `environments?projectId=${projectId}`,
    "API keys": ({ projectId }) => `api-keys?projectId=${projectId}`,
    strategies: ({ flagId }) => `flags/${flagId}/strategies`,
    tags: ({ projectId }) => `tags?projectId=${projectId}`,
    contexts: ({ projectId }) => `contexts?projectId=${projectId}`,
    "context values": ({ contextId }) => `contexts/${contextId}/values`,
    ...Object.fromEntries(
      ["tags", "segments", "contexts", "environments"].map((counted) => [
        `${counted} with counts`,
        ({ projectId }: Project) => `${counted}?projectId=${projectId}&counts=true`,
      ]),
    ),
    "audit records": ({ projectId }) => `audit?projectId=${projectId}&size=100`,
  };
  const list = async (path: string) =>
    costOf("GET", `/api/v1/${path}`, { token: await adminToken() });

  it.each(Object.entries(LISTS))(
    "is the same in a project with 5 rows of each kind as in one with 100: %s",
    async (_, path) => {
      const costs: number[] = [];
      for (const project of projects) costs.push(await list(path(project)));
      expect(costs[1]).toBe(costs[0]);
    },
  );

  it("is the same for the list of users before and after 100 users are added", async () => {
    const few = await list("users");
    for (let n = 0; n < 100; n++) await person("VIEWER");
    expect(await list("users")).toBe(few);
  });

  it.each(["enriched flags", "segments", "contexts", "context values"])(
    "is measured for lists of 5 and of 100 items: %s",
    async (name) => {
      const lengths: number[] = [];
      for (const project of projects) {
        const { body } = await asAdmin("GET", `/api/v1/${LISTS[name]?.(project)}`);
        lengths.push((body.items ?? body).length);
      }
      expect(lengths).toEqual(sizes);
    },
  );
});
