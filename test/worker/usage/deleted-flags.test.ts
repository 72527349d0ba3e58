import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import type { Json } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { consume } from "../support/consume.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { recordingObjects, recordingQueue, storeReport } from "../support/queue.ts";
import { auditOfEntity } from "../support/records.ts";
import {
  addReports,
  batchOf,
  completeHours,
  evictUsageObject,
  reportOf,
  usageObjectOf,
} from "../support/usage.ts";
import { insertAppHour } from "../support/usage-rows.ts";
import { apply, flagOf, inProduction, newShop, plan } from "../support/files.ts";
import { newFlag, newKey, newWorld } from "../support/world.ts";

const APP = { appName: "shop", instanceId: "i1" };

/** A call whose work after the response is done when it returns. */
async function settled(method: string, path: string, body?: object, replaced: Partial<Env> = {}) {
  const options = { token: await adminToken(), body };
  const answer = await callWith(replaced, method, `/api/v1/${path}`, options);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const newSetting = async () => {
  const world = await newWorld();
  return { ...world, flag: await newFlag(world.projectId) };
};
type Setting = Awaited<ReturnType<typeof newSetting>>;

const report = ({ apiKey, flag }: Setting, t: number, f: number) =>
  storeReport(apiKey, { evaluations: { [flag.key]: { t, f } }, ...APP });

async function deleteFlag({ flag }: Setting, replaced: Partial<Env> = {}): Promise<void> {
  await settled("POST", `flags/${flag.id}/archive`);
  await settled("DELETE", `flags/${flag.id}`, undefined, replaced);
}

const createAgain = ({ projectId, flag }: Setting): Promise<Json> =>
  newFlag(projectId, { key: flag.key });

/** What each reader of usage says about a flag: how often it was true and false. */
async function readers({ environmentId }: Setting, { id }: Json) {
  const read = async (path: string) => (await asAdmin("GET", `/api/v1/${path}`)).body;
  const sumOf = (points: readonly { t: number; f: number }[]) =>
    points.reduce<[number, number]>((sum, { t, f }) => [sum[0] + t, sum[1] + f], [0, 0]);
  const ofFlag = async (query: string) =>
    sumOf((await read(`flags/${id}/metrics?${query}`)).series);
  const ofFlags = (await read(`metrics/flags?environmentId=${environmentId}&flagIds=${id}`)).flags;
  const environment = await read(`metrics?environmentId=${environmentId}`);
  const isListed = (list: readonly { flagId: number }[]) => list.some((one) => one.flagId === id);
  return {
    total: await ofFlag("interval=hour"),
    days: await ofFlag("interval=day"),
    app: await ofFlag("appName=shop"),
    instance: await ofFlag("instanceId=i1"),
    flags: sumOf(
      ofFlags.flatMap(({ t, f }: Json) => t.map((n: number, day: number) => ({ t: n, f: f[day] }))),
    ),
    environment: sumOf(environment.series),
    mostEvaluated: isListed(environment.mostEvaluated),
    neverEvaluated: isListed(environment.neverEvaluated),
    used: (await read(`flags/${id}`)).lastUsedAt !== null,
  };
}

/** The readers of a flag that was evaluated so often, by one instance. */
const all = (t: number, f: number) => ({
  total: [t, f],
  days: [t, f],
  app: [t, f],
  instance: [t, f],
  flags: [t, f],
  environment: [t, f],
  mostEvaluated: t + f > 0,
  neverEvaluated: t + f === 0,
  used: t + f > 0,
});

const WAYS: readonly [string, (setting: Setting) => Promise<Json>][] = [
  ["created again", createAgain],
  [
    "restored by a revert of the deletion",
    async ({ flag }) => {
      const record = (await auditOfEntity("flag", flag.id)).at(-1);
      const recordId = { recordId: record.id };
      const { entityId: id } = await settled("POST", `flags/${flag.id}/revert`, recordId);
      return settled("POST", `flags/${id}/unarchive`);
    },
  ],
];

describe.each(WAYS)("a flag that is %s with the key of a deleted flag", (_, again) => {
  it("counts only its own usage, before and after the end of the hour", async () => {
    const setting = await newSetting();
    await report(setting, 40, 2);
    expect((await readers(setting, setting.flag)).total).toEqual([40, 2]);
    await deleteFlag(setting);
    const next = await again(setting);
    expect(await readers(setting, next)).toEqual(all(0, 0));
    await report(setting, 3, 1);
    await expect.poll(() => readers(setting, next)).toEqual(all(3, 1));
    await evictUsageObject(setting.projectId);
    expect(await readers(setting, next)).toEqual(all(3, 1));
    await completeHours(setting.projectId);
    expect(await readers(setting, next)).toEqual(all(3, 1));
  });
});

describe("the usage of a deleted flag", () => {
  it("does not count for the next flag when its hour was written before the deletion", async () => {
    const setting = await newSetting();
    const { projectId, environmentId, flag } = setting;
    const evaluations = [[flag.key, 40, 2]] as const;
    await addReports(
      projectId,
      reportOf(environmentId, evaluations, { ...APP, at: Date.now() - 2 * HOUR_MS }),
    );
    await insertAppHour({ environmentId, appName: "shop" }, Date.now() - 5 * HOUR_MS, {
      [flag.key]: [5, 5],
    });
    await completeHours(projectId);
    expect((await readers(setting, flag)).app).toEqual([45, 7]);
    await deleteFlag(setting);
    expect(await readers(setting, await createAgain(setting))).toEqual(all(0, 0));
  });

  it("does not count for the next flag when its report arrives after the creation of that flag", async () => {
    const setting = await newSetting();
    const { projectId, environmentId, flag } = setting;
    const objects = recordingObjects({ isDown: true });
    const queue = recordingQueue();
    await storeReport(
      setting.apiKey,
      { evaluations: { [flag.key]: { t: 40, f: 2 } }, ...APP },
      { replaced: { USAGE_OBJECTS: objects.USAGE_OBJECTS, USAGE: queue.USAGE } },
    );
    await deleteFlag(setting);
    const next = await createAgain(setting);
    await consume("feature-flags-usage", queue.messages());
    const older = { ...APP, at: Date.now() - HOUR_MS };
    const reports = [reportOf(environmentId, [[flag.key, 7, 7]], older)];
    await usageObjectOf(projectId).add([JSON.stringify(batchOf(projectId, { reports }))]);
    expect(await readers(setting, next)).toEqual(all(0, 0));
    await completeHours(projectId);
    expect(await readers(setting, next)).toEqual(all(0, 0));
  });

  it("is forgotten through the queue, once, when the usage object does not respond to the deletion", async () => {
    const setting = await newSetting();
    await report(setting, 40, 2);
    const { USAGE_OBJECTS } = recordingObjects({ isDown: true });
    const queue = recordingQueue();
    await deleteFlag(setting, { USAGE_OBJECTS, USAGE: queue.USAGE });
    expect(queue.messages()).toHaveLength(1);
    const next = await createAgain(setting);
    await consume("feature-flags-usage", queue.messages());
    expect(await readers(setting, next)).toEqual(all(0, 0));
    await report(setting, 3, 1);
    await consume("feature-flags-usage", queue.messages());
    expect((await readers(setting, next)).total).toEqual([3, 1]);
  });

  it("does not count for the next flag in the checks of a plan", async () => {
    const shop = await newShop();
    const { apiKey } = await newKey(shop.production);
    const checks = async () => {
      const { body } = await plan(shop, inProduction({ enabled: true, percentage: 0 }));
      return body.environments[0].checks24h;
    };
    const use = (t: number) =>
      storeReport(apiKey, { evaluations: { colour: { t, f: 0 } }, ...APP });
    await apply(shop, inProduction({ enabled: true }));
    await use(40);
    expect(await checks()).toBe(40);
    const { id } = await flagOf(shop, "colour");
    await settled("POST", `flags/${id}/archive`);
    await settled("DELETE", `flags/${id}`);
    await apply(shop, inProduction({ enabled: true }));
    expect(await checks()).toBe(0);
    await use(4);
    expect(await checks()).toBe(4);
  });

  it("stays when the deletion is refused", async () => {
    const setting = await newSetting();
    await report(setting, 40, 2);
    const path = `/api/v1/flags/${setting.flag.id}`;
    expect(outcome(await asAdmin("DELETE", path))).toMatch(/^409/);
    expect((await readers(setting, setting.flag)).total).toEqual([40, 2]);
  });
});
