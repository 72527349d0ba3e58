import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/core/lib/time.ts";
import type { FlagUsage } from "../../../src/core/usage/message-types.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import {
  addReport,
  dayOf,
  hourOf,
  insertAppHour,
  insertDay,
  insertHour,
  iso,
} from "../support/usage-rows.ts";
import { newEnvironment, newFlag, newWorld } from "../support/world.ts";

const NOW = Date.now();
const HOUR = hourOf(NOW - 5 * HOUR_MS);

type Query = Readonly<Record<string, string | number>>;

function metricsOf(flagId: number, query: Query = {}) {
  const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return asAdmin("GET", `/api/v1/flags/${flagId}/metrics?${new URLSearchParams(words).toString()}`);
}

/** Returns the points of the series that have evaluations, as `[at, t, f]`. */
const counted = ({ body }: { body: Json }) =>
  body.series.filter(({ t, f }: Json) => t + f > 0).map(({ at, t, f }: Json) => [at, t, f]);

async function newSetting() {
  const world = await newWorld();
  const flag = await newFlag(world.projectId);
  const other = await newEnvironment(world.projectId);
  return {
    ...world,
    flag,
    here: { flagId: flag.id as number, environmentId: world.environmentId },
    there: { flagId: flag.id as number, environmentId: other.id as number },
  };
}

describe("the insights of a flag", () => {
  it("contain a series with a point for each hour of the period, and the totals", async () => {
    const { here } = await newSetting();
    await insertHour(here, HOUR, [30, 12]);
    await insertHour(here, HOUR + 2 * HOUR_MS, [5, 0]);
    await insertHour(here, HOUR - 1, [1000, 1000]);
    await insertHour(here, HOUR + 4 * HOUR_MS, [1000, 1000]);
    const query = { from: iso(HOUR + 60_000), to: iso(HOUR + 4 * HOUR_MS - 1) };
    const answer = await metricsOf(here.flagId, query);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        flagId: here.flagId,
        environmentId: null,
        ...query,
        interval: "hour",
        totals: { t: 35, f: 12 },
        series: [
          { at: iso(HOUR), t: 30, f: 12 },
          { at: iso(HOUR + HOUR_MS), t: 0, f: 0 },
          { at: iso(HOUR + 2 * HOUR_MS), t: 5, f: 0 },
          { at: iso(HOUR + 3 * HOUR_MS), t: 0, f: 0 },
        ],
      },
    ]);
  });

  it("cover the last 24 hours by default, including the current hour", async () => {
    const { here } = await newSetting();
    const { body } = await metricsOf(here.flagId);
    const [from, to] = [Date.parse(body.from), Date.parse(body.to)];
    expect([to - from, body.interval, body.series.length]).toEqual([DAY_MS, "hour", 25]);
    expect(Math.abs(to - Date.now())).toBeLessThan(60_000);
    expect(body.series.at(-1).at).toBe(iso(hourOf(to)));
  });

  it("cover all environments, or the environment in the query", async () => {
    const { here, there } = await newSetting();
    await insertHour(here, HOUR, [1, 2]);
    await insertHour(there, HOUR, [10, 20]);
    const all = await metricsOf(here.flagId);
    expect([all.body.environmentId, counted(all)]).toEqual([null, [[iso(HOUR), 11, 22]]]);
    const { environmentId } = there;
    const one = await metricsOf(here.flagId, { environmentId });
    expect([one.body.environmentId, counted(one)]).toEqual([environmentId, [[iso(HOUR), 10, 20]]]);
  });

  it("do not include the evaluations of other flags", async () => {
    const { projectId, here } = await newSetting();
    const { id: flagId } = await newFlag(projectId);
    await insertHour({ ...here, flagId }, HOUR, [7, 7]);
    expect(counted(await metricsOf(here.flagId))).toEqual([]);
  });

  it("remain after the flag is archived", async () => {
    const { here } = await newSetting();
    await insertHour(here, HOUR, [3, 4]);
    await asAdmin("POST", `/api/v1/flags/${here.flagId}/archive`);
    expect((await metricsOf(here.flagId)).body.totals).toEqual({ t: 3, f: 4 });
  });
});

describe("the insights of a flag with the interval day", () => {
  it("add up the hours of a UTC day in one point, and cover 31 days by default", async () => {
    const { here } = await newSetting();
    const day = dayOf(NOW - 3 * DAY_MS);
    for (const at of [day - 1, day, day + 5 * HOUR_MS, day + DAY_MS - 1, day + DAY_MS])
      await insertHour(here, at, [1, 100]);
    const answer = await metricsOf(here.flagId, { interval: "day" });
    expect([answer.body.interval, answer.body.series.length]).toEqual(["day", 31]);
    expect(counted(answer)).toEqual([
      [iso(day - DAY_MS), 1, 100],
      [iso(day), 3, 300],
      [iso(day + DAY_MS), 1, 100],
    ]);
  });

  it("treat dates without a time as whole days", async () => {
    const { here } = await newSetting();
    const day = dayOf(NOW - 3 * DAY_MS);
    for (const at of [day - 1, day, day + 2 * DAY_MS - 1, day + 2 * DAY_MS])
      await insertHour(here, at, [1, 0]);
    const date = (at: number) => iso(at).slice(0, 10);
    const query = { from: date(day), to: date(day + DAY_MS), interval: "day" };
    const { body } = await metricsOf(here.flagId, query);
    expect(body.totals).toEqual({ t: 2, f: 0 });
    expect([body.from, body.to]).toEqual([iso(day), iso(day + 2 * DAY_MS - 1)]);
  });

  it("include days whose hourly rows have been deleted", async () => {
    const { here, there } = await newSetting();
    const seam = dayOf(NOW - 90 * DAY_MS);
    await insertDay(here, seam - 500 * DAY_MS, [8, 9]);
    await insertDay(here, seam - DAY_MS, [1, 2]);
    await insertDay(there, seam - DAY_MS, [100, 200]);
    // While the job moves a day from the hourly to the daily table, the day may have rows in both
    // tables.
    await insertDay(here, seam, [3, 4]);
    await insertHour(here, seam + 23 * HOUR_MS, [5, 6]);
    const query = { from: iso(seam - 500 * DAY_MS), environmentId: here.environmentId };
    const answer = await metricsOf(here.flagId, query);
    expect(answer.body.interval).toBe("day");
    expect(counted(answer)).toEqual([
      [iso(seam - 500 * DAY_MS), 8, 9],
      [iso(seam - DAY_MS), 1, 2],
      [iso(seam), 8, 10],
    ]);
  });
});

describe("the insights of a flag filtered by instance or application", () => {
  let flagId: number;
  let environmentId: number;
  const key = "pay.v2:new-form_a";

  beforeAll(async () => {
    const { projectId, ...world } = await newWorld();
    ({ environmentId } = world);
    flagId = (await newFlag(projectId, { key })).id;
    const other = (await newEnvironment(projectId)).id;
    const by = (appName: string, instanceId: string, where = environmentId) => ({
      environmentId: where,
      appName,
      instanceId,
    });
    // Flag keys that an unescaped JSON path would confuse with the key of the flag.
    const decoys = { pay: [900, 900], "pay.v2": [900, 900], v2: [900, 900] } as const;
    const reports: [ReturnType<typeof by>, number, Record<string, readonly [number, number]>][] = [
      [by("shop", "a"), HOUR, { ...decoys, [key]: [1, 2] }],
      [by("shop", "a"), HOUR + HOUR_MS, { [key]: [10, 20] }],
      [by("shop", "b"), HOUR, { [key]: [100, 200] }],
      [by("till", "a"), HOUR, { [key]: [1000, 2000] }],
      [by("shop", "c"), HOUR, decoys],
      [by("shop", "a", other), HOUR, { [key]: [10_000, 20_000] }],
    ];
    for (const [who, at, usage] of reports) {
      const counts = Object.entries(usage).map(([flag, [t, f]]): FlagUsage => [flag, t, f]);
      await addReport(projectId, { ...who, at }, ...counts);
    }
    // Adds usage of an application to the database, but not to the usage object.
    const old = { environmentId, appName: "old" };
    await insertAppHour(old, HOUR, { ...decoys, [key]: [3, 4] });
  });

  it.each<[Query, number[][]]>([
    [
      { instanceId: "a" },
      [
        [11_001, 22_002],
        [10, 20],
      ],
    ],
    [
      { appName: "shop" },
      [
        [10_101, 20_202],
        [10, 20],
      ],
    ],
    [{ appName: "till" }, [[1000, 2000]]],
    [{ appName: "till", instanceId: "a" }, [[1000, 2000]]],
    [{ appName: "till", instanceId: "b" }, []],
    [{ appName: "old" }, [[3, 4]]],
    [{ appName: "old", instanceId: "a" }, []],
    [{ instanceId: "c" }, []],
    [{ instanceId: "%" }, []],
  ])(
    "count the reports of the instances that match %o, in all environments",
    async (query, points) => {
      const found = counted(await metricsOf(flagId, query));
      expect(found.map(([, ...counts]: Json[]) => counts)).toEqual(points);
    },
  );

  it("can be combined with an environment", async () => {
    const answer = await metricsOf(flagId, { environmentId, instanceId: "a", appName: "shop" });
    expect(counted(answer)).toEqual([
      [iso(HOUR), 1, 2],
      [iso(HOUR + HOUR_MS), 10, 20],
    ]);
  });

  it("can be combined with an interval of a day", async () => {
    const query = { instanceId: "b", interval: "day" };
    expect(counted(await metricsOf(flagId, query))).toEqual([[iso(dayOf(HOUR)), 100, 200]]);
  });
});

describe("a request for the insights of a flag", () => {
  const ago = (days: number) => iso(NOW - days * DAY_MS);

  it.each<[string, Query, string]>([
    ["a malformed start", { from: "yesterday" }, "from"],
    ["a day that does not exist", { to: "2026-02-30" }, "to"],
    ["epoch milliseconds", { from: String(NOW) }, "from"],
    ["the future", { from: ago(-1) }, "from"],
    ["an unknown interval", { interval: "week" }, "interval"],
    ["hours that are no longer kept", { from: ago(91), interval: "hour" }, "90 days"],
    ["instance reports that are no longer kept", { from: ago(2.1), instanceId: "a" }, "48 hours"],
    ["an invalid environment", { environmentId: "x" }, "environmentId"],
    ["an empty instance", { instanceId: "" }, "instanceId"],
    ["an application whose name is too long", { appName: "x".repeat(201) }, "appName"],
  ])("returns 400 for %s", async (_, query, words) => {
    const answer = await metricsOf(1, query);
    expect([outcome(answer), answer.body.error]).toEqual([
      "400 BAD_REQUEST",
      expect.stringContaining(words),
    ]);
  });

  it("returns 404 for an environment that is unknown or of another project", async () => {
    const [{ here }, other] = [await newSetting(), await newWorld()];
    for (const environmentId of [999_999, other.environmentId])
      expect(outcome(await metricsOf(here.flagId, { environmentId }))).toBe("404 NOT_FOUND");
  });
});
