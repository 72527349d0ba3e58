import { env } from "cloudflare:workers";
import type { UsageMessage, UsageReport } from "../../../src/core/usage/message-types.ts";
import { rollUpUsage } from "../../../src/jobs/usage/roll-up.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import type { Json } from "./client.ts";
import { asAdmin } from "./outcomes.ts";
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

/** How often each variant of a flag was served in an environment, over all hours. */
export async function variantCountsOf(flagId: number, environmentId: number): Promise<Json> {
  const sums = await rows(
    `SELECT variant, sum(n) AS n FROM flag_variant_usage WHERE flag_id = ? AND environment_id = ?
      GROUP BY variant`,
    flagId,
    environmentId,
  );
  return Object.fromEntries(sums.map(({ variant, n }) => [variant, n]));
}

const variantsOf = (keys: readonly string[]) => keys.map((key) => ({ key, value: key }));

/** Creates a string flag with these variants, whose values are their keys. */
export const newVariantFlag = (
  projectId: number,
  keys: readonly string[],
): Promise<{ id: number; key: string }> =>
  newFlag(projectId, { valueType: "string", variants: variantsOf(keys) });

/** Replaces the variants of a string flag. */
export async function setVariants(flagId: number, keys: readonly string[]): Promise<void> {
  const answer = await asAdmin("PUT", `/api/v1/flags/${flagId}`, { variants: variantsOf(keys) });
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
}

/** The time at which a flag or an API key was last used, epoch milliseconds; null if never. */
export async function lastUsed(table: "flags" | "api_keys", id: number): Promise<number | null> {
  const [row] = await rows(`SELECT last_used_at AS at FROM ${table} WHERE id = ?`, id);
  return row.at;
}
