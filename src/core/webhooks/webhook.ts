import { Webhook } from "standardwebhooks";

/** How often a delivery is tried: decisions 4.2. */
export const MAX_ATTEMPTS = 8;

/** A receiver has this long to answer, in milliseconds. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** The delay before the second attempt: 7 delays of 30 s, times 3.5 each, are some 21 hours. */
const BACKOFF_FACTOR = 3.5;

/** Each delay is up to a tenth longer or shorter, so that retries do not come all at once. */
const JITTER = 0.1;

/** The longest delay that a queue takes: 24 hours (Queues, Limits). */
const MAX_DELAY_SECONDS = 86_400;

/** An event as a receiver gets it. */
export interface WebhookEvent {
  /** The `webhook-id`: the same for every attempt and every repetition. */
  readonly eventId: string;
  readonly type: string;
  readonly projectId: number;
  readonly entityId: number;
  /** Counts the events of the project; null for a test. */
  readonly sequence: number | null;
  readonly actorKind: string;
  readonly actorName: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The payload `{type, timestamp, data}` of Standard Webhooks as JSON. */
export function webhookBody(event: WebhookEvent): string {
  const { type, projectId, sequence, data } = event;
  const [entity = ""] = type.split(".");
  const told = data[entity];
  return JSON.stringify({
    type,
    timestamp: new Date(event.createdAt).toISOString(),
    data: {
      projectId,
      ...(sequence !== null && { sequence }),
      actor: { kind: event.actorKind, name: event.actorName },
      ...data,
      [entity]: { id: event.entityId, ...(typeof told === "object" && told) },
    },
  });
}

/** The headers of one attempt: Standard Webhooks 1.0.0, symmetric signature. */
export function webhookHeaders(
  secret: string,
  eventId: string,
  body: string,
  now: number,
): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "webhook-id": eventId,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": new Webhook(secret).sign(eventId, new Date(now), body),
  };
}

/** The whole seconds to wait after that many attempts; `random` is from 0 to 1. */
export function retryDelaySeconds(attempts: number, baseSeconds: number, random: number): number {
  const delay = baseSeconds * BACKOFF_FACTOR ** (attempts - 1);
  const jittered = delay * (1 - JITTER + 2 * JITTER * random);
  return Math.min(Math.round(jittered), MAX_DELAY_SECONDS);
}
