import { beforeAll, describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { newProject, newSharedFilter } from "../support/world.ts";

const PATH = "/api/v1/shared-filters";
const MOST = 50;

let projectId: number;
let developer: string;

beforeAll(async () => {
  projectId = (await newProject()).id;
  developer = (await person("DEVELOPER")).token;
});

describe("the filters that a project shares", () => {
  it("are created, changed and deleted by a developer, with audit records, and read by a viewer", async () => {
    const body = { projectId, name: "Shop", query: "tag=shop" };
    const created = await call("POST", PATH, { body, token: developer });
    expect(created).toMatchObject({ status: 201, body: { ...body, version: 1 } });
    const { id } = created.body;
    const changed = await call("PUT", `${PATH}/${id}`, { body: { query: "" }, token: developer });
    expect(changed.body).toMatchObject({ name: "Shop", query: "", version: 2 });
    const viewer = (await person("VIEWER")).token;
    const list = await call("GET", `${PATH}?projectId=${projectId}`, { token: viewer });
    expect(list.body).toEqual([changed.body]);
    expect((await call("DELETE", `${PATH}/${id}`, { token: developer })).status).toBe(204);
    const records = await asAdmin("GET", `/api/v1/audit?entityType=shared-filter&entityId=${id}`);
    expect(
      records.body.items.map(({ action, before, after }: Json) => ({ action, before, after })),
    ).toEqual([
      { action: "shared-filter.deleted", before: { name: "Shop", query: "" }, after: null },
      {
        action: "shared-filter.updated",
        before: { query: "tag=shop" },
        after: { query: "" },
      },
      { action: "shared-filter.created", before: null, after: { name: "Shop", query: "tag=shop" } },
    ]);
  });

  it("have names that are unique in a project", async () => {
    const { name } = await newSharedFilter(projectId);
    const body = { projectId, name, query: "" };
    expect(outcome(await asAdmin("POST", PATH, body))).toBe("409 CONFLICT");
    const { id } = await newSharedFilter(projectId);
    expect(outcome(await asAdmin("PUT", `${PATH}/${id}`, { name }))).toBe("409 CONFLICT");
    expect(await newSharedFilter((await newProject()).id)).toMatchObject({ version: 1 });
  });

  it("return 412 for another version than If-Match demands, and keep both of two simultaneous changes", async () => {
    const { id } = await newSharedFilter(projectId);
    const path = `${PATH}/${id}`;
    const [name, query] = ["Renamed", "tag=x"];
    await Promise.all([asAdmin("PUT", path, { name }), asAdmin("PUT", path, { query })]);
    expect((await asAdmin("GET", path)).body).toMatchObject({ name, query, version: 3 });
    const headers = { "If-Match": '"1"' };
    for (const method of ["PUT", "DELETE"])
      expect(
        outcome(await asAdmin(method, path, method === "PUT" ? { name } : undefined, headers)),
      ).toBe("412 CONFLICT");
  });

  it(`are at most ${MOST} in a project, also if more are created at the same time`, async () => {
    const { id } = await newProject();
    const answers = await Promise.all(
      Array.from({ length: MOST + 3 }, (_, n) =>
        asAdmin("POST", PATH, { projectId: id, name: `f${n}`, query: "" }),
      ),
    );
    const outcomes = answers.map(outcome).filter((one) => one !== "201");
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => "402 QUOTA_EXCEEDED"));
  });

  it("reject a query that is too long", async () => {
    const body = { projectId, name: "Long", query: "x".repeat(4001) };
    expect(outcome(await asAdmin("POST", PATH, body))).toBe("400 VALIDATION_ERROR");
  });
});
