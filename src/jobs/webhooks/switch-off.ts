import { sql, and, eq } from "drizzle-orm";
import { conflict } from "../../core/errors/api-error.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import { integrations } from "../../db/schema/events.ts";
import { users } from "../../db/schema/people.ts";
import { write } from "../../db/database.ts";
import { switchedOffMail } from "../../mail/mails.ts";
import { writes } from "../../access/call.ts";
import type { JobDeps } from "../deps.ts";
import type { DeliveryRow } from "./queries.ts";

/** How long an integration may fail without a success before the service switches it off, milliseconds. */
const SWITCH_OFF_AFTER_MS = 3 * DAY_MS;

const settled = conflict(
  "The integration is already switched off, was changed, or a delivery has succeeded meanwhile",
);

/**
 * Returns whether an integration has failed for so long that it must be switched off.
 * `failingSince` is in epoch milliseconds; null if the integration is not failing or is already
 * switched off.
 */
export const isOverdue = (failingSince: number | null, now: number): boolean =>
  failingSince !== null && failingSince <= now - SWITCH_OFF_AFTER_MS;

/**
 * Switches an integration off, writes an audit record, and sends an e-mail to each active
 * administrator. Without `goneAt`, the integration has failed for too long. Does nothing when the
 * integration is already switched off, or when a delivery has succeeded meanwhile.
 * @param goneAt when the attempt began that the receiver answered with 410, epoch milliseconds.
 * Does nothing when a user has changed the integration since then: the URL may be another one.
 */
export async function switchOff(
  deps: JobDeps,
  { integrationId: id, integrationName: name, projectId, traceId, url }: DeliveryRow,
  goneAt?: number,
): Promise<void> {
  const now = deps.now();
  const cause =
    goneAt === undefined
      ? sql`${integrations.failingSince} <= ${now - SWITCH_OFF_AFTER_MS}`
      : sql`${integrations.updatedAt} <= ${goneAt}`;
  const due = sql`${integrations.id} = ${id} AND ${integrations.enabled} = 1 AND ${cause}`;
  try {
    const call = writes(deps.systemCall(traceId), "integration:write", { projectId });
    await call.commit({
      guards: [{ holds: sql`EXISTS (SELECT 1 FROM ${integrations} WHERE ${due})`, error: settled }],
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
  const isGone = goneAt !== undefined;
  for (const { email } of administrators)
    await deps.mailer
      .send(switchedOffMail(email, deps.publicUrl, { name, host, isGone }), traceId)
      .catch((error: unknown) => {
        deps.fault("mail to an administrator", error, traceId);
      });
}
