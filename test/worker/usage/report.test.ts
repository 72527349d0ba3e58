import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { asAdmin } from "../support/outcomes.ts";
import { call, type CallOptions } from "../support/client.ts";
import { consume } from "../support/consume.ts";
import { recordingObjects, recordingQueue, sendReport, storeReport } from "../support/queue.ts";
import { rows } from "../support/records.ts";
import { completeHours, countsOf, usedWorld } from "../support/usage.ts";

const PATH = "/api/client/metrics";
/**
 * The maximum sizes of a queue message and of a `sendBatch` call, bytes: 1,000 below the limits of
 * Cloudflare Queues, which count metadata, too (developers.cloudflare.com/queues/platform/limits).
 */
const MESSAGE_LIMIT = 127_000;
const CALL_LIMIT = 255_000;

const send = (apiKey: string, body: unknown, headers: CallOptions["headers"] = {}) =>
  call("POST", PATH, { token: apiKey, body, headers });

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

describe("a usage report", () => {
  it("is counted within seconds of the response", async () => {
    const { apiKey, environmentId, a, b } = await usedWorld();
    const evaluations = {
      [a.key]: { t: 3, f: 4 },
      [b.key]: { t: 0, f: 1 },
      "no-flag": { t: 9, f: 9 },
    };
    const answers = [await send(apiKey, { evaluations }), await send(apiKey, { evaluations })];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [202, { accepted: 2, ignored: 1 }],
      [202, { accepted: 2, ignored: 1 }],
    ]);
    await expect.poll(() => countsOf(a.id, environmentId)).toEqual([6, 8]);
    expect(await countsOf(b.id, environmentId)).toEqual([0, 2]);
  });

  it("is sent to the usage object with its environment and the time of the report", async () => {
    const { apiKey, environmentId, a, b } = await usedWorld();
    const evaluations = { [a.key]: { t: 3, f: 4 }, [b.key]: { t: 0, f: 0 } };
    const before = Date.now();
    const { answer, reports } = await sendReport(apiKey, { evaluations });
    expect(answer.body).toEqual({ accepted: 2, ignored: 0 });
    // The batch does not contain a flag without evaluations.
    expect(reports).toEqual([
      {
        environmentId,
        at: expect.any(Number),
        appName: "",
        instanceId: "",
        evaluations: [[a.key, 3, 4]],
      },
    ]);
    expect(reports[0]?.at).toBeGreaterThanOrEqual(before);
  });

  it.each([{}, { "no-flag": { t: 1, f: 1 }, __proto__x: { t: 1, f: 1 } }])(
    "is accepted when it has no known flag, and sends no usage: %j",
    async (evaluations) => {
      const { apiKey } = await usedWorld();
      const { answer, reports } = await sendReport(apiKey, { evaluations });
      const ignored = Object.keys(evaluations).length;
      expect([answer.status, answer.body]).toEqual([202, { accepted: 0, ignored }]);
      expect(reports).toEqual([]);
    },
  );

  it("may contain __proto__ and other names of Object.prototype, which are ignored as unknown flag keys", async () => {
    const { apiKey, a } = await usedWorld();
    const body = `{"evaluations":{"__proto__":{"t":1,"f":1},"constructor":{"t":1,"f":1},
      "toString":{"t":1,"f":1},"${a.key}":{"t":1,"f":1}}}`;
    const { answer, reports } = await sendReport(apiKey, body);
    expect(answer.body).toEqual({ accepted: 1, ignored: 3 });
    expect(reports.map(({ evaluations }) => evaluations)).toEqual([[[a.key, 1, 1]]]);
  });

  it("counts an archived flag and sets its `lastUsedAt`, and ignores a deleted flag", async () => {
    const { apiKey, environmentId, a } = await usedWorld();
    await asAdmin("POST", `/api/v1/flags/${a.id}/archive`);
    const evaluations = { [a.key]: { t: 1, f: 2 } };
    const answer = await storeReport(apiKey, { evaluations });
    expect(answer.body).toEqual({ accepted: 1, ignored: 0 });
    expect(await countsOf(a.id, environmentId)).toEqual([1, 2]);
    const lastUsedAt = async () => (await asAdmin("GET", `/api/v1/flags/${a.id}`)).body.lastUsedAt;
    await expect.poll(lastUsedAt).not.toBeNull();
    await asAdmin("DELETE", `/api/v1/flags/${a.id}`);
    const { answer: later } = await sendReport(apiKey, { evaluations });
    expect(later.body).toEqual({ accepted: 0, ignored: 1 });
  });
});

describe("a large usage report", () => {
  /**
   * Creates an environment, and adds 4,990 flags to its project (the quota is 5,000). Each flag key
   * has the maximum length.
   */
  async function large() {
    const world = await usedWorld();
    const insert = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4990)
      INSERT INTO flags (project_id, key, name, flag_type, created_at, updated_at)
      SELECT ?, printf('%0128d', i), 'n', 'RELEASE', 0, 0 FROM n`;
    const revise = "UPDATE environments SET revision = revision + 1 WHERE project_id = ?";
    const { projectId } = world;
    await env.DB.batch([insert, revise].map((sql) => env.DB.prepare(sql).bind(projectId)));
    const key = (n: number) => String(n).padStart(128, "0");
    const entries = Array.from({ length: 4990 }, (_, n) => [key(n + 1), { t: 1e9, f: n }] as const);
    return { ...world, entries };
  }

  /** Reports of 4,990 known and 5,010 unknown flags. */
  const largeReport = (entries: readonly (readonly [string, object])[]) => {
    const padding = Array.from({ length: 5010 }, (_, n) => [`u${n}`, { t: 1, f: 1 }] as const);
    return { evaluations: Object.fromEntries([...entries, ...padding]) };
  };

  it("is sent to the usage object in one call, and counted when the hour is written", async () => {
    const { apiKey, entries, projectId, environmentId } = await large();
    const { answer, objects, reports } = await sendReport(apiKey, largeReport(entries));
    expect(answer.body).toEqual({ accepted: 4990, ignored: 5010 });
    const sent = reports.flatMap((report) => report.evaluations);
    expect(sent).toEqual(entries.map(([key, { t, f }]) => [key, t, f]));
    expect(objects.calls).toHaveLength(1);
    const named = { ...largeReport(entries), appName: "app", instanceId: "one" };
    expect((await storeReport(apiKey, named)).status).toBe(202);
    await completeHours(projectId);
    const [counted] = await rows(
      "SELECT count(*) AS flags, sum(t) AS t, sum(f) AS f FROM usage_hours WHERE environment_id = ?",
      environmentId,
    );
    expect(counted).toEqual({ flags: 4990, t: 4990e9, f: (4990 * 4989) / 2 });
    const [app] = await rows(
      "SELECT evaluations FROM app_usage WHERE environment_id = ?",
      environmentId,
    );
    expect(Object.keys(JSON.parse(app.evaluations))).toHaveLength(4990);
  });

  it("fits into queue messages and sendBatch calls, below the limits of Cloudflare Queues", async () => {
    const { apiKey, entries, projectId, environmentId } = await large();
    const { USAGE_OBJECTS } = recordingObjects({ isDown: true });
    const queue = recordingQueue();
    const named = {
      ...largeReport(entries),
      appName: '"'.repeat(200),
      instanceId: "\\".repeat(200),
    };
    const replaced = { USAGE_OBJECTS, USAGE: queue.USAGE };
    expect((await storeReport(apiKey, named, { replaced })).status).toBe(202);
    expect(Math.max(...queue.messages().map(bytesOf))).toBeLessThan(MESSAGE_LIMIT);
    expect(Math.max(...queue.calls.map(bytesOf))).toBeLessThan(CALL_LIMIT);
    await consume("feature-flags-usage", queue.messages());
    await completeHours(projectId);
    const [counted] = await rows(
      "SELECT count(*) AS flags, sum(t) AS t FROM usage_hours WHERE environment_id = ?",
      environmentId,
    );
    expect(counted).toEqual({ flags: 4990, t: 4990e9 });
  });
});

describe("the path /api/client/metrics", () => {
  it("allows every origin with the SDK's headers", async () => {
    const { apiKey } = await usedWorld();
    const Origin = "https://app.test";
    const wanted =
      "authorization,content-type,x-app-name,x-instance-id,x-sdk-version,x-sdk-features";
    const asked = {
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": wanted,
    };
    const { headers } = await call("OPTIONS", PATH, { headers: { Origin, ...asked } });
    expect(headers.get("Access-Control-Allow-Headers")).toBe(wanted);
    const answer = await send(apiKey, { evaluations: {} }, { Origin });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it("ignores the usage of another project's flag", async () => {
    const { a } = await usedWorld();
    const { apiKey } = await usedWorld();
    const evaluations = { [a.key]: { t: 1, f: 1 } };
    expect((await send(apiKey, { evaluations })).body).toEqual({ accepted: 0, ignored: 1 });
  });
});
