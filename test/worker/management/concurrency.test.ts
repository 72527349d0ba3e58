import { beforeAll, describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin, outcome, tally } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { auditOfEntity } from "../support/records.ts";
import {
  newContext,
  newEnvironment,
  newFlag,
  newIntegration,
  newKey,
  newProject,
  newSegment,
  newTag,
  newValue,
  unique,
} from "../support/world.ts";

const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

/** Creates a resource of each kind. Returns the path at which it is changed. */
const CREATE: Readonly<Record<string, (projectId: number) => Promise<string>>> = {
  project: async (projectId) => `projects/${projectId}`,
  environment: async (projectId) => `environments/${(await newEnvironment(projectId)).id}`,
  "api-key": async (projectId) =>
    `api-keys/${(await newKey((await newEnvironment(projectId)).id)).id}`,
  flag: async (projectId) => `flags/${(await newFlag(projectId)).id}`,
  strategy: async (projectId) => `flags/${(await newFlag(projectId)).id}/strategies`,
  segment: async (projectId) => `segments/${(await newSegment(projectId, [])).id}`,
  tag: async (projectId) => `tags/${(await newTag(projectId)).id}`,
  context: async (projectId) => `contexts/${(await newContext(projectId)).id}`,
  "context-value": async (projectId) =>
    `contexts/values/${(await newValue((await newContext(projectId)).id)).id}`,
  integration: async (projectId) => `integrations/${(await newIntegration(projectId)).id}`,
};

/**
 * Creates a resource in a new project. Returns its path, the id in its audit records, and a
 * function that returns the body of an update. Each body has a new value, so that every update is a
 * change.
 */
async function created(kind: string) {
  const { id: projectId } = await newProject();
  const { id: environmentId } = await newEnvironment(projectId);
  const path = `/api/v1/${await CREATE[kind]?.(projectId)}`;
  if (kind === "strategy") {
    const body = () => ({ environmentId, stickiness: unique("field") });
    return { path, body, id: Number(path.split("/").at(-2)) };
  }
  const field = kind === "context-value" ? "value" : "name";
  const body = () => ({ [field]: unique("changed") });
  return { path, body, id: Number(path.split("/").at(-1)) };
}

describe.each(Object.keys(CREATE))("concurrent edits of a resource of the kind %s", (kind) => {
  const count = kind === "flag" ? 20 : 5;

  it("all succeed without If-Match: each edit gets a new ETag, and is audited", async () => {
    const { path, body, id } = await created(kind);
    const tokens = [(await person("ADMIN")).token, (await person("ADMIN")).token];
    const answers = await times(count, (n) =>
      call("PUT", path, { token: tokens[n % 2], body: body() }),
    );
    expect(tally(answers)).toEqual({ "200": count });
    const etags = answers.map(({ headers }) => headers.get("ETag"));
    for (const etag of etags) expect(etag).toMatch(/^"[^"]+"$/);
    expect(new Set(etags).size).toBe(count);
    const records = (await auditOfEntity(kind === "strategy" ? "flag" : kind, id)).filter(
      ({ action }) => action.endsWith(".updated"),
    );
    expect(records).toHaveLength(count);
    // The content before each edit is the content after the previous edit.
    for (const [n, record] of records.slice(1).entries())
      expect(record.before).toBe(records[n].after);
  });

  it("succeed exactly once with the same If-Match, and all other edits return 412", async () => {
    const { path, body } = await created(kind);
    const put = async (etag: string) => {
      const answer = await asAdmin("PUT", path, body(), { "If-Match": etag });
      return { ...answer, etag: answer.headers.get("ETag") ?? "" };
    };
    // The ETag of a strategy that was never set is "0".
    const first = kind === "strategy" ? '"0"' : (await put("*")).etag;
    const answers = await times(count, () => put(first));
    expect(tally(answers)).toEqual({ "200": 1, "412 CONFLICT": count - 1 });
    const winner = answers.find(({ status }) => status === 200);
    expect((await put(winner?.etag ?? "")).status).toBe(200);
  });
});

describe("If-Match", () => {
  let path: string;
  let body: () => Json;
  beforeAll(async () => {
    ({ path, body } = await created("flag"));
  });

  const put = (ifMatch: string) => asAdmin("PUT", path, body(), { "If-Match": ifMatch });
  const etag = async () => (await asAdmin("GET", path)).headers.get("ETag") ?? "none";

  it("matches when one of its ETags is that of the resource", async () => {
    expect((await put(`"999", ${await etag()} , "x"`)).status).toBe(200);
    expect(outcome(await put('"998","999"'))).toBe("412 CONFLICT");
  });

  it("matches the weak form of the resource's ETag, which a proxy makes when it compresses", async () => {
    expect((await put(`W/${await etag()}`)).status).toBe(200);
    expect((await put(`"999", W/${await etag()}`)).status).toBe(200);
    expect(outcome(await put('W/"998", "999"'))).toBe("412 CONFLICT");
  });

  it("is prevented from becoming weak: a response with a strong ETag has no-transform", async () => {
    const cacheControl = async (method: string, at: string, sent?: Json) =>
      (await asAdmin(method, at, sent)).headers.get("Cache-Control");
    expect(await cacheControl("GET", path)).toBe("no-store, no-transform");
    expect(await cacheControl("PUT", path, body())).toBe("no-store, no-transform");
    expect(await cacheControl("GET", "/api/v1/flags")).toBe("no-store");
  });

  it.each(['""', '"x"', '"-1"', '"1.0"', '"99999999999999999999"', 'W/"x"'])(
    "returns 412 for the ETag %s, which no row has",
    async (header) => {
      expect(outcome(await put(header))).toBe("412 CONFLICT");
    },
  );

  it.each([
    "garbage",
    "1",
    '"1',
    '1"',
    '"1" "2"',
    "W/",
    '"1",garbage',
    "**",
    ",",
    'w/"1"',
    'W/ "1"',
  ])("returns 400 for %s, which is not a list of ETags", async (header) => {
    expect(outcome(await put(header))).toBe("400 BAD_REQUEST");
  });

  it("applies to archiving, unarchiving and deleting a flag", async () => {
    const flag = await newFlag((await newProject()).id);
    const send = (method: string, suffix: string, version: number) =>
      asAdmin(method, `/api/v1/flags/${flag.id}${suffix}`, undefined, {
        "If-Match": `"${version}"`,
      });
    expect(outcome(await send("POST", "/archive", 7))).toBe("412 CONFLICT");
    const archived = await send("POST", "/archive", 1);
    expect([archived.status, archived.headers.get("ETag")]).toEqual([200, '"2"']);
    expect(outcome(await send("POST", "/unarchive", 1))).toBe("412 CONFLICT");
    expect(outcome(await send("DELETE", "", 1))).toBe("412 CONFLICT");
    expect((await send("DELETE", "", 2)).status).toBe(204);
  });

  it("returns 404, not 412, for a row that does not exist", async () => {
    const answer = await asAdmin("PUT", "/api/v1/flags/999999", {}, { "If-Match": '"1"' });
    expect(outcome(answer)).toBe("404 NOT_FOUND");
  });
});

describe("ten concurrent requests", () => {
  it.each([
    ["flags", () => ({ key: "same", name: "n", flagType: "RELEASE", tags: ["t"] })],
    ["segments", () => ({ name: "same" })],
    ["environments", () => ({ name: "same" })],
    ["tags", () => ({ name: "same", color: "#868e96" })],
    ["contexts", () => ({ name: "n", contextKey: "same", contextType: "string" })],
    ["projects", () => ({ name: unique("project") })],
  ])(
    "to create a row with the same name or key in %s create one row, and nine return 409",
    async (path, content) => {
      const { id: projectId } = await newProject();
      const body = { ...content(), projectId };
      const create = () => asAdmin("POST", `/api/v1/${path}`, body);
      expect(tally(await times(10, create))).toEqual({ "201": 1, "409 CONFLICT": 9 });
    },
  );

  it("to create different flags with the same new tags all succeed", async () => {
    const { id: projectId } = await newProject();
    const answers = await times(10, (n) =>
      asAdmin("POST", "/api/v1/flags", {
        key: `flag-${n}`,
        name: "n",
        flagType: "RELEASE",
        tags: ["shared", `own-${n % 2}`],
        projectId,
      }),
    );
    expect(tally(answers)).toEqual({ "201": 10 });
    for (const [n, { body }] of answers.entries())
      expect(body.tags).toEqual([`own-${n % 2}`, "shared"]);
  });

  it("to delete the same row return 204 once and 404 nine times", async () => {
    const { id: projectId } = await newProject();
    const segment = await newSegment(projectId, []);
    const flag = await newFlag(projectId);
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    const environment = await newEnvironment(projectId);
    const paths = [
      `segments/${segment.id}`,
      `flags/${flag.id}`,
      `environments/${environment.id}`,
      `projects/${projectId}`,
    ];
    for (const path of paths) {
      const answers = await times(10, () => asAdmin("DELETE", `/api/v1/${path}`));
      expect([path, tally(answers)]).toEqual([path, { "204": 1, "404 NOT_FOUND": 9 }]);
    }
  });
});
