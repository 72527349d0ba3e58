import { beforeAll, describe, expect, it } from "vitest";
import { call, type CallOptions, type Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { join, person } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { newProject } from "../support/world.ts";
import { HOLDERS } from "./callers.ts";
import { everything, type Known } from "./known.ts";
import { filled, isForAgents, isForClients, properly, type Route, titled } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { UNKNOWN, unknownIds } from "./unknown.ts";

/** The routes that need a permission and accept sessions. */
const CLOSED = ROUTES.filter(
  ({ path, permission }) =>
    permission !== null &&
    !isForClients(path) &&
    !isForAgents(path) &&
    path !== "/api/v1/tokens/current",
);
const READS = CLOSED.filter(({ method }) => method === "GET");

/** The write routes that change something in a project, or what a user has there. */
const WRITES = CLOSED.filter(
  ({ method, path }) =>
    method !== "GET" &&
    !/^\/api\/(?:oauth\/|v1\/(?:agents|users|settings|projects$|auth\/(?:me$|me\/identities|mfa|passkeys|logout|sessions|device\/(?:lookup|deny))))/.test(
      path,
    ),
);

let known: Known;
/** The token of a developer who is the administrator of another project, and of no other one. */
let stranger: string;
let projectAdministrator: string;

/** What a stranger may not find in any response: names, keys and titles in the private projects. */
const secrets: string[] = [];
/** The ids in the private projects, by the fields that have such ids. */
const ids = new Map<string, Set<unknown>>();

beforeAll(async () => {
  known = await everything();
  const { id } = await newProject();
  const administrator = await person("VIEWER");
  const other = await person("DEVELOPER");
  await join(other.id, "ADMIN", [id]);
  await join(administrator.id, "ADMIN", [known.projectId, known.doomed.projectId]);
  [stranger, projectAdministrator] = [other.token, administrator.token];
});

/** Returns the arguments of `call` for the request of a route with ids that do not exist. */
function improperly(route: Route): [string, string, CallOptions] {
  const path = filled(route.path, [UNKNOWN, UNKNOWN]) + (route.query?.(unknownIds) ?? "");
  const headers = route.headers?.(unknownIds) ?? {};
  return [route.method, path, { body: route.body?.(unknownIds), headers }];
}

/** What a caller sees of a response. Ids of the request may be in messages. */
const seen = ({ status, body }: { readonly status: number; readonly body: Json }) => [
  status,
  JSON.stringify(body, (name, value) => (name === "traceId" ? undefined : value)).replaceAll(
    /\d+/g,
    "N",
  ),
];

describe("the administrator of another project", () => {
  it.each(titled(WRITES.filter(({ permission }) => permission && !holds(permission, "VIEWER"))))(
    "may not write to a project that everyone sees: %s",
    async (_, route) => {
      const viewer = await person("VIEWER");
      await join(viewer.id, "ADMIN", [(await newProject()).id]);
      const [method, path, options] = properly(route, known);
      const answer = await call(method, path, { ...options, token: viewer.token });
      expect(outcome(answer)).toBe("403 FORBIDDEN");
    },
  );
});

const holds = (permission: keyof typeof HOLDERS, caller: "VIEWER") =>
  HOLDERS[permission].includes(caller);

describe("for a stranger, a private project", () => {
  beforeAll(async () => {
    for (const id of [known.projectId, known.doomed.projectId])
      await asAdmin("PUT", `/api/v1/projects/${id}`, { visibility: "members" });
    const all = [known.projectId, known.doomed.projectId];
    const list = all.join(", ");
    for (const select of [
      "name FROM projects WHERE id",
      "name FROM environments WHERE project_id",
      "key FROM flags WHERE project_id",
      "name FROM segments WHERE project_id",
      "name FROM tags WHERE project_id",
      "name FROM shared_filters WHERE project_id",
      "context_key FROM context_definitions WHERE project_id",
      "v.value FROM context_values v JOIN context_definitions d ON d.id = v.definition_id WHERE project_id",
      "name FROM integrations WHERE project_id",
      "k.name FROM api_keys k JOIN environments e ON e.id = k.environment_id WHERE project_id",
    ])
      secrets.push(...(await rows(`SELECT ${select} IN (${list})`)).flatMap(Object.values));
    ids.set("projectId", new Set(all));
    for (const [field, table] of [
      ["environmentId", "environments"],
      ["flagId", "flags"],
      ["segmentId", "segments"],
      ["tagId", "tags"],
    ] as const) {
      const found = await rows(`SELECT id FROM ${table} WHERE project_id IN (${list})`);
      ids.set(field, new Set(found.map(({ id }) => id)));
    }
  });

  /** Returns what a response tells of the private projects. */
  function leaksIn(body: Json): string[] {
    const leaks = secrets.filter((text) => JSON.stringify(body).includes(text));
    JSON.stringify(body, (name, value) => {
      if (ids.get(name)?.has(value)) leaks.push(`${name} ${value}`);
      return value;
    });
    return leaks;
  }

  const ofStranger = (method: string, path: string, options: CallOptions = {}) =>
    call(method, path, { ...options, token: stranger });

  it("has names by which a response can be searched", async () => {
    expect(secrets.filter((text) => text.length < 20)).toEqual([]);
    const { body } = await call("GET", "/api/v1/flags/enriched?size=100", { token: known.token });
    expect(leaksIn(body)).not.toEqual([]);
  });

  it.each(titled(READS))(
    "is in no response, and each of its ids is unknown: %s",
    async (_, route) => {
      const [method, path] = properly(route, known);
      const answer = await ofStranger(method, path);
      const isOfProject = route.ids !== undefined || route.query !== undefined;
      const [, improper] = improperly(route);
      const expected = isOfProject ? seen(await ofStranger(method, improper)) : seen(answer);
      expect([seen(answer), leaksIn(answer.body)]).toEqual([expected, []]);
      expect([200, 403, 404]).toContain(answer.status);
    },
  );

  const MORE = "related=true&counts=true&size=100";
  const LISTS = READS.filter(({ ids: inPath, query }) => !inPath && !query);

  it.each(titled(LISTS))("is in no list, also not if it asks for more: %s", async (_, { path }) => {
    const filters = (k: Pick<Known, "projectId" | "environmentId" | "flagId" | "segmentId">) => [
      "",
      `&projectId=${k.projectId}`,
      `&environmentId=${k.environmentId}`,
      `&flagId=${k.flagId}`,
      `&segmentId=${k.segmentId}`,
      `&entityType=flag&entityId=${k.flagId}`,
      `&ownersIn=${k.projectId}`,
      `&q=${secrets[0]}`,
    ];
    for (const [n, filter] of filters(known).entries()) {
      const [answer, unknown] = [
        await ofStranger("GET", `${path}?${MORE}${filter}`),
        await ofStranger("GET", `${path}?${MORE}${filters(unknownIds)[n]}`),
      ];
      expect([filter, seen(answer), leaksIn(answer.body)]).toEqual([filter, seen(unknown), []]);
    }
  });

  it.each(titled(WRITES))(
    "cannot be changed, like one that does not exist: %s",
    async (_, route) => {
      const [method, path, options] = properly(route, known);
      const answer = await ofStranger(method, path, options);
      expect(seen(answer)).toEqual(seen(await ofStranger(...improperly(route))));
      expect(answer.status).toBeGreaterThanOrEqual(400);
    },
  );
});

describe("the administrator of a project, who is a viewer in the organisation,", () => {
  const OF_ORGANISATION = /^\/api\/v1\/(?:users|settings|projects$)/;
  const writes = WRITES.filter(({ token }) => !token);
  const reads = READS.filter(({ path }) => !OF_ORGANISATION.test(path));

  it.each(titled([...reads, ...writes]))("may do everything in it: %s", async (_, route) => {
    const [method, path, options] = properly(route, known);
    const answer = await call(method, path, { ...options, token: projectAdministrator });
    expect(outcome(answer)).toMatch(/^2/);
  });
});
