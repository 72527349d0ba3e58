import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { consume } from "../support/consume.ts";
import {
  fail,
  type Fault,
  faultyDatabase,
  faultyEnvironment,
  loseAnswer,
  Switch,
} from "../support/faulty-bindings.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { deliverRest, recordingObjects, recordingQueue, storeReport } from "../support/queue.ts";
import { rows } from "../support/records.ts";
import {
  addReports,
  completeHours,
  countsOf,
  evictUsageObject,
  reportOf,
  usageObjectOf,
  usedWorld,
} from "../support/usage.ts";

const QUEUE = "feature-flags-usage";
const THIS_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

/** A project, and a function that sends the same usage report again and again. */
async function reporting() {
  const world = await usedWorld();
  const { apiKey, a, environmentId } = world;
  const body = { evaluations: { [a.key]: { t: 1, f: 2 } }, appName: "app", instanceId: "one" };
  return {
    ...world,
    report: (replaced: Partial<Env> = {}) => storeReport(apiKey, body, { replaced }),
    counts: () => countsOf(a.id, environmentId),
    written: () =>
      rows("SELECT t, f FROM usage_hours WHERE environment_id = ? ORDER BY hour", environmentId),
  };
}

const instanceUsage = (projectId: number, environmentId: number, flagKey: string) =>
  usageObjectOf(projectId).instanceUsage({
    environmentIds: [environmentId],
    flagKey,
    instanceId: "one",
    from: THIS_HOUR - HOUR_MS,
    to: THIS_HOUR + HOUR_MS,
  });

describe("a usage report that the usage object does not take", () => {
  it("goes to the queue, and is counted once however often the queue delivers it", async () => {
    const { report, counts } = await reporting();
    const objects = recordingObjects({ isDown: true });
    const queue = recordingQueue();
    const { status } = await report({ USAGE_OBJECTS: objects.USAGE_OBJECTS, USAGE: queue.USAGE });
    expect([status, objects.calls.length, queue.messages().length]).toEqual([202, 1, 1]);
    expect(await counts()).toEqual([0, 0]);
    for (let n = 0; n < 3; n++) await consume(QUEUE, [...queue.messages(), ...queue.messages()]);
    expect(await counts()).toEqual([1, 2]);
  });

  it("is counted once when the object had counted it, and the queue delivers it after a restart and the end of the hour", async () => {
    const { report, counts, written, projectId } = await reporting();
    const faulty = faultyEnvironment();
    faulty.at.USAGE_OBJECTS.fault = loseAnswer;
    await report(faulty.env);
    expect(faulty.usage).toHaveLength(1);
    expect(await counts()).toEqual([1, 2]);
    await consume(QUEUE, faulty.usage);
    await evictUsageObject(projectId);
    await consume(QUEUE, faulty.usage);
    await completeHours(projectId);
    await evictUsageObject(projectId);
    await consume(QUEUE, faulty.usage);
    await completeHours(projectId);
    expect([await written(), await counts()]).toEqual([[{ t: 1, f: 2 }], [1, 2]]);
  });

  it("is delivered by the next call when the queue fails, too", async () => {
    const { report, counts, apiKey } = await reporting();
    const faulty = faultyEnvironment();
    faulty.at.USAGE_OBJECTS.fault = fail;
    faulty.at.USAGE.fault = fail;
    expect((await report(faulty.env)).status).toBe(202);
    expect([faulty.at.USAGE.met, await counts()]).toEqual([1, [0, 0]]);
    await deliverRest(apiKey);
    expect(await counts()).toEqual([1, 2]);
    await deliverRest(apiKey);
    expect(await counts()).toEqual([1, 2]);
  });

  it("is tried again by the queue when the consumer cannot reach the object", async () => {
    const { report, counts } = await reporting();
    const faulty = faultyEnvironment();
    faulty.at.USAGE_OBJECTS.fault = fail;
    await report(faulty.env);
    await consume(QUEUE, faulty.usage, faulty.env);
    expect(await counts()).toEqual([0, 0]);
    faulty.heal();
    await consume(QUEUE, faulty.usage, faulty.env);
    expect(await counts()).toEqual([1, 2]);
  });

  it("does not keep the queue from delivering the reports of other projects", async () => {
    const [one, other] = [await reporting(), await reporting()];
    const faulty = faultyEnvironment();
    faulty.at.USAGE_OBJECTS.fault = fail;
    await one.report(faulty.env);
    await other.report(faulty.env);
    const USAGE_OBJECTS = {
      getByName: (name: string) => {
        if (name === String(one.projectId)) throw new Error("The usage object is overloaded");
        return env.USAGE_OBJECTS.getByName(name);
      },
    } as unknown as Env["USAGE_OBJECTS"];
    await consume(QUEUE, faulty.usage, { USAGE_OBJECTS, LOGGING_LEVEL_APP: "OFF" });
    expect([await one.counts(), await other.counts()]).toEqual([
      [0, 0],
      [1, 2],
    ]);
  });
});

describe("a usage object that restarts", () => {
  it("keeps every report that it has accepted, for flags, instances and applications", async () => {
    const { report, counts, projectId, environmentId, a } = await reporting();
    for (let n = 0; n < 3; n++) {
      await report();
      await evictUsageObject(projectId);
    }
    expect(await counts()).toEqual([3, 6]);
    expect(await instanceUsage(projectId, environmentId, a.key)).toEqual([
      { hour: THIS_HOUR, usage: [a.key, 3, 6] },
    ]);
    await completeHours(projectId);
    await evictUsageObject(projectId);
    expect(await counts()).toEqual([3, 6]);
    expect(await instanceUsage(projectId, environmentId, a.key)).toEqual([
      { hour: THIS_HOUR, usage: [a.key, 3, 6] },
    ]);
    const [app] = await rows(
      "SELECT app_name AS app, evaluations FROM app_usage WHERE environment_id = ?",
      environmentId,
    );
    expect([app.app, JSON.parse(app.evaluations)]).toEqual(["app", { [a.key]: [3, 6] }]);
  });
});

describe("while the database is down", () => {
  /** Makes the write batches of the database fail in the usage objects while `work` runs. */
  async function whileWritesFail(fault: Fault, work: () => Promise<void>): Promise<number> {
    const original = env.DB;
    const batches = new Switch();
    batches.fault = fault;
    // The objects of the test runtime share this environment.
    Reflect.set(env, "DB", faultyDatabase(new Switch(), batches));
    try {
      await work();
    } finally {
      Reflect.set(env, "DB", original);
    }
    return batches.met;
  }

  it.each([
    ["fails", fail, []],
    ["loses the response of the write", loseAnswer, [{ t: 1, f: 2 }]],
  ] as const)(
    "a completed hour is kept, and written once: the database %s",
    async (_, fault, then) => {
      const { report, counts, written, projectId } = await reporting();
      await report();
      const met = await whileWritesFail(fault, async () => {
        for (let n = 0; n < 2; n++) await completeHours(projectId);
      });
      expect(met).toBeGreaterThanOrEqual(2);
      expect([await written(), await counts()]).toEqual([then, [1, 2]]);
      await evictUsageObject(projectId);
      for (let n = 0; n < 2; n++) await completeHours(projectId);
      expect([await written(), await counts()]).toEqual([[{ t: 1, f: 2 }], [1, 2]]);
    },
  );
});

describe("usage of what was deleted meanwhile", () => {
  it("is dropped for a deleted flag, and counted for the other flag of the report", async () => {
    const { projectId, environmentId, a, b, counts } = await reporting();
    await addReports(
      projectId,
      reportOf(environmentId, [
        [a.key, 1, 2],
        [b.key, 3, 4],
        ["never-made", 1, 1],
      ]),
    );
    await asAdmin("POST", `/api/v1/flags/${b.id}/archive`);
    expect(outcome(await asAdmin("DELETE", `/api/v1/flags/${b.id}`))).toBe("204");
    await completeHours(projectId);
    expect(await counts()).toEqual([1, 2]);
    const found = await rows(
      "SELECT flag_id FROM usage_hours WHERE environment_id = ?",
      environmentId,
    );
    expect(found).toEqual([{ flag_id: a.id }]);
  });

  it("is dropped for a deleted environment, whose written hours are deleted, too", async () => {
    const { projectId, environmentId, a, keyId, written } = await reporting();
    const report = reportOf(environmentId, [[a.key, 1, 2]], { appName: "app" });
    await addReports(projectId, report);
    await completeHours(projectId);
    await addReports(projectId, report);
    expect(await written()).toHaveLength(1);
    await asAdmin("DELETE", `/api/v1/api-keys/${keyId}`);
    expect(outcome(await asAdmin("DELETE", `/api/v1/environments/${environmentId}`))).toBe("204");
    expect(await written()).toEqual([]);
    await completeHours(projectId);
    expect(await written()).toEqual([]);
    expect(await rows("SELECT * FROM app_usage WHERE environment_id = ?", environmentId)).toEqual(
      [],
    );
  });

  it("is deleted from the usage object of a deleted project", async () => {
    const { projectId, environmentId, a } = await reporting();
    await addReports(projectId, reportOf(environmentId, [[a.key, 1, 2]], { instanceId: "one" }));
    await env.DB.batch([
      env.DB.prepare("DELETE FROM api_keys WHERE environment_id = ?").bind(environmentId),
      env.DB.prepare("DELETE FROM projects WHERE id = ?").bind(projectId),
    ]);
    await completeHours(projectId);
    const left = await runInDurableObject(usageObjectOf(projectId), async (_, { storage }) => [
      storage.sql.exec("SELECT count(*) AS n FROM log").one(),
      storage.sql.exec("SELECT count(*) AS n FROM instance_hours").one(),
      await storage.getAlarm(),
    ]);
    expect(left).toEqual([{ n: 0 }, { n: 0 }, null]);
  });
});
