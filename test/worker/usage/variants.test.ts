import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/core/lib/time.ts";
import type { UsageReport } from "../../../src/core/usage/message-types.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { sendReport } from "../support/queue.ts";
import {
  newVariantFlag,
  reportOf,
  rollUp,
  rows,
  setVariants,
  usedWorld,
  variantCountsOf,
} from "../support/usage.ts";
import { newEnvironment, newFlag, newKey } from "../support/world.ts";

const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const ONE = { appName: "app", instanceId: "one" };

/** The flag `a` has the variants blue, green and grey. The flag `b` is boolean. */
async function colouredWorld() {
  const world = await usedWorld();
  const a = await newVariantFlag(world.projectId, ["blue", "green", "grey"]);
  return { ...world, a, counts: () => variantCountsOf(a.id, world.environmentId) };
}

/** The stored counts of the instances of an environment, in the order of the hours. */
const ofInstances = async (environmentId: number) => {
  const sql = "SELECT evaluations FROM instance_usage WHERE environment_id = ? ORDER BY hour";
  const found = await rows(sql, environmentId);
  return found.map(({ evaluations }) => JSON.parse(evaluations));
};

const metricsOf = async (flagId: number, query = "") =>
  (await asAdmin("GET", `/api/v1/flags/${flagId}/metrics?${query}`)).body;

describe("a usage report with variants", () => {
  it("is sent to the queue with the counts above 0, as a fourth item that the release before ignores", async () => {
    const { apiKey, a, b } = await colouredWorld();
    const evaluations = {
      [a.key]: { t: 3, f: 4, v: { blue: 3, green: 0, grey: 4 } },
      [b.key]: { t: 1, f: 0, v: {} },
    };
    const { answer, reports } = await sendReport(apiKey, { evaluations });
    expect([answer.status, answer.body]).toEqual([202, { accepted: 2, ignored: 0 }]);
    expect(reports.map((report) => report.evaluations)).toEqual([
      [
        [a.key, 3, 4, { blue: 3, grey: 4 }],
        [b.key, 1, 0],
      ],
    ]);
  });

  it("appears in the metrics of the flag: in the totals, at its hour, and by instance and application", async () => {
    const { apiKey, a } = await colouredWorld();
    const report = async (v: object, said: object = {}) => {
      const evaluations = { [a.key]: { t: 5, f: 1, v } };
      await rollUp((await sendReport(apiKey, { evaluations, ...said })).reports);
    };
    await report({ blue: 4, grey: 1 }, ONE);
    await report({ blue: 1, green: 5 }, { ...ONE, instanceId: "two" });
    await report({ grey: 6 });
    const all = await metricsOf(a.id);
    expect(all.totals).toEqual({ t: 15, f: 3, variants: { blue: 5, green: 5, grey: 7 } });
    expect(all.series.at(-1)).toEqual({ at: all.series.at(-1).at, ...all.totals });
    expect(all.series[0].variants).toEqual({});
    const one = await metricsOf(a.id, "instanceId=one");
    expect(one.totals).toEqual({ t: 5, f: 1, variants: { blue: 4, grey: 1 } });
    const app = await metricsOf(a.id, "appName=app&interval=day");
    expect(app.totals).toEqual({ t: 10, f: 2, variants: { blue: 5, green: 5, grey: 1 } });
  });

  it("counts the variants of an archived flag, and `on` and `off` of a boolean flag", async () => {
    const { apiKey, a, b } = await colouredWorld();
    await asAdmin("POST", `/api/v1/flags/${a.id}/archive`);
    const evaluations = {
      [a.key]: { t: 1, f: 0, v: { blue: 1 } },
      [b.key]: { t: 2, f: 3, v: { on: 2, off: 3, other: 9 } },
    };
    await rollUp((await sendReport(apiKey, { evaluations })).reports);
    expect((await metricsOf(a.id)).totals.variants).toEqual({ blue: 1 });
    expect((await metricsOf(b.id)).totals).toEqual({ t: 2, f: 3, variants: { on: 2, off: 3 } });
  });

  it("keeps the counts of a variant that the flag no longer has", async () => {
    const { environmentId, a, counts } = await colouredWorld();
    await rollUp([reportOf(environmentId, [[a.key, 2, 0, { blue: 1, green: 1 }]])]);
    await setVariants(a.id, ["blue"]);
    await rollUp([reportOf(environmentId, [[a.key, 2, 0, { blue: 1, green: 1 }]])]);
    expect(await counts()).toEqual({ blue: 2, green: 1 });
  });
});

describe("the metrics of a flag", () => {
  it("have empty variants for a flag with variants that nobody reported, and none for a boolean flag", async () => {
    const { a, b } = await colouredWorld();
    const [coloured, plain] = [await metricsOf(a.id), await metricsOf(b.id)];
    expect([coloured.totals, coloured.series[0]]).toEqual([
      { t: 0, f: 0, variants: {} },
      { at: coloured.series[0].at, t: 0, f: 0, variants: {} },
    ]);
    expect([plain.totals, plain.series[0]]).toEqual([
      { t: 0, f: 0 },
      { at: plain.series[0].at, t: 0, f: 0 },
    ]);
  });

  it("separate the counts of variants whose keys look like indexes or are names of Object.prototype", async () => {
    const { environmentId, a } = await colouredWorld();
    const keys = ["0", "1", "2", "__proto__", "constructor", "a.b", "t"];
    await setVariants(a.id, keys);
    const served = Object.fromEntries(keys.map((key, n) => [key, n + 1]));
    for (let n = 0; n < 2; n++)
      await rollUp([reportOf(environmentId, [[a.key, 100, 200, served]], { instance: ONE })]);
    const doubled = Object.fromEntries(keys.map((key, n) => [key, 2 * (n + 1)]));
    for (const query of ["", "instanceId=one", "interval=day"])
      expect([query, (await metricsOf(a.id, query)).totals]).toEqual([
        query,
        { t: 200, f: 400, variants: doubled },
      ]);
  });
});

describe("the variants in a usage report that the flag does not have", () => {
  it("are dropped for the flag and for the application, also with a FRONTEND key", async () => {
    const { environmentId, a, b, counts } = await colouredWorld();
    const { apiKey } = await newKey(environmentId, "FRONTEND");
    const invented = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`x${n}`, 1]));
    const evaluations = {
      [a.key]: { t: 50, f: 0, v: { ...invented, green: 1 } },
      [b.key]: { t: 7, f: 0, v: { blue: 7 } },
    };
    const { answer, reports } = await sendReport(apiKey, { evaluations, appName: "browser" });
    expect(answer.body).toEqual({ accepted: 2, ignored: 0 });
    await rollUp(reports);
    expect(await counts()).toEqual({ green: 1 });
    expect(await variantCountsOf(b.id, environmentId)).toEqual({});
    expect(await ofInstances(environmentId)).toEqual([
      { [a.key]: [50, 0, { green: 1 }], [b.key]: [7, 0] },
    ]);
  });

  it("are dropped when only another environment's flag with the same key has them", async () => {
    const { environmentId, a, counts } = await colouredWorld();
    const other = await usedWorld();
    const namesake = await newFlag(other.projectId, {
      key: a.key,
      valueType: "number",
      variants: [{ key: "red", value: 1 }],
    });
    const report = (where: number) => reportOf(where, [[a.key, 1, 0, { blue: 1, red: 1 }]]);
    await rollUp([report(environmentId), report(other.environmentId)]);
    expect(await counts()).toEqual({ blue: 1 });
    expect(await variantCountsOf(namesake.id, other.environmentId)).toEqual({ red: 1 });
  });

  it("are dropped with their flag when it was deleted after the report", async () => {
    const { environmentId, a, b } = await colouredWorld();
    const report = reportOf(environmentId, [
      [a.key, 1, 0, { blue: 1 }],
      [b.key, 1, 0, { on: 1 }],
    ]);
    await asAdmin("POST", `/api/v1/flags/${a.id}/archive`);
    expect(outcome(await asAdmin("DELETE", `/api/v1/flags/${a.id}`))).toBe("204");
    await rollUp([report]);
    expect(await variantCountsOf(a.id, environmentId)).toEqual({});
    expect(await variantCountsOf(b.id, environmentId)).toEqual({ on: 1 });
  });
});

describe("the roll-up of variants", () => {
  it("adds up by flag, environment and hour, together with reports that have none", async () => {
    const { environmentId, projectId, a } = await colouredWorld();
    const other = await newEnvironment(projectId);
    const b = await newVariantFlag(projectId, ["blue"]);
    const at = (hour: number) => ({ at: HOUR + hour * HOUR_MS, instance: ONE });
    const blue = (n: number): UsageReport["evaluations"] => [[a.key, n, 0, { blue: n }]];
    const both: UsageReport["evaluations"] = [...blue(2), [b.key, 4, 0, { blue: 4 }]];
    await rollUp([reportOf(environmentId, blue(1), at(0)), reportOf(environmentId, both, at(0))]);
    await rollUp([reportOf(environmentId, [[a.key, 8, 8]], at(0))]);
    await rollUp([
      reportOf(environmentId, [[a.key, 16, 0, { grey: 16 }]], at(0)),
      reportOf(environmentId, blue(32), at(1)),
      reportOf(other.id, blue(64), at(0)),
    ]);
    const found = await rows(
      `SELECT environment_id AS e, flag_id AS flag, (hour - ${HOUR}) / ${HOUR_MS} AS hour, variant, n
        FROM flag_variant_usage WHERE flag_id IN (?, ?) ORDER BY e, flag, hour, variant`,
      a.id,
      b.id,
    );
    expect(found).toEqual([
      { e: environmentId, flag: a.id, hour: 0, variant: "blue", n: 3 },
      { e: environmentId, flag: a.id, hour: 0, variant: "grey", n: 16 },
      { e: environmentId, flag: a.id, hour: 1, variant: "blue", n: 32 },
      { e: environmentId, flag: b.id, hour: 0, variant: "blue", n: 4 },
      { e: other.id, flag: a.id, hour: 0, variant: "blue", n: 64 },
    ]);
    expect(await ofInstances(environmentId)).toEqual([
      { [a.key]: [27, 8, { blue: 3, grey: 16 }], [b.key]: [4, 0, { blue: 4 }] },
      { [a.key]: [32, 0, { blue: 32 }] },
    ]);
  });

  it("counts a batch once that the queue delivers again, whole, in parts and at the same time", async () => {
    const { environmentId, a, counts } = await colouredWorld();
    const messages = Array.from({ length: 12 }, () =>
      reportOf(environmentId, [[a.key, 1, 2, { blue: 1, grey: 2 }]], { instance: ONE }),
    );
    const parts = [messages, messages, messages.slice(0, 8), messages.slice(4)];
    await Promise.all(parts.map((part) => rollUp(part)));
    await rollUp([...messages, ...messages]);
    expect(await counts()).toEqual({ blue: 12, grey: 24 });
    expect(await ofInstances(environmentId)).toEqual([
      { [a.key]: [12, 24, { blue: 12, grey: 24 }] },
    ]);
  });

  it("deletes the counts of a flag together with the flag, and those of an environment with it", async () => {
    const { environmentId, projectId, a } = await colouredWorld();
    const other = await newEnvironment(projectId);
    const b = await newVariantFlag(projectId, ["blue"]);
    await rollUp(
      [environmentId, other.id].map((id) =>
        reportOf(id, [
          [a.key, 1, 0, { blue: 1 }],
          [b.key, 1, 0, { blue: 1 }],
        ]),
      ),
    );
    await asAdmin("POST", `/api/v1/flags/${a.id}/archive`);
    expect(outcome(await asAdmin("DELETE", `/api/v1/flags/${a.id}`))).toBe("204");
    expect(outcome(await asAdmin("DELETE", `/api/v1/environments/${other.id}`))).toBe("204");
    const left = await rows(
      "SELECT environment_id AS e, flag_id AS flag FROM flag_variant_usage WHERE flag_id IN (?, ?)",
      a.id,
      b.id,
    );
    expect(left).toEqual([{ e: environmentId, flag: b.id }]);
  });
});

describe("the hourly counts by variant of the metrics with the interval day", () => {
  it("add up the hours of a day", async () => {
    const { environmentId, a } = await colouredWorld();
    const day = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;
    const blue = [[a.key, 1, 0, { blue: 1 }]] as const;
    await rollUp(
      [day - 1, day, day + DAY_MS - 1, day + DAY_MS].map((at) =>
        reportOf(environmentId, blue, { at }),
      ),
    );
    const { series, totals } = await metricsOf(a.id, "interval=day");
    const blues = series.map(({ variants }: { variants: object }) => variants);
    expect(blues.filter((one: object) => Object.keys(one).length > 0)).toEqual([
      { blue: 1 },
      { blue: 2 },
      { blue: 1 },
    ]);
    expect(totals.variants).toEqual({ blue: 4 });
  });
});
