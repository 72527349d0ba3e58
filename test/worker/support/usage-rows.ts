import { env } from "cloudflare:workers";
import { DAY_MS, HOUR_MS } from "../../../src/core/lib/time.ts";
import type { FlagUsage } from "../../../src/core/usage/message-types.ts";
import type { ReportedUsage } from "../../../src/core/usage/usage-batch.ts";
import { rows } from "./records.ts";
import { addBatch, backdate } from "./usage.ts";

/** Test helpers that store past usage: in the tables of the database, and in the usage objects. */

export const hourOf = (at: number): number => at - (at % HOUR_MS);
export const dayOf = (at: number): number => at - (at % DAY_MS);
export const iso = (at: number): string => new Date(at).toISOString();

async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(row);
  const marks = names.map(() => "?");
  await env.DB.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${marks.join()})`)
    .bind(...Object.values(row))
    .run();
}

interface Where {
  readonly flagId: number;
  readonly environmentId: number;
}

/** The usage of a flag: how often it was true, how often false, and how often each variant was served. */
type Counts = readonly [t: number, f: number, variants?: Readonly<Record<string, number>>];

/** Inserts the usage of a flag for the hour that contains `at`. */
export const insertHour = (
  { flagId, environmentId }: Where,
  at: number,
  [t, f, variants]: Counts,
) =>
  insert("usage_hours", {
    flag_id: flagId,
    environment_id: environmentId,
    hour: hourOf(at),
    t,
    f,
    variants: variants ? JSON.stringify(variants) : null,
  });

/** Inserts the usage of a flag for the day that contains `at`. */
export async function insertDay(
  { flagId, environmentId }: Where,
  at: number,
  [t, f, variants = {}]: Counts,
): Promise<void> {
  const row = { flag_id: flagId, environment_id: environmentId, day: dayOf(at) };
  await insert("flag_usage_days", { ...row, t, f });
  for (const [variant, n] of Object.entries(variants))
    await insert("flag_variant_usage_days", { ...row, variant, n });
}

type Evaluations = Readonly<Record<string, Counts>>;

/**
 * Inserts the usage by an application, by flag key, for the hour that contains `at`. The flags exist
 * since then.
 */
export async function insertAppHour(
  by: { readonly environmentId: number; readonly appName: string },
  at: number,
  evaluations: Evaluations,
): Promise<void> {
  const sql = "SELECT project_id AS id FROM environments WHERE id = ?";
  const [project] = await rows(sql, by.environmentId);
  await backdate(project.id, Object.keys(evaluations), at);
  await insert("app_usage", {
    environment_id: by.environmentId,
    app_name: by.appName,
    hour: hourOf(at),
    evaluations: JSON.stringify(evaluations),
  });
}

/** Adds a usage report that arrived at a time to the usage object of a project. */
export const addReport = (
  projectId: number,
  {
    appName = "",
    instanceId = "",
    ...report
  }: Pick<ReportedUsage, "environmentId" | "at"> & Partial<ReportedUsage>,
  ...evaluations: FlagUsage[]
) => addBatch(projectId, { reports: [{ appName, instanceId, evaluations, ...report }] });

/** An SDK instance. All times are epoch milliseconds. */
export interface Seen {
  readonly projectId: number;
  readonly environmentId: number;
  readonly instanceId: string;
  readonly appName?: string;
  readonly sdkVersion?: string | null;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly revision: number | null;
  readonly revisionSeenAt?: number;
  readonly sdkFeatures?: readonly string[];
  readonly rulesFetchedAt?: number;
}

/** Adds the last-seen marks of an SDK instance to the usage object of a project. */
export async function seen(instance: Seen): Promise<void> {
  const { projectId, firstSeenAt, lastSeenAt, revisionSeenAt = firstSeenAt, ...rest } = instance;
  const { appName = "", sdkVersion = null, revision, ...more } = rest;
  const mark = { ...more, appName, sdkVersion };
  await addBatch(projectId, {
    instances: [
      { ...mark, revision: null, at: firstSeenAt },
      { ...mark, revision, at: revisionSeenAt },
      { ...mark, revision, at: lastSeenAt },
    ],
  });
}

interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

/** The steps of SQLite's plan for the SQL query. */
export async function planOf(query: Query): Promise<string[]> {
  const { sql, params } = query.toSQL();
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map((row) => row.detail);
}
