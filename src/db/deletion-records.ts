import { tokenOf } from "@feature-flags/permissions/permissions";
import { type SQL, sql } from "drizzle-orm";
import type { AuditAction } from "../core/audit/actions.ts";
import { MAX_CONTENT_BYTES } from "../core/audit/capped-contents.ts";
import { actorName } from "./audit.ts";
import type { Stamp } from "./outbox.ts";
import type { EntityType } from "./schema/records.ts";
import { ownerIdsExpression, prerequisitesExpression, variantsExpression } from "./flag-columns.ts";
import { strategyBytes, strategyJsonFields } from "./strategy-columns.ts";

/**
 * Statements that write the audit records of everything that is deleted with a project or an
 * environment. SQLite composes the contents, and one statement writes all records of a deletion,
 * because a project may have 5,000 flags. The statements must run before the deletion.
 */

/**
 * The size, in bytes, of the constraints, rules and slots of one strategy, or of all strategies of
 * a flag together. Above this size, each of these fields that is larger than `MAX_SHORT_BYTES` is
 * cut. The other fields take less than the rest of `MAX_CONTENT_BYTES`.
 */
const MAX_STRATEGY_BYTES = 28 * 1024;
const MAX_FLAG_BYTES = 16 * 1024;
const MAX_SHORT_BYTES = 256;

/** Returns the SQL expression of the size above which a part of a strategy is cut, bytes. */
const maxBytesOf = (size: string, max: number): string =>
  `CASE WHEN ${size} > ${max} THEN ${MAX_SHORT_BYTES} ELSE ${max} END`;

/** The size above which the variants, schema, prerequisites or tags of a flag are cut, in bytes. */
const MAX_FIELD_BYTES = 4 * 1024;

/** Returns the SQL expression for a list as JSON, or for its size if it is too large. */
const cutList = (list: string): string =>
  `json(iif(octet_length(${list}) > ${MAX_FIELD_BYTES}, json_object('$cut', json_object(
    'bytes', octet_length(${list}), 'items', json_array_length(${list}))), ${list}))`;

/** The SQL arguments of `json_object` for the fields of a row `f` of `flags`. */
const flagJsonFields = `'key', f.key, 'name', f.name, 'description', f.description,
  'flagType', f.flag_type, 'valueType', f.value_type,
  'variants', ${cutList(variantsExpression("f"))}, 'offVariant', f.off_variant,
  'valueSchema', json(iif(octet_length(f.value_schema) > ${MAX_FIELD_BYTES},
    json_object('$cut', json_object('bytes', octet_length(f.value_schema))), f.value_schema)),
  'prerequisites', (SELECT ${cutList("list")} FROM (SELECT ${prerequisitesExpression("f")} AS list)),
  'tags', (SELECT ${cutList("list")} FROM (SELECT json_group_array(json(iif(value = name,
      json_quote(value), json_object('tagId', tag_id, 'value', value)))) AS list
    FROM (SELECT ft.tag_id, ft.value, t.name FROM flag_tags ft JOIN tags t ON t.id = ft.tag_id
      WHERE ft.flag_id = f.id ORDER BY ft.value, ft.tag_id))),
  'ownerIds', json(${ownerIdsExpression("f")}), 'clients', f.clients,
  'archived', json(CASE WHEN f.archived THEN 'true' ELSE 'false' END)`;

/**
 * Returns the statement that writes a `flag.deleted` record for every flag of a project. The content
 * is that of an ordinary deletion, `archived`, and the flag's `strategies`.
 *
 * A project may have 250,000 strategies. The statement therefore composes the content of a flag once
 * and adds up the sizes of the flag's constraints once. It handles one flag at a time, in the order
 * of the ids, so that SQLite does not hold the contents of all flags to sort them.
 */
export function flagsDeletedRecords(stamp: Stamp, projectId: number): SQL {
  const strategy = `'environmentId', s.environment_id, 'environmentName', e.name,
    ${strategyJsonFields("s", "size.max_bytes")}`;
  const maxBytes = `${maxBytesOf(`sum(${strategyBytes("strategies")})`, MAX_FLAG_BYTES)} AS max_bytes`;
  // Puts an aggregate into the inner SELECT, so that SQLite cannot merge it into the outer SELECT
  // and compute `whole` several times.
  const content = `(SELECT CASE WHEN octet_length(whole) <= ${MAX_CONTENT_BYTES} THEN whole
      ELSE json_replace(whole, '$.strategies', json_object('$cut', json_object(
        'bytes', octet_length(whole -> '$.strategies'),
        'items', json_array_length(whole, '$.strategies')))) END
    FROM (SELECT json_object(${flagJsonFields}, 'strategies', json_group_array(json_object(${strategy}))) AS whole
      FROM (SELECT ${maxBytes} FROM strategies WHERE flag_id = f.id) AS size
        CROSS JOIN strategies s CROSS JOIN environments e
      WHERE s.flag_id = f.id AND e.id = s.environment_id))`;
  return sql`${insertFor(stamp, "flag.deleted")} f.id, f.project_id, NULL, ${sql.raw(content)}
    FROM flags f WHERE f.id IN (SELECT id FROM flags WHERE project_id = ${projectId}) ORDER BY f.id`;
}

const DELETED_STRATEGY = strategyJsonFields(
  "s",
  maxBytesOf(strategyBytes("s"), MAX_STRATEGY_BYTES),
);

/**
 * Returns the statement that writes a `strategy.deleted` record for every strategy that was set in one of
 * these environments. The content is the same as in `strategy.updated` records, plus the environment's name.
 */
export const strategiesDeletedRecords = (stamp: Stamp, environmentIds: readonly number[]): SQL =>
  sql`${insertFor(stamp, "strategy.deleted")} s.flag_id, e.project_id, e.id,
      json_object('environmentName', e.name, ${sql.raw(DELETED_STRATEGY)})
    FROM environments e JOIN strategies s ON s.environment_id = e.id
    WHERE e.id IN (SELECT value FROM json_each(${JSON.stringify(environmentIds)}))
    ORDER BY s.environment_id, s.flag_id`;

/**
 * Returns the beginning of an INSERT … SELECT of audit records about flags. The caller adds the
 * flag's id, the ids of the project and the environment, and the content before the deletion.
 */
const insertFor = ({ origin, now }: Stamp, action: AuditAction): SQL =>
  sql`INSERT INTO audit (at, category, action, actor_kind, actor_id, actor_name, token_id, token_name, reason, ip, trace_id,
      entity_type, entity_id, project_id, environment_id, before)
    SELECT ${now}, 'change', ${action}, ${origin.actor.kind},
      ${origin.actor.kind === "system" ? null : origin.actor.id}, ${actorName(origin.actor)},
      ${tokenOf(origin.actor)?.id ?? null}, ${tokenOf(origin.actor)?.name ?? null},
      ${origin.reason ?? null}, ${origin.ip ?? null}, ${origin.traceId}, ${"flag" satisfies EntityType},`;
