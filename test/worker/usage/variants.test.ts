import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import type { FlagUsage } from "../../../src/core/usage/message-types.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { sendReport, storeReport } from "../support/queue.ts";
import { rows } from "../support/records.ts";
import {
  addReports,
  completeHours,
  evictUsageObject,
  newVariantFlag,
  reportOf,
  setVariants,
  usageObjectOf,
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
  const { projectId, environmentId } = world;
  return {
    ...world,
    a,
    counts: () => variantCountsOf(a.id, environmentId),
    /** Adds usage as one report, and writes it to the database. */
    write: async (...usage: readonly FlagUsage[]) => {
      await addReports(projectId, reportOf(environmentId, usage, ONE));
      await completeHours(projectId);
    },
  };
}

/** The stored counts of the applications of an environment, in the order of the hours. */
const ofApps = async (environmentId: number) => {
  const sql = "SELECT evaluations FROM app_usage WHERE environment_id = ? ORDER BY hour";
  const found = await rows(sql, environmentId);
  return found.map(({ evaluations }) => JSON.parse(evaluations));
};

describe("a usage report with variants", () => {
  it("is sent to the usage object with the counts above 0", async () => {
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

  it("with a FRONTEND key loses the variants that the flag does not have, which anybody can invent", async () => {
    const { a, b, environmentId } = await colouredWorld();
    const { apiKey } = await newKey(environmentId, "FRONTEND");
    const invented = Object.fromEntries(Array.from({ length: 48 }, (_, n) => [`v${n}`, 1]));
    const evaluations: Record<string, object> = {
      [a.key]: { t: 3, f: 4, v: { ...invented, blue: 3 } },
      [b.key]: { t: 1, f: 0, v: { on: 1, toString: 5 } },
    };
    const { answer, reports } = await sendReport(apiKey, { evaluations });
    expect(answer.body).toEqual({ accepted: 2, ignored: 0 });
    expect(reports.map((report) => report.evaluations)).toEqual([
      [
        [a.key, 3, 4, { blue: 3 }],
        [b.key, 1, 0, { on: 1 }],
      ],
    ]);
  });

  it("is added up by flag, environment, hour, application and instance", async () => {
    const { projectId, environmentId, a } = await colouredWorld();
    const other = await newEnvironment(projectId);
    const b = await newVariantFlag(projectId, ["blue"]);
    const blue = (n: number): FlagUsage => [a.key, n, 0, { blue: n }];
    const report = (hour: number, ...usage: readonly FlagUsage[]) =>
      reportOf(environmentId, usage, { ...ONE, at: HOUR + hour * HOUR_MS });
    await addReports(projectId, report(0, blue(1)), report(0, blue(2), [b.key, 4, 0, { blue: 4 }]));
    await addReports(projectId, report(0, [a.key, 8, 8]));
    await evictUsageObject(projectId);
    await addReports(
      projectId,
      report(0, [a.key, 16, 0, { grey: 16 }]),
      report(-1, blue(32)),
      reportOf(other.id, [blue(64)]),
    );
    await completeHours(projectId);
    const found = await rows(
      `SELECT environment_id AS e, flag_id AS flag, (hour - ${HOUR}) / ${HOUR_MS} AS hour, t, variants
        FROM usage_hours WHERE flag_id IN (?, ?) ORDER BY e, flag, hour`,
      a.id,
      b.id,
    );
    expect(found.map(({ variants, ...row }) => Object.assign(row, JSON.parse(variants)))).toEqual([
      { e: environmentId, flag: a.id, hour: -1, t: 32, blue: 32 },
      { e: environmentId, flag: a.id, hour: 0, t: 27, blue: 3, grey: 16 },
      { e: environmentId, flag: b.id, hour: 0, t: 4, blue: 4 },
      { e: other.id, flag: a.id, hour: 0, t: 64, blue: 64 },
    ]);
    expect(await ofApps(environmentId)).toEqual([
      { [a.key]: [32, 0, { blue: 32 }] },
      { [a.key]: [27, 8, { blue: 3, grey: 16 }], [b.key]: [4, 0, { blue: 4 }] },
    ]);
    const ofInstance = await usageObjectOf(projectId).instanceUsage({
      ...ONE,
      environmentIds: [environmentId, other.id],
      flagKey: a.key,
      from: HOUR,
      to: HOUR,
    });
    expect(ofInstance).toEqual([{ hour: HOUR, usage: [a.key, 27, 8, { blue: 3, grey: 16 }] }]);
  });

  it("is added to the counts of its hour when the hour was written already", async () => {
    const { a, environmentId, write, counts } = await colouredWorld();
    await write([a.key, 1, 0]);
    await write([a.key, 2, 0, { blue: 2 }]);
    await write([a.key, 4, 0, { blue: 1, grey: 3 }]);
    expect(await counts()).toEqual({ blue: 3, grey: 3 });
    expect(await ofApps(environmentId)).toEqual([{ [a.key]: [7, 0, { blue: 3, grey: 3 }] }]);
  });

  it("counts the variants of an archived flag, and `on` and `off` of a boolean flag", async () => {
    const { apiKey, environmentId, projectId, a, b, counts } = await colouredWorld();
    await asAdmin("POST", `/api/v1/flags/${a.id}/archive`);
    const evaluations = {
      [a.key]: { t: 1, f: 0, v: { blue: 1 } },
      [b.key]: { t: 2, f: 3, v: { on: 2, off: 3, other: 9 } },
    };
    await storeReport(apiKey, { evaluations });
    await completeHours(projectId);
    expect(await counts()).toEqual({ blue: 1 });
    expect(await variantCountsOf(b.id, environmentId)).toEqual({ on: 2, off: 3 });
  });

  it("keeps the counts of a variant that the flag no longer has", async () => {
    const { a, counts, write } = await colouredWorld();
    await write([a.key, 2, 0, { blue: 1, green: 1 }]);
    await setVariants(a.id, ["blue"]);
    await write([a.key, 2, 0, { blue: 1, green: 1 }]);
    expect(await counts()).toEqual({ blue: 2, green: 1 });
  });

  it("counts variants whose keys look like indexes or are names of Object.prototype, and a flag with the key __proto__", async () => {
    const { projectId, environmentId, a, counts, write } = await colouredWorld();
    const flag = await newFlag(projectId, { key: "__proto__" });
    const keys = ["0", "1", "2", "__proto__", "constructor", "a.b", "t"];
    await setVariants(a.id, keys);
    const served = Object.fromEntries(keys.map((key, n) => [key, n + 1]));
    for (let n = 0; n < 2; n++)
      await write([a.key, 100, 200, served], ["__proto__", 1, 0, { on: 1 }]);
    const doubled = Object.fromEntries(keys.map((key, n) => [key, 2 * (n + 1)]));
    expect(await counts()).toEqual(doubled);
    expect(await variantCountsOf(flag.id, environmentId)).toEqual({ on: 2 });
    const [app] = await ofApps(environmentId);
    expect(Object.entries(app)).toEqual([
      ["__proto__", [2, 0, { on: 2 }]],
      [a.key, [200, 400, doubled]],
    ]);
  });
});

describe("the variants in a usage report that the flag does not have", () => {
  it("are dropped for the flag and for the application, also with a FRONTEND key", async () => {
    const { environmentId, projectId, a, b, counts } = await colouredWorld();
    const { apiKey } = await newKey(environmentId, "FRONTEND");
    const invented = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`x${n}`, 1]));
    const evaluations = {
      [a.key]: { t: 50, f: 0, v: { ...invented, green: 1 } },
      [b.key]: { t: 7, f: 0, v: { blue: 7 } },
    };
    const answer = await storeReport(apiKey, { evaluations, appName: "browser" });
    expect(answer.body).toEqual({ accepted: 2, ignored: 0 });
    await completeHours(projectId);
    expect(await counts()).toEqual({ green: 1 });
    expect(await variantCountsOf(b.id, environmentId)).toEqual({});
    expect(await ofApps(environmentId)).toEqual([
      { [a.key]: [50, 0, { green: 1 }], [b.key]: [7, 0] },
    ]);
  });

  it("are dropped when only the flag of another project with the same key has them", async () => {
    const { a, counts, write } = await colouredWorld();
    const other = await usedWorld();
    const namesake = await newFlag(other.projectId, {
      key: a.key,
      valueType: "number",
      variants: [{ key: "red", value: 1 }],
    });
    const usage: FlagUsage = [a.key, 1, 0, { blue: 1, red: 1 }];
    await write(usage);
    await addReports(other.projectId, reportOf(other.environmentId, [usage]));
    await completeHours(other.projectId);
    expect(await counts()).toEqual({ blue: 1 });
    expect(await variantCountsOf(namesake.id, other.environmentId)).toEqual({ red: 1 });
  });

  it("do not keep an hour from being written, however many there are", async () => {
    const { projectId, environmentId, a, b, counts } = await colouredWorld();
    const invented = (n: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, v) => [`${n}-${v}`.padStart(64, "v"), 1]));
    for (let n = 0; n < 30; n++)
      await addReports(
        projectId,
        reportOf(environmentId, [[a.key, 1, 0, { ...invented(n), blue: 1 }]], {
          appName: `app ${n}`,
          instanceId: `i ${n}`,
        }),
      );
    await evictUsageObject(projectId);
    await completeHours(projectId);
    const [row] = await rows("SELECT sum(t) AS t FROM usage_hours WHERE flag_id = ?", a.id);
    expect(row.t).toBe(30);
    expect(await counts()).toEqual({ blue: 30 });
    expect(await variantCountsOf(b.id, environmentId)).toEqual({});
  });
});

it("the counts of a flag's variants are deleted together with the flag", async () => {
  const { projectId, environmentId, a, write } = await colouredWorld();
  const b = await newVariantFlag(projectId, ["blue"]);
  await write([a.key, 1, 0, { blue: 1 }], [b.key, 1, 0, { blue: 1 }]);
  await asAdmin("POST", `/api/v1/flags/${a.id}/archive`);
  expect(outcome(await asAdmin("DELETE", `/api/v1/flags/${a.id}`))).toBe("204");
  const left = await rows(
    "SELECT flag_id AS flag FROM usage_hours WHERE environment_id = ?",
    environmentId,
  );
  expect(left).toEqual([{ flag: b.id }]);
});
