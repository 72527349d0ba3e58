import { describe, expect, it } from "vitest";
import type { UnwrittenHour } from "../../../src/core/usage/usage-state.ts";
import { call } from "../support/client.ts";
import { sendReport, storeReport } from "../support/queue.ts";
import { rows } from "../support/records.ts";
import { completeHours, countsOf, usageObjectOf, usedWorld } from "../support/usage.ts";
import { newKey } from "../support/world.ts";

describe("the instance of a usage report", () => {
  const instancesOf = async (apiKey: string, key: string, said: object, headers = {}) => {
    const evaluations = { [key]: { t: 1, f: 1 } };
    const { reports } = await sendReport(apiKey, { evaluations, ...said }, headers);
    return reports.map(({ appName, instanceId }) => ({ appName, instanceId }));
  };
  const HEADERS = { "X-App-Name": "head", "X-Instance-Id": "h1", "X-Sdk-Version": "1" };

  it("comes from the body, or from the headers when the body has none", async () => {
    const { apiKey, a } = await usedWorld();
    const of = (said: object, headers = {}) => instancesOf(apiKey, a.key, said, headers);
    expect(await of({ appName: "app", instanceId: "b1" })).toEqual([
      { appName: "app", instanceId: "b1" },
    ]);
    expect(await of({}, HEADERS)).toEqual([{ appName: "head", instanceId: "h1" }]);
    expect(await of({ instanceId: "b1" }, HEADERS)).toEqual([
      { appName: "head", instanceId: "b1" },
    ]);
    expect(await of({ instanceId: "b1" })).toEqual([{ appName: "", instanceId: "b1" }]);
  });

  it("is only the application without an instance id, or when X-Instance-Id has more than 200 characters", async () => {
    const { apiKey, a } = await usedWorld();
    const of = (said: object, headers = {}) => instancesOf(apiKey, a.key, said, headers);
    expect(await of({ appName: "app" })).toEqual([{ appName: "app", instanceId: "" }]);
    expect(await of({}, { ...HEADERS, "X-Instance-Id": "x".repeat(201) })).toEqual([
      { appName: "head", instanceId: "" },
    ]);
    expect(await of({}, { ...HEADERS, "X-Instance-Id": "x".repeat(200) })).toEqual([
      { appName: "head", instanceId: "x".repeat(200) },
    ]);
    expect(await of({})).toEqual([{ appName: "", instanceId: "" }]);
  });

  it("is only the application with a FRONTEND key, because browsers could invent any number of instances", async () => {
    const { environmentId, a } = await usedWorld();
    const { apiKey } = await newKey(environmentId, "FRONTEND");
    const of = (said: object, headers = {}) => instancesOf(apiKey, a.key, said, headers);
    expect(await of({ instanceId: "b1" }, HEADERS)).toEqual([{ appName: "head", instanceId: "" }]);
    expect(await of({ instanceId: "b1" })).toEqual([{ appName: "", instanceId: "" }]);
  });
});

type World = Awaited<ReturnType<typeof usedWorld>>;

/** How often the flag `a` was true in an application: in the usage object, and in the database. */
async function countsIn({ projectId, environmentId, a }: World, appName: string) {
  const filter = { environmentIds: [environmentId], flagKey: a.key, appName };
  const unwritten = (await usageObjectOf(projectId).unwritten(
    filter,
  )) as unknown as UnwrittenHour[];
  const inObject = unwritten.flatMap(({ usage }) => usage.map(([, t]) => t));
  const stored = await rows(
    "SELECT evaluations FROM app_usage WHERE environment_id = ? AND app_name = ?",
    environmentId,
    appName,
  );
  const inDatabase = stored.map(({ evaluations }) => JSON.parse(evaluations)[a.key]?.[0]);
  return [sum(inObject), sum(inDatabase)];
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

describe("the application name of usage reports with a FRONTEND key", () => {
  /** Reports one evaluation of the flag for each application, one after the other. */
  async function report(world: World, apps: readonly string[]) {
    const { apiKey } = await newKey(world.environmentId, "FRONTEND");
    const send = (appName: string) => {
      const evaluations = { [world.a.key]: { t: 1, f: 0 } };
      return call("POST", "/api/client/metrics", { token: apiKey, body: { evaluations, appName } });
    };
    for (const appName of apps.slice(0, -1)) await send(appName);
    const evaluations = { [world.a.key]: { t: 1, f: 0 } };
    await storeReport(apiKey, { evaluations, appName: apps.at(-1) });
    await expect.poll(() => countsOf(world.a.id, world.environmentId)).toEqual([apps.length, 0]);
  }

  const KIOSK = `kiosk "é" \\ '漢'`;

  it("counts for the application, in the hour and when the hour is written", async () => {
    const world = await usedWorld();
    await report(world, ["browser", "browser", KIOSK]);
    expect(await countsIn(world, "browser")).toEqual([2, 0]);
    await completeHours(world.projectId);
    expect(await countsIn(world, "browser")).toEqual([2, 2]);
    expect(await countsIn(world, KIOSK)).toEqual([1, 1]);
    expect(await countsIn(world, "shop")).toEqual([0, 0]);
  });

  it("is kept for 50 applications of an environment, and counts as `other` for further ones", async () => {
    const world = await usedWorld();
    const names = Array.from({ length: 80 }, (_, n) => `app-${String(n).padStart(3, "0")}`);
    await report(world, ["other", ...names, "app-000"]);
    const counts = [];
    for (const name of names) counts.push((await countsIn(world, name))[0]);
    expect(counts).toEqual([2, ...Array(49).fill(1), ...Array(30).fill(0)]);
    expect(await countsIn(world, "other")).toEqual([31, 0]);
    // The limit does not apply to reports with a SERVER key.
    const evaluations = { [world.a.key]: { t: 1, f: 0 } };
    await storeReport(world.apiKey, { evaluations, appName: "backend", instanceId: "one" });
    await expect.poll(() => countsIn(world, "backend")).toEqual([1, 0]);
    // The limit of 50 applications applies to each environment separately.
    const second = await usedWorld();
    await report(second, ["app-079"]);
    expect(await countsIn(second, "app-079")).toEqual([1, 0]);
  });
});
