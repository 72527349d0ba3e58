import { type SQL, sql } from "drizzle-orm";
import { jsonList } from "./json-list.ts";
import { segmentUses } from "./segment-uses.ts";

/**
 * Each of the four functions below returns a SELECT of the rules that a change alters. The SELECT is
 * for the field `ruleChanges` of a `Change`.
 */

export const ruleInEnvironment = (environmentId: number, flag: { key: string; name: string }) =>
  sql`SELECT ${environmentId} AS environment_id, ${flag.key} AS flag_key, ${flag.name} AS flag_name`;

export const ruleInEveryEnvironment = (projectId: number, flag: { key: string; name: string }) =>
  sql`SELECT id AS environment_id, ${flag.key} AS flag_key, ${flag.name} AS flag_name
    FROM environments WHERE project_id = ${projectId}`;

/** The rules of flags in one environment, or in every environment of the project. */
export const rulesOfFlags = (
  { projectId, environmentId }: { readonly projectId: number; readonly environmentId?: number },
  flagIds: readonly number[],
) =>
  sql`SELECT e.id AS environment_id, f.key AS flag_key, f.name AS flag_name
    FROM flags f JOIN environments e ON e.project_id = f.project_id
    WHERE f.project_id = ${projectId} AND f.id IN ${jsonList(flagIds)}
      ${environmentId === undefined ? sql`` : sql`AND e.id = ${environmentId}`}`;

export const rulesUsingSegment = (segmentId: number) =>
  sql`SELECT DISTINCT u.environment_id, f.key AS flag_key, f.name AS flag_name
    FROM ${segmentUses(sql`segment_id = ${segmentId}`)} u JOIN flags f ON f.id = u.flag_id`;

/**
 * Returns the statements that give every affected environment a new revision and record which rules
 * changed. The last statement selects the new revisions. Each revision has a later time than the
 * previous revision. So a client that requests the changes since a time misses no change.
 */
export function recordRuleChanges(changed: SQL, now: number): readonly SQL[] {
  const touched = sql`SELECT environment_id FROM (${changed})`;
  return [
    sql`UPDATE environments SET revision = revision + 1, changed_at = max(${now}, changed_at + 1)
      WHERE id IN (${touched})`,
    sql`INSERT INTO rule_changes (environment_id, flag_key, flag_name, revision, changed_at)
      SELECT c.environment_id, c.flag_key, c.flag_name, e.revision, e.changed_at
      FROM (${changed}) c JOIN environments e ON e.id = c.environment_id WHERE true
      ON CONFLICT (environment_id, flag_key) DO UPDATE SET flag_name = excluded.flag_name,
        revision = excluded.revision, changed_at = excluded.changed_at`,
    sql`SELECT id AS environmentId, revision FROM environments WHERE id IN (${touched}) ORDER BY id`,
  ];
}
