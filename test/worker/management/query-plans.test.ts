import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { readDb } from "../../../src/db/database.ts";
import { currentNames, recordedNames } from "../../../src/model/audit/related-queries.ts";
import { listContexts } from "../../../src/model/contexts/queries.ts";
import { listEnvironments } from "../../../src/model/environments/queries.ts";
import {
  type FlagFilter,
  type FlagOrder,
  pageOfChangedFlags,
  pageOfFlags,
} from "../../../src/model/flags/list-queries.ts";
import { linkedFlags } from "../../../src/model/flags/related-queries.ts";
import { findActiveRamps, findObstructed } from "../../../src/model/ramps/queries.ts";
import { listSegments } from "../../../src/model/segments/queries.ts";
import { listTags } from "../../../src/model/tags/queries.ts";
import { planOf } from "../support/usage-rows.ts";
import { newTag, newWorld } from "../support/world.ts";

const FLAGS = 1_000;
const db = readDb(env.DB.withSession());

const FIELDS = ["name", "key", "createdAt", "updatedAt", "lastUsedAt"] as const;
const orders: FlagOrder[] = FIELDS.flatMap((by) => [
  { by, descending: false },
  { by, descending: true },
]);

const LISTED = { projectId: 1, hidden: [], only: undefined };

const FULL_SCAN = /^SCAN (?!json_each|CONSTANT|used\b|\(subquery)/;

it("the SQL queries for counts, for related flags and for the names in audit records scan no table", async () => {
  const named = [{ entityType: "flag", id: 1 }];
  const plans = await Promise.all([
    planOf(listTags(db, LISTED, true)),
    planOf(listSegments(db, { listed: LISTED, slice: undefined }, true)),
    planOf(listContexts(db, LISTED, true)),
    planOf(listEnvironments(db, LISTED, true)),
    planOf(linkedFlags(db, { id: 1 })),
    planOf(currentNames(db, named)),
    planOf(recordedNames(db, named)),
  ]);
  expect(plans.flat().filter((step) => FULL_SCAN.test(step))).toEqual([]);
  expect(plans.at(-1)).toContainEqual(expect.stringMatching(/SEARCH a USING .*INDEX audit_entity/));
});

it("the SQL queries for active ramps read only active ramps", async () => {
  const plans = await Promise.all([
    planOf(findActiveRamps(db, [{ flagId: 1, environmentId: 1 }])),
    planOf(findObstructed(db, 1)),
  ]);
  expect(plans.map(([step]) => step)).toEqual([
    "SEARCH ramps USING INDEX ramps_active (flag_id=? AND environment_id=?)",
    "SCAN ramps USING INDEX ramps_active",
  ]);
});

it("the SQL query for the last changes of flags searches an index for the time of each change", async () => {
  const filter = { projectId: 1, includeArchived: false, now: 0 };
  const slice = { order: undefined, limit: 50, offset: 0 };
  expect(await planOf(pageOfChangedFlags(db, filter, slice))).toContain(
    "SEARCH a USING INDEX audit_entity (entity_id=? AND at>? AND at<?)",
  );
});

describe("the SQL query for a list of the flags of a project", () => {
  it.for<[Partial<FlagFilter>]>([
    [{}],
    [{ archived: true }],
    [{ archived: false }],
    [{ stale: true }],
    [{ stale: false }],
    [{ segmentId: [1] }],
    [{ environmentId: 1, state: "on" }],
    [{ environmentId: 1, state: "off" }],
    [{ tag: ["t"], search: "s", flagType: "RELEASE" }],
    [{ tag: ["s", "t"], notTag: ["u"], search: "one two" }],
    [{ segmentId: [1, 2], notSegmentId: [3], ownerId: [1, 2], notOwnerId: [3] }],
    [{ onIn: [1, 2], offIn: [3, 4] }],
    [{ archived: false, stale: false, segmentId: [1], environmentId: 1, state: "on" }],
  ])("scans no table with the filter %o, in any sort order", async ([more]) => {
    const filter = { projectId: 1, includeArchived: true, now: 0, ...more };
    for (const order of [undefined, ...orders]) {
      const plan = await planOf(pageOfFlags(db, filter, { order, limit: 50, offset: 0 }));
      const walks = plan.filter((step) => FULL_SCAN.test(step));
      expect({ order, walks }).toEqual({ order, walks: [] });
    }
  });
});

describe(`a page of 20 of ${FLAGS} flags`, () => {
  const size = 20;
  /**
   * The maximum number of rows read for the 20 flags of a page: ten per flag, for the flag, its tag
   * and its strategy.
   */
  const ofPage = 10 * size;

  let filter: FlagFilter;

  beforeAll(async () => {
    const { projectId: id, environmentId } = await newWorld();
    filter = { projectId: id, includeArchived: true, now: 0 };
    const tag = await newTag(id);
    await env.DB.batch(
      [
        `INSERT INTO flags (project_id, key, name, flag_type, created_at, updated_at, last_used_at)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FLAGS})
          SELECT ${id}, printf('flag-%05d', i), printf('Flag %05d', i), 'RELEASE', i, i, i FROM n`,
        `INSERT INTO strategies
          (flag_id, environment_id, enabled, percentage, constraints, updated_at)
          SELECT id, ${environmentId}, 1, 100, '[]', 0 FROM flags WHERE project_id = ${id}`,
        `INSERT INTO flag_tags (flag_id, tag_id, value)
          SELECT id, ${tag.id}, 'v' FROM flags WHERE project_id = ${id}`,
      ].map((statement) => env.DB.prepare(statement)),
    );
  });

  const rowsRead = async (order: FlagOrder, offset: number) => {
    const { sql, params } = pageOfFlags(db, filter, { order, limit: size, offset }).toSQL();
    const statement = env.DB.prepare(sql).bind(...params);
    return (await statement.all()).meta.rows_read;
  };

  it.for(orders)(
    "reads tags and strategies only for the flags of the page, sorted by %o",
    async (order) => {
      // The sort reads three rows per flag: an index entry, the table row, and an index entry
      // again.
      for (const offset of [0, FLAGS - size])
        expect(await rowsRead(order, offset)).toBeLessThanOrEqual(3 * FLAGS + ofPage);
    },
  );
});
