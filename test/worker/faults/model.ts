import { env } from "cloudflare:workers";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Json } from "../support/client.ts";
import { newFlag, newKey, newWorld, setStrategy } from "../support/world.ts";

/**
 * The model of an environment: for each revision, the rules that a response must contain, and when
 * the model learned of the revision (epoch milliseconds).
 */
export interface Modelled {
  readonly environmentId: number;
  readonly projectId: number;
  readonly keys: readonly string[];
  readonly flags: readonly { readonly id: number; readonly key: string }[];
  readonly revisions: Map<
    number,
    { readonly rules: readonly ClientRule[]; readonly since: number }
  >;
}

export async function newModelled(keys: number, flags = 2): Promise<Modelled> {
  const { projectId, environmentId, apiKey } = await newWorld();
  const apiKeys = [apiKey];
  while (apiKeys.length < keys) apiKeys.push((await newKey(environmentId)).apiKey);
  const made: Json[] = [];
  for (let n = 0; n < flags; n++) made.push(await newFlag(projectId));
  for (const { id } of made) await setStrategy(id, { environmentId, enabled: true, percentage: 1 });
  const modelled = { environmentId, projectId, keys: apiKeys, flags: made, revisions: new Map() };
  await learn(modelled);
  return modelled;
}

/**
 * Adds the newest revision to the model, and returns its number. Reads the database directly,
 * without faults. Only the environment's single writer calls this.
 */
export async function learn({ environmentId, revisions }: Modelled): Promise<number> {
  const [revision, flags] = await env.DB.batch<Json>([
    env.DB.prepare("SELECT revision FROM environments WHERE id = ?").bind(environmentId),
    env.DB.prepare(
      `SELECT f.key, f.name, s.percentage FROM environments e JOIN flags f ON f.project_id = e.project_id
        JOIN strategies s ON s.flag_id = f.id AND s.environment_id = e.id WHERE e.id = ? ORDER BY f.id`,
    ).bind(environmentId),
  ]);
  const newest: number = revision?.results[0].revision;
  if (revisions.has(newest)) return newest;
  const rules = (flags?.results ?? []).map(({ key, name, percentage }): ClientRule => ({
    key,
    name,
    enabled: true,
    activation: { rollOut: percentage, constraints: [], segments: [] },
  }));
  revisions.set(newest, { rules, since: Date.now() });
  return newest;
}

/** Returns the newest revision that the model knew at `time`, epoch milliseconds; 0 if none. */
export function newestAt({ revisions }: Modelled, time: number): number {
  let newest = 0;
  for (const [revision, { since }] of revisions)
    if (since <= time && revision > newest) newest = revision;
  return newest;
}
