import { eq, sql } from "drizzle-orm";
import { HOUR_MS } from "../../core/lib/time.ts";
import { conflict } from "../../core/errors/api-error.ts";
import type { ReadDb } from "../../db/database.ts";
import { revokedKeys } from "../../db/schema/projects.ts";
import type { WriteContext } from "../context.ts";

/**
 * The minimum time between two audit records about the use of the same revoked API key, in
 * milliseconds.
 */
const REPORT_EVERY_MS = HOUR_MS;

const reported = conflict("The use of the key is already audited, or the key never existed");

/** Returns whether the SHA-256 hash belongs to a revoked API key. */
export async function isRevokedKey(db: ReadDb, hash: string): Promise<boolean> {
  const found = await db.select().from(revokedKeys).where(eq(revokedKeys.hash, hash));
  return found.length > 0;
}

/**
 * Writes an audit record that a client used a revoked API key, unless a record was written for this
 * key within the last hour. Returns whether it wrote the record. Ignores hashes of API keys that
 * never existed.
 */
export async function recordRevokedKeyUse(
  ctx: Pick<WriteContext, "commit" | "now">,
  { hash }: { readonly hash: string },
): Promise<boolean> {
  const now = ctx.now();
  const due = sql`hash = ${hash} AND (reported_at IS NULL OR reported_at <= ${now - REPORT_EVERY_MS})`;
  const of = (column: "key_id" | "project_id" | "environment_id") =>
    sql`(SELECT ${sql.raw(column)} FROM revoked_keys WHERE hash = ${hash})`;
  try {
    await ctx.commit({
      guards: [{ holds: sql`EXISTS (SELECT 1 FROM revoked_keys WHERE ${due})`, error: reported }],
      statements: [sql`UPDATE revoked_keys SET reported_at = ${now} WHERE hash = ${hash}`],
      audit: [
        {
          action: "api-key.refused",
          category: "security",
          entityType: "api-key",
          entityId: of("key_id"),
          projectId: of("project_id"),
          environmentId: of("environment_id"),
        },
      ],
    });
    return true;
  } catch (error) {
    if (error !== reported) throw error;
    return false;
  }
}
