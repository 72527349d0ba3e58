import type { DeliveryOutcome } from "../core/metrics/metric-families.ts";
import type { Statement } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { WriteContext } from "../management/context.ts";
import type { Mailer } from "../management/mail.ts";
import type { Vault } from "../management/vault.ts";

/**
 * A queue to which a job sends queue messages. `send` throws whatever the queue throws, or
 * `TimeoutError`.
 */
export interface QueueProducer<T> {
  send(messages: readonly { readonly body: T; readonly delaySeconds?: number }[]): Promise<void>;
}

/**
 * A message of the webhook queue or its dead-letter queue: names a webhook delivery. The status of
 * the delivery is in the database.
 */
export interface WebhookMessage {
  readonly deliveryId: number;
  readonly traceId: string;
}

/** The dependencies of a job: all I/O goes through them. */
export interface JobDeps {
  /** Reads the database. A job sees its own writes. */
  readonly db: ReadDb;
  /**
   * Runs the statements in one transaction, without an actor and an audit record (see `record` in
   * db/commit.ts).
   */
  readonly record: <Row>(statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  /**
   * Makes the write context with which a job calls the management code. The actor is the service:
   * it may write to every project, and audit records name it.
   */
  readonly systemContext: (traceId: string) => WriteContext;
  /** The current time, epoch milliseconds. */
  readonly now: () => number;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly vault: Vault;
  readonly mailer: Mailer;
  /**
   * The base URL of the dashboard, for links in e-mails; undefined when `PUBLIC_URL` is not set.
   */
  readonly publicUrl: string | undefined;
  readonly webhooks: {
    /** The delay before the second attempt at a webhook delivery, seconds. */
    readonly retryBaseSeconds: number;
    readonly allowHttp: boolean;
    /** The monthly quota of webhook deliveries. */
    readonly limit: number;
    readonly queue: QueueProducer<WebhookMessage>;
    readonly dead: QueueProducer<WebhookMessage>;
    /** Adds webhook deliveries with this outcome to the metric `webhook_deliveries_total`. */
    readonly count: (outcome: DeliveryOutcome, deliveries?: number) => void;
  };
  /** Logs and counts a fault that the job itself does not throw. */
  readonly fault: (what: string, error: unknown, traceId?: string) => void;
}
