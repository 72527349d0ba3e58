import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import type { VariantCounts } from "../../../src/core/usage/message-types.ts";
import type { ReportedUsage, UsageBatch } from "../../../src/core/usage/usage-batch.ts";
import type { UnwrittenHour } from "../../../src/core/usage/usage-state.ts";
import { asAdmin } from "./outcomes.ts";
import { rows } from "./records.ts";
import { newFlag, newWorld } from "./world.ts";

/** Creates a project with two flags `a` and `b`, and an environment with a SERVER key. */
export async function usedWorld() {
  const world = await newWorld();
  const a = await newFlag(world.projectId);
  const b = await newFlag(world.projectId);
  return { ...world, a: a as { id: number; key: string }, b: b as { id: number; key: string } };
}

export const usageObjectOf = (projectId: number) => env.USAGE_OBJECTS.getByName(String(projectId));

/** A batch of an isolate that sends no other batch. */
export const batchOf = (projectId: number, more: Partial<UsageBatch> = {}): UsageBatch => ({
  kind: "batch",
  projectId,
  sender: crypto.randomUUID(),
  sequence: 1,
  reports: [],
  keys: [],
  instances: [],
  ...more,
});

/** A usage report without an application and an instance, unless the test names them. */
export const reportOf = (
  environmentId: number,
  evaluations: ReportedUsage["evaluations"],
  more: Partial<ReportedUsage> = {},
): ReportedUsage => ({
  environmentId,
  at: Date.now(),
  appName: "",
  instanceId: "",
  evaluations,
  ...more,
});

/** Makes flags as old as their usage, because usage from before the creation of a flag is not its own. */
export const backdate = (projectId: number, keys: readonly string[], at: number) =>
  env.DB.prepare(
    `UPDATE flags SET created_at = min(created_at, ?)
      WHERE project_id = ? AND key IN (SELECT value FROM json_each(?))`,
  )
    .bind(at, projectId, JSON.stringify(keys))
    .run();

/** Adds a batch to the usage object of a project, as an isolate sends it. Its flags exist since then. */
export async function addBatch(
  projectId: number,
  batch: Partial<Pick<UsageBatch, "reports" | "keys" | "instances">>,
): Promise<void> {
  for (const { at, evaluations } of batch.reports ?? [])
    await backdate(
      projectId,
      evaluations.map(([key]) => key),
      at,
    );
  await usageObjectOf(projectId).add([JSON.stringify(batchOf(projectId, batch))]);
}

/** Adds usage reports to the usage object of a project, as one isolate does. */
export const addReports = (projectId: number, ...reports: readonly ReportedUsage[]) =>
  addBatch(projectId, { reports });

/** Lets the alarm of a project's usage object ring when all hours with usage have ended. */
export async function completeHours(projectId: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * HOUR_MS });
  try {
    await runDurableObjectAlarm(usageObjectOf(projectId));
  } finally {
    vi.useRealTimers();
  }
}

/** Removes a project's usage object from memory. Its storage stays. */
export const evictUsageObject = (projectId: number) => evictDurableObject(usageObjectOf(projectId));

/** The usage of a flag in an environment that the database has, and that it does not have yet. */
async function usageOf(flagId: number, environmentId: number): Promise<readonly Usage[]> {
  const [flag] = await rows("SELECT project_id AS project, key FROM flags WHERE id = ?", flagId);
  const stored = await rows(
    "SELECT t, f, variants FROM usage_hours WHERE flag_id = ? AND environment_id = ?",
    flagId,
    environmentId,
  );
  const written = stored.map(({ t, f, variants }): Usage => [t, f, JSON.parse(variants) ?? {}]);
  if (!flag) return written;
  const object = usageObjectOf(flag.project);
  const filter = { environmentIds: [environmentId], flagKey: flag.key };
  const unwritten = (await object.unwritten(filter)) as unknown as UnwrittenHour[];
  const ids = new Set((await rows("SELECT id FROM usage_writes")).map(({ id }) => id as string));
  const left = unwritten.filter(({ writeId }) => writeId === null || !ids.has(writeId));
  return [
    ...written,
    ...left.flatMap(({ usage }) => usage.map(([, t, f, v = {}]): Usage => [t, f, v])),
  ];
}

type Usage = readonly [t: number, f: number, variants: VariantCounts];

/**
 * The number of true and false evaluations of a flag in an environment, over all hours: those in the
 * database, and those that the usage object has not written yet.
 */
export async function countsOf(flagId: number, environmentId: number): Promise<[number, number]> {
  const usage = await usageOf(flagId, environmentId);
  const sum = (n: 0 | 1) => usage.reduce((all, one) => all + one[n], 0);
  return [sum(0), sum(1)];
}

/** How often each variant of a flag was served in an environment, over all hours. */
export async function variantCountsOf(
  flagId: number,
  environmentId: number,
): Promise<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const [, , variants] of await usageOf(flagId, environmentId))
    for (const [variant, n] of Object.entries(variants))
      sums.set(variant, (sums.get(variant) ?? 0) + n);
  return Object.fromEntries(sums);
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
