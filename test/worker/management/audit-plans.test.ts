import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDb } from "../../../src/db/database.ts";
import {
  type AuditFilter,
  countAudit,
  idsOnPage,
  listRecords,
  MAX_SEARCHED,
  searchAudit,
} from "../../../src/model/audit/queries.ts";
import { deletedKeys, recentProjects } from "../../../src/jobs/streams/notify-recent.ts";
import { SERVICE_ENTITIES } from "@feature-flags/permissions/service-entities";
import { call, type Json } from "../support/client.ts";
import { person } from "../support/people.ts";

const RECORDS = 200_000;
const db = readDb(env.DB.withSession());

const listAudit = (filter: AuditFilter, size: number, offset: number) =>
  listRecords(db, idsOnPage(db, filter, size, offset));

/**
 * The SQL statement that inserts the audit records, one per second, with four projects, twelve
 * environments and forty users. One record in ten has the category security.
 */
const GENERATE = `INSERT INTO audit (at, category, action, actor_kind, actor_id, actor_name,
    entity_type, entity_id, project_id, environment_id, before, after, trace_id)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS - 1})
  SELECT i * 1000, iif(i % 10, 'change', 'security'),
    iif(i % 10, iif(i % 5000 = 1, 'flag.archived', 'flag.updated'), 'session.started'),
    'user', i % 40 + 1, 'person-' || (i % 40) || '@example.com',
    iif(i % 10, 'flag', 'user'), i % 997 + 1,
    iif(i % 10, i % 4 + 1, NULL), iif(i % 10, i % 12 + 1, NULL),
    '{"enabled":false,"percentage":100}', '{"enabled":true,"percentage":50}',
    '00000000000000aa'
  FROM n`;

beforeAll(async () => {
  await env.DB.prepare(GENERATE).run();
});

const FILTERS: AuditFilter = {
  projectId: 2,
  environmentId: 6,
  entityType: "flag",
  entityId: 500,
  actorKind: "user",
  actorId: 7,
  action: "flag.archived",
  category: "change",
  dateFrom: 50_000_000,
  dateTo: 150_000_000,
  beforeId: 100_000,
  withoutSecurity: SERVICE_ENTITIES,
  hidden: [3, 4],
};
const names = (Object.keys(FILTERS) as (keyof AuditFilter)[]).filter((name) => name !== "hidden");

/** Every combination of the filters: 4,096. */
const combinations: AuditFilter[] = Array.from({ length: 2 ** names.length }, (_, bits) =>
  Object.fromEntries(
    names
      .filter((_name, n) => bits & (2 ** n))
      // Whoever does not see the records of the service may also not see all projects.
      .flatMap((name) => (name === "withoutSecurity" ? [name, "hidden" as const] : name))
      .map((name) => [name, FILTERS[name]]),
  ),
);

interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

/** Returns the steps of SQLite's query plan for each SQL query. */
async function plans(queries: readonly Query[]): Promise<string[][]> {
  const statements = queries.map((query) => {
    const { sql, params } = query.toSQL();
    return env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...params);
  });
  const results = await env.DB.batch<{ detail: string }>(statements);
  return results.map((result) => result.results.map((row) => row.detail));
}

const INDEX_ALONE = /^(?:SEARCH|SCAN) audit USING COVERING INDEX audit_/;
const ROWS_BY_ID =
  /^SEARCH (?:audit|users) USING INTEGER PRIMARY KEY \(rowid[=<]\?\)(?: LEFT-JOIN)?$/;
const SUBQUERY = /^(?:LIST|SCALAR|REUSE(?: LIST)?) SUBQUERY/;
const SORT = "USE TEMP B-TREE FOR ORDER BY";

/**
 * Whether a query plan finds audit records with a covering index, reads table rows only by id, and
 * sorts at most once.
 */
function isLean(plan: readonly string[]): boolean {
  const steps = plan.filter((step) => !SUBQUERY.test(step));
  const reads = steps.filter((step) => step !== SORT);
  return (
    reads.some((step) => INDEX_ALONE.test(step)) &&
    reads.every((step) => INDEX_ALONE.test(step) || ROWS_BY_ID.test(step)) &&
    steps.length - reads.length <= 1
  );
}

describe(`the audit trail of ${RECORDS} records, with every combination of filters,`, () => {
  const wasteful = async () => {
    const found: object[] = [];
    for (let n = 0; n < combinations.length; n += 256) {
      const some = combinations.slice(n, n + 256);
      const listed = await plans(some.map((filter) => listAudit(filter, 20, 100_000)));
      const counted = await plans(some.map((filter) => countAudit(db, filter)));
      for (const [i, filter] of some.entries())
        for (const plan of [listed[i] ?? [], counted[i] ?? []])
          if (!isLean(plan)) found.push({ filter, plan });
    }
    return found;
  };

  describe.each(["without", "with"])("%s the statistics of ANALYZE", (statistics) => {
    beforeAll(async () => {
      await env.DB.exec(statistics === "with" ? "ANALYZE" : "DROP TABLE IF EXISTS sqlite_stat1");
    });
    afterAll(async () => {
      await env.DB.exec("DROP TABLE IF EXISTS sqlite_stat1");
    });

    it("finds the recent changes of projects in the index of times", async () => {
      const query = recentProjects(db, 150_000_000);
      const search = "SEARCH audit USING COVERING INDEX audit_time (at>?)";
      expect((await plans([query]))[0]).toContain(search);
      const last = await env.DB.prepare("SELECT project_id, max(id) FROM audit GROUP BY 1").raw();
      const newest = last.filter(([projectId]) => projectId !== null);
      expect((await query).map(({ projectId, change }) => [projectId, change])).toEqual(
        newest.toSorted((one, other) => Number(other[1]) - Number(one[1])),
      );
    });

    it("finds the recently deleted API keys in the index of actions", async () => {
      const search = "SEARCH audit USING COVERING INDEX audit_action (action=? AND at>?)";
      expect((await plans([deletedKeys(db, 150_000_000)]))[0]).toContain(search);
    });

    it("finds and counts the records with a covering index", async () => {
      expect(await wasteful()).toEqual([]);
    });
  });
});

describe(`the audit trail of ${RECORDS} records`, () => {
  it.for<[AuditFilter, string]>([
    [{}, "audit_time"],
    [{ dateFrom: 1, dateTo: 2 }, "audit_time"],
    [{ category: "security" }, "audit_time"],
    [{ hidden: [1, 3], withoutSecurity: SERVICE_ENTITIES }, "audit_time"],
    [{ projectId: 2 }, "audit_project"],
    [{ projectId: 2, withoutSecurity: SERVICE_ENTITIES }, "audit_project"],
    [{ projectId: 2, dateFrom: 1, dateTo: 2, beforeId: 9 }, "audit_project"],
    [{ projectId: 2, environmentId: 6 }, "audit_project"],
    [{ entityType: "flag", entityId: 500 }, "audit_entity"],
    [{ projectId: 2, entityType: "flag", entityId: 500 }, "audit_entity"],
    [{ actorId: 7, dateFrom: 1 }, "audit_actor"],
    [{ action: "flag.archived", dateTo: 1 }, "audit_action"],
  ])("finds the page of the filter %o in the index %s", async ([filter, index]) => {
    const [listed] = await plans([listAudit(filter, 20, 0)]);
    expect(listed?.filter((step) => INDEX_ALONE.test(step)).join()).toContain(` ${index}`);
  });

  const rowsRead = async (query: Query) => {
    const { sql, params } = query.toSQL();
    const { meta } = await env.DB.prepare(sql)
      .bind(...params)
      .all();
    return meta.rows_read;
  };

  const size = 20;
  /**
   * The maximum number of rows read for the 20 records of a page: six per record, for its id, its
   * row, the user who acted and the sort.
   */
  const ofPage = 6 * size;

  it.for<[AuditFilter]>([
    [{}],
    [{ projectId: 2, withoutSecurity: SERVICE_ENTITIES }],
    [{ actorId: 7, dateTo: 150_000_000 }],
    [{ entityType: "flag", entityId: 500 }],
  ])(
    "reads at most 120 rows for the first page with the filter %o, and for a later page also one index entry per skipped record",
    async ([filter]) => {
      const read = (offset: number) => rowsRead(listAudit(filter, size, offset));
      expect(await read(0)).toBeLessThanOrEqual(ofPage);
      expect(await read(2_000)).toBeLessThanOrEqual(2_000 + ofPage);
    },
  );

  it.for<[AuditFilter]>([
    [{}],
    [{ projectId: 2, withoutSecurity: SERVICE_ENTITIES }],
    [{ projectId: 2, dateTo: 199_000_000 }],
  ])("reads at most 120 rows for a page with the filter %o and any beforeId", async ([filter]) => {
    for (const beforeId of [RECORDS, RECORDS / 2, 1_000])
      expect(await rowsRead(listAudit({ ...filter, beforeId }, size, 0))).toBeLessThanOrEqual(
        ofPage,
      );
  });

  it("searches a text in the newest 10,000 records that match the filters, reads at most five rows for each, and says how far it searched", async () => {
    const search = { text: "person-7@", people: true };
    const filter = { projectId: 4, withoutSecurity: SERVICE_ENTITIES };
    expect(await rowsRead(searchAudit(db, filter, search))).toBeLessThanOrEqual(5 * MAX_SEARCHED);
    const { token } = await person("DEVELOPER");
    const { body } = await call("GET", "/api/v1/audit?projectId=4&q=PERSON-7@", { token });
    // Of the project's records, one per four seconds, every tenth is by this person.
    expect(body).toMatchObject({ totalItems: MAX_SEARCHED / 10, totalPages: 50 });
    const oldest = 1_000 * (RECORDS - 1 - 4 * (MAX_SEARCHED - 1));
    expect(Date.parse(body.searchedSince)).toBe(oldest);
    expect(new Set(body.items.map((item: Json) => item.actor.name))).toEqual(
      new Set(["person-7@example.com"]),
    );
  });

  it("returns exact totals, and an empty page after the last page", async () => {
    const { token } = await person("DEVELOPER");
    const get = (query: string) => call("GET", `/api/v1/audit?${query}`, { token });
    const everything = await get("size=200");
    expect(everything.body).toMatchObject({ totalItems: RECORDS * 0.9, totalPages: 900 });
    const last = await get("projectId=2&page=2499");
    expect(last.body).toMatchObject({ totalItems: RECORDS / 4, totalPages: 2_500 });
    const times: string[] = last.body.items.map((item: Json) => item.at);
    // Every fourth record is of the project, one record per second.
    expect(times.map(Date.parse)).toEqual(
      Array.from({ length: 20 }, (_, n) => 1_000 * (1 + 4 * (19 - n))),
    );
    const beyond = await get("projectId=2&page=2500");
    expect(beyond.body).toMatchObject({ items: [], totalItems: RECORDS / 4 });
  });
});
