import { Webhook } from "standardwebhooks";

/** The timeout of one attempt at a webhook delivery, milliseconds. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/**
 * How long before its due time a Worker may claim a delivery, milliseconds. The margin allows for
 * machines whose clocks differ.
 */
export const CLOCK_SKEW_MS = 1_000;

/**
 * How long a claim of a webhook delivery is valid, milliseconds. An attempt has a timeout of 10 s,
 * so an older claim belongs to a Worker that has stopped.
 */
export const CLAIM_MS = 20_000;

/** A webhook event, such as a changed flag or a test event. The outbox table stores it. */
export interface WebhookEvent {
  /**
   * The value of the header `webhook-id`. All attempts send the same value, so that receivers can
   * drop duplicates.
   */
  readonly eventId: string;
  readonly type: string;
  readonly projectId: number;
  readonly entityId: number;
  /** The sequence number of the webhook event in its project; null for a test event. */
  readonly sequence: number | null;
  readonly actorKind: string;
  readonly actorName: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The reason that the caller gave for the change, from the header `X-Change-Reason`. */
  readonly reason: string | null;
  /** When the webhook event happened, epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * Returns the field of `data` that describes the entity of a webhook event, such as `changeRequest` for
 * the type `change-request.opened`.
 */
function entityField(type: string): string {
  const [entity = ""] = type.split(".");
  return entity.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the request body of a webhook call: `{type, timestamp, data}` of Standard Webhooks, as JSON. */
export function webhookBody(event: WebhookEvent): string {
  const { type, projectId, sequence, data, reason } = event;
  const entity = entityField(type);
  const described = data[entity];
  return JSON.stringify({
    type,
    timestamp: new Date(event.createdAt).toISOString(),
    data: {
      projectId,
      ...(sequence !== null && { sequence }),
      actor: { kind: event.actorKind, name: event.actorName },
      ...(reason !== null && { reason }),
      ...data,
      [entity]: { id: event.entityId, ...(typeof described === "object" && described) },
    },
  });
}

/**
 * Returns the headers of one webhook call, signed by Standard Webhooks 1.0.0 with HMAC-SHA256. The
 * header `webhook-signature` has one signature for each secret, with a space in between.
 * @param secrets the signing secrets of the integration: the current one, and the previous one for
 * some time after it was replaced
 * @param now epoch milliseconds
 */
export function webhookHeaders(
  secrets: readonly string[],
  eventId: string,
  body: string,
  now: number,
): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "webhook-id": eventId,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(secret).sign(eventId, new Date(now), body))
      .join(" "),
  };
}
