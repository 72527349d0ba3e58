import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/core/lib/time.ts";
import type { FlagUsage } from "../../../src/core/usage/message-types.ts";
import type { UnwrittenFilter } from "../../../src/core/usage/usage-state.ts";
import { callWith, intercept, watchedDatabase } from "../support/call-with.ts";
import { call, type Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { backdate, batchOf, reportOf, usageObjectOf } from "../support/usage.ts";
import {
  addReport,
  dayOf,
  hourOf,
  insertAppHour,
  insertDay,
  insertHour,
  iso,
} from "../support/usage-rows.ts";
import { newEnvironment, newFlag, newKey, newWorld } from "../support/world.ts";

const NOW = Date.now();
/** The start of an hour so long ago that the usage object writes it to the database at once. */
const PAST = hourOf(NOW - 2 * HOUR_MS);

const COLOURS = { blue: "#00f", red: "#f00" };
const newColourFlag = (projectId: number, more: object = {}) =>
  newFlag(projectId, {
    valueType: "string",
    variants: Object.entries(COLOURS).map(([key, value]) => ({ key, value })),
    ...more,
  });

async function newSetting() {
  const world = await newWorld();
  const flag: { id: number; key: string } = await newColourFlag(world.projectId);
  return { ...world, flag, where: { flagId: flag.id, environmentId: world.environmentId } };
}

async function metricsOf(flagId: number, query: Readonly<Record<string, string | number>> = {}) {
  const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = new URLSearchParams(words).toString();
  const answer = await asAdmin("GET", `/api/v1/flags/${flagId}/metrics?${search}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function environmentMetrics(environmentId: number): Promise<Json> {
  const answer = await asAdmin("GET", `/api/v1/metrics?environmentId=${environmentId}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** Sends a usage report as an SDK does, and waits until the usage object has it. */
async function report(apiKey: string, evaluations: object, by: object = {}): Promise<void> {
  const options = { token: apiKey, body: { evaluations, ...by } };
  const answer = await callWith({}, "POST", "/api/client/metrics", options);
  expect(answer.status).toBe(202);
}

/** Waits until the usage object has written the completed hours of an environment. */
async function completed(projectId: number, environmentId: number): Promise<void> {
  await runDurableObjectAlarm(usageObjectOf(projectId));
  await expect
    .poll(async () => {
      const found = await usageObjectOf(projectId).unwritten({ environmentIds: [environmentId] });
      const ids = await env.DB.prepare("SELECT id FROM usage_writes").all<{ id: string }>();
      const written = new Set(ids.results.map(({ id }) => id));
      return found.every(({ writeId }) => writeId !== null && written.has(writeId));
    })
    .toBe(true);
}

const all = { t: 7, f: 3, variants: { blue: 6, red: 1 } };
const USAGE = [7, 3, { blue: 6, red: 1 }] as const;

describe("usage of the current hour", () => {
  it("is in the metrics of the flag and of the environment", async () => {
    const { projectId, environmentId, apiKey, flag } = await newSetting();
    const [idle, archived] = [await newFlag(projectId), await newFlag(projectId)];
    await report(apiKey, {
      [flag.key]: { t: 5, f: 3, v: { blue: 6 } },
      [archived.key]: { t: 0, f: 1 },
    });
    await report(apiKey, { [flag.key]: { t: 2, f: 0, v: { red: 1 } } });
    expect((await metricsOf(flag.id)).totals).toEqual(all);
    expect((await metricsOf(flag.id, { interval: "day" })).totals).toEqual(all);
    const found = await environmentMetrics(environmentId);
    expect(found.totals).toEqual({ t: 7, f: 4, boolean: { t: 0, f: 1 } });
    expect(found.mostEvaluated).toMatchObject([
      { flagId: flag.id, t: 7, f: 3 },
      { flagId: archived.id, t: 0, f: 1 },
    ]);
    expect(found.neverEvaluated).toMatchObject([{ flagId: idle.id }]);
  });

  it("does not include variants that the flag does not have", async () => {
    const { apiKey, flag } = await newSetting();
    await report(apiKey, { [flag.key]: { t: 7, f: 3, v: { blue: 6, red: 1, green: 3 } } });
    expect((await metricsOf(flag.id)).totals).toEqual(all);
  });

  it("is counted for its own environment, and not for a flag with the same key of another project", async () => {
    const [mine, other] = [await newSetting(), await newWorld()];
    const second = await newEnvironment(mine.projectId);
    const twin = await newColourFlag(other.projectId, { key: mine.flag.key });
    await report(mine.apiKey, { [mine.flag.key]: { t: 7, f: 3 } });
    await report((await newKey(second.id)).apiKey, { [mine.flag.key]: { t: 100, f: 200 } });
    const { environmentId } = mine;
    expect((await metricsOf(mine.flag.id)).totals).toMatchObject({ t: 107, f: 203 });
    expect((await metricsOf(mine.flag.id, { environmentId })).totals).toMatchObject({ t: 7, f: 3 });
    expect((await environmentMetrics(environmentId)).totals).toEqual({
      t: 7,
      f: 3,
      boolean: { t: 0, f: 0 },
    });
    expect((await metricsOf(twin.id)).totals).toMatchObject({ t: 0, f: 0 });
    expect((await environmentMetrics(other.environmentId)).mostEvaluated).toEqual([]);
  });

  it("may be larger than one value that the database accepts", async () => {
    const { projectId, environmentId, flag } = await newSetting();
    const { id: last, key } = await newFlag(projectId);
    const unknown = Array.from({ length: 12_000 }, (_, n): FlagUsage => [
      `${"x".repeat(190)}${n}`,
      1,
      1,
    ]);
    const now = { environmentId, at: Date.now() };
    await addReport(projectId, now, [flag.key, 7, 3], ...unknown, [key, 1, 0]);
    let longest = 0;
    const DB = watchedDatabase((_, values) => {
      for (const value of values.flat()) longest = Math.max(longest, String(value).length);
    });
    const path = `/api/v1/metrics?environmentId=${environmentId}`;
    const { body: found } = await callWith({ DB }, "GET", path, { token: await adminToken() });
    expect(longest).toBeGreaterThan(900_000);
    expect(longest).toBeLessThan(2_000_000);
    expect(found.totals).toEqual({ t: 8, f: 3, boolean: { t: 1, f: 0 } });
    expect(found.mostEvaluated).toMatchObject([{ flagId: flag.id }, { flagId: last }]);
    expect(found.neverEvaluated).toEqual([]);
  });

  it("is not in a period that ended before the hour", async () => {
    const { apiKey, flag } = await newSetting();
    await report(apiKey, { [flag.key]: { t: 7, f: 3 } });
    expect((await metricsOf(flag.id, { to: iso(PAST) })).totals).toMatchObject({ t: 0, f: 0 });
  });
});

describe("usage of an hour that is being written", () => {
  it("is counted once by reads before, during and after the write", async () => {
    const { projectId, environmentId, flag, where } = await newSetting();
    await addReport(projectId, { environmentId, at: PAST + 5 }, [flag.key, ...USAGE]);
    const read = async () => {
      const [ofFlag, found] = [await metricsOf(flag.id), await environmentMetrics(environmentId)];
      return { ofFlag: ofFlag.totals, ofAll: found.totals, most: found.mostEvaluated };
    };
    const reads = Promise.all(Array.from({ length: 6 }, read));
    await completed(projectId, environmentId);
    const { key, id: flagId } = flag;
    const served = Object.entries(all.variants).map(([variant, n]) => ({ key: variant, n }));
    const once = {
      ofFlag: all,
      ofAll: { t: 7, f: 3, boolean: { t: 0, f: 0 } },
      most: [{ flagId, key, name: "A flag", t: 7, f: 3, variants: served }],
    };
    for (const found of await reads) expect(found).toEqual(once);
    const unwritten = await usageObjectOf(projectId).unwritten({ environmentIds: [environmentId] });
    expect(unwritten).toMatchObject([{ hour: PAST, writeId: expect.any(String) }]);
    const stored = () =>
      env.DB.prepare("SELECT t, f, variants FROM usage_hours WHERE flag_id = ?")
        .bind(flagId)
        .first<Json>();
    expect(await stored()).toMatchObject({ t: 7, f: 3 });
    expect(await read()).toEqual(once);

    // A replica that lags has neither the id of the write nor its usage.
    await env.DB.batch([
      env.DB.prepare("DELETE FROM usage_hours WHERE flag_id = ?").bind(where.flagId),
      env.DB.prepare("DELETE FROM usage_writes WHERE id = ?").bind(unwritten[0]?.writeId),
    ]);
    expect(await stored()).toBeNull();
    expect(await read()).toEqual(once);
  });

  it("is counted once when the write begins between the read of the usage object and of the database", async () => {
    const { projectId, environmentId, flag } = await newSetting();
    const object = usageObjectOf(projectId);
    await object.unwritten({ environmentIds: [environmentId] });
    await backdate(projectId, [flag.key], PAST);
    const unwritten = async (filter: UnwrittenFilter) => {
      const by = { at: PAST + 5, appName: "shop" };
      const reports = [reportOf(environmentId, [[flag.key, ...USAGE]], by)];
      const adding = object.add([JSON.stringify(batchOf(projectId, { reports }))]);
      const found = await object.unwritten(filter);
      expect(found).toHaveLength(1);
      await adding;
      await completed(projectId, environmentId);
      return found;
    };
    const USAGE_OBJECTS = intercept(env.USAGE_OBJECTS, (name) =>
      name === "getByName" ? () => ({ unwritten }) : undefined,
    );
    const path = `/api/v1/flags/${flag.id}/metrics`;
    const { body } = await callWith({ USAGE_OBJECTS }, "GET", path, { token: await adminToken() });
    expect(body.totals).toEqual(all);
  });

  it("is counted once for an application, too", async () => {
    const { projectId, environmentId, flag } = await newSetting();
    const by = { environmentId, at: PAST + 5, appName: "shop" };
    await addReport(projectId, by, [flag.key, ...USAGE]);
    await completed(projectId, environmentId);
    expect((await metricsOf(flag.id, { appName: "shop" })).totals).toEqual(all);
  });
});

describe("usage in the database and in the usage object", () => {
  it("is added up by the hour", async () => {
    const { apiKey, flag, where, environmentId } = await newSetting();
    await insertHour(where, NOW, [10, 20, { blue: 20 }]);
    await insertHour(where, PAST, [1, 1, { red: 1 }]);
    await report(apiKey, { [flag.key]: { t: 7, f: 3, v: { blue: 6, red: 1 } } });
    const sums = { t: 18, f: 24, variants: { blue: 26, red: 2 } };
    expect((await metricsOf(flag.id)).totals).toEqual(sums);
    expect((await environmentMetrics(environmentId)).totals).toEqual({
      t: 18,
      f: 24,
      boolean: { t: 0, f: 0 },
    });
  });

  it("is added up by the day, with variants that the flag no longer has", async () => {
    const { apiKey, flag, where } = await newSetting();
    const [day, longAgo] = [dayOf(NOW - 3 * DAY_MS), dayOf(NOW - 100 * DAY_MS)];
    await insertHour(where, day + HOUR_MS, [1, 2, { blue: 3, green: 4 }]);
    await insertHour(where, day + 2 * HOUR_MS, [10, 20, { green: 30 }]);
    await insertDay(where, day, [100, 200, { red: 300 }]);
    await insertDay(where, longAgo, [5, 6, { red: 7 }]);
    await report(apiKey, { [flag.key]: { t: 7, f: 3, v: { blue: 6, red: 1 } } });
    const { series } = await metricsOf(flag.id, { from: iso(longAgo), interval: "day" });
    const found = series.filter(({ t }: Json) => t > 0);
    expect(found.slice(0, 2)).toEqual([
      { at: iso(longAgo), t: 5, f: 6, variants: { red: 7 } },
      { at: iso(day), t: 111, f: 222, variants: { blue: 3, green: 34, red: 300 } },
    ]);
    expect(found.slice(2)).toMatchObject([all]);
  });

  it("is listed among the most evaluated flags, and not among the never evaluated ones", async () => {
    const { projectId, environmentId, apiKey, flag, where } = await newSetting();
    const others: { id: number; key: string }[] = [];
    for (let n = 0; n < 3; n++) others.push(await newFlag(projectId));
    const [now, earlier, never] = others;
    await insertHour(where, PAST, [1, 0]);
    await insertHour({ flagId: earlier!.id, environmentId }, PAST, [3, 0]);
    await report(apiKey, { [flag.key]: { t: 1, f: 0 }, [now!.key]: { t: 0, f: 9 } });
    const { mostEvaluated, neverEvaluated } = await environmentMetrics(environmentId);
    const counted = mostEvaluated.map(({ flagId, t, f }: Json) => [flagId, t, f]);
    expect(counted).toEqual([
      [now!.id, 0, 9],
      [earlier!.id, 3, 0],
      [flag.id, 2, 0],
    ]);
    expect(neverEvaluated).toMatchObject([{ flagId: never!.id }]);
  });
});

describe("usage by application and by SDK instance", () => {
  it("is added up for an application from the current hour and the hours of 30 days", async () => {
    const { environmentId, apiKey, flag } = await newSetting();
    const { apiKey: frontend } = await newKey(environmentId, "FRONTEND");
    const shop = { environmentId, appName: "shop" };
    await insertAppHour(shop, NOW - 29 * DAY_MS, { [flag.key]: [1, 2, { blue: 3 }] });
    await insertAppHour({ ...shop, appName: "till" }, PAST, { [flag.key]: [900, 900] });
    await insertAppHour(shop, PAST, { [flag.key]: [110, 220] });
    const usage = { [flag.key]: { t: 1000, f: 2000 } };
    await report(apiKey, usage, { appName: "shop", instanceId: "a" });
    await report(apiKey, usage, { appName: "till", instanceId: "a" });
    await report(frontend, usage, { appName: "shop" });
    const query = { appName: "shop", interval: "day" };
    const sums = { t: 2111, f: 4222, variants: { blue: 3 } };
    expect((await metricsOf(flag.id, query)).totals).toEqual(sums);
    expect((await metricsOf(flag.id, { ...query, environmentId })).totals).toEqual(sums);
  });

  it("is added up for an instance from the current hour and from completed hours", async () => {
    const { projectId, environmentId, apiKey, flag } = await newSetting();
    const second = (await newEnvironment(projectId)).id;
    const by = { environmentId, appName: "shop", instanceId: "a" };
    const counts = (n: number): [string, number, number] => [flag.key, n, 2 * n];
    await addReport(projectId, { ...by, at: PAST }, counts(1));
    await addReport(projectId, { ...by, at: PAST, instanceId: "b" }, counts(900));
    await addReport(projectId, { ...by, at: PAST, environmentId: second }, counts(10));
    await addReport(projectId, { ...by, at: NOW - 46 * HOUR_MS, appName: "till" }, counts(100));
    await completed(projectId, environmentId);
    await report(apiKey, { [flag.key]: { t: 1000, f: 2000, v: { blue: 5, green: 1 } } }, by);
    const from = iso(NOW - 47 * HOUR_MS);
    const read = async (more: object) =>
      (await metricsOf(flag.id, { instanceId: "a", from, ...more })).totals;
    const variants = { blue: 5 };
    expect(await read({})).toEqual({ t: 1111, f: 2222, variants });
    expect(await read({ environmentId })).toEqual({ t: 1101, f: 2202, variants });
    expect(await read({ appName: "shop" })).toEqual({ t: 1011, f: 2022, variants });
    expect(await read({ appName: "till" })).toEqual({ t: 100, f: 200, variants: {} });
    expect(await read({ instanceId: "b" })).toMatchObject({ t: 900, f: 1800 });
    expect(await read({ instanceId: "c" })).toMatchObject({ t: 0, f: 0 });
    expect(await read({ interval: "day" })).toMatchObject({ t: 1111, f: 2222 });
  });
});

describe("while the usage object does not respond", () => {
  it.each([
    ["the metrics of a flag", ({ flag }: Setting) => `/api/v1/flags/${flag.id}/metrics`],
    [
      "the metrics of a flag by instance",
      ({ flag }: Setting) => `/api/v1/flags/${flag.id}/metrics?instanceId=a`,
    ],
    [
      "the metrics of an environment",
      (one: Setting) => `/api/v1/metrics?environmentId=${one.environmentId}`,
    ],
    ["the SDK instances", (one: Setting) => `/api/v1/projects/${one.projectId}/client-instances`],
    ["the propagation", (one: Setting) => `/api/v1/environments/${one.environmentId}/propagation`],
  ])("%s return 503", async (_, pathOf) => {
    const setting = await newSetting();
    const path = pathOf(setting);
    const token = await adminToken();
    expect((await call("GET", path, { token })).status).toBe(200);
    const failing = async () => {
      throw new Error("the object is down");
    };
    const USAGE_OBJECTS = intercept(env.USAGE_OBJECTS, (name) =>
      name === "getByName" ? () => new Proxy({}, { get: () => failing }) : undefined,
    );
    const replaced = { USAGE_OBJECTS, LOGGING_LEVEL_APP: "OFF" };
    const answer = await callWith(replaced, "GET", path, { token });
    expect(outcome(answer)).toBe("503 SERVICE_UNAVAILABLE");
  });
});

type Setting = Awaited<ReturnType<typeof newSetting>>;
