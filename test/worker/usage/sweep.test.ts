import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/core/lib/time.ts";
import { sweepCountedReports, sweepUsage } from "../../../src/jobs/usage/sweep.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { rollUp, reportOf, rows, usedWorld } from "../support/usage.ts";

/** The clock of the sweep, at 12:15 UTC, so that 90 days ago is in the middle of a day. */
const NOW = Date.UTC(2026, 10, 20, 12, 15);
const TODAY = Date.UTC(2026, 10, 20);
/** The start of the first hour whose counts the sweep keeps. It adds earlier hours up to days. */
const BOUNDARY = TODAY - 90 * DAY_MS;

const deps = { ...jobDeps(env), now: () => NOW };
const sweep = () => sweepUsage(deps);

let world: Awaited<ReturnType<typeof usedWorld>>;
beforeEach(async () => {
  world = await usedWorld();
});

const report = (at: number, t: number, f: number, key = world.a.key) =>
  reportOf(world.environmentId, [[key, t, f]], { at });

const hours = () =>
  rows(
    "SELECT flag_id AS flag, hour, t, f FROM flag_usage WHERE environment_id = ? ORDER BY flag, hour",
    world.environmentId,
  );
const days = () =>
  rows(
    "SELECT flag_id AS flag, day, t, f FROM flag_usage_days WHERE environment_id = ? ORDER BY flag, day",
    world.environmentId,
  );

describe("hourly usage counts older than 90 days", () => {
  it("are added up to days, without loss or double counting", async () => {
    const { a, b } = world;
    await rollUp([
      report(BOUNDARY - DAY_MS, 1, 10),
      report(BOUNDARY - HOUR_MS, 2, 20),
      report(BOUNDARY - 1, 4, 40),
      report(BOUNDARY - DAY_MS - 1, 8, 80),
      report(BOUNDARY, 16, 160),
      report(BOUNDARY - 1, 5, 5, b.key),
    ]);
    await sweep();
    expect(await hours()).toEqual([{ flag: a.id, hour: BOUNDARY, t: 16, f: 160 }]);
    expect(await days()).toEqual([
      { flag: a.id, day: BOUNDARY - 2 * DAY_MS, t: 8, f: 80 },
      { flag: a.id, day: BOUNDARY - DAY_MS, t: 7, f: 70 },
      { flag: b.id, day: BOUNDARY - DAY_MS, t: 5, f: 5 },
    ]);
  });

  it("are counted once when two sweeps run concurrently, and a third sweep follows", async () => {
    await rollUp([report(BOUNDARY - 1, 4, 40), report(BOUNDARY - HOUR_MS * 5, 3, 30)]);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect(await hours()).toEqual([]);
    expect(await days()).toEqual([{ flag: world.a.id, day: BOUNDARY - DAY_MS, t: 7, f: 70 }]);
  });

  it("are added to an existing day when they are reported late", async () => {
    await rollUp([report(BOUNDARY - 1, 4, 40)]);
    await sweep();
    await rollUp([report(BOUNDARY - 1, 3, 0)]);
    await sweep();
    expect(await days()).toEqual([{ flag: world.a.id, day: BOUNDARY - DAY_MS, t: 7, f: 40 }]);
  });

  it("are added up to days exactly when there are 12,000 of them", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
        INSERT INTO flag_usage (flag_id, environment_id, hour, t, f)
        SELECT ?, ?, ? - i * ${HOUR_MS}, 1, 2 FROM n`,
    )
      .bind(world.a.id, world.environmentId, BOUNDARY)
      .run();
    await sweep();
    expect(await hours()).toEqual([]);
    const found = await days();
    expect(found.slice(0, -1).every(({ t, f }) => t === 24 && f === 48)).toBe(true);
    expect(found).toHaveLength(12_000 / 24);
  });
});

describe("the usage sweep", () => {
  const kept = async (table: string, column: string) => {
    const found = await rows(
      `SELECT ${column} AS at FROM ${table} WHERE environment_id = ? ORDER BY at`,
      world.environmentId,
    );
    return found.map(({ at }) => at);
  };
  const insert = async (sql: string, times: readonly number[]) => {
    const statement = env.DB.prepare(sql);
    await env.DB.batch(times.map((at) => statement.bind(world.environmentId, at)));
  };

  it("deletes daily usage counts after 731 days", async () => {
    const oldest = TODAY - 731 * DAY_MS;
    const sql = `INSERT INTO flag_usage_days (flag_id, environment_id, day, t, f)
      VALUES (${world.a.id}, ?, ?, 1, 1)`;
    await insert(sql, [oldest - DAY_MS, oldest, TODAY - 91 * DAY_MS]);
    await sweep();
    expect(await kept("flag_usage_days", "day")).toEqual([oldest, TODAY - 91 * DAY_MS]);
  });

  it("deletes instances and their hourly usage after seven days", async () => {
    const oldest = NOW - 7 * DAY_MS;
    const oldestDay = TODAY - 7 * DAY_MS;
    await insert(
      `INSERT INTO client_instances (environment_id, instance_id, app_name, first_seen_at, last_seen_at)
        VALUES (?1, 'i' || ?2, '', 0, ?2)`,
      [oldest - 1, oldest, NOW],
    );
    await insert(
      `INSERT INTO instance_usage (environment_id, hour, app_name, instance_id, evaluations)
        VALUES (?, ?, '', 'i', '{}')`,
      [oldestDay - 1, oldestDay, NOW],
    );
    await sweep();
    expect(await kept("client_instances", "last_seen_at")).toEqual([oldest, NOW]);
    expect(await kept("instance_usage", "hour")).toEqual([oldestDay, NOW]);
  });

  it("deletes the ids of counted usage reports after one day", async () => {
    const oldest = NOW - DAY_MS;
    const id = crypto.randomUUID();
    await env.DB.batch(
      [oldest - 1, oldest].map((at) =>
        env.DB.prepare("INSERT INTO counted_reports (id, at) VALUES (?, ?)").bind(
          `${id}-${at}`,
          at,
        ),
      ),
    );
    await sweepCountedReports(deps);
    expect(await rows("SELECT id FROM counted_reports WHERE id LIKE ?", `${id}%`)).toEqual([
      { id: `${id}-${oldest}` },
    ]);
  });
});
