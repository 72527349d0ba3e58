import { env } from "cloudflare:workers";
import { DAY_MS, HOUR_MS } from "../../../src/core/lib/time.ts";

/** Test helpers that insert rows of the usage tables as the jobs store them. */

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

/** Inserts the counts of true and false evaluations of a flag for the hour that contains `at`. */
export const insertHourlyUsage = (
  { flagId, environmentId }: Where,
  at: number,
  t: number,
  f: number,
) =>
  insert("flag_usage", { flag_id: flagId, environment_id: environmentId, hour: hourOf(at), t, f });

/** Inserts the counts of true and false evaluations of a flag for the day that contains `at`. */
export const insertDailyUsage = (
  { flagId, environmentId }: Where,
  at: number,
  t: number,
  f: number,
) =>
  insert("flag_usage_days", {
    flag_id: flagId,
    environment_id: environmentId,
    day: dayOf(at),
    t,
    f,
  });

/** Inserts the counts by flag key that an SDK instance reported for the hour that contains `at`. */
export const reported = (
  by: { readonly environmentId: number; readonly appName: string; readonly instanceId: string },
  at: number,
  evaluations: Readonly<Record<string, readonly [number, number]>>,
) =>
  insert("instance_usage", {
    environment_id: by.environmentId,
    hour: hourOf(at),
    app_name: by.appName,
    instance_id: by.instanceId,
    evaluations: JSON.stringify(evaluations),
  });

export interface Seen {
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

/** Inserts the row of an SDK instance. All times are epoch milliseconds. */
export const seen = (instance: Seen) =>
  insert("client_instances", {
    environment_id: instance.environmentId,
    instance_id: instance.instanceId,
    app_name: instance.appName ?? "",
    sdk_version: instance.sdkVersion ?? null,
    first_seen_at: instance.firstSeenAt,
    last_seen_at: instance.lastSeenAt,
    revision: instance.revision,
    revision_seen_at:
      instance.revision === null ? null : (instance.revisionSeenAt ?? instance.firstSeenAt),
    sdk_features: instance.sdkFeatures ? JSON.stringify(instance.sdkFeatures) : null,
    rules_fetched_at: instance.rulesFetchedAt ?? null,
  });

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
