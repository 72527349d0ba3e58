import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readDb } from "../../../src/db/database.ts";
import * as queries from "../../../src/model/insights/queries.ts";
import { planOf } from "../support/usage-rows.ts";

const db = readDb(env.DB.withSession());

/** Returns the steps that read tables of usage or flags, with the columns of each search. */
const searches = async (query: Parameters<typeof planOf>[0]) =>
  (await planOf(query)).flatMap((step) => {
    const [, access, columns = ""] =
      /^(\w+ (?:\w*usage\w*|flags|r)\b)[^(]*(\(.*\))?/.exec(step) ?? [];
    return access === undefined ? [] : [`${access} ${columns}`.trim()];
  });

const byHour = "(flag_id=? AND environment_id=? AND hour>? AND hour<?)";
const byDay = "(flag_id=? AND environment_id=? AND day>? AND day<?)";
const writes = "SEARCH usage_writes (id=?)";

describe("the SQL query for the insights of a flag", () => {
  const flag = { id: 1, key: "k", createdAt: 0 };

  it.each([[[1]], [[1, 2]]])("searches indexes for the environments %j", async (environmentIds) => {
    const period = { from: 1, to: 2, interval: "day" } as const;
    const query = queries.flagCounts(db, { flag, environmentIds }, period, [[null, 1, [1, 2]]]);
    expect((await searches(query)).toSorted()).toEqual([
      `SEARCH flag_usage_days ${byDay}`,
      `SEARCH flag_variant_usage_days ${byDay}`,
      `SEARCH usage_hours ${byHour}`,
      writes,
    ]);
  });

  it("searches an index for an application", async () => {
    const filter = { flag: { ...flag, createdAt: 0 }, environmentIds: [1, 2], appName: "shop" };
    const period = { from: 1, to: 2, interval: "hour" } as const;
    const query = queries.appCounts(db, filter, period, [["x", 1, [1, 2]]]);
    expect((await searches(query)).toSorted()).toEqual([
      "SEARCH app_usage (environment_id=? AND app_name=? AND hour>? AND hour<?)",
      writes,
    ]);
  });
});

describe("the SQL queries for the insights of an environment", () => {
  const environment = { id: 1, projectId: 1 };
  const period = { from: 1, to: 2, interval: "day" } as const;
  const unwritten: queries.UnwrittenOfEnvironment = [["x", 1, [["k", 1, 2]]]];
  const usage = [
    "SEARCH flag_usage_days (environment_id=? AND day>? AND day<?)",
    "SEARCH r (project_id=? AND key=?)",
    "SEARCH r (project_id=?)",
    `SEARCH usage_hours ${byHour}`,
    writes,
  ];

  it("search indexes for the counts of the environment", async () => {
    const query = queries.environmentCounts(db, environment, period, unwritten);
    const boolean = "SEARCH flags (project_id=?)";
    expect((await searches(query)).toSorted()).toEqual([boolean, boolean, ...usage].toSorted());
  });

  it("search indexes for the variants of some flags", async () => {
    const some = { ...environment, flagIds: [1, 2] };
    const query = queries.variantCounts(db, some, period, [["x", 1, [["k", 1, 2, { blue: 3 }]]]]);
    expect((await searches(query)).toSorted()).toEqual([
      `SEARCH flag_variant_usage_days ${byDay}`,
      "SEARCH r (project_id=? AND key=? AND rowid=?)",
      `SEARCH usage_hours ${byHour}`,
      writes,
    ]);
  });

  it("search indexes for the counts of some flags", async () => {
    const some = { ...environment, flagIds: [1, 2] };
    const query = queries.countsByFlag(db, some, period, unwritten);
    expect((await searches(query)).toSorted()).toEqual([
      `SEARCH flag_usage_days ${byDay}`,
      "SEARCH r (project_id=? AND key=? AND rowid=?)",
      "SEARCH r (rowid=?)",
      `SEARCH usage_hours ${byHour}`,
      writes,
    ]);
  });

  it("search indexes for the most evaluated flags", async () => {
    const query = queries.mostEvaluated(db, environment, period, unwritten);
    const flag = "SEARCH flags (rowid=?)";
    expect((await searches(query)).toSorted()).toEqual([flag, ...usage].toSorted());
  });

  it("search indexes for the flags that were never evaluated", async () => {
    const query = queries.neverEvaluated(db, environment, unwritten, 100);
    const byFlag = "(flag_id=? AND environment_id=?)";
    expect((await searches(query)).toSorted()).toEqual([
      `SEARCH flag_usage_days ${byFlag}`,
      "SEARCH flags (project_id=? AND archived=?)",
      "SEARCH r (project_id=? AND key=?)",
      `SEARCH usage_hours ${byFlag}`,
      writes,
    ]);
  });

  it("search an index for the stale flags", async () => {
    const steps = await searches(queries.staleFlags(db, 1, 2, 100));
    expect(steps).toEqual([expect.stringMatching(/^SEARCH flags \(project_id=\?/)]);
  });
});
