import { type SQL, sql } from "drizzle-orm";
import { inList, jsonRows } from "./json-list.ts";
import { segmentUses } from "./segment-uses.ts";
import type { ChangedRule } from "../core/protection/rule-change.ts";

/**
 * Returns a SELECT of the rules that a change alters, for the field `ruleChanges` of a `Change`:
 * `rules`, and the rules that use one of the segments. Undefined if there are none. A flag has the
 * name of its last rule in the list.
 */
export function changedRules(
  projectId: number,
  rules: readonly ChangedRule[],
  segmentIds: readonly number[],
): SQL | undefined {
  const names = new Map(rules.map(({ flagKey, flagName }) => [flagKey, flagName]));
  const list = rules.map(({ flagKey, environmentId }) => [
    flagKey,
    names.get(flagKey),
    environmentId,
  ]);
  const selects = [
    ...(list.length > 0
      ? [
          sql`SELECT e.id AS environment_id, j.value ->> 0 AS flag_key, j.value ->> 1 AS flag_name
            FROM ${jsonRows(list)} j
            CROSS JOIN environments e ON e.project_id = ${projectId} AND e.id = coalesce(j.value ->> 2, e.id)`,
        ]
      : []),
    ...(segmentIds.length > 0
      ? [
          sql`SELECT u.environment_id, f.key AS flag_key, f.name AS flag_name
            FROM ${segmentUses(sql`segment_id IN ${inList(segmentIds)}`)} u
            JOIN flags f ON f.id = u.flag_id`,
        ]
      : []),
  ];
  return selects.length === 0 ? undefined : sql.join(selects, sql` UNION `);
}

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
