import { type SQL, sql } from "drizzle-orm";
import type { Actor } from "@feature-flags/permissions/permissions";
import { EFFECTS, isFreeTurnOff, obstacleTo, type Restricted } from "../core/protection/policy.ts";
import type { ConditionGuard } from "../db/guards.ts";
import type { ReadDb } from "../db/database.ts";
import { inList, jsonRows } from "../db/json-list.ts";
import type { RuleChange } from "../core/protection/rule-change.ts";
import { segmentUses } from "../db/segment-uses.ts";
import type { ApiError } from "../core/errors/api-error.ts";

/** The environments that restrict a change, as read, with the text by which a guard compares them. */
export interface Restrictions {
  readonly environments: readonly Restricted[];
  readonly text: string;
}

/** What `execute` assumes before it reads the restrictions, because most projects have none. */
export const NO_RESTRICTIONS: Restrictions = { environments: [], text: "[]" };

const TURN_OFF = EFFECTS.indexOf("turn-off");

export async function readRestrictions(
  db: ReadDb,
  actor: Actor,
  change: RuleChange,
): Promise<Restrictions> {
  const rows = await db.select({ text: restrictions(actor, change) }).from(sql`(SELECT 1)`);
  const text = rows[0]?.text ?? NO_RESTRICTIONS.text;
  const stored = JSON.parse(text) as readonly (Omit<Restricted, "effect"> & { effect: number })[];
  return {
    text,
    environments: stored.map(({ effect, ...one }): Restricted =>
      Object.assign(one, {
        effect: effect === TURN_OFF ? ("turn-off" as const) : ("any" as const),
      }),
    ),
  };
}

/** Returns the environments in which an actor with the permission to write cannot make a change directly. */
export async function needingApproval(
  db: ReadDb,
  actor: Actor,
  change: RuleChange,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const { environments } = await readRestrictions(db, actor, change);
  return environments
    .filter((one) => obstacleTo(actor, one, true) === "approval" && !isFreeTurnOff(one))
    .map(({ environmentId: id, name }) => ({ id, name }));
}

/** A change of all rules of a project, by which `needingApproval` finds all protected environments. */
export const anyRuleOf = (projectId: number): RuleChange => ({
  projectId,
  rules: [{ flagKey: "", flagName: "", environmentId: null, effect: "any" }],
  segmentIds: [],
});

/** Guard: fails unless the environments restrict the change as read. */
export const restrictedAsRead = (
  actor: Actor,
  change: RuleChange,
  { text }: Restrictions,
  error: ApiError,
): ConditionGuard => ({ holds: sql`${restrictions(actor, change)} = ${text}`, error });

/**
 * Returns the SQL expression for the environments that restrict a change and whose verdicts it can
 * alter, as JSON. In a project without restrictions, it reads only the environments.
 */
function restrictions(actor: Actor, { projectId, ...change }: RuleChange): SQL<string> {
  const userId = actor.kind === "user" ? actor.id : null;
  const boolean = (column: string) => sql.raw(`json(iif(${column}, 'true', 'false'))`);
  return sql<string>`(SELECT json_group_array(json_object('projectId', project_id, 'environmentId', id, 'name', name,
      'requiredApprovals', required_approvals, 'memberAccess', member_access,
      'requireReason', ${boolean("require_reason")}, 'allowTurnOff', ${boolean("allow_turn_off")},
      'allowBypass', ${boolean("allow_bypass")}, 'isListed', ${boolean("is_listed")}, 'effect', effect))
    FROM (SELECT e.*, ${effectIn(given(change))} AS effect,
        EXISTS (SELECT 1 FROM environment_members m
          WHERE m.environment_id = e.id AND m.user_id = ${userId} AND m.can_write = 1) AS is_listed
      FROM environments e WHERE e.project_id = ${projectId}
        AND (e.required_approvals > 0 OR e.member_access = 'list' OR e.require_reason = 1)
      ORDER BY e.id) WHERE effect > 0)`;
}

/** A change in SQL: what its rules and segments are selected from. */
interface ChangeSql {
  /** Rows `rule` with the environment (null: all), the kind of the effect, and the flag of the effect. */
  readonly rules: SQL;
  /** The right side of an IN. Undefined: no segments. */
  readonly segmentIds: SQL | undefined;
}

/** Returns the SQL of a change. */
function given({ rules, segmentIds }: Omit<RuleChange, "projectId">): ChangeSql {
  const list = rules.flatMap(({ environmentId, effect }) => {
    if (effect === "none") return [];
    return [
      effect === "any"
        ? [environmentId, effect, null]
        : [environmentId, effect.kind, effect.flagId],
    ];
  });
  return {
    rules: sql`(SELECT value ->> 0 AS environment_id, value ->> 1 AS kind, value ->> 2 AS flag_id
      FROM ${jsonRows(list)}) rule`,
    segmentIds: segmentIds.length === 0 ? undefined : inList(segmentIds),
  };
}

/** Returns the SQL of a change that a column has as JSON. */
const stored = (column: SQL): ChangeSql => ({
  rules: sql`(SELECT value ->> 'environmentId' AS environment_id,
      coalesce(value ->> '$.effect.kind', value ->> 'effect') AS kind,
      value ->> '$.effect.flagId' AS flag_id
    FROM json_each(${column}, '$.rules')) rule`,
  segmentIds: sql`(SELECT value FROM json_each(${column}, '$.segmentIds'))`,
});

/**
 * Returns the SQL condition that a change, which a column has as JSON, needs an approval by others in
 * the environment `e`.
 */
export const storedNeedsApproval = (column: SQL): SQL =>
  sql`e.required_approvals > 0 AND ${effectIn(stored(column))} > iif(e.allow_turn_off, ${TURN_OFF}, 0)`;

/** Returns the SQL expression for the effect of a change in the environment `e`, as in `EFFECTS`. */
function effectIn({ rules, segmentIds }: ChangeSql): SQL {
  const isHere = sql`coalesce(rule.environment_id, e.id) = e.id`;
  // Whether another flag requires, itself or through others, that a flag which is turned off is off. Follows all of
  // these flags at once: to follow each by itself would read the same prerequisites again and again.
  const isRequiredOff = sql`EXISTS (WITH RECURSIVE requiring (id, is_off) AS (
      SELECT p.flag_id, p.enabled = 0 FROM ${rules}
      CROSS JOIN flag_prerequisites p ON p.required_flag_id = rule.flag_id
      JOIN flags f ON f.id = p.flag_id
      WHERE rule.kind = 'turn-off' AND ${isHere} AND f.archived = 0
      UNION SELECT p.flag_id, p.enabled = 0 FROM requiring r
      JOIN flag_prerequisites p ON p.required_flag_id = r.id JOIN flags f ON f.id = p.flag_id
      WHERE f.archived = 0)
    SELECT 1 FROM requiring WHERE is_off)`;
  const isOn = sql`EXISTS (SELECT 1 FROM strategies s
    WHERE s.flag_id = rule.flag_id AND s.environment_id = e.id AND s.enabled = 1)`;
  const largest = sql`coalesce((SELECT max(CASE rule.kind WHEN 'any' THEN 2
      WHEN 'turn-off' THEN 1 WHEN 'where-on' THEN 2 * ${isOn} END)
    FROM ${rules} WHERE ${isHere}), 0)`;
  const ofRules = sql`(SELECT iif(effect = 1, 1 + ${isRequiredOff}, effect) FROM (SELECT ${largest} AS effect))`;
  if (!segmentIds) return ofRules;
  const used = sql`segment_id IN ${segmentIds} AND environment_id = e.id`;
  return sql`max(${ofRules}, 2 * EXISTS (SELECT 1 FROM ${segmentUses(used)}))`;
}
