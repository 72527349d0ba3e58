import { eq, sql } from "drizzle-orm";
import { HOUR_MS } from "../../core/lib/time.ts";
import { conflict } from "../../core/errors/api-error.ts";
import type { ReadDb } from "../../db/database.ts";
import { revokedKeys } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";

/** However often a forgotten client asks, its key is on record once an hour. */
const REPORT_EVERY_MS = HOUR_MS;

const reported = conflict("It is on record already, or was never a key");

export async function isRevokedKey(db: ReadDb, hash: string): Promise<boolean> {
  const found = await db.select().from(revokedKeys).where(eq(revokedKeys.hash, hash));
  return found.length > 0;
}

/** Records the use of a key after its revocation, if that is due; nothing for what never was a key. */
export async function recordRevokedKeyUse(
  deps: Pick<ManagementDeps, "commit" | "now">,
  hash: string,
): Promise<boolean> {
  const now = deps.now();
  const due = sql`hash = ${hash} AND (reported_at IS NULL OR reported_at <= ${now - REPORT_EVERY_MS})`;
  const of = (column: "key_id" | "project_id" | "environment_id") =>
    sql`(SELECT ${sql.raw(column)} FROM revoked_keys WHERE hash = ${hash})`;
  try {
    await deps.commit(
      { kind: "system", name: "client" },
      {
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
      },
    );
    return true;
  } catch (error) {
    if (error !== reported) throw error;
    return false;
  }
}
