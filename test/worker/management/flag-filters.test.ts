import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { call, type Json } from "../support/client.ts";
import {
  newEnvironment,
  newFlag,
  newKey,
  newProject,
  newSegment,
  setStrategy,
} from "../support/world.ts";

let projectId: number;
/** The ids of two environments of the project. */
let live: number;
let staging: number;
/** The ids of two segments of the project: `used` by two flags, `unused` by none. */
let used: number;
let unused: number;
let admin: number;
let foreign: { environmentId: number; segmentId: number };

const now = Date.now();

async function age(id: number, createdAt: number, daysUnchanged: number, lastUsedAt?: number) {
  await env.DB.prepare(
    "UPDATE flags SET created_at = ?, updated_at = ?, last_used_at = ? WHERE id = ?",
  )
    .bind(createdAt, now - daysUnchanged * DAY_MS, lastUsedAt ?? null, id)
    .run();
}

beforeAll(async () => {
  projectId = (await newProject()).id;
  live = (await newEnvironment(projectId)).id;
  staging = (await newEnvironment(projectId)).id;
  used = (await newSegment(projectId, [])).id;
  unused = (await newSegment(projectId, [])).id;
  admin = (await asAdmin("GET", "/api/v1/auth/me")).body.id;
  const flag = async (key: string, name: string, more: object = {}): Promise<number> =>
    (await newFlag(projectId, { key, name, ...more })).id;
  const banner = await flag("banner", "beta", { tags: ["shop", "web"] });
  const cart = await flag("Cart", "Alpha", { tags: ["web"], ownerIds: [admin] });
  const dark = await flag("dark", "alpha", { clients: "server" });
  const exit = await flag("Exit", "Gamma", { flagType: "KILLSWITCH" });
  const first = await flag("first", "delta");
  const on = { environmentId: live, enabled: true };
  await setStrategy(banner, { ...on, segmentIds: [used] });
  await setStrategy(cart, { environmentId: live, enabled: false });
  await setStrategy(cart, { environmentId: staging, enabled: true, segmentIds: [used] });
  await setStrategy(exit, on);
  await setStrategy(first, on);
  await asAdmin("POST", `/api/v1/flags/${first}/archive`);
  await age(banner, 500, 41);
  await age(cart, 400, 1, 200);
  await age(dark, 300, 1, 100);
  await age(exit, 200, 50);
  await age(first, 100, 45, 300);
  foreign = await foreignProject();
});

/**
 * Creates a foreign project with an environment, a segment and two flags. One flag is on in that
 * environment and uses that segment.
 */
async function foreignProject() {
  const { id } = await newProject();
  const environmentId: number = (await newEnvironment(id)).id;
  const segmentId: number = (await newSegment(id, [])).id;
  const flag = await newFlag(id);
  await setStrategy(flag.id, { environmentId, enabled: true, segmentIds: [segmentId] });
  await newFlag(id);
  return { environmentId, segmentId };
}

describe.each(["flags", "flags/enriched", "flags/by-environment"])(
  "the list GET /api/v1/%s",
  (list) => {
    const get = (query: string, environmentId = live) =>
      asAdmin(
        "GET",
        `/api/v1/${list}?projectId=${projectId}&environmentId=${environmentId}&${query}`,
      );
    const keys = async (query: string, environmentId = live) => {
      const { status, body } = await get(query, environmentId);
      if (status !== 200) throw new Error(`${query}: ${status}`);
      expect(body.totalItems).toBe(body.items.length);
      return body.items.map(({ key }: Json) => key);
    };

    it("returns every flag that is not archived, ordered by id, when the query has no filter", async () => {
      expect(await keys("")).toEqual(["banner", "Cart", "dark", "Exit"]);
    });

    it.each([
      ["archived=true", ["first"]],
      ["archived=true&includeArchived=false", ["first"]],
      ["archived=false", ["banner", "Cart", "dark", "Exit"]],
      ["archived=false&includeArchived=true", ["banner", "Cart", "dark", "Exit"]],
      ["stale=true", ["banner"]],
      ["stale=true&includeArchived=true", ["banner"]],
      ["stale=true&archived=true", []],
      ["stale=false", ["Cart", "dark", "Exit"]],
      ["stale=false&includeArchived=true", ["Cart", "dark", "Exit", "first"]],
      ["state=on", ["banner", "Exit"]],
      ["state=on&includeArchived=true", ["banner", "Exit", "first"]],
      ["state=off", ["Cart", "dark"]],
      ["state=off&archived=true", []],
      ["clients=server", ["dark"]],
      ["clients=all&state=off", ["Cart"]],
      ["state=on&stale=true&archived=false&flagType=RELEASE&search=BAN", ["banner"]],
    ])("filters by %s: %j", async (query, found) => {
      expect(await keys(query)).toEqual(found);
    });

    it("filters by the state of the flag in the given environment", async () => {
      expect(await keys("state=on", staging)).toEqual(["Cart"]);
      expect(await keys("state=off", staging)).toEqual(["banner", "dark", "Exit"]);
    });

    it("filters by a segment that a flag uses in any environment", async () => {
      expect(await keys(`segmentId=${used}`)).toEqual(["banner", "Cart"]);
      expect(await keys(`segmentId=${used}&state=on`)).toEqual(["banner"]);
    });

    it.each([
      ["search=ET%20ban", ["banner"]],
      ["search=alpha%20%20a", ["Cart", "dark"]],
      ["search=art%20%C3%84", []],
      ["search=a%20b%20e%20n%20r%20t%20b%20a%20n%20n", []],
      ["search=a%20b%20e%20n%20r%20t%20b%20anner", ["banner"]],
      ["search=r%0Ab", ["banner"]],
      ["tag=shop", ["banner"]],
      ["tag=shop&tag=web", ["banner", "Cart"]],
      ["tag=web&notTag=shop", ["Cart"]],
      ["notTag=web&notTag=shop", ["dark", "Exit"]],
    ])("filters by several values: %s: %j", async (query, found) => {
      expect(await keys(query)).toEqual(found);
    });

    it("filters by several owners, and by owners that a flag does not have", async () => {
      expect(await keys(`ownerId=${admin}&ownerId=999999`)).toEqual(["Cart"]);
      expect(await keys(`notOwnerId=${admin}`)).toEqual(["banner", "dark", "Exit"]);
    });

    it("filters by several segments, and by segments that a flag does not use", async () => {
      expect(await keys(`segmentId=${unused}&segmentId=${used}`)).toEqual(["banner", "Cart"]);
      expect(await keys(`notSegmentId=${unused}&notSegmentId=${used}`)).toEqual(["dark", "Exit"]);
    });

    it("filters by the states in several environments at the same time", async () => {
      expect(await keys(`onIn=${staging}&offIn=${live}`)).toEqual(["Cart"]);
      expect(await keys(`onIn=${live}&offIn=${staging}`)).toEqual(["banner", "Exit"]);
      expect(await keys(`onIn=${live}&onIn=${staging}`)).toEqual([]);
      expect(await keys(`offIn=${live}&offIn=${staging}`)).toEqual(["dark"]);
      expect(await keys(`onIn=${staging}&state=off`)).toEqual(["Cart"]);
    });

    it("is empty for a state in an environment that is unknown or of another project", async () => {
      for (const other of [999_999, foreign.environmentId])
        for (const state of ["onIn", "offIn"])
          expect(await keys(`${state}=${other}&offIn=${staging}`)).toEqual([]);
    });

    it("returns 400 for more than 10 values of a filter, and finds flags with 10 values of each", async () => {
      const values = (name: string, count: number, value: string | number = "") =>
        Array.from({ length: count }, () => `${name}=${value}`).join("&");
      expect(outcome(await get(values("tag", 11, "web")))).toBe("400 BAD_REQUEST");
      const most = [
        ...["tag", "notTag"].map((name, n) => values(name, 10, ["web", "shop"][n])),
        values("segmentId", 10, used),
        values("notSegmentId", 10, unused),
        values("ownerId", 10, admin),
        values("notOwnerId", 10, 999_999),
        values("onIn", 10, staging),
        values("offIn", 10, live),
        "search=a c r t A C R T&archived=false&stale=false&state=off&flagType=RELEASE&sort=name",
      ];
      expect(await keys(most.join("&"))).toEqual(["Cart"]);
    });

    it("is empty for a segment that is unused, unknown or of another project", async () => {
      for (const segmentId of [unused, 999_999, foreign.segmentId])
        expect(await keys(`segmentId=${segmentId}`)).toEqual([]);
    });

    it.each([
      ["name", ["Cart", "dark", "banner", "first", "Exit"]],
      ["-name", ["Exit", "first", "banner", "Cart", "dark"]],
      ["key", ["banner", "Cart", "dark", "Exit", "first"]],
      ["-key", ["first", "Exit", "dark", "Cart", "banner"]],
      ["createdAt", ["first", "Exit", "dark", "Cart", "banner"]],
      ["-createdAt", ["banner", "Cart", "dark", "Exit", "first"]],
      ["updatedAt", ["Exit", "first", "banner", "Cart", "dark"]],
      ["-updatedAt", ["Cart", "dark", "banner", "first", "Exit"]],
      ["lastUsedAt", ["dark", "Cart", "first", "banner", "Exit"]],
      ["-lastUsedAt", ["first", "Cart", "dark", "banner", "Exit"]],
    ])("sorts by %s, then by id: %j", async (sort, sorted) => {
      expect(await keys(`includeArchived=true&sort=${sort}`)).toEqual(sorted);
      const paged: string[] = [];
      for (let page = 0; page < 3; page++) {
        const { body } = await get(`includeArchived=true&sort=${sort}&size=2&page=${page}`);
        expect(body).toMatchObject({ totalItems: 5, totalPages: 3 });
        paged.push(...body.items.map(({ key }: Json) => key));
      }
      expect(paged).toEqual(sorted);
    });

    it.each([
      "archived=yes",
      "archived=",
      "stale=1",
      "segmentId=0",
      "segmentId=x",
      "segmentId=1&segmentId=x",
      "notTag=",
      "onIn=0",
      "state=ON",
      "state=",
      "sort=",
      "sort=id",
      "sort=Name",
      "sort=--name",
      "sort=%2Bname",
      "sort=name,key",
      "sort=name&sort=key",
    ])("returns 400 for the invalid query %s", async (query) => {
      expect(outcome(await get(query))).toBe("400 BAD_REQUEST");
    });

    it("returns 400 and names environmentId when the query has a state but no environment", async () => {
      const answer = await asAdmin("GET", `/api/v1/${list}?projectId=${projectId}&state=on`);
      expect(outcome(answer)).toBe("400 BAD_REQUEST");
      expect(answer.body.error).toContain("environmentId");
    });
  },
);

describe.each(["flags", "flags/enriched"])("the list GET /api/v1/%s", (list) => {
  const idsOf = async (query: string) =>
    (await asAdmin("GET", `/api/v1/${list}?${query}`)).body.items.map(({ id }: Json) => id);

  it.each(["on", "off"])(
    "is empty for the state %s in an environment that is unknown or of another project",
    async (state) => {
      for (const environmentId of [999_999, foreign.environmentId])
        expect(
          await idsOf(`projectId=${projectId}&environmentId=${environmentId}&state=${state}`),
        ).toEqual([]);
    },
  );

  it("with the filters state and environmentId, but without projectId, returns only flags of the environment's project", async () => {
    const query = `environmentId=${foreign.environmentId}&state=`;
    expect([await idsOf(`${query}on`), await idsOf(`${query}off`)]).toEqual([
      [expect.any(Number)],
      [expect.any(Number)],
    ]);
  });

  it("ignores environmentId, even of another project, when the query has no state", async () => {
    for (const environmentId of [staging, 999_999, foreign.environmentId])
      expect(await idsOf(`projectId=${projectId}&environmentId=${environmentId}`)).toHaveLength(4);
  });

  it("returns no flags to an API key for a segment or a state of another project", async () => {
    const { apiKey } = await newKey(live);
    for (const query of [
      `segmentId=${foreign.segmentId}`,
      `environmentId=${foreign.environmentId}&state=on`,
      `environmentId=${foreign.environmentId}&state=off`,
    ]) {
      const answer = await call("GET", `/api/v1/${list}?${query}`, { token: apiKey });
      expect([answer.status, answer.body.totalItems]).toEqual([200, 0]);
    }
  });
});
