import { env } from "cloudflare:workers";
import type { Json } from "./client.ts";
import { asAdmin } from "./outcomes.ts";
import { newEnvironment, newFlag, newProject } from "./world.ts";

export const ids = (flags: readonly Json[]): number[] => flags.map(({ id }) => id);

/** The flags as the body of a bulk change names them. */
export const targets = (flags: readonly Json[]) => flags.map(({ id }) => ({ id }));

export const strategyOf = async (flagId: number, environmentId: number): Promise<Json> =>
  (await asAdmin("GET", `/api/v1/flags/${flagId}/strategies/${environmentId}`)).body;

/** Creates a project with two environments and a number of flags with the keys `flag-0`, `flag-1`, … */
export async function projectWith(count: number) {
  const { id: projectId } = (await newProject()) as { id: number };
  const [one, two] = [await newEnvironment(projectId), await newEnvironment(projectId)];
  const flags: Json[] = [];
  for (let n = 0; n < count; n++)
    flags.push(await newFlag(projectId, { key: `flag-${n}`, name: `Flag ${n}` }));
  return { projectId, one: one.id as number, two: two.id as number, flags };
}

/** Inserts flags without the API, because that is faster. Returns their ids. */
export async function manyFlags(
  projectId: number,
  count: number,
  updatedAt = 1,
): Promise<{ id: number }[]> {
  const { results } = await env.DB.prepare(
    `INSERT INTO flags (project_id, key, name, flag_type, created_at, updated_at)
      SELECT ?, 'many-' || key, 'One of many', 'RELEASE', ?, ? FROM json_each(?) RETURNING id`,
  )
    .bind(
      projectId,
      updatedAt,
      updatedAt,
      JSON.stringify(Array.from({ length: count }, (_, n) => n)),
    )
    .all<{ id: number }>();
  return results;
}
