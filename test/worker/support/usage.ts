import { env } from "cloudflare:workers";
import type { UsageMessage, UsageReport } from "../../../src/core/usage/message-types.ts";
import { rollUpUsage } from "../../../src/jobs/usage/roll-up.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import type { Json } from "./client.ts";
import { newFlag, newWorld } from "./world.ts";

/** Creates a project with two flags `a` and `b`, and an environment with a SERVER key. */
export async function usedWorld() {
  const world = await newWorld();
  const a = await newFlag(world.projectId);
  const b = await newFlag(world.projectId);
  return { ...world, a: a as { id: number; key: string }, b: b as { id: number; key: string } };
}

/** A usage report as a message of the usage queue. */
export const reportOf = (
  environmentId: number,
  evaluations: UsageReport["evaluations"],
  more: Partial<UsageReport> = {},
): UsageReport => ({
  kind: "report",
  id: crypto.randomUUID(),
  environmentId,
  at: Date.now(),
  instance: null,
  evaluations,
  ...more,
});

/** Rolls up the messages of the usage queue as its consumer does. */
export const rollUp = (messages: readonly UsageMessage[], replaced: Partial<Env> = {}) =>
  rollUpUsage(jobDeps({ ...env, ...replaced }), messages);

export async function rows(sql: string, ...values: unknown[]): Promise<Json[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...values)
    .all();
  return results;
}

/** The number of true and false evaluations of a flag in an environment, over all hours. */
export async function countsOf(flagId: number, environmentId: number): Promise<[number, number]> {
  const [sums] = await rows(
    `SELECT coalesce(sum(t), 0) AS t, coalesce(sum(f), 0) AS f FROM flag_usage
      WHERE flag_id = ? AND environment_id = ?`,
    flagId,
    environmentId,
  );
  return [sums.t, sums.f];
}

/** The time at which a flag or an API key was last used, epoch milliseconds; null if never. */
export async function lastUsed(table: "flags" | "api_keys", id: number): Promise<number | null> {
  const [row] = await rows(`SELECT last_used_at AS at FROM ${table} WHERE id = ?`, id);
  return row.at;
}
