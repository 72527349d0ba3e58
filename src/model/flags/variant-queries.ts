import { type SQL, sql } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { variantsExpression } from "../../db/flag-columns.ts";
import { inList } from "../../db/json-list.ts";

/** Returns a SELECT of the uses of the variants of flags (see `VariantUse`). */
function usesOf(flagIds: readonly number[]): SQL {
  const ids = inList(flagIds);
  // Selects what a strategy and each of its ordered rules serve: a variant, or those of a split.
  const served = sql`SELECT json_group_array(variant) FROM (
      SELECT serve ->> 'variant' AS variant FROM (SELECT s.serve AS serve
        UNION ALL SELECT value -> 'serve' FROM json_each(s.rules))
      UNION ALL SELECT slot.value ->> 2 FROM json_each(s.serve, '$.slots') slot
      UNION ALL SELECT slot.value ->> 2
        FROM json_each(s.rules) r, json_each(r.value, '$.serve.slots') slot)`;
  return sql`SELECT DISTINCT s.flag_id, v.value AS variant, e.id AS environment_id,
      e.name AS environment, NULL AS required_by
    FROM strategies s JOIN environments e ON e.id = s.environment_id, json_each((${served})) v
    WHERE s.flag_id IN ${ids} AND v.value IS NOT NULL
    UNION ALL
    SELECT DISTINCT p.required_flag_id, v.value, NULL, NULL, f.key
    FROM flag_prerequisites p JOIN flags f ON f.id = p.flag_id, json_each(p.variants) v
    WHERE p.required_flag_id IN ${ids}`;
}

/** Returns who uses the variants of flags: the environments that serve them, the flags that require them. */
export async function findVariantUses(db: ReadDb, flagIds: readonly number[]) {
  if (flagIds.length === 0) return [];
  return db
    .select({
      flagId: sql<number>`flag_id`,
      variant: sql<string>`variant`,
      environmentId: sql<number | null>`environment_id`,
      environment: sql<string | null>`environment`,
      requiredBy: sql<string | null>`required_by`,
    })
    .from(sql`(${usesOf(flagIds)})`);
}

/** Condition: the flags have all of their variants that strategies serve or other flags require. */
export const servedVariantsExist = (flagIds: readonly number[]): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM (${usesOf(flagIds)}) used JOIN flags f ON f.id = used.flag_id
    WHERE used.variant NOT IN
      (SELECT value ->> 'key' FROM json_each(${sql.raw(variantsExpression("f"))})))`;
