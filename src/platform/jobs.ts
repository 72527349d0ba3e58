import { commit, record } from "../db/commit.ts";
import { readDb } from "../db/database.ts";
import type { JobDeps, QueueProducer } from "../jobs/deps.ts";
import { now } from "./clock.ts";
import { openSession } from "./database.ts";
import { reportJobFault } from "./fault.ts";
import { withTimeout } from "./timeout.ts";
import { mailer } from "./mailer.ts";
import { observeQuery, countDeliveries, countHeld } from "./metrics.ts";
import { settings } from "./settings.ts";
import { vault } from "./vault.ts";

/** Who the audit trail names for what the service does by itself. */
const SERVICE = { kind: "system", name: "service" } as const;

type Session = ReturnType<typeof openSession>;

/**
 * The outside world of one job; with a request's session, the request reads what the job writes.
 * Errors: `SettingsError`.
 */
export function jobDeps(
  env: Env,
  session: Session = openSession(env.DB, "first-primary", observeQuery),
): JobDeps {
  const { quotas, encryptionKeys, mailFrom, publicUrl, webhooks } = settings(env);
  const limit = quotas.WEBHOOK_DELIVERIES;
  return {
    db: readDb(session),
    record: (statements) => record(session, statements),
    commit: (traceId, change) => {
      const origin = { actor: SERVICE, traceId, ip: undefined, reason: undefined };
      return commit({ client: session, origin, now, quotas, countHeld }, change);
    },
    now,
    random: Math.random,
    fetch: (url, init) => fetch(url, init),
    vault: vault(encryptionKeys),
    mailer: mailer(env.MAIL, mailFrom),
    publicUrl,
    webhooks: {
      ...webhooks,
      limit,
      queue: queueProducer(env.WEBHOOKS),
      dead: queueProducer(env.WEBHOOKS_DEAD),
      count: countDeliveries,
    },
    fault: reportJobFault,
  };
}

/** A queue takes a batch in a tenth of a second. */
const QUEUE_BOUND_MS = 5_000;

export const queueProducer = <T>(queue: Queue): QueueProducer<T> => ({
  send: async (messages) => {
    const batch = messages.map((message) => ({ contentType: "json" as const, ...message }));
    await withTimeout(QUEUE_BOUND_MS, () => queue.sendBatch(batch));
  },
});
