import { sql } from "drizzle-orm";
import { conflict } from "../../core/errors/api-error.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import { integrations } from "../../db/schema/events.ts";
import { users } from "../../db/schema/people.ts";
import { and, eq } from "drizzle-orm";
import { write } from "../../db/database.ts";
import { authorized } from "../../management/context.ts";
import { switchedOffMail } from "../../management/mail.ts";
import type { JobDeps } from "../deps.ts";
import type { DeliveryRow } from "./queries.ts";

/**
 * How long an integration may fail without a success before the service switches it off,
 * milliseconds.
 */
const SWITCH_OFF_AFTER_MS = 3 * DAY_MS;

const settled = conflict(
  "The integration is already switched off, or a delivery has succeeded meanwhile",
);

/**
 * Returns whether an integration has failed for so long that it must be switched off.
 * `failingSince` is in epoch milliseconds; null if the integration is not failing or is already
 * switched off.
 */
export const isOverdue = (failingSince: number | null, now: number): boolean =>
  failingSince !== null && failingSince <= now - SWITCH_OFF_AFTER_MS;

/**
 * Switches a failing integration off, writes an audit record, and sends an e-mail to each active
 * administrator. Does nothing when a delivery has succeeded meanwhile, or when the integration is
 * already switched off.
 */
export async function switchOff(
  deps: JobDeps,
  { integrationId: id, integrationName: name, projectId, traceId, url }: DeliveryRow,
): Promise<void> {
  const now = deps.now();
  const overdue = sql`${integrations.id} = ${id} AND ${integrations.enabled} = 1
    AND ${integrations.failingSince} <= ${now - SWITCH_OFF_AFTER_MS}`;
  try {
    await authorized(deps.systemContext(traceId), "integration:write", { projectId }).commit({
      guards: [
        { holds: sql`EXISTS (SELECT 1 FROM ${integrations} WHERE ${overdue})`, error: settled },
      ],
      statements: [
        write
          .update(integrations)
          .set({
            enabled: false,
            switchedOffAt: now,
            updatedAt: now,
            version: sql`${integrations.version} + 1`,
          })
          .where(eq(integrations.id, id)),
      ],
      audit: [
        {
          action: "integration.switched-off",
          entityType: "integration",
          entityId: id,
          projectId,
          before: { enabled: true },
          after: { enabled: false },
        },
      ],
    });
  } catch (error) {
    if (error === settled) return;
    throw error;
  }
  const administrators = await deps.db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.role, "ADMIN"), eq(users.status, "ACTIVE")));
  // Names only the host in the e-mail, because the path of a webhook URL may be a secret.
  const { host } = new URL(url);
  for (const { email } of administrators)
    await deps.mailer
      .send(switchedOffMail(email, deps.publicUrl, { name, host }), traceId)
      .catch((error: unknown) => {
        deps.fault("mail to an administrator", error, traceId);
      });
}
