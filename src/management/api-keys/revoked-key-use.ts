import type { SystemActor } from "@feature-flags/permissions/permissions";
import { sql } from "drizzle-orm";
import { REPORT_EVERY_MS } from "../../core/api-keys/revoked-report.ts";
import { conflict } from "../../core/errors/api-error.ts";
import { type Call, writes } from "../../access/call.ts";

const reported = conflict(
  "The use of the key was audited within the last hour, or the key never existed",
);

/**
 * Writes an audit record that a client used a revoked API key. Writes at most one record per key and hour.
 * Returns whether it wrote a record. Does nothing for the hash of an API key that never existed.
 */
export async function recordRevokedKeyUse(
  call: Call & { readonly actor: SystemActor },
  { hash }: { readonly hash: string },
): Promise<boolean> {
  const ctx = writes(call, "api-key:write", { projectId: null });
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
