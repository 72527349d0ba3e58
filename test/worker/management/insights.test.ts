import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/core/lib/time.ts";
import { ids, manyFlags } from "../support/bulk.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import { addReport, dayOf, insertDay, insertHour, hourOf, iso } from "../support/usage-rows.ts";
import { adminToken } from "../support/people.ts";
import { time } from "../support/shapes.ts";
import { countedCall } from "../support/statements.ts";
import { newEnvironment, newFlag, newWorld } from "../support/world.ts";

const NOW = Date.now();
const HOUR = hourOf(NOW - 2 * HOUR_MS);

const metricsOf = (environmentId: number, more = "") =>
  asAdmin("GET", `/api/v1/metrics?environmentId=${environmentId}${more}`);

const flagIds = (flags: Json[]): number[] => flags.map(({ flagId }) => flagId);

/** Inserts flags that were last changed at `updatedAt`. Returns their ids. */
const flagsOf = async (projectId: number, count: number, updatedAt = NOW): Promise<number[]> =>
  ids(await manyFlags(projectId, count, updatedAt));

const age = (flagId: number, days: number) =>
  env.DB.prepare("UPDATE flags SET updated_at = ? WHERE id = ?")
    .bind(NOW - days * DAY_MS, flagId)
    .run();

describe("the insights of an environment", () => {
  it("add up the evaluations of all flags, and list the most evaluated and the never evaluated flags", async () => {
    const { projectId, environmentId } = await newWorld();
    const elsewhere = (await newEnvironment(projectId)).id;
    const [busy, calm, idle] = [
      await newFlag(projectId),
      await newFlag(projectId),
      await newFlag(projectId),
    ];
    await insertHour({ flagId: busy.id, environmentId }, HOUR, [20, 3]);
    await insertHour({ flagId: calm.id, environmentId }, HOUR, [1, 1]);
    await insertHour({ flagId: calm.id, environmentId }, HOUR + HOUR_MS, [0, 4]);
    await insertHour({ flagId: idle.id, environmentId: elsewhere }, HOUR, [500, 500]);
    const period = { from: iso(HOUR), to: iso(HOUR + HOUR_MS) };
    const answer = await metricsOf(environmentId, `&from=${period.from}&to=${period.to}`);
    const named = ({ id, key, name }: Json) => ({ flagId: id, key, name });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        environmentId,
        ...period,
        interval: "hour",
        totals: { t: 21, f: 8, boolean: { t: 21, f: 8 } },
        series: [
          { at: iso(HOUR), t: 21, f: 4, boolean: { t: 21, f: 4 } },
          { at: iso(HOUR + HOUR_MS), t: 0, f: 4, boolean: { t: 0, f: 4 } },
        ],
        mostEvaluated: [
          { ...named(busy), t: 20, f: 3, variants: null },
          { ...named(calm), t: 1, f: 5, variants: null },
        ],
        neverEvaluated: [{ ...named(idle), createdAt: idle.createdAt }],
        neverEvaluatedTotal: 1,
        reportSeconds: 300,
        staleFlags: [],
        staleTotal: 0,
      },
    ]);
  });

  it("are zeros and empty lists without evaluations", async () => {
    const { environmentId } = await newWorld();
    const { body } = await metricsOf(environmentId);
    expect(body).toMatchObject({
      totals: { t: 0, f: 0, boolean: { t: 0, f: 0 } },
      mostEvaluated: [],
      neverEvaluated: [],
      neverEvaluatedTotal: 0,
    });
    expect([body.interval, body.series.length]).toEqual(["hour", 25]);
  });

  it("can cover 700 days, including days whose hourly rows have been deleted", async () => {
    const { projectId, environmentId } = await newWorld();
    const flag = await newFlag(projectId);
    await insertDay({ flagId: flag.id, environmentId }, NOW - 600 * DAY_MS, [5, 6]);
    await insertHour({ flagId: flag.id, environmentId }, NOW - 60 * DAY_MS, [50, 60]);
    const { body } = await metricsOf(environmentId, `&from=${iso(NOW - 700 * DAY_MS)}`);
    expect([body.interval, body.series.length, body.totals]).toEqual([
      "day",
      701,
      { t: 55, f: 66, boolean: { t: 55, f: 66 } },
    ]);
    expect(body.mostEvaluated).toMatchObject([{ flagId: flag.id, t: 55, f: 66 }]);
  });
});

describe("the flags with variants in the insights of an environment", () => {
  const newColours = (projectId: number) =>
    newFlag(projectId, {
      valueType: "string",
      variants: ["red", "blue", "green"].map((key) => ({ key, value: key })),
    });

  it("do not mix with the counts of boolean flags, by hour and by day", async () => {
    const { projectId, environmentId } = await newWorld();
    const [flag, colours] = [await newFlag(projectId), await newColours(projectId)];
    await insertHour({ flagId: flag.id, environmentId }, HOUR, [10, 2]);
    await insertHour({ flagId: colours.id, environmentId }, HOUR, [100, 50, { red: 150 }]);
    const { body } = await metricsOf(environmentId);
    const together = { t: 110, f: 52, boolean: { t: 10, f: 2 } };
    expect(body.totals).toEqual(together);
    expect(body.series.find(({ at }: Json) => at === iso(HOUR))).toEqual({
      at: iso(HOUR),
      ...together,
    });

    const longAgo = NOW - 100 * DAY_MS;
    await insertDay({ flagId: flag.id, environmentId }, longAgo, [1, 1]);
    await insertDay({ flagId: colours.id, environmentId }, longAgo, [5, 0, { red: 5 }]);
    const byDay = await metricsOf(environmentId, `&from=${iso(longAgo)}`);
    expect(byDay.body.totals).toEqual({ t: 116, f: 53, boolean: { t: 11, f: 3 } });
  });

  it("are listed with what they served, in the order of the flag and then removed variants, from the database and from reports that are not yet there", async () => {
    const { projectId, environmentId } = await newWorld();
    const elsewhere = (await newEnvironment(projectId)).id;
    const [flag, colours] = [await newFlag(projectId), await newColours(projectId)];
    const where = { flagId: colours.id, environmentId };
    await insertHour({ flagId: flag.id, environmentId }, HOUR, [1, 0]);
    await insertHour(where, HOUR, [9, 3, { blue: 7, gone: 2 }]);
    await insertHour({ ...where, environmentId: elsewhere }, HOUR, [99, 0, { red: 99 }]);
    const at = Date.now();
    await addReport(
      projectId,
      { environmentId, at },
      [colours.key, 4, 0, { blue: 1, red: 3, invented: 9 }],
      [flag.key, 1, 0],
    );
    const variantsOf = (body: Json) =>
      body.mostEvaluated.map(({ flagId, variants }: Json) => [flagId, variants]);
    const served = (red: number, blue: number) => [
      { key: "red", n: red },
      { key: "blue", n: blue },
      { key: "green", n: 0 },
      { key: "gone", n: 2 },
    ];
    expect(variantsOf((await metricsOf(environmentId)).body)).toEqual([
      [colours.id, served(3, 8)],
      [flag.id, null],
    ]);

    const longAgo = NOW - 100 * DAY_MS;
    await insertDay(where, longAgo, [50, 0, { red: 40, blue: 10 }]);
    const byDay = await metricsOf(environmentId, `&from=${iso(longAgo)}`);
    expect(variantsOf(byDay.body)[0]).toEqual([colours.id, served(43, 18)]);
  });
});

describe("the most evaluated flags", () => {
  it("are the 10 flags with the most evaluations in the period, and the older of two flags with equal counts comes first", async () => {
    const { projectId, environmentId } = await newWorld();
    const created = await flagsOf(projectId, 13);
    for (const [n, flagId] of created.entries())
      await insertHour({ flagId, environmentId }, HOUR, [n, n < 11 ? 20 - n : 40]);
    await insertHour({ flagId: created[0] ?? 0, environmentId }, HOUR - 5 * DAY_MS, [9999, 9999]);
    const { body } = await metricsOf(environmentId);
    const expected = [created[12], created[11], ...created.slice(0, 8)];
    expect(flagIds(body.mostEvaluated)).toEqual(expected);
  });

  it("do not include a flag with a count of 0, which is listed as never evaluated", async () => {
    const { projectId, environmentId } = await newWorld();
    const flag = await newFlag(projectId);
    await insertHour({ flagId: flag.id, environmentId }, HOUR, [0, 0]);
    const { body } = await metricsOf(environmentId);
    expect(body.mostEvaluated).toEqual([]);
    expect(flagIds(body.neverEvaluated)).toEqual([flag.id]);
  });
});

describe("the flags that were never evaluated", () => {
  it("do not include archived flags, nor flags with an evaluation before the period", async () => {
    const { projectId, environmentId } = await newWorld();
    const [ago, longAgo, archived, never] = await flagsOf(projectId, 4);
    await insertHour({ flagId: ago ?? 0, environmentId }, NOW - 80 * DAY_MS, [0, 1]);
    await insertDay({ flagId: longAgo ?? 0, environmentId }, NOW - 700 * DAY_MS, [1, 0]);
    await asAdmin("POST", `/api/v1/flags/${archived}/archive`);
    const { body } = await metricsOf(environmentId);
    expect(flagIds(body.neverEvaluated)).toEqual([never]);
    expect(body.neverEvaluatedTotal).toBe(1);
  });

  it("are at most 100, oldest first, with the total number", async () => {
    const { projectId, environmentId } = await newWorld();
    const created = await flagsOf(projectId, 104);
    await insertHour({ flagId: created[1] ?? 0, environmentId }, HOUR, [1, 0]);
    const { body } = await metricsOf(environmentId);
    expect(flagIds(body.neverEvaluated)).toEqual(created.toSpliced(1, 1).slice(0, 100));
    expect(body.neverEvaluatedTotal).toBe(103);
  });
});

describe("the stale flags", () => {
  it("are the flags that the list of flags returns with `stale: true`", async () => {
    const { projectId, environmentId } = await newWorld();
    const [fresh, old, archived] = await flagsOf(projectId, 3);
    const killSwitch = await newFlag(projectId, { flagType: "KILLSWITCH" });
    await asAdmin("POST", `/api/v1/flags/${archived}/archive`);
    await age(fresh ?? 0, 39.99);
    for (const id of [old, archived, killSwitch.id]) await age(id ?? 0, 40);
    await env.DB.prepare("UPDATE flags SET last_used_at = ? WHERE id = ?").bind(NOW, old).run();
    const { body } = await metricsOf(environmentId);
    const listed = await asAdmin(
      "GET",
      `/api/v1/flags?projectId=${projectId}&includeArchived=true`,
    );
    const stale: Json[] = listed.body.items.filter((flag: Json) => flag.stale);
    expect(stale.map(({ id }) => id)).toEqual([old]);
    expect(body.staleTotal).toBe(1);
    expect(body.staleFlags).toEqual([
      {
        flagId: old,
        key: stale[0].key,
        name: "One of many",
        createdAt: time,
        lastUsedAt: iso(NOW),
      },
    ]);
  });

  it("are at most 100, oldest first, with the total number", async () => {
    const { projectId, environmentId } = await newWorld();
    const created = await flagsOf(projectId, 103, NOW - 50 * DAY_MS);
    const { body } = await metricsOf(environmentId);
    expect(flagIds(body.staleFlags)).toEqual(created.slice(0, 100));
    expect(body.staleTotal).toBe(103);
    expect(body.staleFlags[0]).toMatchObject({ lastUsedAt: null });
  });
});

describe("a request for the insights of an environment", () => {
  it.each(["", "?environmentId=", "?environmentId=0", "?environmentId=1&from=x"])(
    'returns 400 for the URL query "%s"',
    async (query) => {
      expect(outcome(await asAdmin("GET", `/api/v1/metrics${query}`))).toBe("400 BAD_REQUEST");
    },
  );
});

describe("the number of SQL statements for the insights of an environment", () => {
  it("is the same with 100 flags as without flags", async () => {
    const token = await adminToken();
    const cost = async (environmentId: number) => {
      const path = `/api/v1/metrics?environmentId=${environmentId}`;
      return (await countedCall("GET", path, { token })).statements;
    };
    const [none, many] = [await newWorld(), await newWorld()];
    for (const flagId of await flagsOf(many.projectId, 100, NOW - 50 * DAY_MS))
      await insertHour({ flagId, environmentId: many.environmentId }, HOUR, [1, 1]);
    expect(await cost(many.environmentId)).toBe(await cost(none.environmentId));
  });
});

describe("the usage of several flags", () => {
  const usageOf = (query: string, from = iso(NOW - 2 * DAY_MS)) =>
    asAdmin("GET", `/api/v1/metrics/flags?from=${from}&${query}`);

  it("has the counts per day of the flags in the request that were evaluated", async () => {
    const { projectId, environmentId } = await newWorld();
    const elsewhere = await newWorld();
    const [one, two, other, idle] = await flagsOf(projectId, 4);
    const foreign = await newFlag(elsewhere.projectId);
    const key = (await asAdmin("GET", `/api/v1/flags/${two}`)).body.key;
    const insert = (flagId = 0, at: number, counts: [number, number]) =>
      insertHour({ flagId, environmentId }, at, counts);
    const yesterday = dayOf(NOW) - DAY_MS;
    await insert(one, yesterday, [5, 1]);
    await insert(one, yesterday + HOUR_MS, [2, 0]);
    await insert(two, NOW - 2 * DAY_MS, [0, 3]);
    await insert(two, NOW - 9 * DAY_MS, [70, 70]);
    await insert(other, yesterday, [9, 9]);
    await insertHour(
      { flagId: foreign.id, environmentId: elsewhere.environmentId },
      yesterday,
      [1, 1],
    );
    await addReport(projectId, { environmentId, at: NOW }, [key, 4, 0]);
    const asked = [two, one, idle, foreign.id, 999_999_999];
    const answer = await usageOf(`environmentId=${environmentId}&flagIds=${asked.join()}`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        environmentId,
        from: iso(NOW - 2 * DAY_MS),
        to: expect.any(String),
        flags: [
          { flagId: one, t: [0, 7, 0], f: [0, 1, 0] },
          { flagId: two, t: [0, 0, 4], f: [3, 0, 0] },
        ],
      },
    ]);
  });

  it.each([
    ["no ids", ""],
    ["an empty list", "flagIds="],
    ["a word", "flagIds=1,x"],
    ["201 ids", `flagIds=${Array(201).fill(1).join()}`],
  ])("returns 400 with %s", async (_, query) => {
    const { environmentId } = await newWorld();
    const answer = await usageOf(`environmentId=${environmentId}&${query}`);
    expect(outcome(answer)).toBe("400 BAD_REQUEST");
  });
});
