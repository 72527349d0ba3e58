import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { MIN_MARK_INTERVAL_MS, type UsageReport } from "../../../src/core/usage/message-types.ts";
import { asAdmin } from "../support/outcomes.ts";
import { countsOf, lastUsed, reportOf, rollUp, rows, usedWorld } from "../support/usage.ts";
import { newEnvironment, newFlag, newProject } from "../support/world.ts";

const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

describe("rollUp", () => {
  it("adds usage reports up by flag, environment and hour, over several queue batches", async () => {
    const { environmentId, a, b, projectId } = await usedWorld();
    const other = await newEnvironment(projectId);
    const at = (hour: number) => ({ at: HOUR + hour * HOUR_MS });
    await rollUp([
      reportOf(environmentId, [[a.key, 1, 2]], at(0)),
      reportOf(
        environmentId,
        [
          [a.key, 3, 4],
          [b.key, 5, 0],
        ],
        at(0),
      ),
      reportOf(other.id, [[a.key, 100, 0]], at(0)),
    ]);
    await rollUp([
      reportOf(environmentId, [[a.key, 10, 20]], at(0)),
      reportOf(environmentId, [[a.key, 1_000_000_000, 0]], at(1)),
    ]);
    const found = await rows(
      `SELECT environment_id AS e, flag_id AS flag, hour, t, f FROM flag_usage
        WHERE flag_id IN (?, ?) ORDER BY e, flag, hour`,
      a.id,
      b.id,
    );
    expect(found).toEqual([
      { e: environmentId, flag: a.id, hour: HOUR, t: 14, f: 26 },
      { e: environmentId, flag: a.id, hour: HOUR + HOUR_MS, t: 1_000_000_000, f: 0 },
      { e: environmentId, flag: b.id, hour: HOUR, t: 5, f: 0 },
      { e: other.id, flag: a.id, hour: HOUR, t: 100, f: 0 },
    ]);
  });

  it("drops the usage of unknown flags, other projects' flags and deleted environments", async () => {
    const { environmentId, a } = await usedWorld();
    const foreign = await newFlag((await newProject()).id);
    const one = { instance: { appName: "app", instanceId: "one" } };
    await rollUp([
      reportOf(environmentId, [
        ["never-made", 1, 1],
        [a.key, 1, 0],
        [foreign.key, 1, 1],
      ]),
      reportOf(999_999_999, [[a.key, 1, 1]], one),
    ]);
    expect(await countsOf(a.id, environmentId)).toEqual([1, 0]);
    expect(await rows("SELECT * FROM flag_usage WHERE flag_id = ?", foreign.id)).toEqual([]);
    expect(await rows("SELECT * FROM instance_usage WHERE environment_id = 999999999")).toEqual([]);
  });

  it("drops the usage of a flag that was deleted after the report, and counts the other flag of that report", async () => {
    const { environmentId, a, b } = await usedWorld();
    const report = reportOf(environmentId, [
      [a.key, 1, 0],
      [b.key, 2, 0],
    ]);
    await asAdmin("POST", `/api/v1/flags/${a.id}/archive`);
    expect((await asAdmin("DELETE", `/api/v1/flags/${a.id}`)).status).toBe(204);
    await rollUp([report]);
    expect(await countsOf(a.id, environmentId)).toEqual([0, 0]);
    expect(await countsOf(b.id, environmentId)).toEqual([2, 0]);
  });

  it("counts the usage of a flag with the key __proto__", async () => {
    const { environmentId, projectId } = await usedWorld();
    const flag = await newFlag(projectId, { key: "__proto__" });
    const instance = { appName: "", instanceId: "one" };
    for (let n = 0; n < 2; n++)
      await rollUp([reportOf(environmentId, [["__proto__", 1, 2]], { instance })]);
    expect(await countsOf(flag.id, environmentId)).toEqual([2, 4]);
    const [found] = await rows(
      "SELECT evaluations FROM instance_usage WHERE environment_id = ?",
      environmentId,
    );
    expect(found.evaluations).toBe('{"__proto__":[2,4]}');
  });
});

describe("a batch of usage reports that the queue delivers again", () => {
  async function batch(size = 6) {
    const world = await usedWorld();
    const instance = { appName: "app", instanceId: "one" };
    const messages = Array.from({ length: size }, () =>
      reportOf(world.environmentId, [[world.a.key, 1, 10]], { instance }),
    );
    const counts = () => countsOf(world.a.id, world.environmentId);
    const ofInstance = async () => {
      const [row] = await rows(
        "SELECT evaluations FROM instance_usage WHERE environment_id = ?",
        world.environmentId,
      );
      return JSON.parse(row.evaluations);
    };
    return { ...world, messages, counts, ofInstance };
  }

  it("is counted once when all its messages are repeated", async () => {
    const { messages, counts, ofInstance, a } = await batch();
    await rollUp(messages);
    await rollUp(messages);
    expect(await counts()).toEqual([6, 60]);
    expect(await ofInstance()).toEqual({ [a.key]: [6, 60] });
  });

  it("is counted once when some of its messages are repeated, and others are new", async () => {
    const { messages, counts, ofInstance, a } = await batch();
    await rollUp(messages.slice(0, 4));
    await rollUp(messages.slice(2));
    await rollUp(messages.slice(1, 5));
    expect(await counts()).toEqual([6, 60]);
    expect(await ofInstance()).toEqual({ [a.key]: [6, 60] });
  });

  it("is counted once when it contains every message twice", async () => {
    const { messages, counts } = await batch();
    await rollUp([...messages, ...messages]);
    expect(await counts()).toEqual([6, 60]);
  });

  it("is counted once when several consumers roll it up at the same time, whole and in parts", async () => {
    const { messages, counts, ofInstance, a } = await batch(12);
    const parts = [messages, messages, messages.slice(0, 8), messages.slice(4), messages.slice(6)];
    await Promise.all(parts.map((part) => rollUp(part)));
    expect(await counts()).toEqual([12, 120]);
    expect(await ofInstance()).toEqual({ [a.key]: [12, 120] });
  });

  it("is counted once after an attempt whose transaction failed", async () => {
    const { messages, counts } = await batch();
    const prepare = (text: string) => env.DB.prepare(text);
    const batchOf = (statements: D1PreparedStatement[]) =>
      env.DB.batch([...statements, prepare("INSERT INTO commit_guards (failed) VALUES (0)")]);
    const session = { prepare, batch: batchOf };
    const DB = { withSession: () => session } as unknown as D1Database;
    await expect(rollUp(messages, { DB })).rejects.toThrow("guard_0");
    expect(await counts()).toEqual([0, 0]);
    await rollUp(messages);
    expect(await counts()).toEqual([6, 60]);
  });
});

describe("the usage that an instance reported", () => {
  const one = { appName: "app", instanceId: "one" };
  const usageOf = async (environmentId: number) => {
    const found = await rows(
      `SELECT app_name AS app, instance_id AS id, hour, evaluations FROM instance_usage
        WHERE environment_id = ? ORDER BY app, id, hour`,
      environmentId,
    );
    return found.map(({ app, id, hour, evaluations }) => [
      `${app}/${id}`,
      (hour - HOUR) / HOUR_MS,
      JSON.parse(evaluations),
    ]);
  };

  it("is stored as one row per instance and hour, with the sums by flag", async () => {
    const { environmentId, a, b } = await usedWorld();
    const report = (
      evaluations: UsageReport["evaluations"],
      hour: number,
      instance: UsageReport["instance"],
    ) => reportOf(environmentId, evaluations, { at: HOUR + hour * HOUR_MS, instance });
    await rollUp([
      report([[a.key, 1, 2]], 0, one),
      report([[a.key, 1, 0]], 0, { ...one, appName: "" }),
    ]);
    await rollUp([
      report(
        [
          [a.key, 10, 0],
          [b.key, 7, 7],
        ],
        0,
        one,
      ),
      report([[b.key, 1, 1]], 1, one),
    ]);
    await rollUp([report([[b.key, 1, 1]], 0, one), report([[a.key, 5, 5]], 0, null)]);
    expect(await usageOf(environmentId)).toEqual([
      ["/one", 0, { [a.key]: [1, 0] }],
      ["app/one", 0, { [a.key]: [11, 2], [b.key]: [8, 8] }],
      ["app/one", 1, { [b.key]: [1, 1] }],
    ]);
    expect(await countsOf(a.id, environmentId)).toEqual([17, 7]);
  });
});

describe("the last use of a flag", () => {
  it("is written at most once a minute, and never decreases", async () => {
    const { environmentId, a } = await usedWorld();
    const use = async (after: number) => {
      await rollUp([reportOf(environmentId, [[a.key, 1, 0]], { at: HOUR + after })]);
      return ((await lastUsed("flags", a.id)) ?? 0) - HOUR;
    };
    expect(await use(5)).toBe(5);
    expect(await use(MIN_MARK_INTERVAL_MS + 4)).toBe(5);
    expect(await use(MIN_MARK_INTERVAL_MS + 5)).toBe(MIN_MARK_INTERVAL_MS + 5);
    expect(await use(0)).toBe(MIN_MARK_INTERVAL_MS + 5);
  });

  it("is not written within a minute of another isolate's write", async () => {
    const { environmentId, a } = await usedWorld();
    await env.DB.prepare("UPDATE flags SET last_used_at = ? WHERE id = ?").bind(HOUR, a.id).run();
    await rollUp([
      reportOf(environmentId, [[a.key, 1, 0]], { at: HOUR + MIN_MARK_INTERVAL_MS - 1 }),
    ]);
    expect(await lastUsed("flags", a.id)).toBe(HOUR);
  });

  it("is the time of the last report of this flag, not of another flag in the queue batch", async () => {
    const { environmentId, a, b } = await usedWorld();
    await rollUp([
      reportOf(environmentId, [[a.key, 1, 0]], { at: HOUR + 3 * MIN_MARK_INTERVAL_MS }),
      reportOf(
        environmentId,
        [
          [a.key, 1, 0],
          [b.key, 1, 0],
        ],
        { at: HOUR },
      ),
    ]);
    expect(await lastUsed("flags", b.id)).toBe(HOUR);
    expect(await lastUsed("flags", a.id)).toBe(HOUR + 3 * MIN_MARK_INTERVAL_MS);
  });
});
