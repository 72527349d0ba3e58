import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type FieldError, invalid } from "../../core/errors/api-error.ts";
import type { FlagPrerequisite, Requirements } from "../../core/flags/prerequisites.ts";
import type { AbsenceGuard, Statement } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { variantsExpression } from "../../db/flag-columns.ts";
import { jsonList } from "../../db/json-list.ts";
import { flagPrerequisites, flags } from "../../db/schema/projects.ts";
import { nothingNamed, staleRow } from "../optimistic-update.ts";

/** The flag to which a request gives prerequisites. A flag that is being created has no id yet. */
interface Target {
  readonly id?: number | undefined;
  readonly projectId: number;
  readonly key: string;
}

/**
 * Returns the statement that inserts the prerequisites of the flag with the given key; none for an
 * empty list.
 */
export function insertPrerequisites(
  { projectId, key }: Target,
  prerequisites: readonly FlagPrerequisite[],
): Statement[] {
  if (prerequisites.length === 0) return [];
  return [
    sql`INSERT INTO flag_prerequisites (flag_id, required_flag_id, position, enabled, variants)
      SELECT f.id, r.id, j.key, j.value ->> 'enabled', j.value -> 'variants'
      FROM json_each(${JSON.stringify(prerequisites)}) j
      JOIN flags f ON f.project_id = ${projectId} AND f.key = ${key}
      JOIN flags r ON r.project_id = f.project_id AND r.key = j.value ->> 'flagKey'`,
  ];
}

/**
 * Returns the statement that copies the prerequisites of a source flag to a new flag of its
 * project.
 */
export const copyPrerequisites = (sourceId: number, flagId: SQL): Statement =>
  sql`INSERT INTO flag_prerequisites (flag_id, required_flag_id, position, enabled, variants)
    SELECT ${flagId}, required_flag_id, position, enabled, variants
    FROM flag_prerequisites WHERE flag_id = ${sourceId}`;

export const deletePrerequisites = (flagId: number): Statement =>
  sql`DELETE FROM flag_prerequisites WHERE flag_id = ${flagId}`;

/** Returns the keys of the flags that each flag of a project requires. */
export async function findRequirements(db: ReadDb, projectId: number): Promise<Requirements> {
  const required = alias(flags, "required");
  const rows = await db
    .select({ key: flags.key, requiredKey: required.key })
    .from(flagPrerequisites)
    .innerJoin(flags, eq(flags.id, flagPrerequisites.flagId))
    .innerJoin(required, eq(required.id, flagPrerequisites.requiredFlagId))
    .where(eq(flags.projectId, projectId));
  const requirements = new Map<string, string[]>();
  for (const { key, requiredKey } of rows) {
    const keys = requirements.get(key) ?? [];
    keys.push(requiredKey);
    requirements.set(key, keys);
  }
  return requirements;
}

/**
 * Returns a SELECT with a row for each prerequisite that is not allowed: its index `n`, whether the
 * project has the required flag (`known`), whether the required flag is archived (`archived`),
 * whether it requires the flag `target`, directly or through other flags (`cyclic`), and the
 * variants that it does not have, as a JSON array (`unknownVariants`).
 */
function wrongPrerequisites(target: Target, prerequisites: readonly FlagPrerequisite[]): SQL {
  const list = JSON.stringify(prerequisites);
  // Uses UNION instead of UNION ALL, so that each flag is visited once.
  const dependents =
    target.id === undefined
      ? sql`SELECT NULL`
      : sql`WITH RECURSIVE dependents(id) AS (SELECT ${target.id} UNION
          SELECT p.flag_id FROM flag_prerequisites p JOIN dependents ON p.required_flag_id = dependents.id)
        SELECT id FROM dependents`;
  return sql`SELECT * FROM (SELECT j.key AS n, r.id IS NOT NULL AS known, coalesce(r.archived, 0) AS archived,
      r.id IN (${dependents}) AS cyclic,
      (SELECT json_group_array(v.value) FROM json_each(j.value, '$.variants') v WHERE r.id IS NOT NULL
        AND v.value NOT IN (SELECT value ->> 'key' FROM json_each(${sql.raw(variantsExpression("r"))}))
      ) AS unknownVariants
    FROM json_each(${list}) j
    LEFT JOIN flags r ON r.project_id = ${target.projectId} AND r.key = j.value ->> 'flagKey')
  WHERE known = 0 OR archived = 1 OR cyclic = 1 OR unknownVariants <> '[]'`;
}

interface WrongPrerequisite {
  readonly n: number;
  readonly known: 0 | 1;
  readonly archived: 0 | 1;
  readonly unknownVariants: string;
}

function errorsOf({ n, known, archived, unknownVariants }: WrongPrerequisite) {
  const errors: FieldError[] = [];
  const flagKey = (message: string) =>
    errors.push({ field: `prerequisites.${n}.flagKey`, message });
  if (known === 0) flagKey("is not a flag of the project");
  if (archived === 1) flagKey("is an archived flag");
  const unknown = JSON.parse(unknownVariants) as string[];
  if (unknown.length > 0)
    errors.push({
      field: `prerequisites.${n}.variants`,
      message: `must be variants of the flag; these are not: ${unknown.join(", ")}`,
    });
  return errors;
}

/**
 * Returns the guard for the prerequisites of a flag. Fails with a 400 if a required flag is
 * archived, or if the project lacks the flag or its variants. Fails with `staleRow` if a required
 * flag requires the target: another request has closed the cycle since `cycleErrors` looked for
 * one.
 */
export function prerequisiteGuards(
  target: Target,
  prerequisites: readonly FlagPrerequisite[],
): AbsenceGuard<WrongPrerequisite>[] {
  if (prerequisites.length === 0) return [];
  return [
    {
      absent: wrongPrerequisites(target, prerequisites),
      errorFor: (rows) => {
        const errors = rows.flatMap(errorsOf);
        return errors.length > 0 ? invalid(errors) : staleRow;
      },
    },
  ];
}

/** Guard: fails if a flag that is not archived requires the flag. */
export const notRequiredByActive = (flagId: number) =>
  nothingNamed(
    "The flag cannot be archived, because these flags require it",
    sql`SELECT d.key AS name FROM flag_prerequisites p JOIN flags d ON d.id = p.flag_id
      WHERE p.required_flag_id = ${flagId} AND d.archived = 0 ORDER BY d.key`,
  );

/**
 * Guard: fails if a flag that is not archived, and is not in the list, requires one of the flags in
 * the list.
 */
export const notRequiredByOthers = (flagIds: readonly number[]) =>
  nothingNamed(
    "These flags cannot be archived, because others require them",
    sql`SELECT r.key || ' (required by ' || group_concat(d.key, ', ' ORDER BY d.key) || ')' AS name
      FROM flag_prerequisites p JOIN flags d ON d.id = p.flag_id
      JOIN flags r ON r.id = p.required_flag_id
      WHERE p.required_flag_id IN ${jsonList(flagIds)} AND d.archived = 0
        AND d.id NOT IN ${jsonList(flagIds)}
      GROUP BY r.id ORDER BY r.key`,
  );

/** Guard: fails if any flag requires the flag, archived or not. */
export const notRequired = (flagId: number) =>
  nothingNamed(
    "The flag cannot be deleted, because these flags require it",
    sql`SELECT d.key AS name FROM flag_prerequisites p JOIN flags d ON d.id = p.flag_id
      WHERE p.required_flag_id = ${flagId} ORDER BY d.key`,
  );

/** Guard: fails if the flag requires an archived flag. */
export const requiresNoArchived = (flagId: number, action: "unarchived" | "cloned") =>
  nothingNamed(
    `The flag cannot be ${action}, because it requires these archived flags`,
    sql`SELECT r.key AS name FROM flag_prerequisites p JOIN flags r ON r.id = p.required_flag_id
      WHERE p.flag_id = ${flagId} AND r.archived = 1 ORDER BY r.key`,
  );

/** Guard: fails if one of the flags requires an archived flag that is not in the list. */
export const requireNoOtherArchived = (flagIds: readonly number[]) =>
  nothingNamed(
    "These flags cannot be unarchived, because they require archived flags",
    sql`SELECT d.key || ' (requires ' || group_concat(r.key, ', ' ORDER BY r.key) || ')' AS name
      FROM flag_prerequisites p JOIN flags r ON r.id = p.required_flag_id
      JOIN flags d ON d.id = p.flag_id
      WHERE p.flag_id IN ${jsonList(flagIds)} AND r.archived = 1
        AND r.id NOT IN ${jsonList(flagIds)}
      GROUP BY d.id ORDER BY d.key`,
  );
