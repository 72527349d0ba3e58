import { type SQL, sql } from "drizzle-orm";
import { isSame } from "../../core/audit/changed-fields.ts";
import type { FlagPrerequisite, Requirements } from "../../core/flags/prerequisites.ts";
import type { Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { variantsExpression } from "../../db/flag-columns.ts";
import { jsonChunks, inList } from "../../db/json-list.ts";
import type { ChangedRows } from "../../db/changed-rows.ts";

interface RequiringFlag {
  readonly id: number;
  readonly key: string;
  readonly prerequisites: readonly FlagPrerequisite[];
}

/** Returns the statements that remove and add the prerequisites of flags whose list changes. */
export function replacePrerequisites(
  projectId: number,
  { created, updated, deleted }: ChangedRows<RequiringFlag>,
) {
  // A required flag that is deleted and created again has another id.
  const newKeys = new Set(created.map(({ key }) => key));
  const changed = updated.filter(
    ({ before, after }) =>
      !isSame(before.prerequisites, after.prerequisites) ||
      after.prerequisites.some(({ flagKey }) => newKeys.has(flagKey)),
  );
  const removed = [
    ...changed.filter(({ before }) => before.prerequisites.length > 0).map(({ after }) => after.id),
    // Deletes the prerequisites of several deleted flags first, because the flags can require each
    // other.
    ...(deleted.length > 1 ? deleted : []),
  ];
  const added = [...created, ...changed.map(({ after }) => after)].flatMap(
    ({ id, prerequisites }) =>
      prerequisites.map((one, position) => ({ ...one, flagId: id, position })),
  );
  const remove: Statement[] =
    removed.length === 0
      ? []
      : [sql`DELETE FROM flag_prerequisites WHERE flag_id IN ${inList(removed)}`];
  const add: Statement[] = jsonChunks(added).map(
    (
      chunk,
    ) => sql`INSERT INTO flag_prerequisites (flag_id, required_flag_id, position, enabled, variants)
      SELECT j.value ->> 'flagId', r.id, j.value ->> 'position', j.value ->> 'enabled',
        j.value -> 'variants'
      FROM json_each(${chunk}) j
      CROSS JOIN flags r ON r.project_id = ${projectId} AND r.key = j.value ->> 'flagKey'`,
  );
  return { remove, add };
}

/** Who requires whom in a project, as read. */
export interface ReadRequirements {
  readonly requirements: Requirements;
  /** The ids of all requiring and required flags as text, for `sameRequirements`. */
  readonly text: string;
}

/** The pairs of a requiring and a required flag of a project, in a fixed order. */
const pairsOf = (projectId: number): SQL =>
  sql`SELECT p.flag_id, p.required_flag_id, f.key, r.key AS required_key
    FROM flag_prerequisites p JOIN flags f ON f.id = p.flag_id JOIN flags r ON r.id = p.required_flag_id
    WHERE f.project_id = ${projectId} ORDER BY p.flag_id, p.required_flag_id`;

/** Returns the keys of the flags that each flag of a project requires. */
export async function findRequirements(db: ReadDb, projectId: number): Promise<ReadRequirements> {
  const rows = await db
    .select({
      id: sql<number>`flag_id`,
      requiredId: sql<number>`required_flag_id`,
      key: sql<string>`key`,
      requiredKey: sql<string>`required_key`,
    })
    .from(sql`(${pairsOf(projectId)})`);
  const requirements = new Map<string, string[]>();
  for (const { key, requiredKey } of rows) {
    const keys = requirements.get(key) ?? [];
    keys.push(requiredKey);
    requirements.set(key, keys);
  }
  const text = rows.map(({ id, requiredId }) => `${id}>${requiredId}`).join();
  return { requirements, text };
}

/**
 * Condition: the flags of the project require each other as read. The plan has looked for cycles in
 * what was read: that takes one pass, and in SQL a search from each flag.
 */
export const sameRequirements = (projectId: number, { text }: ReadRequirements): SQL =>
  sql`coalesce((SELECT group_concat(flag_id || '>' || required_flag_id)
    FROM (${pairsOf(projectId)})), '') = ${text}`;

/**
 * Condition: no prerequisite of or on these flags is broken: a flag that is not archived requires an
 * archived one, or the required flag lacks a variant.
 */
export const noBrokenLinks = (flagIds: readonly number[]): SQL => {
  const links = (column: string) =>
    sql`SELECT rowid FROM flag_prerequisites WHERE ${sql.raw(column)} IN ${inList(flagIds)}`;
  return sql`NOT EXISTS (SELECT 1 FROM flag_prerequisites p JOIN flags d ON d.id = p.flag_id
      JOIN flags r ON r.id = p.required_flag_id
    WHERE p.rowid IN (${links("flag_id")} UNION ${links("required_flag_id")})
      AND (r.archived > d.archived OR EXISTS (SELECT 1 FROM json_each(p.variants) v
        WHERE v.value NOT IN
          (SELECT value ->> 'key' FROM json_each(${sql.raw(variantsExpression("r"))})))))`;
};
