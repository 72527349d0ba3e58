import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { newEnvironment, newFlag, newProject, newSegment } from "../support/world.ts";

const FLAGS = 23;
let projectId: number;
let environmentId: number;
const keys: string[] = [];

beforeAll(async () => {
  projectId = (await newProject()).id;
  environmentId = (await newEnvironment(projectId)).id;
  for (let n = 0; n < FLAGS; n++) keys.push((await newFlag(projectId)).key);
  for (let n = 0; n < 3; n++) await newSegment(projectId, []);
});

const MAXIMUM = 200;

describe.each(["flags", "flags/by-environment", "flags/enriched"])("GET /api/v1/%s", (list) => {
  const get = (query: string) =>
    asAdmin(
      "GET",
      `/api/v1/${list}?projectId=${projectId}&environmentId=${environmentId}&${query}`,
    );

  it("returns the first 20 items and the total count by default", async () => {
    const { status, body } = await get("");
    const { items, ...envelope } = body;
    expect(status).toBe(200);
    expect(envelope).toEqual({ page: 0, size: 20, totalItems: FLAGS, totalPages: 2 });
    expect(items.map(({ key }: { key: string }) => key)).toEqual(keys.slice(0, 20));
  });

  it("returns every item exactly once over all pages", async () => {
    const seen: string[] = [];
    for (let page = 0; page < 4; page++) {
      const { body } = await get(`page=${page}&size=7`);
      expect(body).toMatchObject({ page, size: 7, totalItems: FLAGS, totalPages: 4 });
      seen.push(...body.items.map(({ key }: { key: string }) => key));
    }
    expect(seen).toEqual(keys);
  });

  it.each([2, 1_000_000_000])(
    "returns an empty page for the page number %i, which is after the last page",
    async (page) => {
      const { status, body } = await get(`page=${page}`);
      expect(status).toBe(200);
      expect(body).toEqual({ items: [], page, size: 20, totalItems: FLAGS, totalPages: 2 });
    },
  );

  it("returns no items and the total 0 when no item matches", async () => {
    const { body } = await get("search=nothing-has-this-key");
    expect(body).toEqual({ items: [], page: 0, size: 20, totalItems: 0, totalPages: 0 });
  });

  it("accepts page sizes from 1 to 200", async () => {
    expect((await get("size=1")).body.items).toHaveLength(1);
    expect((await get(`size=${MAXIMUM}`)).body).toMatchObject({ size: MAXIMUM, totalPages: 1 });
  });

  it.each([
    "size=0",
    "size=-1",
    `size=${MAXIMUM + 1}`,
    "size=",
    "size=abc",
    "size=1.5",
    "size=1e1",
    "size=%2B5",
    "size=5&size=6",
    "size=9007199254740993",
    "page=-1",
    "page=abc",
    "page=1000000001",
    "page=99999999999999999999",
    "includeArchived=yes",
    "includeArchived=TRUE",
    "flagType=release",
    "search=",
    "projectId=0",
  ])("returns 400 for the invalid query %s", async (query) => {
    expect(outcome(await get(query))).toBe("400 BAD_REQUEST");
  });
});

const PLAIN = "projects environments segments tags contexts api-keys integrations".split(" ");

describe.each(PLAIN)("the list of %s", (list) => {
  const get = (query: string) => asAdmin("GET", `/api/v1/${list}${query}`);

  it("is an array of all items when the query has no page, with their number in X-Total-Count", async () => {
    const { body, headers } = await get("");
    expect(Array.isArray(body)).toBe(true);
    expect(headers.get("X-Total-Count")).toBe(String(body.length));
  });

  it("is an array of the items of the requested page, with the total count in X-Total-Count", async () => {
    const all = (await get("")).body;
    const { body, headers } = await get("?page=1&size=1");
    expect(body).toEqual(all.slice(1, 2));
    expect(headers.get("X-Total-Count")).toBe(String(all.length));
    const beyond = await get("?page=1000&size=100");
    expect([beyond.status, beyond.body]).toEqual([200, []]);
  });

  it.each(["?size=0", "?size=-1", "?size=101", "?page=-1", "?page=x"])(
    "returns 400 for the invalid query %s",
    async (q) => {
      expect(outcome(await get(q))).toBe("400 BAD_REQUEST");
    },
  );
});

it.each(["0", "x", "9007199254740993"])(
  "the list of environments returns 400 for the projectId %s",
  async (id) => {
    const answer = await asAdmin("GET", `/api/v1/environments?projectId=${id}`);
    expect(outcome(answer)).toBe("400 BAD_REQUEST");
  },
);

it("the list of a flag's strategies has pages of 20 items when the query has a page and no size", async () => {
  const flag = await newFlag(projectId);
  for (let n = 0; n < 21; n++) await newEnvironment(projectId);
  const path = `/api/v1/flags/${flag.id}/strategies`;
  expect((await asAdmin("GET", path)).body).toHaveLength(22);
  const page = await asAdmin("GET", `${path}?page=0`);
  expect(page.body).toHaveLength(20);
  expect(page.headers.get("X-Total-Count")).toBe("22");
});

describe("GET /api/v1/segments?search=", () => {
  // All letters of this text have other forms, which is the deepest condition of a search.
  const NAME = "Ärzte in ΑΒΓΔΕΖΗΘΙΚΛΜ ДЕЖЗИЙКЛМНОПРСТУФХЦЧ";

  it("returns the segments whose name contains the text, without regard to case, page by page", async () => {
    const path = `/api/v1/segments?projectId=${projectId}&page=0&size=20`;
    await asAdmin("POST", "/api/v1/segments", { name: NAME, projectId, constraints: [] });
    const search = async (text: string) => {
      const found = await asAdmin("GET", `${path}&search=${encodeURIComponent(text)}`);
      const total = found.headers.get("X-Total-Count");
      return [total, found.body.map(({ name }: { name: string }) => name)];
    };
    for (const text of ["ärzte", NAME.toLowerCase()])
      expect(await search(text)).toEqual(["1", [NAME]]);
    expect(await search("nobody")).toEqual(["0", []]);
  });
});
