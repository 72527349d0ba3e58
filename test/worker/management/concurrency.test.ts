import { describe, expect, it } from "vitest";
import { asAdmin, tally } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { person } from "../support/people.ts";
import { auditOfEntity } from "../support/records.ts";
import { newEnvironment, newFlag, newProject, newSegment } from "../support/world.ts";

const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

const descriptionOfEdit = (n: number) => ({ description: `edit ${n}` });

/**
 * Creates a row of the kind. Returns its API path, the entity type and id in its audit records, its
 * first ETag, and a function that returns the body of the n-th edit.
 */
async function editable(kind: "flag" | "segment" | "strategy" | "environment") {
  const { id: projectId } = await newProject();
  const environment = await newEnvironment(projectId);
  const flag = await newFlag(projectId);
  if (kind === "environment") {
    const path = `/api/v1/environments/${environment.id}`;
    return {
      path,
      entity: kind,
      id: environment.id,
      first: '"1"',
      edit: (n: number) => ({ name: `e${n}` }),
    };
  }
  if (kind === "strategy") {
    const edit = (n: number) => ({ environmentId: environment.id, percentage: n });
    const path = `/api/v1/flags/${flag.id}/strategies`;
    return { path, entity: "flag", id: flag.id, first: '"0"', edit };
  }
  const { id } = kind === "flag" ? flag : await newSegment(projectId, []);
  return {
    path: `/api/v1/${kind}s/${id}`,
    entity: kind,
    id,
    first: '"1"',
    edit: descriptionOfEdit,
  };
}

describe.each(["flag", "segment", "strategy", "environment"] as const)(
  "concurrent edits of the same %s",
  (kind) => {
    it("all succeed without If-Match, and each of the 20 edits is applied and audited", async () => {
      const { path, entity, id, first, edit } = await editable(kind);
      const tokens = [(await person("ADMIN")).token, (await person("ADMIN")).token];
      const answers = await times(20, (n) =>
        call("PUT", path, { token: tokens[n % 2], body: edit(n) }),
      );
      expect(tally(answers)).toEqual({ "200": 20 });
      const records = (await auditOfEntity(entity, id)).filter(({ action }) =>
        action.endsWith(".updated"),
      );
      expect(records).toHaveLength(20);
      // The content before each edit is the content after the previous edit.
      for (const [n, record] of records.slice(1).entries())
        expect(record.before).toBe(records[n].after);
      const last = await asAdmin("PUT", path, edit(50));
      expect(last.headers.get("ETag")).toBe(`"${Number(first.slice(1, -1)) + 21}"`);
    });

    it("succeed exactly once with the same If-Match, and the other 19 edits return 412", async () => {
      const { path, first, edit } = await editable(kind);
      const answers = await times(20, (n) => asAdmin("PUT", path, edit(n), { "If-Match": first }));
      expect(tally(answers)).toEqual({ "200": 1, "412 CONFLICT": 19 });
      const winner = answers.find(({ status }) => status === 200);
      const second = `"${Number(first.slice(1, -1)) + 1}"`;
      expect(winner?.headers.get("ETag")).toBe(second);
      const next = await asAdmin("PUT", path, edit(30), { "If-Match": second });
      expect(next.status).toBe(200);
    });
  },
);

describe("ten concurrent requests", () => {
  it.each([
    ["flags", { key: "same", name: "n", flagType: "RELEASE", tags: ["t"] }],
    ["segments", { name: "same" }],
    ["environments", { name: "same" }],
  ])(
    "to create a row with the same name or key in %s create one row, and nine return 409",
    async (path, body) => {
      const { id: projectId } = await newProject();
      const create = () => asAdmin("POST", `/api/v1/${path}`, { ...body, projectId });
      expect(tally(await times(10, create))).toEqual({ "201": 1, "409 CONFLICT": 9 });
    },
  );

  it("to create a project with the same name create one project, and nine return 409", async () => {
    const body = { name: "the same project" };
    expect(tally(await times(10, () => asAdmin("POST", "/api/v1/projects", body)))).toEqual({
      "201": 1,
      "409 CONFLICT": 9,
    });
  });

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
});

describe("ten concurrent deletions of the same row", () => {
  it("return 204 once and 404 nine times", async () => {
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
