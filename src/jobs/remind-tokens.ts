import { sql } from "drizzle-orm";
import { DAY_MS } from "../core/lib/time.ts";
import { accessTokens } from "../db/schema/tokens.ts";
import { newTraceId } from "../http/trace.ts";
import { noticeMail } from "../mail/mails.ts";
import type { JobDeps } from "./deps.ts";

/** How long before a token expires its maker gets an e-mail, milliseconds. */
const REMIND_BEFORE_MS = 7 * DAY_MS;

/** The maximum number of e-mails of one run. */
const MAX_MAILS = 100;

/**
 * The hourly job that reminds users of tokens which expire within 7 days. The tokens of agents do not count,
 * because agents refresh them. The user who has made the token gets one e-mail, if the token lives longer
 * than that. If an e-mail cannot be sent, the next run sends it.
 */
export async function remindTokens(deps: JobDeps): Promise<void> {
  const now = deps.now();
  const traceId = newTraceId();
  const due = await deps.db
    .select({
      id: accessTokens.id,
      name: accessTokens.name,
      expiresAt: accessTokens.expiresAt,
      serviceAccountId: accessTokens.serviceAccountId,
      email: sql<string>`u.email`,
    })
    .from(accessTokens)
    .innerJoin(sql`users u`, sql`u.id = ${accessTokens.createdBy} AND u.status = 'ACTIVE'`)
    .where(
      sql`${accessTokens.expiresAt} > ${now} AND ${accessTokens.expiresAt} <= ${now + REMIND_BEFORE_MS}
        AND ${accessTokens.expiresAt} - ${accessTokens.createdAt} > ${REMIND_BEFORE_MS}
        AND ${accessTokens.remindedAt} IS NULL AND ${accessTokens.revokedAt} IS NULL
        AND ${accessTokens.clientId} IS NULL
        AND coalesce(${accessTokens.userId}, ${accessTokens.serviceAccountId}) IS NOT NULL`,
    )
    .orderBy(accessTokens.expiresAt)
    .limit(MAX_MAILS);
  for (const { id, name, expiresAt, serviceAccountId, email } of due) {
    const day = new Date(expiresAt).toISOString().slice(0, 10);
    const whose = serviceAccountId === null ? "Your token" : "The service account's token";
    const notice = {
      subject: `The token ${name} expires soon`,
      what: `${whose} ${name} expires on ${day} (UTC). Requests with the token then fail.`,
      path: "/profile/tokens",
      more: "If the token is still needed, create a new one, and use it before that day.",
    };
    try {
      await deps.mailer.send(noticeMail(email, deps.publicUrl, notice), traceId);
      await deps.record([sql`UPDATE ${accessTokens} SET reminded_at = ${now} WHERE id = ${id}`]);
    } catch (error) {
      deps.fault("reminder of a token", error, traceId);
    }
  }
}
