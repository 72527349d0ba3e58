import { type SQL, sql } from "drizzle-orm";
import type { Actor } from "@feature-flags/permissions/permissions";
import { EFFECTS, type Restricted } from "../../core/protection/policy.ts";
import type { ConditionGuard } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { jsonList } from "../../db/json-list.ts";
import type { ChangedRule } from "../../db/rule-changes.ts";
import { segmentUses } from "../../db/segment-uses.ts";
import type { ApiError } from "../../core/errors/api-error.ts";

/** What a change does to the rules of a project. */
export interface RuleChange {
  readonly projectId: number;
  readonly rules: readonly ChangedRule[];
  /** The segments whose constraints the change alters. */
  readonly segmentIds: readonly number[];
}

/** The environments that restrict a change, as read, with the text by which a guard compares them. */
export interface Restrictions {
  readonly environments: readonly Restricted[];
  readonly text: string;
}

/** What `execute` assumes before it reads the restrictions, because most projects have none. */
export const NO_RESTRICTIONS: Restrictions = { environments: [], text: "[]" };

const TURN_OFF = EFFECTS.indexOf("turn-off");

/** Reads the environments that restrict a change by an actor. */
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
    FROM (SELECT e.*, ${effectIn(change)} AS effect,
        EXISTS (SELECT 1 FROM environment_members m
          WHERE m.environment_id = e.id AND m.user_id = ${userId} AND m.can_write = 1) AS is_listed
      FROM environments e WHERE e.project_id = ${projectId}
        AND (e.required_approvals > 0 OR e.member_access = 'list' OR e.require_reason = 1)
      ORDER BY e.id) WHERE effect > 0)`;
}

/** Returns the SQL expression for the effect of a change in the environment `e`, as in `EFFECTS`. */
function effectIn({ rules, segmentIds }: Omit<RuleChange, "projectId">): SQL {
  const list = rules.flatMap(({ environmentId, effect }) => {
    if (effect === "none") return [];
    return [
      effect === "any"
        ? [environmentId, effect, null]
        : [environmentId, effect.kind, effect.flagId],
    ];
  });
  // How many flags require, themselves or through others, that a flag is off.
  const mustBeOff = sql`(WITH RECURSIVE requiring (id, is_off) AS (
      SELECT p.flag_id, p.enabled = 0 FROM flag_prerequisites p JOIN flags f ON f.id = p.flag_id
      WHERE p.required_flag_id = rule.value ->> 2 AND f.archived = 0
      UNION SELECT p.flag_id, p.enabled = 0 FROM requiring r
      JOIN flag_prerequisites p ON p.required_flag_id = r.id JOIN flags f ON f.id = p.flag_id
      WHERE f.archived = 0)
    SELECT count(*) FROM requiring WHERE is_off)`;
  const isOn = sql`EXISTS (SELECT 1 FROM strategies s
    WHERE s.flag_id = rule.value ->> 2 AND s.environment_id = e.id AND s.enabled = 1)`;
  const ofRules = sql`coalesce((SELECT max(CASE rule.value ->> 1 WHEN 'any' THEN 2
      WHEN 'turn-off' THEN iif(${mustBeOff} > 0, 2, 1) WHEN 'where-on' THEN 2 * ${isOn} END)
    FROM json_each(${JSON.stringify(list)}) rule
    WHERE coalesce(rule.value ->> 0, e.id) = e.id), 0)`;
  const used = sql`segment_id IN ${jsonList(segmentIds)} AND environment_id = e.id`;
  return segmentIds.length === 0
    ? ofRules
    : sql`max(${ofRules}, 2 * EXISTS (SELECT 1 FROM ${segmentUses(used)}))`;
}
