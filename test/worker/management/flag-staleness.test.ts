import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { readDb } from "../../../src/db/database.ts";
import { type FlagFilter, pageOfFlags } from "../../../src/model/flags/list-queries.ts";
import { isStale } from "../../../src/model/flags/staleness.ts";
import { asAdmin } from "../support/outcomes.ts";
import { newProject } from "../support/world.ts";

const NOW = 1_800_000_000_000;
// Times since the last change of a flag, in milliseconds. A flag is stale after 40 days. The age -1
// means a change in the future.
const AGES = [-1, 0, 1, 40 * DAY_MS - 1, 40 * DAY_MS, 40 * DAY_MS + 1, 400 * DAY_MS];
const db = readDb(env.DB.withSession());
let filter: FlagFilter;

/** Inserts a flag of each age, for both types, archived and not archived. */
beforeAll(async () => {
  const { id: projectId } = await newProject();
  filter = { projectId, includeArchived: true, now: NOW };
  const insert = env.DB.prepare(
    `INSERT INTO flags (project_id, key, name, flag_type, archived, created_at, updated_at)
     VALUES (?, ?, '', ?, ?, 0, ?)`,
  );
  const kinds = ["RELEASE", "KILLSWITCH"].flatMap((type) => [0, 1].map((gone) => ({ type, gone })));
  const rows = kinds.flatMap(({ type, gone }) =>
    AGES.map((age) => insert.bind(projectId, `${type}-${gone}-${age}`, type, gone, NOW - age)),
  );
  await env.DB.batch(rows);
});

describe("the filter for stale flags", () => {
  it("selects the same flags as the function isStale", async () => {
    const list = (stale?: boolean) =>
      pageOfFlags(db, { ...filter, stale }, { order: undefined, limit: 100, offset: 0 });
    const all = await list();
    expect(all).toHaveLength(4 * AGES.length);
    expect(await list(true)).toEqual(all.filter((flag) => isStale(flag, NOW)));
    expect(await list(false)).toEqual(all.filter((flag) => !isStale(flag, NOW)));
  });

  it("finds flags of type RELEASE that are not archived and have not changed for 40 days", async () => {
    const found = await pageOfFlags(
      db,
      { ...filter, stale: true },
      { order: undefined, limit: 100, offset: 0 },
    );
    const keys = AGES.filter((age) => age >= 40 * DAY_MS).map((age) => `RELEASE-0-${age}`);
    expect(found.map(({ key }) => key)).toEqual(keys);
  });

  it("uses the days that the project of the flag sets, also in a list of all projects", async () => {
    const { projectId = 0 } = filter;
    const keysOf = async (of: Partial<FlagFilter>) => {
      // A list of all projects contains the flags of other test files.
      const slice = { order: undefined, limit: 100_000, offset: 0 };
      const found = await pageOfFlags(db, { ...filter, stale: true, ...of }, slice);
      return found.filter((flag) => flag.projectId === projectId).map(({ key }) => key);
    };
    const set = (staleDays: number) =>
      asAdmin("PUT", `/api/v1/projects/${projectId}`, { staleDays });
    expect((await set(400)).body.staleDays).toBe(400);
    expect(await keysOf({})).toEqual([`RELEASE-0-${400 * DAY_MS}`]);
    expect(await keysOf({ projectId: undefined })).toEqual(await keysOf({}));
    await set(401);
    expect(await keysOf({})).toEqual([]);
    await set(40);
    expect(await keysOf({})).toHaveLength(3);
  });
});
