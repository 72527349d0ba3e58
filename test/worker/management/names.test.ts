import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import {
  inCountries,
  newContext,
  newFlag,
  newIntegration,
  newProject,
  newSegment,
  newTag,
  newWorld,
} from "../support/world.ts";

/** Names that look the same as a second name, by the reason. */
const UNREADABLE = {
  NUL: "a\u0000b",
  "a line break": "a\nb",
  "a control character of C1": "a\u0085b",
  "a right-to-left override": "a\u202eb",
  "a left-to-right isolate": "a\u2066b",
  "a right-to-left mark": "a\u200fb",
  "a zero-width space": "a\u200bb",
};

/** The letter é as one character, and as an e with an accent. */
const COMPOSED = "caf\u00e9";
const DECOMPOSED = "cafe\u0301";

/** Creates one resource of each kind. Returns the paths at which their names are changed. */
async function pathsOfAll(): Promise<string[]> {
  const { projectId, environmentId, keyId } = await newWorld();
  const [flag, segment, tag, context, integration] = await Promise.all([
    newFlag(projectId),
    newSegment(projectId, [inCountries("DE")]),
    newTag(projectId),
    newContext(projectId),
    newIntegration(projectId),
  ]);
  return [
    `projects/${projectId}`,
    `environments/${environmentId}`,
    `api-keys/${keyId}`,
    `flags/${flag.id}`,
    `segments/${segment.id}`,
    `tags/${tag.id}`,
    `contexts/${context.id}`,
    `integrations/${integration.id}`,
    "auth/me",
  ].map((path) => `/api/v1/${path}`);
}

describe("the name of every resource", () => {
  it("is rejected when it has control characters or other invisible characters", async () => {
    for (const path of await pathsOfAll())
      for (const name of Object.values(UNREADABLE)) {
        const answer = await asAdmin("PUT", path, { name });
        expect([path, name, outcome(answer)]).toEqual([path, name, "400 VALIDATION_ERROR"]);
        expect(invalidFields(answer)).toEqual(["name"]);
      }
  });

  it("is stored in the normal form NFC, so that names that look the same are the same", async () => {
    for (const path of await pathsOfAll()) {
      const answer = await asAdmin("PUT", path, { name: ` ${DECOMPOSED}\n` });
      expect([path, answer.status, answer.body.name]).toEqual([path, 200, COMPOSED]);
    }
  });
});

describe("a stored name with an invisible character", () => {
  it("stays as it is when other fields change", async () => {
    const stored = "a\u200bb";
    const { projectId, environmentId } = await newWorld();
    const [flag, segment, tag, context, integration, user] = await Promise.all([
      newFlag(projectId),
      newSegment(projectId, [inCountries("DE")]),
      newTag(projectId),
      newContext(projectId),
      newIntegration(projectId),
      person("VIEWER"),
    ]);
    for (const [table, id, change, path = `${table}/${id}`, token = await adminToken()] of [
      ["projects", projectId, { description: "new" }],
      ["environments", environmentId, { production: true }],
      ["flags", flag.id, { description: "new" }],
      ["segments", segment.id, { description: "new" }],
      ["tags", tag.id, { color: "#ffffff" }],
      ["context_definitions", context.id, { contextType: "number" }, `contexts/${context.id}`],
      ["integrations", integration.id, { enabled: false }],
      ["users", user.id, { locale: "de" }, "auth/me", user.token],
    ] as const) {
      await env.DB.prepare(`UPDATE ${table} SET name = ? WHERE id = ?`).bind(stored, id).run();
      const { status, body } = await call("PUT", `/api/v1/${path}`, { token, body: change });
      expect([path, status, body]).toMatchObject([path, 200, { name: stored, ...change }]);
    }
  });
});

describe("a name", () => {
  it("returns 409 for a name that differs from a name in use only in its Unicode form", async () => {
    const { id: projectId } = await newProject();
    const create = (name: string) =>
      asAdmin("POST", "/api/v1/segments", { name, projectId, constraints: [] });
    expect((await create(COMPOSED)).status).toBe(201);
    expect(outcome(await create(DECOMPOSED))).toBe("409 CONFLICT");
  });

  it("is the same tag of a flag, in either Unicode form", async () => {
    const { id: projectId } = await newProject();
    const flag = await newFlag(projectId, { tags: [COMPOSED] });
    const answer = await asAdmin("PUT", `/api/v1/flags/${flag.id}`, { tags: [DECOMPOSED] });
    expect(answer.body.tags).toEqual([COMPOSED]);
    expect((await asAdmin("GET", `/api/v1/tags?projectId=${projectId}`)).body).toHaveLength(1);
  });

  it("is found by a search in either Unicode form", async () => {
    const { id: projectId } = await newProject();
    const flag = await newFlag(projectId, { name: DECOMPOSED });
    for (const text of [COMPOSED, DECOMPOSED]) {
      const query = `projectId=${projectId}&search=${encodeURIComponent(text)}`;
      const { body } = await asAdmin("GET", `/api/v1/flags?${query}`);
      expect(body.items.map(({ id }: { id: number }) => id)).toEqual([flag.id]);
    }
  });
});

describe("the key of a context field", () => {
  it("is rejected with control characters, and stored in the normal form NFC", async () => {
    const { id: projectId } = await newProject();
    const create = (contextKey: string) =>
      asAdmin("POST", "/api/v1/contexts", {
        name: contextKey.normalize(),
        contextKey,
        contextType: "string",
        projectId,
      });
    expect(invalidFields(await create(UNREADABLE.NUL))).toContain("contextKey");
    const created = await create(DECOMPOSED);
    expect(created.body.contextKey).toBe(COMPOSED);
    const renamed = await asAdmin("PUT", `/api/v1/contexts/${created.body.id}`, {
      contextKey: DECOMPOSED,
    });
    expect(renamed.status).toBe(200);
  });
});

describe("the e-mail address of an invitation", () => {
  it("is rejected when it has characters that change the direction of text", async () => {
    const email = "moc.live\u202e@example.com";
    const answer = await asAdmin("POST", "/api/v1/users/invite", { email, role: "VIEWER" });
    expect(invalidFields(answer)).toEqual(["email"]);
  });
});

describe("a description", () => {
  it("can have line breaks, tabs and direction marks, and is stored in the normal form NFC", async () => {
    const { id } = await newProject();
    const description = `one\r\n\ttwo \u200f${DECOMPOSED}`;
    const answer = await asAdmin("PUT", `/api/v1/projects/${id}`, { description });
    expect(answer.body.description).toBe(`one\r\n\ttwo \u200f${COMPOSED}`);
  });

  it.each(["a\u0000b", "a\u007fb", "a\u202eb", "a\u2069b", "a\ud800b"])(
    "is rejected when it is %j",
    async (description) => {
      const { id } = await newProject();
      const answer = await asAdmin("PUT", `/api/v1/projects/${id}`, { description });
      expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
      expect(invalidFields(answer)).toEqual(["description"]);
    },
  );
});
