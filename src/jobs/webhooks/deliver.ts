import { MAX_ATTEMPTS, retryDelaySeconds } from "../../core/webhooks/retry-delay.ts";
import type { JobDeps } from "../deps.ts";
import { attempt, GONE_STATUS } from "./attempt.ts";
import * as queries from "./queries.ts";
import type { DeliveryRow, WaitingRow } from "./queries.ts";
import { isOverdue, switchOff } from "./switch-off.ts";

/**
 * Claims the webhook deliveries that are due, and returns a function that attempts them. The caller does not
 * wait for the attempts, because slow receivers must not block the queue. Sends deliveries without attempts
 * left to the dead-letter queue. Throws: errors of the database, before any claim; errors of the queue, after
 * the claims. In the second case a cron job later finds the claimed deliveries overdue.
 */
export async function beginDeliveries(
  deps: JobDeps,
  ids: readonly number[],
): Promise<() => Promise<void>> {
  const now = deps.now();
  const [claimed = [], described = [], exhausted = []] = await deps.record<DeliveryRow>([
    queries.claim(ids, now),
    queries.describe(ids, now),
    queries.exhausted(ids, now),
  ]);
  const claimedIds = new Set(claimed.map(({ deliveryId }) => deliveryId));
  const rows = described.filter(({ deliveryId }) => claimedIds.has(deliveryId));
  const done = described.filter((row) => exhausted.some((e) => e.deliveryId === row.deliveryId));
  if (done.length > 0) await deps.webhooks.dead.send(done.map(messageOf));
  return async () => {
    await Promise.all(
      rows.map((row) =>
        deliver(deps, row).catch((error: unknown) => {
          deps.fault(`delivery ${row.deliveryId}`, error, row.traceId);
        }),
      ),
    );
  };
}

const messageOf = ({ deliveryId, traceId }: WaitingRow) => ({ body: { deliveryId, traceId } });

async function deliver(deps: JobDeps, row: DeliveryRow): Promise<void> {
  const result = await attempt(deps, row);
  const now = deps.now();
  if (result.error === null) {
    await deps.record([
      queries.insertAttempt(row.deliveryId, result),
      ...queries.succeed(row, now),
    ]);
    deps.webhooks.count("succeeded");
    return;
  }
  const { retryBaseSeconds, queue, dead } = deps.webhooks;
  const last = row.attempts >= MAX_ATTEMPTS;
  const delay = retryDelaySeconds(row.attempts, retryBaseSeconds, deps.random());
  const delaySeconds = last ? 0 : Math.max(delay, result.retryAfterSeconds);
  // Records the failed attempt before it sends the retry to the queue. If the Worker stops in
  // between, a cron job finds the delivery overdue.
  const results = await deps.record<{ failingSince: number | null }>([
    queries.insertAttempt(row.deliveryId, result),
    ...queries.fail(row, now, now + delaySeconds * 1000),
  ]);
  deps.webhooks.count("failed");
  if (last) await dead.send([messageOf(row)]);
  else await queue.send([{ ...messageOf(row), delaySeconds }]);
  const failingSince = results.at(-1)?.[0]?.failingSince ?? null;
  if (result.status === GONE_STATUS) await switchOff(deps, row, result.at);
  else if (isOverdue(failingSince, now)) await switchOff(deps, row);
}
