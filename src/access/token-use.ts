import { sql } from "drizzle-orm";
import { conflict } from "../core/errors/api-error.ts";
import { HOUR_MS, MINUTE_MS } from "../core/lib/time.ts";
import { accessTokens } from "../db/schema/tokens.ts";
import { asSystem, type Visitor } from "./call.ts";

/** How old the recorded time of the last use of a token may be, milliseconds. */
const RECORD_EVERY_MS = 10 * MINUTE_MS;

/** The minimum time between two audit records about the use of the same revoked token, milliseconds. */
const REPORT_EVERY_MS = HOUR_MS;

/** Whether the use of a token must be recorded. `lastUsedAt`: epoch milliseconds; null: never. */
export const isUseDue = (lastUsedAt: number | null, now: number): boolean =>
  lastUsedAt === null || lastUsedAt <= now - RECORD_EVERY_MS;

const reported = conflict("The use of the token was audited within the last hour");

/** The actor in the audit records about the use of revoked tokens. */
const SERVICE = "service";

/**
 * Writes, after the response, an audit record that somebody has used a revoked token; at most one
 * record per token and hour.
 */
export function reportRevoked(
  ctx: Visitor,
  { id, name, reportedAt }: Pick<typeof accessTokens.$inferSelect, "id" | "name" | "reportedAt">,
): void {
  const now = ctx.now();
  if (reportedAt !== null && reportedAt > now - REPORT_EVERY_MS) return;
  const due = sql`id = ${id} AND reported_at IS ${reportedAt}`;
  const commit = async () => {
    try {
      await asSystem(ctx, SERVICE).commit({
        guards: [
          { holds: sql`EXISTS (SELECT 1 FROM ${accessTokens} WHERE ${due})`, error: reported },
        ],
        statements: [sql`UPDATE ${accessTokens} SET reported_at = ${now} WHERE id = ${id}`],
        audit: [
          {
            action: "token.refused",
            category: "security",
            entityType: "token",
            entityId: id,
            after: { name },
          },
        ],
      });
    } catch (error) {
      if (error !== reported) throw error;
    }
  };
  ctx.later(commit());
}
