import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/core/lib/time.ts";
import { sweepUsage } from "../../../src/jobs/usage/sweep.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { asAdmin } from "../support/outcomes.ts";
import { rows } from "../support/records.ts";
import { newVariantFlag, usedWorld } from "../support/usage.ts";

/** The clock of the sweep, at 12:15 UTC, so that 90 days ago is in the middle of a day. */
const NOW = Date.UTC(2026, 10, 20, 12, 15);
const TODAY = Date.UTC(2026, 10, 20);
/** The sweep keeps hourly counts from this time on, and sums earlier counts to daily counts. */
const BOUNDARY = TODAY - 90 * DAY_MS;

const deps = { ...jobDeps(env), now: () => NOW };
const sweep = () => sweepUsage(deps);

let world: Awaited<ReturnType<typeof usedWorld>>;
beforeEach(async () => {
  world = await usedWorld();
});

interface Usage {
  readonly at: number;
  readonly flagId: number;
  readonly t: number;
  readonly f: number;
  readonly variants?: Readonly<Record<string, number>> | undefined;
}

const report = (at: number, t: number, f: number, flagId = world.a.id): Usage => ({
  at,
  flagId,
  t,
  f,
});

const store = (...usage: readonly Usage[]) => {
  const statement = env.DB.prepare(
    `INSERT INTO usage_hours (flag_id, environment_id, hour, t, f, variants)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET t = t + excluded.t, f = f + excluded.f`,
  );
  return env.DB.batch(
    usage.map(({ at, flagId, t, f, variants }) =>
      statement.bind(
        flagId,
        world.environmentId,
        at - (at % HOUR_MS),
        t,
        f,
        variants ? JSON.stringify(variants) : null,
      ),
    ),
  );
};

const hours = () =>
  rows(
    `SELECT flag_id AS flag, hour, t, f FROM usage_hours WHERE environment_id = ? ORDER BY flag, hour`,
    world.environmentId,
  );
const days = () =>
  rows(
    "SELECT flag_id AS flag, day, t, f FROM flag_usage_days WHERE environment_id = ? ORDER BY flag, day",
    world.environmentId,
  );

describe("hourly usage counts older than 90 days", () => {
  it("are summed to daily counts once, by two concurrent sweeps, and added to when they are reported late", async () => {
    const { a, b } = world;
    await store(
      report(BOUNDARY - DAY_MS, 1, 10),
      report(BOUNDARY - HOUR_MS, 2, 20),
      report(BOUNDARY - 1, 4, 40),
      report(BOUNDARY - DAY_MS - 1, 8, 80),
      report(BOUNDARY, 16, 160),
    );
    await Promise.all([sweep(), sweep()]);
    await store(report(BOUNDARY - 1, 5, 5, b.id), report(BOUNDARY - 1, 32, 0));
    await sweep();
    expect(await hours()).toEqual([{ flag: a.id, hour: BOUNDARY, t: 16, f: 160 }]);
    expect(await days()).toEqual([
      { flag: a.id, day: BOUNDARY - 2 * DAY_MS, t: 8, f: 80 },
      { flag: a.id, day: BOUNDARY - DAY_MS, t: 39, f: 70 },
      { flag: b.id, day: BOUNDARY - DAY_MS, t: 5, f: 5 },
    ]);
  });

  it("are summed correctly to daily counts when there are 12,000 of them", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
        INSERT INTO usage_hours (flag_id, environment_id, hour, t, f)
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

describe("hourly counts by variant older than 90 days", () => {
  let flag: Awaited<ReturnType<typeof newVariantFlag>>;
  beforeEach(async () => {
    flag = await newVariantFlag(world.projectId, ["blue", "grey"]);
  });

  const served = (at: number, variants: Readonly<Record<string, number>>): Usage => ({
    at,
    flagId: flag.id,
    t: 1,
    f: 1,
    variants,
  });
  const variantDays = () =>
    rows(
      `SELECT day AS at, variant, n FROM flag_variant_usage_days WHERE environment_id = ?
        ORDER BY at, variant`,
      world.environmentId,
    );

  it("are summed to daily counts, without loss or double counting", async () => {
    await store(
      served(BOUNDARY - 3 * HOUR_MS, { blue: 1, grey: 10 }),
      served(BOUNDARY - 1, { blue: 2 }),
      served(BOUNDARY - DAY_MS - 1, { blue: 4 }),
      served(BOUNDARY, { blue: 8 }),
      report(BOUNDARY - HOUR_MS * 2, 5, 5, flag.id),
    );
    await Promise.all([sweep(), sweep()]);
    await store(served(BOUNDARY - 1, { blue: 16 }));
    await sweep();
    expect(await hours()).toEqual([{ flag: flag.id, hour: BOUNDARY, t: 1, f: 1 }]);
    expect(await variantDays()).toEqual([
      { at: BOUNDARY - 2 * DAY_MS, variant: "blue", n: 4 },
      { at: BOUNDARY - DAY_MS, variant: "blue", n: 19 },
      { at: BOUNDARY - DAY_MS, variant: "grey", n: 10 },
    ]);
    expect((await days()).map(({ t }) => t)).toEqual([1, 8]);
  });

  it("are in the metrics of the flag, before and after the sweep", async () => {
    // The metrics know only the real time, so the counts must be older than 90 days now.
    const at = Date.now() - 100 * DAY_MS;
    await store(served(at, { blue: 3 }));
    const query = `from=${new Date(at - DAY_MS).toISOString()}`;
    const totals = async () =>
      (await asAdmin("GET", `/api/v1/flags/${flag.id}/metrics?${query}`)).body.totals;
    const before = await totals();
    await sweepUsage({ ...deps, now: Date.now });
    expect([before, await hours()]).toEqual([{ t: 1, f: 1, variants: { blue: 3 } }, []]);
    expect(await totals()).toEqual(before);
  });

  it("are deleted after 731 days as daily counts", async () => {
    await store(served(TODAY - 732 * DAY_MS, { blue: 1 }), served(BOUNDARY - 1, { blue: 2 }));
    await sweep();
    expect(await variantDays()).toEqual([{ at: BOUNDARY - DAY_MS, variant: "blue", n: 2 }]);
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

  it("deletes the ids of writes after one day, and usage by application after 30 days", async () => {
    const oldest = NOW - DAY_MS;
    const id = crypto.randomUUID();
    await env.DB.batch(
      [oldest - 1, oldest].map((at) =>
        env.DB.prepare("INSERT INTO usage_writes (id, at) VALUES (?, ?)").bind(`${id}-${at}`, at),
      ),
    );
    const oldestDay = TODAY - 30 * DAY_MS;
    await insert(
      "INSERT INTO app_usage (environment_id, hour, app_name, evaluations) VALUES (?, ?, 'app', '{}')",
      [oldestDay - 1, oldestDay, NOW],
    );
    await sweep();
    expect(await rows("SELECT id FROM usage_writes WHERE id LIKE ?", `${id}%`)).toEqual([
      { id: `${id}-${oldest}` },
    ]);
    expect(await kept("app_usage", "hour")).toEqual([oldestDay, NOW]);
  });
});
