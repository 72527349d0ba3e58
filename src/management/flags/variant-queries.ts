import { type SQL, sql } from "drizzle-orm";
import { conflict } from "../../core/errors/api-error.ts";
import type { Variant } from "../../core/flags/variants.ts";
import type { AbsenceGuard } from "../../db/commit.ts";
import type { SizeGuard } from "../../db/quota.ts";
import { ruleBytesWithVariants } from "../../db/rule-bytes.ts";
import { jsonList } from "../../db/json-list.ts";
import { staleRow } from "../optimistic-update.ts";

/** A user of a variant: an environment whose strategy serves it, or a flag that requires it. */
interface VariantUser {
  readonly variant: string;
  readonly environment: string | null;
  readonly flag: string | null;
}

/**
 * Returns the guard for the variants that a change removes. Fails with a 409 that names the
 * environments and flags if a strategy of the flag serves one of these variants, or a prerequisite
 * of another flag names one.
 */
export function removalGuards(
  flagId: number,
  before: readonly Variant[],
  after: readonly Variant[],
): AbsenceGuard<VariantUser>[] {
  const kept = new Set(after.map(({ key }) => key));
  const removed = before.map(({ key }) => key).filter((key) => !kept.has(key));
  if (removed.length === 0) return [];
  return [{ absent: usersOf(flagId, removed), errorFor: inUse }];
}

/**
 * Returns the guard for the size of the rules if the variants of a flag grow. Its error is a 402.
 */
export const sizeGuards = (projectId: number, growth: number): SizeGuard[] =>
  growth > 0
    ? [
        {
          quota: "RULE_BYTES",
          bytes: ruleBytesWithVariants(projectId, growth),
        },
      ]
    : [];

/** Returns a SELECT of the users of the variants. */
function usersOf(flagId: number, variants: readonly string[]): SQL {
  const keys = jsonList(variants);
  // Selects the field `serve` of the strategy and of each of its ordered rules.
  const serves = sql`SELECT s.serve AS serve UNION ALL
    SELECT value -> 'serve' FROM json_each(s.rules)`;
  return sql`SELECT DISTINCT served.key AS variant, e.name AS environment, NULL AS flag
    FROM strategies s JOIN environments e ON e.id = s.environment_id
    JOIN (SELECT value AS key FROM json_each(${JSON.stringify(variants)})) served
    WHERE s.flag_id = ${flagId} AND EXISTS (SELECT 1 FROM (${serves}) one
      WHERE one.serve ->> 'variant' = served.key OR EXISTS (
        SELECT 1 FROM json_each(one.serve, '$.slots') slot WHERE slot.value ->> 2 = served.key))
    UNION ALL
    SELECT DISTINCT v.value, NULL, f.key
    FROM flag_prerequisites p JOIN flags f ON f.id = p.flag_id JOIN json_each(p.variants) v
    WHERE p.required_flag_id = ${flagId} AND v.value IN ${keys}
    ORDER BY variant, environment, flag`;
}

function inUse(users: readonly VariantUser[]) {
  if (users.length === 0) return staleRow;
  const uses = users.map(({ variant, environment, flag }) =>
    environment === null
      ? `flag ${flag ?? ""} requires ${variant}`
      : `environment ${environment} serves ${variant}`,
  );
  return conflict(`A variant that is in use cannot be removed: ${uses.join("; ")}`);
}
