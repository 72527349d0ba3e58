import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import type { Change } from "../../../src/db/commit.ts";
import { readDb } from "../../../src/db/database.ts";
import type { JobDeps } from "../../../src/jobs/deps.ts";
import { markStale } from "../../../src/jobs/mark-stale.ts";
import { callBy, writes } from "../../../src/access/call.ts";
import { markStaleFlags, MAX_MARKED } from "../../../src/workflows/stale-flags/lifecycle.ts";
import { newlyStaleFlags, projectsWithNewlyStale } from "../../../src/model/flags/stale-queries.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import type { Json } from "../support/client.ts";
import { hour } from "../support/minute.ts";
import { asAdmin } from "../support/outcomes.ts";
import { revisionOf, rows } from "../support/records.ts";
import { planOf } from "../support/usage-rows.ts";
import { newFlag, newIntegration, newProject, newWorld } from "../support/world.ts";
import { idsOf, ok, world } from "../webhooks/support.ts";

/** A webhook queue that takes every message and delivers none. */
const WEBHOOKS = { sendBatch: async () => {} } as unknown as Queue;

const TRACE_ID = "80f198ee56343ba864fe8b2a57d3eff7";

const realDeps = () => jobDeps({ ...env, WEBHOOKS });
const commitAsSystem = (change: Change) =>
  writes(realDeps().systemCall(TRACE_ID), "flag:write", { projectId: 1 }).commit(change);
const mark = (deps: JobDeps = realDeps(), maxCommits?: number) => markStale(deps, maxCommits);

/** The time 40 days and some seconds ago: flags without a change since then are stale. */
const longAgo = () => Date.now() - 40 * DAY_MS - 5_000;

/** Makes the last change of a flag that old. */
const setUpdatedAt = (flagId: number, at: number) =>
  env.DB.prepare("UPDATE flags SET updated_at = ? WHERE id = ?").bind(at, flagId).run();

/** Creates an integration that subscribes only to the event `flag.stale`. */
const newSubscriber = (projectId: number) =>
  newIntegration(projectId, { eventSubscriptionsJson: '["flag.stale"]' });

/** Creates a project with a subscriber of `flag.stale`, and a stale flag. */
async function staleFlag() {
  const { projectId, environmentId } = await newWorld();
  const integration = await newSubscriber(projectId);
  const flag = await newFlag(projectId);
  const updatedAt = longAgo();
  await setUpdatedAt(flag.id, updatedAt);
  return { projectId, environmentId, integration, flag, updatedAt };
}

/** The webhook events `flag.stale` about a flag, oldest first. */
const staleEvents = (flagId: number) =>
  rows("SELECT * FROM outbox WHERE type = 'flag.stale' AND entity_id = ? ORDER BY id", flagId);

/** The audit records `flag.stale` about a flag, as the API returns them. */
async function staleRecords(flagId: number): Promise<Json[]> {
  const query = `entityType=flag&entityId=${flagId}&action=flag.stale`;
  return (await asAdmin("GET", `/api/v1/audit?${query}`)).body.items;
}

const counts = async (flagId: number) => ({
  events: (await staleEvents(flagId)).length,
  records: (await staleRecords(flagId)).length,
});

const ONCE = { events: 1, records: 1 };
const NEVER = { events: 0, records: 0 };

/** Inserts stale flags into a project. */
const insertStale = (projectId: number, flags: number) =>
  env.DB.prepare(
    `INSERT INTO flags (project_id, key, name, flag_type, created_at, updated_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      SELECT ?, 'flag-' || i, 'Flag', 'RELEASE', 0, ? - i FROM n`,
  )
    .bind(flags, projectId, longAgo())
    .run();

const countMarked = async (where: string): Promise<number> => {
  const [row] = await rows(`SELECT count(*) AS n FROM flags WHERE stale_marked_for IS NOT NULL
    AND ${where}`);
  return row.n;
};

describe("the hourly cron", () => {
  it("writes an audit record by the system for a flag that has become stale, with the time of its last change", async () => {
    const { projectId, flag, updatedAt } = await staleFlag();
    await hour({ WEBHOOKS });
    expect(await staleRecords(flag.id)).toEqual([
      expect.objectContaining({
        action: "flag.stale",
        category: "change",
        actor: { kind: "system", id: null, name: "service", displayName: null },
        projectId,
        before: null,
        after: { updatedAt: new Date(updatedAt).toISOString(), staleDays: 40 },
        reason: null,
        ip: null,
      }),
    ]);
  });

  it("sends the event flag.stale to a subscribed integration", async () => {
    const { projectId, integration, flag, updatedAt } = await staleFlag();
    await hour({ WEBHOOKS });
    const { deliver, received } = world(ok);
    await deliver(await idsOf(integration.id));
    expect(received.map(({ body }) => body)).toEqual([
      {
        type: "flag.stale",
        timestamp: expect.any(String),
        data: {
          projectId,
          sequence: expect.any(Number),
          actor: { kind: "system", name: "service" },
          flag: {
            id: flag.id,
            key: flag.key,
            name: flag.name,
            updatedAt: new Date(updatedAt).toISOString(),
            staleDays: 40,
          },
        },
      },
    ]);
  });
});

describe("the job that marks stale flags", () => {
  it("emits one event and one audit record, although it runs again", async () => {
    const { flag } = await staleFlag();
    await mark();
    await mark();
    expect(await counts(flag.id)).toEqual(ONCE);
  });

  it("emits one event when two runs happen at the same time", async () => {
    const { flag } = await staleFlag();
    await Promise.all([mark(), mark()]);
    expect(await counts(flag.id)).toEqual(ONCE);
  });

  it.each<[string, (flag: Json, environmentId: number) => Promise<unknown>]>([
    ["of its name", (flag) => asAdmin("PUT", `/api/v1/flags/${flag.id}`, { name: "Other" })],
    [
      "of a strategy",
      (flag, environmentId) =>
        asAdmin("PUT", `/api/v1/flags/${flag.id}/strategies`, { environmentId, enabled: true }),
    ],
  ])(
    "emits a second event when the flag becomes stale again after a change %s",
    async (_, change) => {
      const { flag, environmentId } = await staleFlag();
      await mark();
      await change(flag, environmentId);
      await mark();
      expect(await counts(flag.id)).toEqual(ONCE);
      await setUpdatedAt(flag.id, longAgo() + 1_000);
      await mark();
      expect(await counts(flag.id)).toEqual({ events: 2, records: 2 });
    },
  );

  it("emits no second event when the project sets other days", async () => {
    const { projectId, flag } = await staleFlag();
    await mark();
    for (const staleDays of [400, 30]) {
      await asAdmin("PUT", `/api/v1/projects/${projectId}`, { staleDays });
      await mark();
    }
    expect(await counts(flag.id)).toEqual(ONCE);
  });

  it("uses the days that the project sets", async () => {
    const { projectId, flag } = await staleFlag();
    const set = (staleDays: number) =>
      asAdmin("PUT", `/api/v1/projects/${projectId}`, { staleDays });
    await set(41);
    await mark();
    expect(await counts(flag.id)).toEqual(NEVER);
    await set(39);
    await mark();
    const [record] = await staleRecords(flag.id);
    expect(record.after.staleDays).toBe(39);
  });

  it.each<[string, (projectId: number) => Promise<Json>]>([
    ["a KILLSWITCH", (projectId) => newFlag(projectId, { flagType: "KILLSWITCH" })],
    [
      "an archived flag",
      async (projectId) => {
        const flag = await newFlag(projectId);
        await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
        return flag;
      },
    ],
  ])("never marks %s", async (_, create) => {
    const { projectId } = await newWorld();
    await newSubscriber(projectId);
    const flag = await create(projectId);
    await setUpdatedAt(flag.id, longAgo());
    await mark();
    expect(await counts(flag.id)).toEqual(NEVER);
  });

  it("does not mark a flag that has changed within the last 40 days", async () => {
    const { flag } = await staleFlag();
    await setUpdatedAt(flag.id, Date.now() - 40 * DAY_MS + 600_000);
    await mark();
    expect(await counts(flag.id)).toEqual(NEVER);
  });

  it("changes neither the flag in the API with its ETag nor the revision of the rules", async () => {
    const { flag, environmentId } = await staleFlag();
    const read = async () => {
      const { headers, body } = await asAdmin("GET", `/api/v1/flags/${flag.id}`);
      return { etag: headers.get("ETag"), body, revision: await revisionOf(environmentId) };
    };
    const before = await read();
    await mark();
    expect(await counts(flag.id)).toEqual(ONCE);
    expect(await read()).toEqual(before);
    expect(before.body.stale).toBe(true);
  });

  it("writes an audit record but stores no event when no integration subscribes to it", async () => {
    const { id: projectId } = await newProject();
    await newIntegration(projectId);
    const flag = await newFlag(projectId);
    await setUpdatedAt(flag.id, longAgo());
    await mark();
    expect(await counts(flag.id)).toEqual({ events: 0, records: 1 });
  });

  it("marks all stale flags of a project with several commits", async () => {
    const { id: projectId } = await newProject();
    await insertStale(projectId, MAX_MARKED + 1);
    await mark();
    expect(await countMarked(`project_id = ${projectId}`)).toBe(MAX_MARKED + 1);
  });

  it("stops after the maximum number of commits, and marks the other flags in the next run", async () => {
    await mark();
    const { id: projectId } = await newProject();
    await insertStale(projectId, MAX_MARKED + 1);
    await mark(realDeps(), 1);
    expect(await countMarked(`project_id = ${projectId}`)).toBe(MAX_MARKED);
    await mark(realDeps(), 1);
    expect(await countMarked(`project_id = ${projectId}`)).toBe(MAX_MARKED + 1);
  });

  it("logs a fault for a project that fails, and marks the flags of other projects", async () => {
    const [broken, working] = [await staleFlag(), await staleFlag()];
    const real = realDeps();
    const faults: string[] = [];
    const failing = callBy(
      {
        db: real.db,
        now: real.now,
        commit: async (_actor, change) => {
          if (change.audit[0].projectId === broken.projectId) throw new Error("no commit");
          return commitAsSystem(change);
        },
      },
      { kind: "system", name: "service" },
    );
    await mark({
      ...real,
      systemCall: () => failing,
      fault: (what, error) => {
        faults.push(`${what}: ${String(error)}`);
      },
    });
    expect(faults).toEqual(["stale flags: Error: no commit"]);
    expect(await counts(broken.flag.id)).toEqual(NEVER);
    expect(await counts(working.flag.id)).toEqual(ONCE);
  });
});

describe("markStaleFlags", () => {
  /** Returns a call by the system, whose first commit waits until `meanwhile` is done. */
  function interrupted(meanwhile: () => Promise<unknown>) {
    const { db, now } = realDeps();
    let waits = 1;
    return callBy(
      {
        db,
        now,
        commit: async (_actor, change) => {
          if (waits-- > 0) await meanwhile();
          return commitAsSystem(change);
        },
      },
      { kind: "system", name: "service" },
    );
  }

  it.each<[string, (flag: Json) => Promise<unknown>]>([
    ["changed", (flag) => asAdmin("PUT", `/api/v1/flags/${flag.id}`, { name: "Other" })],
    ["archived", (flag) => asAdmin("POST", `/api/v1/flags/${flag.id}/archive`)],
  ])("skips a flag that is %s after it was read, and marks the others", async (_, change) => {
    const { projectId, flag } = await staleFlag();
    const other = await newFlag(projectId);
    await setUpdatedAt(other.id, longAgo());
    expect(
      await markStaleFlags(
        interrupted(() => change(flag)),
        { projectId },
      ),
    ).toBe(1);
    expect(await counts(flag.id)).toEqual(NEVER);
    expect(await counts(other.id)).toEqual(ONCE);
  });

  it("marks nothing when the project sets more days after the flags were read", async () => {
    const { projectId, flag } = await staleFlag();
    const meanwhile = () => asAdmin("PUT", `/api/v1/projects/${projectId}`, { staleDays: 400 });
    expect(await markStaleFlags(interrupted(meanwhile), { projectId })).toBe(0);
    expect(await counts(flag.id)).toEqual(NEVER);
  });

  it("marks nothing when another run has marked the flags after they were read", async () => {
    const { projectId, flag } = await staleFlag();
    const meanwhile = () => markStaleFlags(realDeps().systemCall(TRACE_ID), { projectId });
    expect(await markStaleFlags(interrupted(meanwhile), { projectId })).toBe(0);
    expect(await counts(flag.id)).toEqual(ONCE);
  });

  it("throws 403 for an API key, which may not write flags", async () => {
    const { projectId, flag } = await staleFlag();
    const { db, now } = realDeps();
    const apiKey = {
      kind: "key",
      id: 1,
      name: "A key",
      keyType: "SERVER",
      canWrite: true,
      projectId,
      environmentId: 1,
    } as const;
    const call = callBy({ db, now, commit: (_actor, change) => commitAsSystem(change) }, apiKey);
    await expect(markStaleFlags(call, { projectId })).rejects.toMatchObject({ status: 403 });
    expect(await counts(flag.id)).toEqual(NEVER);
  });
});

it("the SQL queries for newly stale flags and for their projects search the index of the flags that are not marked", async () => {
  const db = readDb(env.DB.withSession());
  for (const query of [newlyStaleFlags(db, 1, 0, 1), projectsWithNewlyStale(db, 0, 1)])
    expect(await planOf(query)).toContainEqual(
      expect.stringMatching(
        /^SEARCH flags (EXISTS )?USING INDEX flags_not_marked \(project_id=\? AND flag_type=\? AND archived=\? AND updated_at<\?\)$/,
      ),
    );
});

it("a revert of the record flag.stale returns 409, because the record has no earlier state", async () => {
  const { flag } = await staleFlag();
  await mark();
  const [{ id: recordId }] = await staleRecords(flag.id);
  const answer = await asAdmin("POST", `/api/v1/flags/${flag.id}/revert`, { recordId });
  expect([answer.status, answer.body.error]).toEqual([
    409,
    "The audit record has no earlier state to restore; choose the record of a change",
  ]);
});
