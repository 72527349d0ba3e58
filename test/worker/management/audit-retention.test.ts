import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { sweepAudit } from "../../../src/jobs/sweep.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { call } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { ADMIN, adminToken } from "../support/people.ts";

const NOW = Date.UTC(2030, 0, 1);

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .all<{ action: string; days: number }>();

/** Inserts audit records of this age in days. */
async function record(action: string, days: number, count = 1): Promise<void> {
  const category = action.startsWith("flag.") ? "change" : "security";
  await run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO audit (at, category, action, actor_kind, actor_name, entity_type, trace_id)
     SELECT ?2, ?3, ?4, 'system', 'service', 'flag', '0' FROM n`,
    count,
    NOW - days * DAY_MS,
    category,
    action,
  );
}

/** The actions and ages, in days, of the records that are left, oldest first. */
async function left() {
  const { results } = await run(
    "SELECT action, (?1 - at) / ?2 AS days FROM audit ORDER BY at, id",
    NOW,
    DAY_MS,
  );
  return results.map(({ action, days }) => [action, days]);
}

/** Runs the job once with this value of AUDIT_RETENTION_DAYS. */
const sweep = (days: string, replaced: Partial<ReturnType<typeof jobDeps>> = {}) =>
  sweepAudit({ ...jobDeps({ ...env, AUDIT_RETENTION_DAYS: days }), now: () => NOW, ...replaced });

beforeEach(async () => {
  await run("DELETE FROM audit");
});

describe("the sweep of audit records", () => {
  it("keeps all changes when AUDIT_RETENTION_DAYS is 0", async () => {
    await record("flag.created", 4_000);
    await sweep("0");
    expect(await left()).toEqual([["flag.created", 4_000]]);
  });

  it("deletes records that are older than AUDIT_RETENTION_DAYS, and keeps younger ones", async () => {
    await record("flag.created", 91);
    await record("user.created", 91);
    await record("flag.updated", 89);
    await record("session.refused", 89);
    await sweep("90");
    expect(await left()).toEqual([
      ["flag.updated", 89],
      ["session.refused", 89],
    ]);
  });

  it("deletes refused sign-ins after a year, and no other security records, when AUDIT_RETENTION_DAYS is 0", async () => {
    const refused = [
      "session.refused",
      "session.refused-unknown",
      "session.refresh-refused",
      "user.locked",
      "mfa.failed",
      "mfa.locked",
    ];
    for (const action of [...refused, "session.started", "user.deleted"]) await record(action, 367);
    await record("session.refused", 365);
    await sweep("0");
    expect(await left()).toEqual([
      ["session.started", 367],
      ["user.deleted", 367],
      ["session.refused", 365],
    ]);
  });

  it("deletes the record that a refused sign-in has written, after a year", async () => {
    await adminToken();
    const { email } = ADMIN;
    await call("POST", "/api/v1/auth/login", { body: { email, password: "wrong-password" } });
    const records = async () =>
      (await asAdmin("GET", "/api/v1/audit?category=security&action=session.refused")).body.items;
    expect(await records()).toHaveLength(1);
    await sweep("0", { now: () => Date.now() + 367 * DAY_MS });
    expect(await records()).toEqual([]);
  });

  it("deletes at most 10,000 records in one run, and the rest in the next run", async () => {
    await record("flag.created", 100, 10_050);
    await sweep("90");
    expect(await left()).toHaveLength(50);
    await sweep("90");
    expect(await left()).toEqual([]);
  });

  it("deletes the rest in the next run after a run that failed half-way", async () => {
    await record("flag.created", 100, 250);
    const { record: execute } = jobDeps(env);
    let calls = 0;
    const failing: typeof execute = (statements) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error("D1 is down")) : execute(statements);
    };
    await expect(sweep("90", { record: failing })).rejects.toThrow("D1 is down");
    expect(await left()).toHaveLength(150);
    await sweep("90");
    expect(await left()).toEqual([]);
  });

  it.each([
    ["at < 1", "audit_time (at<?)"],
    ["action IN ('a', 'b') AND at < 1", "audit_action (action=? AND at<?)"],
  ])("finds the records of %s in an index", async (condition, index) => {
    const { results } = await env.DB.prepare(
      `EXPLAIN QUERY PLAN SELECT rowid FROM audit WHERE ${condition} LIMIT 100`,
    ).all<{ detail: string }>();
    expect(results.map(({ detail }) => detail)).toEqual([
      `SEARCH audit USING COVERING INDEX ${index}`,
    ]);
  });
});
